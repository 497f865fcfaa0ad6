import { beforeAll, expect, it } from 'vitest';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { fresh, inr } from '../arbiter/uses.js';
import { handOff, paidOrder, refund } from './desk.js';

let shop: Shop;
let psp: string;
const keyOf = async (role: string): Promise<string> => {
  const body = { name: 'k', role };
  const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
  return String(made.body.api_key);
};
beforeAll(async () => {
  shop = await openShop(await startTestService());
  psp = await keyOf('psp');
});

it('the address of a pay page is shown to those who may start or cancel payments, to others null', async () => {
  const { payment } = (await handOff(shop, {}, { as: 'agent' })).body;
  const url = expect.stringContaining('/pay/') as string;
  expect(payment.url).toEqual(url);
  const own = (await handOff(shop, { provider: 'merchant' })).body.payment;
  for (const [apiKey, seen] of [
    [shop.apiKeys.agent, url],
    [shop.apiKeys.merchant_system, url],
    [await keyOf('operator'), url],
    [shop.apiKeys.tenant_admin, url],
    [shop.apiKeys.auditor, null],
    [psp, null],
  ] as const) {
    const one = await shop.call('GET', `/v1/payments/${payment.payment_id}`, { apiKey });
    expect([one.status, one.body.url]).toEqual([200, seen]);
    const all = await shop.call('GET', `/v1/payments?order_id=${payment.order_id}`, { apiKey });
    if (all.status === 200) expect(all.body.items).toMatchObject([{ url: seen }]);
  }
  const told = await shop.call('POST', `/v1/payments/${own.payment_id}/reports`, {
    apiKey: psp,
    idempotencyKey: fresh('key'),
    body: { report: 'issued', url: 'https://shop.example/pay/1' },
  });
  expect([told.status, told.body.state, told.body.url]).toEqual([200, 'open', null]);
});

it('nobody reports on what a rail of this service moves, not even a payment provider: 409, and nothing is written', async () => {
  const open = (await handOff(shop)).body.payment;
  const { order_id } = await paidOrder(shop);
  const back = (await refund(shop, { order_id, amount: inr(100) })).body.refund;
  const entries = await shop.entryCount();
  for (const apiKey of [shop.apiKeys.merchant_system, psp])
    for (const path of [`/v1/payments/${open.payment_id}`, `/v1/refunds/${back.refund_id}`]) {
      const options = { apiKey, idempotencyKey: fresh('key'), body: { report: 'failed' } };
      const told = await shop.call('POST', `${path}/reports`, options);
      expect([told.status, told.body.code]).toEqual([409, 'conflict']);
    }
  expect(await shop.entryCount()).toBe(entries);
});

it('nothing is reported of a refund whose allow was not used: 409, and the allow can be used after it', async () => {
  const { order_id } = await paidOrder(shop);
  const asked = { flow: 'refund', merchant_id: 'chai-house', order_id, amount: inr(100) };
  const decided = await shop.ask(asked, { as: 'merchant_system', idempotencyKey: fresh('key') });
  const decisionId = String(decided.body.decision_id);
  const told = await shop.call(
    'POST',
    `/v1/refunds/${decisionId.replace('arbdec', 'rfd')}/reports`,
    {
      apiKey: psp,
      idempotencyKey: fresh('key'),
      body: { report: 'done' },
    },
  );
  expect([told.status, told.body.code]).toEqual([409, 'conflict']);
  const used = await shop.call('POST', `/v1/decisions/${decisionId}/consume`, {
    as: 'merchant_system',
    idempotencyKey: fresh('key'),
    body: { order_id, provider: 'merchant' },
  });
  expect([used.status, used.body.refund?.state]).toEqual([200, 'submitted']);
});
