import { beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { openShop, type Shop, startTestService } from './shop.js';

/** Two packs at their signed price are 91800; nothing signed says that a paisa less is enough. */

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const inr = (amount: string) => ({ amount, currency: 'INR' });
const withCart = (change: object, purchase: object = ALLOWED_HANDOFF) => ({
  ...purchase,
  cart: { ...(ALLOWED_HANDOFF['cart'] as object), ...change },
});
const ALMOST_FREE = { discount: inr('91799'), total: inr('1') };

describe('a discount', () => {
  it.each([
    ['a handoff', ALLOWED_HANDOFF],
    ['a purchase of its own', ALLOWED_PURCHASE],
  ])('of an agent is refused in %s, says why, and nothing is written', async (_name, purchase) => {
    const before = await shop.entryCount();
    const { status, body } = await shop.ask(withCart(ALMOST_FREE, purchase));
    expect([status, body.code, body.field]).toEqual([403, 'forbidden', '/cart/discount']);
    expect(body.detail).toContain('no signed fact');
    expect(body.fix).toContain('merchant system');
    const paisa = { discount: inr('1'), total: inr('91799') };
    expect((await shop.ask(withCart(paisa, purchase))).status).toBe(403);
    expect(await shop.entryCount()).toBe(before);
  });

  it('of zero is none', async () => {
    const { body } = await shop.ask(withCart({ discount: inr('0') }));
    expect(body).toMatchObject({ outcome: 'allow', amount: inr('91800') });
  });

  it.each(['merchant_system', 'tenant_admin'] as const)('is the word of %s', async (role) => {
    const { body } = await shop.ask(withCart(ALMOST_FREE), { as: role });
    expect(body).toMatchObject({ outcome: 'allow', amount: inr('1') });
  });

  it('can be simulated by whoever may simulate, which is no agent', async () => {
    const simulate = (as: 'auditor' | 'agent') =>
      shop.call('POST', '/v1/simulate', { as, body: withCart(ALMOST_FREE) });
    expect((await simulate('auditor')).body).toMatchObject({ outcome: 'allow', simulated: true });
    expect((await simulate('agent')).status).toBe(403);
  });
});

describe('tax and shipping', () => {
  it('may be the word of an agent: they only raise the total, and limits are measured by it', async () => {
    const added = { tax: inr('100'), shipping: inr('4900'), total: inr('96800') };
    expect((await shop.ask(withCart(added))).body).toMatchObject({
      outcome: 'allow',
      amount: inr('96800'),
    });
    const vast = { tax: inr('999999999'), total: inr('1000091799') };
    expect((await shop.ask(withCart(vast))).body).toMatchObject({
      failing_rule: 'handoff_merchant_limits',
      reason: 'order_amount_cap_exceeded',
    });
  });
});
