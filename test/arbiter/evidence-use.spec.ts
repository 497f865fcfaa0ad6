import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../src/demo/demo-world.js';
import { cartOf } from '../../src/demo/purchases.js';
import { type Buyers, BUYERS } from '../../src/trust/buyer-authority/index.js';
import { testDatabase } from '../support/database.js';
import { freshId } from '../support/issuer.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';
import { debitOf } from './debits.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import { consume, entriesOf, SHOP_PATH, throughAnotherService } from './uses.js';

const [chai] = PRODUCTS;
const body = { cart: cartOf(chai, 1) };

let shop: Shop;
let other: Shop;
beforeAll(async () => {
  const switchedOn = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  shop = await openShop(await startTestService(switchedOn));
  await switchAgentPayment(shop, true);
  const body = { rbi_rails: ['upi_autopay', 'upi_once'] };
  await shop.call('PATCH', SHOP_PATH, { as: 'tenant_admin', body });
  other = throughAnotherService(shop, await startTestService(switchedOn));
});

/** Decisions that all rest on one authentication and on no debit mandate, each for the cart's whole price. */
async function decisionsOnOneProof(count: number): Promise<string[]> {
  const debit = await debitOf(shop, { rail: 'upi_once', event: 'one_time' });
  const names = { evidence: await debit.evidence() };
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    await debit.renew();
    ids.push((await debit.pay(names)).decision_id);
  }
  return ids;
}

describe('using allows that rest on one authentication', () => {
  it('one is used; the next is refused by rule 8, whose allow stays as it was', async () => {
    const [first = '', second = ''] = await decisionsOnOneProof(2);
    expect((await consume(shop, first, body)).status).toBe(200);
    expect(await consume(shop, second, body)).toMatchObject({
      status: 403,
      body: { failing_rule: 'rbi_afa', reason: 'afa_reference_reused' },
    });
  });

  it('of ten at the same time in two processes one is used', async () => {
    const ids = await decisionsOnOneProof(10);
    const answers = await Promise.all(
      ids.map((id, index) => consume(index % 2 === 0 ? shop : other, id, body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const reasons = answers.flatMap(({ status, body: refusal }) =>
      status === 200 ? [] : [String(refusal.reason)],
    );
    expect(reasons).toEqual(reasons.map(() => 'afa_reference_reused'));
  });

  it('a mandate that was revoked since the decision is not debited', async () => {
    const debit = await debitOf(shop);
    await debit.mandate();
    const { decision_id } = await debit.pay({ notice: await debit.notice() });
    await debit.mandate({ version: 2, status: 'revoked' });
    expect(await consume(shop, decision_id, body)).toMatchObject({
      status: 403,
      body: { failing_rule: 'rbi_afa', reason: 'mandate_revoked' },
    });
  });

  it('no allow stands behind the revocation in the ledger, whoever asks at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const debit = await debitOf(shop);
      await debit.mandate();
      const notice = await debit.notice();
      const [decisions] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, () => debit.pay({ notice }))),
        debit.mandate({ version: 2, status: 'revoked' }),
      ]);
      const entries = await entriesOf(shop, ['decision.recorded', 'payment_mandate.reported']);
      const revokedSeq = entries.find(
        ({ data }) =>
          data['status'] === 'revoked' && data['mandate_ref'] === debit.scene.mandateRef,
      )?.seq;
      const ids = new Set(decisions.map(({ decision_id }) => decision_id));
      const late = entries.filter(
        ({ seq, data }) => seq > Number(revokedSeq) && ids.has(data['decision_id'] as string),
      );
      const outcomes = late.map(({ data }) => (data['decision'] as { outcome: string }).outcome);
      expect(outcomes).toEqual(outcomes.map(() => 'refuse'));
    }
  });

  it('a payer who is erased takes the reports along: they count for nothing', async () => {
    const debit = await debitOf(shop);
    const payer_ref = freshId('payer');
    await debit.mandate({ payer_ref });
    const notice = await debit.notice();
    expect((await debit.pay({ notice })).outcome).toBe('allow');
    const buyers = shop.service.app.get<Buyers>(BUYERS, { strict: false });
    const context = {
      tenantId: shop.tenantId,
      actor: { role: 'tenant_admin', id: 'test' },
      requestId: 'erase',
      idempotency: null,
    } as const;
    const erased = await buyers.erase(context, { reference: payer_ref });
    expect(erased).toMatchObject({ ok: true, value: { documentCount: 1 } });
    expect((await debit.pay({ notice })).reason).toBe('upi_mandate_capability_missing');
  });

  it.each([
    ['report_id', 'rail_reports_pkey'],
    ["report_id || '-again'", 'rail_reports_version'],
  ])('the database alone refuses a second report as %s', async (reportId, constraint) => {
    const debit = await debitOf(shop);
    await debit.mandate();
    const copy = `INSERT INTO rail_reports SELECT tenant_id, kind, ${reportId}, subject_ref, version, status,
        mandate_ref, merchant_id, issuer, issuer_kid, document_sha256, payer_commitment, issued_at_ms,
        registered_at_ms, entry_seq, tx_id
      FROM rail_reports WHERE tenant_id = $1 AND subject_ref = $2`;
    await expect(
      testDatabase().pool.query(copy, [shop.tenantId, debit.scene.mandateRef]),
    ).rejects.toThrow(constraint);
  });

  it('leaves a whole ledger', async () => {
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });
});
