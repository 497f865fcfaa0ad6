import { beforeAll, describe, expect, it } from 'vitest';
import { COMMERCE_AUDIENCE } from '../../src/core/proofs/index.js';
import {
  artifactIdOf,
  BUYER,
  CARD_TERMS,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  ISSUERS,
  PRODUCTS,
  SHOP,
  STALL,
} from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { AUTHORITY, type AuthorityPort } from '../../src/trust/authority/index.js';
import { capture, handOff, on, paymentNow } from '../money/desk.js';
import { answered } from '../arbiter/money-books.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from '../arbiter/shop.js';
import { allowed, consume, differencesOf, entriesOf, fresh, moveClock } from '../arbiter/uses.js';
import { startTestAuthority, type TestAuthority } from '../support/authority.js';
import type { TestService } from '../support/service.js';

/**
 * One revoke, every channel (facts/arbiter.md A17, decisions 4.3): after its answer the next ask refuses on both of two
 * services, each of which held a fresh copy of the list from before. A cached fact: test/trust/cached-facts.spec.ts.
 */

const [CHAI, KETTLE] = PRODUCTS;
const OVER_MS = 61_000;
const FACTS = 'handoff_facts_valid';

let one: TestService;
let two: TestService;
beforeAll(async () => {
  const agentPays = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  [one, two] = await Promise.all([startTestService(agentPays), startTestService(agentPays)]);
});

/** A shop, and both services as one who asks sees them; each has looked at the lists just now. */
async function openTwice(first = one, second = two): Promise<readonly [Shop, Shop]> {
  const shop = await openShop(first);
  const other = on(second, shop);
  for (const place of [shop, other])
    expect(answered(await place.ask(ALLOWED_HANDOFF), 200).outcome).toBe('allow');
  return [shop, other];
}

const PRICE = { artifact_type: 'price', merchant_id: SHOP, variant_id: CHAI.variantId };
const INVENTORY = { ...PRICE, artifact_type: 'inventory' };

interface Revoked {
  readonly revocation_id: string;
  readonly status: string;
  readonly cascaded_subject_ids: readonly string[];
  readonly lists: readonly { readonly uri: string; readonly version: number }[];
}
const revoke = async (shop: Shop, target: object, more: object = {}): Promise<Revoked> => {
  const body = { ...target, reason_code: 'recall', ...more };
  const changed = await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body });
  return answered<Revoked>(changed, 200);
};

interface StoredHandoff {
  readonly decision: { readonly flow: 'handoff' };
  readonly judged: {
    readonly facts: {
      readonly cart: { readonly hash: string };
      readonly artifacts: readonly {
        readonly id: string;
        readonly payload_hash: string;
        readonly status: { readonly list_uri: string; readonly index: number };
      }[];
    };
  };
}

/** A payment mandate under another, signed by the wallet that signed that one. */
function childOf(
  { tenantId, agentId }: Shop,
  parent: string,
  { slot, merchantId = SHOP }: { slot: { uri: string; idx: number }; merchantId?: string },
) {
  const id = fresh('child');
  const seconds = FROZEN_AT_MS / 1_000;
  const token = ISSUERS.credentials.token('mandate+jwt', {
    iss: ISSUERS.credentials.issuer,
    sub: BUYER,
    aud: COMMERCE_AUDIENCE,
    jti: id,
    iat: seconds,
    exp: seconds + 3_600,
    tenant_id: tenantId,
    agent_id: agentId,
    status: { status_list: slot },
    kind: 'payment',
    parent,
    merchant_ids: [merchantId],
    cap: { amount: '1000000', currency: 'INR' },
    payment: { rail: CARD_TERMS.rail, event: CARD_TERMS.event, country: 'IN' },
  });
  return { id, token };
}

const reserved = async (shop: Shop): Promise<{ uri: string; idx: number }> => {
  const body = { count: 1 };
  const made = await shop.call('POST', '/v1/status-slots', { as: 'tenant_admin', body });
  return answered<{ slots: [{ uri: string; idx: number }] }>(made, 201).slots[0];
};

const registerMandate = (shop: Shop, token: string) =>
  shop.call('POST', '/v1/mandates', { as: 'tenant_admin', body: { token } });

/** What happens at the authority and reaches no service of ours, as when a buyer withdraws there. */
async function revokeElsewhere(shop: Shop, kind: 'artifact' | 'consent', objectId: string) {
  const authority = shop.service.app.get<AuthorityPort>(AUTHORITY, { strict: false });
  const revoked = await authority.revoke(shop.tenantId, {
    target: { kind, objectId },
    status: 'revoked',
    reasonCode: 'consent_withdrawn',
    revokedBy: 'buyer',
  });
  expect(revoked.ok).toBe(true);
}

const chaiPrice = artifactIdOf({ merchantId: SHOP, type: 'price', product: CHAI });
const simulated = async (shop: Shop, body: object) =>
  answered<object>(await shop.call('POST', '/v1/simulate', { as: 'tenant_admin', body }), 200);

describe('after the answer of a revoke', () => {
  /** For what leaves chai on sale. */
  let shared: readonly [Shop, Shop];
  beforeAll(async () => {
    shared = await openTwice();
  });

  it('every channel of both services refuses, and what was paid stays paid', async () => {
    const [here, there] = await openTwice();
    const paid = answered(await handOff(here, { provider: 'merchant' }), 201).payment;
    const early = await allowed(here, ALLOWED_HANDOFF);
    const late = await allowed(there, ALLOWED_HANDOFF);
    const began = performance.now();
    const revoked = await revoke(here, PRICE);
    const answeredMs = performance.now() - began;
    const refusedMs: number[] = [];
    for (const place of [there, here]) {
      expect((await place.ask(ALLOWED_HANDOFF)).body).toMatchObject({
        outcome: 'refuse',
        failing_rule: FACTS,
        reason: 'artifact_revoked:price',
      });
      refusedMs.push(performance.now() - began);
      expect(await simulated(place, ALLOWED_HANDOFF)).toMatchObject({
        outcome: 'refuse',
        reason: 'artifact_revoked:price',
      });
      expect(await handOff(place)).toMatchObject({
        status: 403,
        body: { failing_rule: FACTS, reason: 'artifact_revoked:price' },
      });
      const shown = await place.call('GET', `/v1/artifacts/${chaiPrice}`, { as: 'tenant_admin' });
      expect(shown.body.status.verdict).toBe('revoked');
    }
    const body = { cart: ALLOWED_HANDOFF['cart'] };
    for (const [place, decisionId] of [
      [there, early],
      [here, late],
    ] as const)
      expect(await consume(place, decisionId, body)).toMatchObject({
        status: 403,
        body: { failing_rule: FACTS, reason: 'artifact_revoked:price' },
      });
    expect(revoked.lists).toEqual([
      { uri: expect.any(String) as string, version: expect.any(Number) as number },
    ]);
    expect(answered(await capture(here, paid), 201)).toBeDefined();
    expect((await paymentNow(here, paid.payment_id)).state).toBe('paid');
    const [otherMs = 0, ownMs = 0] = refusedMs;
    console.log(
      `revoke answered after ${answeredMs.toFixed(0)} ms, refused by the other service after ` +
        `${otherMs.toFixed(0)} ms, by its own after ${ownMs.toFixed(0)} ms`,
    );
  });

  it('the countersignature of what rests on it is refused', async () => {
    const [here] = await openTwice();
    const decisionId = await allowed(here, ALLOWED_HANDOFF);
    const [decided] = (await entriesOf(here, ['decision.recorded'])).filter(
      ({ data }) => data['decision_id'] === decisionId,
    );
    const { judged, decision } = decided?.data as unknown as StoredHandoff;
    const authority = one.app.get<AuthorityPort>(AUTHORITY, { strict: false });
    const ask = async () => {
      const question = {
        decisionId,
        flow: decision.flow,
        cartHash: judged.facts.cart.hash,
        orderId: null,
        amount: { amountMinor: 91_800n, currency: 'INR' },
        merchantId: SHOP,
        decidedAtMs: FROZEN_AT_MS,
        expiresAtMs: FROZEN_AT_MS + 600_000,
        artifacts: judged.facts.artifacts.map(({ id, payload_hash: payloadHash, status }) => ({
          id,
          payloadHash,
          slot: { uri: status.list_uri, index: status.index },
        })),
      };
      const deadline = AbortSignal.timeout(3_000);
      return (await authority.countersign(here.tenantId, [question], deadline))[0]?.kind;
    };
    expect(await ask()).toBe('signed');
    await revoke(here, INVENTORY);
    expect(await ask()).toBe('refused');
  });

  it('what rests on another slot of the same list goes on', async () => {
    const [here, there] = shared;
    await revoke(here, { ...PRICE, variant_id: KETTLE.variantId });
    for (const place of [there, here])
      expect((await place.ask(ALLOWED_HANDOFF)).body.outcome).toBe('allow');
  });

  it('the mandates below it count nowhere any more', async () => {
    const [here, there] = shared;
    await switchAgentPayment(here, true);
    const { intent, consent, passport } = CREDENTIAL_IDS.shop;
    const child = childOf(here, intent, { slot: await reserved(here) });
    answered(await registerMandate(there, child.token), 201);
    const body = {
      ...ALLOWED_PURCHASE,
      buyer_authority: {
        mandate_refs: [intent, child.id],
        consent_ref: consent,
        passport_ref: passport,
      },
    };
    for (const place of [here, there]) expect((await place.ask(body)).body.outcome).toBe('allow');
    const revoked = await revoke(there, { subject_id: intent });
    expect(revoked.cascaded_subject_ids).toEqual([child.id]);
    for (const place of [here, there])
      expect((await place.ask(body)).body).toMatchObject({
        failing_rule: 'mandate_present',
        reason: 'mandate_revoked',
      });
    const late = childOf(here, intent, { slot: await reserved(here) });
    expect(await registerMandate(here, late.token)).toMatchObject({
      status: 422,
      body: { code: 'unverifiable', field: '/token' },
    });
  });

  it('a child born while its parent is revoked is refused or falls with it', async () => {
    const both = shared;
    const [shop] = both;
    const { intent } = CREDENTIAL_IDS.stall;
    const children = await Promise.all(
      Array.from({ length: 8 }, async () =>
        childOf(shop, intent, { slot: await reserved(shop), merchantId: STALL }),
      ),
    );
    const [born, revoked] = await Promise.all([
      Promise.all(
        children.map(({ token }, place) => registerMandate(both[place % 2 ? 1 : 0], token)),
      ),
      revoke(both[1], { subject_id: intent }),
    ]);
    const alive = children.filter((_child, place) => born[place]?.status === 201);
    for (const { id } of alive) {
      const shown = await shop.call('GET', `/v1/mandates/${id}`, { as: 'tenant_admin' });
      expect(shown.body.status.verdict).toBe('revoked');
    }
    expect(born.filter(({ status }) => status !== 201 && status !== 422)).toEqual([]);
    for (const { id } of alive) expect(revoked.cascaded_subject_ids).toContain(id);
    expect(await differencesOf(shop)).toEqual([]);
  });

  it('suspended refuses until it is taken back', async () => {
    const [here, there] = shared;
    await revoke(here, PRICE, { status: 'suspended' });
    for (const place of [there, here])
      expect((await place.ask(ALLOWED_HANDOFF)).body.reason).toBe('artifact_suspended:price');
    await revoke(there, PRICE, { status: 'valid' });
    for (const place of [here, there])
      expect((await place.ask(ALLOWED_HANDOFF)).body.outcome).toBe('allow');
  });
});

describe('what was revoked elsewhere', () => {
  it('shows at the next ask after any revoke here: no copy from before it counts', async () => {
    const [here, there] = await openTwice();
    await revokeElsewhere(here, 'artifact', chaiPrice);
    // Both hold a fresh copy from before, and a fresh copy may be relied on.
    expect((await there.ask(ALLOWED_HANDOFF)).body.outcome).toBe('allow');
    await revoke(here, { ...PRICE, variant_id: KETTLE.variantId });
    for (const place of [there, here])
      expect((await place.ask(ALLOWED_HANDOFF)).body.reason).toBe('artifact_revoked:price');
  });

  it('refuses an allow from before at its use, once the copies are over', async () => {
    const [here, there] = await openTwice();
    const decisionId = await allowed(here, ALLOWED_HANDOFF);
    await revokeElsewhere(here, 'artifact', chaiPrice);
    await moveClock(here, FROZEN_AT_MS + OVER_MS);
    const body = { cart: ALLOWED_HANDOFF['cart'] };
    expect(await consume(there, decisionId, body)).toMatchObject({
      status: 403,
      body: { failing_rule: FACTS, reason: 'artifact_revoked:price' },
    });
  });

  it('reaches a purchase through the consent that its buyer withdrew', async () => {
    const [here, there] = await openTwice();
    await switchAgentPayment(here, true);
    const decisionId = await allowed(there, ALLOWED_PURCHASE);
    await revokeElsewhere(here, 'consent', CREDENTIAL_IDS.shop.consent);
    await moveClock(here, FROZEN_AT_MS + OVER_MS);
    const body = { cart: ALLOWED_PURCHASE['cart'] };
    expect(await consume(here, decisionId, body)).toMatchObject({
      status: 403,
      body: { failing_rule: 'consent_active', reason: 'consent_revoked' },
    });
  });
});

describe('with the authority gone', () => {
  /** Both services of their own, with a way to the authority that can be cut. */
  async function openCut(): Promise<readonly [Shop, Shop, TestAuthority]> {
    const authority = await startTestAuthority();
    const services = await Promise.all([
      startTestService(authority.settings),
      startTestService(authority.settings),
    ]);
    return [...(await openTwice(...services)), authority];
  }

  it('a fresh copy still answers, and none that a revoke has overtaken', async () => {
    const [here, there, authority] = await openCut();
    const decisionId = await allowed(there, ALLOWED_HANDOFF);
    const spare = await allowed(there, ALLOWED_HANDOFF);
    // Through a service that still reaches it: what these two hold is from before.
    const reaching = on(one, here);
    await authority.stop();
    expect((await there.ask(ALLOWED_HANDOFF)).body.outcome).toBe('allow');
    const used = await consume(there, spare, { cart: ALLOWED_HANDOFF['cart'] });
    answered(used, 200);
    await revoke(reaching, { ...PRICE, variant_id: KETTLE.variantId });
    for (const place of [there, here])
      expect((await place.ask(ALLOWED_HANDOFF)).body.reason).toBe(
        'status_list_unavailable:catalog_snapshot',
      );
    expect(await consume(there, decisionId, { cart: ALLOWED_HANDOFF['cart'] })).toMatchObject({
      status: 403,
      body: { failing_rule: FACTS, reason: 'status_list_unavailable:catalog_snapshot' },
    });
  });

  it('an allow is refused once the copies are over; captures ask no list', async () => {
    const [here, there, authority] = await openCut();
    const paid = answered(await handOff(here, { provider: 'merchant' }), 201).payment;
    const decisionId = await allowed(there, ALLOWED_HANDOFF);
    await authority.stop();
    await moveClock(here, FROZEN_AT_MS + OVER_MS);
    expect(await consume(there, decisionId, { cart: ALLOWED_HANDOFF['cart'] })).toMatchObject({
      status: 403,
      body: { failing_rule: FACTS, reason: 'status_list_unavailable:catalog_snapshot' },
    });
    answered(await capture(here, paid), 201);
    const amount = { amount: '100', currency: 'INR' };
    const refund = { merchant_id: SHOP, order_id: paid.order_id, amount };
    const refunded = await here.call('POST', '/v1/refunds', {
      as: 'merchant_system',
      idempotencyKey: fresh('refund'),
      body: refund,
    });
    expect(refunded.status).toBe(201);
    const revoked = await here.call('POST', '/v1/revocations', {
      as: 'tenant_admin',
      body: { ...PRICE, reason_code: 'recall' },
    });
    expect(revoked).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});
