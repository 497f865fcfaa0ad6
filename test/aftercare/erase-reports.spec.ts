import { beforeAll, beforeEach, expect, it } from 'vitest';
import { BUYER } from '../../src/demo/demo-world.js';
import { type Writer, WRITER } from '../../src/base/ledger/index.js';
import { debitOf, paymentMandate } from '../arbiter/debits.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { freshId, type JsonObject } from '../support/issuer.js';
import { mandateStateToken } from '../support/rail-reports.js';
import type { TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

const UPI = { rail: 'upi_autopay', event: 'subsequent_debit' };

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  shop = await openShop(service);
});

const erase = (body: JsonObject = { buyer_reference: BUYER }) =>
  shop.call('POST', '/v1/buyers/erase', {
    as: 'tenant_admin',
    idempotencyKey: freshId('erase'),
    body,
  });

/** How many reports about this debit mandate still hold their bytes. */
async function reportsLeft(mandateRef: string): Promise<number> {
  const { rows } = await testDatabase().pool.query(
    `SELECT 1 FROM rail_reports r JOIN documents d ON d.tenant_id = r.tenant_id AND d.sha256 = r.document_sha256
      WHERE r.tenant_id = $1 AND r.mandate_ref = $2 AND d.bytes IS NOT NULL`,
    [shop.tenantId, mandateRef],
  );
  return rows.length;
}

it('reports that name nobody go with the buyer whose debit mandate they are about', async () => {
  const { scene, mandate, notice, evidence } = await debitOf(shop);
  await mandate();
  await notice();
  await evidence();
  expect(await reportsLeft(scene.mandateRef)).toBe(3);
  expect((await erase()).status).toBe(200);
  expect(await reportsLeft(scene.mandateRef)).toBe(0);
  expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
});

it('also those that came before the payment mandate', async () => {
  const { mandate } = await debitOf(shop);
  const early = freshId('umn');
  const stranger = freshId('umn');
  await mandate({ mandate_ref: early });
  await mandate({ mandate_ref: stranger });
  await paymentMandate(shop, { ...UPI, umn: early });
  await mandate({ mandate_ref: early, version: 2 });
  expect(await reportsLeft(early)).toBe(2);
  const erased = await erase();
  // The shop's eight tokens, two payment mandates more, two reports.
  expect(erased.body).toMatchObject({ documents_erased: 12 });
  expect(await reportsLeft(early)).toBe(0);
  expect(await reportsLeft(stranger)).toBe(1);
  const { buyer_commitment } = erased.body;
  expect((await erase({ buyer_commitment })).body).toEqual(erased.body);
  expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
});

it('also those that were linked to the buyer at the instant of the erasure', async () => {
  const { mandate } = await debitOf(shop);
  const early = freshId('umn');
  await mandate({ mandate_ref: early });
  const writer = service.app.get<Writer>(WRITER, { strict: false });
  const execute = writer.execute.bind(writer);
  writer.execute = async (command) => {
    if (command.name === 'buyer.erase') {
      writer.execute = execute;
      await paymentMandate(shop, { ...UPI, umn: early });
    }
    return execute(command);
  };
  expect((await erase()).status).toBe(200);
  expect(await reportsLeft(early)).toBe(0);
  expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
});

it('a report whose payment mandate is registered at the same instant is the buyer’s', async () => {
  const { mandate } = await debitOf(shop);
  const early = freshId('umn');
  const writer = service.app.get<Writer>(WRITER, { strict: false });
  const execute = writer.execute.bind(writer);
  writer.execute = async (command) => {
    if (command.name === 'payment_mandate.report') {
      writer.execute = execute;
      await paymentMandate(shop, { ...UPI, umn: early });
    }
    return execute(command);
  };
  await mandate({ mandate_ref: early });
  const { rows } = await testDatabase().pool.query<{ buyer_commitment: string | null }>(
    `SELECT d.buyer_commitment FROM rail_reports r JOIN documents d ON d.tenant_id = r.tenant_id
      AND d.sha256 = r.document_sha256 WHERE r.tenant_id = $1 AND r.mandate_ref = $2`,
    [shop.tenantId, early],
  );
  expect(rows).toEqual([{ buyer_commitment: expect.any(String) as string }]);
});

it('nothing more is reported about an erased buyer’s mandate, until a new one is given', async () => {
  const { scene, mandate } = await debitOf(shop);
  await mandate();
  await erase();
  const token = mandateStateToken(scene, { claims: { version: 2 } });
  const late = await shop.call('POST', '/v1/payment-mandates', {
    as: 'merchant_system',
    body: { token },
  });
  expect(late).toMatchObject({ status: 409, body: { code: 'conflict', field: '/token' } });
  expect(late.body.detail).toContain('was erased');
  await paymentMandate(shop, { ...UPI, umn: scene.mandateRef });
  await mandate({ version: 2 });
  expect(await reportsLeft(scene.mandateRef)).toBe(1);
});
