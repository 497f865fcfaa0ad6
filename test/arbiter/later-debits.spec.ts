import { beforeAll, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS } from '../../src/demo/demo-world.js';
import { ok } from '../../src/core/kernel/index.js';
import type { PurchaseFacts } from '../../src/core/rules/index.js';
import { demoRooms } from '../../src/demo/demo-rooms.js';
import { type Arbiter, ARBITER } from '../../src/money/arbiter/index.js';
import {
  claimEvidence,
  evidenceClaimReads,
  evidenceRefsOf,
} from '../../src/trust/rail-evidence/index.js';
import { freshId, type JsonObject } from '../support/issuer.js';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, secondsOf } from '../support/rail-reports.js';
import { answered, debitOf } from './debits.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';

const NOW_SECONDS = secondsOf(FROZEN_AT_MS);

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await switchAgentPayment(shop, true);
});

/** What the rules saw, out of the decision's own entry. */
async function factsOf(decisionId: string): Promise<PurchaseFacts> {
  const arbiter = shop.service.app.get<Arbiter>(ARBITER, { strict: false });
  const decision = await arbiter.find(shop.tenantId, decisionId);
  if (decision?.judged.kind !== 'purchase') throw new Error(`${decisionId} is no purchase`);
  return decision.judged.facts;
}

/** Claims the evidence that a decision rests on, as the command that consumes its allow does. */
async function consume(decisionId: string): Promise<void> {
  const refs = evidenceRefsOf(await factsOf(decisionId));
  expect(refs).toHaveLength(1);
  const { writer } = demoRooms(shop.service.app);
  const claimed = await writer.execute<null>({
    tenantId: shop.tenantId,
    name: 'test.consume',
    actor: { role: 'system', id: 'test' },
    requestId: decisionId,
    idempotency: null,
    reads: evidenceClaimReads(refs),
    decide(view) {
      const events = claimEvidence(view, refs, { decisionId, cartHash: 'c'.repeat(64) });
      if (!events.ok) throw new Error(`${events.error} is taken`);
      return ok({ events: events.value });
    },
    answer: () => null,
  });
  expect(claimed.ok).toBe(true);
}

describe('a later debit under a UPI AutoPay mandate', () => {
  it('is allowed with a live mandate and a notice, without evidence of its own', async () => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate();
    const decision = await pay({ notice: await notice() });
    expect(decision).toMatchObject({ outcome: 'allow', usable: true });
  });

  it('needs evidence when the terms changed, and is allowed with it', async () => {
    const { mandate, notice, evidence, pay } = await debitOf(shop);
    await mandate({ terms_changed_since_afa: true });
    const noticed = await notice();
    expect((await pay({ notice: noticed })).reason).toBe('afa_evidence_missing');
    const proof = await evidence();
    expect(await pay({ notice: noticed, evidence: proof })).toMatchObject({ outcome: 'allow' });
    // Deciding uses nothing up; only consumption claims it.
    expect(await pay({ notice: noticed, evidence: proof })).toMatchObject({ outcome: 'allow' });
  });

  it('is refused while no provider reported the mandate, and when it reported another rail', async () => {
    const { mandate, notice, pay } = await debitOf(shop);
    const noticed = await notice();
    expect((await pay({ notice: noticed })).reason).toBe('upi_mandate_capability_missing');
    await mandate({ rail: 'upi_reserve_pay' });
    expect((await pay({ notice: noticed })).reason).toBe('upi_mandate_capability_missing');
    await mandate({ version: 2 });
    expect((await pay({ notice: noticed })).outcome).toBe('allow');
  });

  it.each<[string, JsonObject, string]>([
    ['initiated', { status: 'initiated' }, 'mandate_not_live'],
    ['paused', { status: 'paused' }, 'mandate_paused'],
    ['revoked', { status: 'revoked' }, 'mandate_revoked'],
    ['ended', { valid_to: NOW_SECONDS }, 'mandate_expired'],
    ['not begun', { valid_from: NOW_SECONDS + 1 }, 'mandate_not_started'],
    ['of less', { limit: { amount: '45899', currency: 'INR' } }, 'mandate_amount_exceeded'],
    ['of another fixed amount', { kind: 'fixed' }, 'mandate_amount_differs'],
    ['of another payee', { merchant_id: 'chai-stall' }, 'mandate_payee_mismatch'],
    [
      'debited in this cycle',
      { last_debited_at: NOW_SECONDS - DAY_SECONDS },
      'mandate_cycle_already_debited',
    ],
    ['of another day', { debit_day: { rule: 'on', day: 29 } }, 'mandate_frequency_violation'],
    ['without validity', { valid_to: undefined }, 'mandate_validity_absent'],
    ['made without AFA', { registration_afa_ref: undefined }, 'afa_registration_missing'],
    ['tried too often', { cycle: { attempts: 4, payee_debited: '0' } }, 'upi_retry_exhausted'],
    [
      'one of several small debits',
      { cycle: { attempts: 0, payee_debited: '1500000' } },
      'mandate_frequency_violation',
    ],
  ])('is refused under a mandate that is %s', async (_name, claims, reason) => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate(claims);
    expect((await pay({ notice: await notice() })).reason).toBe(reason);
  });

  it.each<[string, JsonObject, string]>([
    ['failed', { delivery: 'failed', delivered_at: undefined }, 'pdn_missing'],
    ['of another amount', { amount: { amount: '45901', currency: 'INR' } }, 'pdn_amount_mismatch'],
    ['of another cycle', { seq: 3 }, 'pdn_reference_mismatch'],
    ['of another payee', { merchant_id: 'chai-stall' }, 'pdn_reference_mismatch'],
    ['of another mandate', { mandate_ref: 'another' }, 'pdn_reference_mismatch'],
    ['opted out of', { opted_out_at: NOW_SECONDS - HOUR_SECONDS }, 'pdn_opted_out'],
    ['without the payee’s name', { payee_name: undefined }, 'pdn_incomplete'],
    ['without a reason', { reason: undefined }, 'pdn_incomplete'],
    ['without a time', { scheduled_for: undefined }, 'pdn_incomplete'],
    [
      'of eight days ago',
      {
        sent_at: NOW_SECONDS - 8 * DAY_SECONDS,
        delivered_at: NOW_SECONDS - 8 * DAY_SECONDS,
      },
      'pdn_stale',
    ],
    ['delivered too late', { delivered_at: NOW_SECONDS - DAY_SECONDS + 1 }, 'pdn_too_late'],
  ])('is refused after a notice that was %s', async (_name, claims, reason) => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate();
    expect((await pay({ notice: await notice(claims) })).reason).toBe(reason);
  });

  it('needs the notice, and exactly 24 hours after its delivery are enough', async () => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate();
    expect((await pay()).reason).toBe('pdn_missing');
    expect((await pay({ notice: 'nobody-reported-it' })).reason).toBe('pdn_missing');
    const justInTime = await notice({ delivered_at: NOW_SECONDS - DAY_SECONDS });
    expect((await pay({ notice: justInTime })).outcome).toBe('allow');
    const late = await notice({ delivered_at: NOW_SECONDS - DAY_SECONDS + HOUR_SECONDS });
    expect(await pay({ notice: late })).toMatchObject({ not_before: '2026-11-30T10:30:00.000Z' });
  });

  it('obeys the buyer who opts out after the notice was delivered', async () => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate();
    const noticed = await notice();
    expect((await pay({ notice: noticed })).outcome).toBe('allow');
    await notice({ notice_ref: noticed, version: 2, opted_out_at: NOW_SECONDS - 1 });
    expect((await pay({ notice: noticed })).reason).toBe('pdn_opted_out');
  });

  it.each<[string, JsonObject, string]>([
    ['of one factor', { factors: [{ class: 'has', dynamic: true }] }, 'afa_factors_insufficient'],
    [
      'of static factors',
      {
        factors: [
          { class: 'knows', dynamic: false },
          { class: 'is', dynamic: false },
        ],
      },
      'afa_not_dynamic',
    ],
    ['of an agent’s word', { method: 'agent_assertion' }, 'afa_evidence_unverified'],
    ['from the future', { performed_at: NOW_SECONDS + MINUTE_SECONDS }, 'afa_in_future'],
    [
      'of eleven minutes ago',
      { performed_at: NOW_SECONDS - 11 * MINUTE_SECONDS },
      'afa_evidence_expired',
    ],
    [
      'of another amount',
      { amount: { amount: '45901', currency: 'INR' } },
      'afa_evidence_amount_mismatch',
    ],
    [
      'of another currency',
      { amount: { amount: '45900', currency: 'USD' } },
      'afa_currency_mismatch',
    ],
    ['for another payee', { merchant_id: 'chai-stall' }, 'afa_payee_mismatch'],
    ['for another cart', { cart_hash: 'a'.repeat(64) }, 'afa_cart_mismatch'],
    ['for another mandate', { mandate_ref: 'another' }, 'afa_evidence_mandate_mismatch'],
  ])('is refused on evidence %s', async (_name, claims, reason) => {
    const { mandate, notice, evidence, pay } = await debitOf(shop);
    await mandate({ terms_changed_since_afa: true });
    const named = { notice: await notice(), evidence: await evidence(claims) };
    expect((await pay(named)).reason).toBe(reason);
  });

  it('is refused on evidence that another payment used up, also under another id', async () => {
    const { mandate, notice, evidence, pay } = await debitOf(shop);
    await mandate({ terms_changed_since_afa: true });
    const noticed = await notice();
    const provider_ref = freshId('rrn');
    const proof = await evidence({ provider_ref });
    const same = await evidence({ provider_ref });
    const decision = await pay({ notice: noticed, evidence: proof });
    expect(decision.outcome).toBe('allow');
    await consume(decision.decision_id);
    for (const named of [proof, same])
      expect((await pay({ notice: noticed, evidence: named })).reason).toBe('afa_reference_reused');
    expect((await pay({ notice: noticed, evidence: await evidence() })).outcome).toBe('allow');
  });

  it('is allowed on evidence for exactly its cart', async () => {
    const { mandate, notice, evidence, pay } = await debitOf(shop);
    await mandate({ terms_changed_since_afa: true });
    const noticed = await notice();
    const first = await pay({ notice: noticed, evidence: await evidence() });
    const { cart } = await factsOf(first.decision_id);
    const proof = await evidence({ cart_hash: cart.coreHash });
    expect((await pay({ notice: noticed, evidence: proof })).outcome).toBe('allow');
  });

  it('is not saved by what was known before the buyer revoked', async () => {
    const { mandate, notice, pay } = await debitOf(shop);
    await mandate();
    const noticed = await notice();
    expect((await pay({ notice: noticed })).outcome).toBe('allow');
    await mandate({ version: 2, status: 'revoked' });
    expect((await pay({ notice: noticed })).reason).toBe('mandate_revoked');
  });

  it('is refused once the provider’s key is compromised since before the reports', async () => {
    const { scene, mandate, notice, evidence, pay } = await debitOf(shop);
    await mandate({ terms_changed_since_afa: true });
    const named = { notice: await notice(), evidence: await evidence() };
    expect((await pay(named)).outcome).toBe('allow');
    const listed = await shop.call('GET', '/v1/issuer-keys', { as: 'tenant_admin' });
    const keys = listed.body.items as { kid: string; issuer_key_id: string }[];
    const id = keys.find(({ kid }) => kid === scene.key.kid)?.issuer_key_id;
    const since = { compromised_since: '2026-11-01T00:00:00Z' };
    const path = `/v1/issuer-keys/${id}/compromise`;
    answered(await shop.call('POST', path, { as: 'tenant_admin', body: since }), 200);
    expect((await pay(named)).reason).toBe('upi_mandate_capability_missing');
  });
});

describe('a first debit', () => {
  it('makes the mandate with it: its evidence covers the amount', async () => {
    const { evidence, pay } = await debitOf(shop, { event: 'first_debit' });
    expect((await pay()).reason).toBe('afa_evidence_missing');
    expect((await pay({ evidence: await evidence() })).outcome).toBe('allow');
  });

  it('is judged by what the provider reported of its mandate', async () => {
    const { evidence, mandate, pay } = await debitOf(shop, { event: 'first_debit' });
    const proof = await evidence();
    await mandate({ status: 'initiated', last_seq: undefined, last_debited_at: undefined });
    expect((await pay({ evidence: proof })).outcome).toBe('allow');
    await mandate({ version: 2, status: 'revoked' });
    expect((await pay({ evidence: proof })).reason).toBe('mandate_revoked');
  });
});
