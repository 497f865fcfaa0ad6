import { beforeAll, describe, expect, it } from 'vitest';
import { SIGNING_KEYS, type SigningKeys } from '../../src/base/keys/index.js';
import { registeredSha256 } from '../../src/core/proofs/ap2/registration.js';
import {
  BUYER,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  PRODUCTS,
  SHOP,
  STALL,
} from '../../src/demo/demo-world.js';
import { cartOf } from '../../src/demo/purchases.js';
import { AUTHORITY, type AuthorityPort } from '../../src/trust/authority/index.js';
import {
  absentPurchase,
  type Ap2World,
  ap2World,
  type ChainOptions,
  checkoutPayload,
  closedCheckout,
  closedPayment,
  directCheckout,
  joined,
} from '../support/ap2.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import { consume } from './uses.js';

const [chai] = PRODUCTS;
const PRICE_MINOR = chai.amountMinor;
let shop: Shop;
let world: Ap2World;
beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await switchAgentPayment(shop, true);
  world = ap2World({ now: FROZEN_AT_MS / 1_000, merchantId: SHOP, subject: BUYER });
  const { kid, jwk } = world.provider;
  const added = {
    issuer: 'https://provider.example',
    kid,
    role: 'agent_provider',
    jwk,
    not_before: '2026-01-01T00:00:00Z',
  };
  expect(await admin('POST', '/v1/issuer-keys', added)).toMatchObject({ status: 201 });
  // AP2 names an instrument and no rail: where the Indian rules hold, rule 8 would ask for one.
  expect(await admin('PATCH', `/v1/merchants/${SHOP}`, { rbi_profile: null })).toMatchObject({
    status: 200,
  });
});

const admin = (method: string, path: string, body: unknown) =>
  shop.call(method, path, { as: 'tenant_admin', body });

/** The shop's own checkout of some chai, signed with its key. */
async function ownCheckout(quantity = 1, of: Ap2World = world): Promise<string> {
  const { variantId, productId } = chai;
  const item = { id: variantId, product_id: productId, title: 'Chai', price: PRICE_MINOR };
  const amount = PRICE_MINOR * quantity;
  const payload = checkoutPayload(of, {
    line_items: [{ id: 'li_0', item, quantity }],
    totals: [
      { type: 'subtotal', amount },
      { type: 'total', amount },
    ],
  });
  const signed = await shop.service.app
    .get<SigningKeys>(SIGNING_KEYS)
    .signJws(shop.tenantId, 'ucp', {
      header: { typ: 'JWT' },
      payload: Buffer.from(JSON.stringify(payload)),
    });
  if (!signed.ok) throw new Error(signed.error.detail);
  return signed.value;
}

/** The authority's word on an object: the real one. */
async function registrationOf(object: string): Promise<string> {
  const issued = await shop.service.app
    .get<AuthorityPort>(AUTHORITY)
    .issueRegistration(shop.tenantId, {
      sha256: registeredSha256(object),
      kind: 'intent',
      parentId: null,
      subject: BUYER,
      agentId: shop.agentId,
      merchantIds: [SHOP, STALL],
      cartHash: null,
      cap: { amountMinor: 10_000_000n, currency: 'INR' },
      notBeforeAtMs: null,
      expiresAtMs: FROZEN_AT_MS + 3_600_000,
    });
  if (!issued.ok) throw new Error(JSON.stringify(issued.error));
  return issued.value.token;
}

const lineItems = (quantity: number) => () => [
  {
    type: 'checkout.line_items',
    items: [{ id: 'l', acceptable_items: [{ id: chai.variantId, title: 'Chai' }], quantity }],
  },
];
const atMost = (max: number) => ({ type: 'payment.amount_range', currency: 'INR', max });

interface Made {
  readonly checkoutChain: string;
  readonly paymentChain: string;
  readonly openCheckout: string;
  readonly openPayment: string;
}

async function absent({
  quantity = 1,
  payment = {},
}: { quantity?: number; payment?: ChainOptions } = {}): Promise<Made> {
  const checkoutJwt = await ownCheckout(quantity);
  const total = { payment_amount: { amount: PRICE_MINOR * quantity, currency: 'INR' } };
  return absentPurchase(world, {
    checkoutJwt,
    checkout: { constraints: lineItems(quantity) },
    payment: {
      constraints: () => [atMost(PRICE_MINOR * 4)],
      ...payment,
      closedMembers: { ...total, ...payment.closedMembers },
    },
  });
}

const withRegistration = async (object: string, of = object) => ({
  object,
  registration: await registrationOf(of),
});

const ids = CREDENTIAL_IDS.shop;
async function buy(mandateRefs: readonly unknown[], quantity = 1) {
  const { status, body } = await shop.ask({
    flow: 'agent_payment',
    merchant_id: SHOP,
    cart: cartOf(chai, quantity),
    buyer_authority: {
      mandate_refs: mandateRefs,
      consent_ref: ids.consent,
      passport_ref: ids.passport,
    },
  });
  expect(status).toBe(200);
  return body as {
    decision_id: string;
    outcome: string;
    reason: string | null;
    failing_rule: string;
  };
}

const use = (decisionId: string, quantity = 1) =>
  consume(shop, decisionId, { cart: cartOf(chai, quantity) });

/** A new cart, closed under mandates that were opened before. */
async function again({ openCheckout, openPayment }: Made, quantity = 1) {
  const checkout = await ownCheckout(quantity);
  const amount = { payment_amount: { amount: PRICE_MINOR * quantity, currency: 'INR' } };
  const closed = closedPayment(world, { open: openPayment, checkout }, { closedMembers: amount });
  return {
    checkoutChain: joined(openCheckout, closedCheckout(world, { open: openCheckout, checkout })),
    paymentChain: joined(openPayment, closed),
  };
}

/** Both chains with registrations of their roots. */
const named = async (chains: Pick<Made, 'checkoutChain' | 'paymentChain'>, opens: Made) => [
  await withRegistration(chains.checkoutChain, opens.openCheckout),
  await withRegistration(chains.paymentChain, opens.openPayment),
];

describe('an absent buyer with AP2 chains', () => {
  it('buys within its open mandates, once', async () => {
    const made = await absent();
    const first = await buy(await named(made, made));
    expect(first.outcome).toBe('allow');
    // Both were decided before either is used: the second use finds the open mandate used up.
    const second = await buy(await named(await again(made), made));
    expect(second.outcome).toBe('allow');
    expect(await use(first.decision_id)).toMatchObject({ status: 200 });
    expect((await use(second.decision_id)).body).toMatchObject({ reason: 'mandate_already_used' });
    expect(await buy(await named(await again(made), made))).toMatchObject({
      failing_rule: 'mandate_present',
      reason: 'mandate_already_used',
    });
  });

  it('buys again and again under a budget, until the sum would be above it', async () => {
    const constraints = () => [
      { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' },
      // 918.00 rupees: two packets, to the paisa.
      { type: 'payment.budget', max: (PRICE_MINOR * 2) / 100, currency: 'INR' },
    ];
    const made = await absent({ payment: { constraints } });
    const first = await buy(await named(made, made));
    expect(await use(first.decision_id)).toMatchObject({ status: 200 });
    const second = await buy(await named(await again(made), made));
    expect(await use(second.decision_id)).toMatchObject({ status: 200 });
    expect(await buy(await named(await again(made), made))).toMatchObject({
      failing_rule: 'not_present_limits',
      reason: 'intent_cap_exceeded',
    });
  });

  it('refuses more than the open payment permits, and what nobody understands', async () => {
    const refusals = {
      mandate_constraint_violated: [atMost(PRICE_MINOR - 1)],
      mandate_constraint_unresolved: [{ type: 'payment.phase_of_moon', phase: 'full' }],
    };
    for (const [reason, constraints] of Object.entries(refusals)) {
      const made = await absent({ payment: { constraints: () => constraints } });
      expect((await buy(await named(made, made))).reason).toBe(reason);
    }
  });

  it('refuses another cart than the one that was closed', async () => {
    const made = await absent();
    expect((await buy(await named(made, made), 2)).reason).toBe('mandate_cart_mismatch');
  });

  it('refuses an object that nobody registered: no list could withdraw it', async () => {
    const { checkoutChain, paymentChain } = await absent();
    const body = await buy([checkoutChain, paymentChain]);
    expect(body).toMatchObject({ failing_rule: 'mandate_present', reason: 'mandate_missing' });
  });
});

describe('registering and withdrawing', () => {
  it('names a chain alone once its open mandates are registered, and stops it by one revoke', async () => {
    const made = await absent();
    for (const object of [made.openCheckout, made.openPayment]) {
      const body = { object, registration: await registrationOf(object) };
      const held = await admin('POST', '/v1/mandates', body);
      expect(held).toMatchObject({
        status: 201,
        body: { is_open: true, status: { verdict: 'valid' } },
      });
      expect(await admin('POST', '/v1/mandates', body)).toEqual(held);
    }
    const allowed = await buy([made.checkoutChain, made.paymentChain]);
    expect(allowed.outcome).toBe('allow');
    const [, claims = ''] = (await registrationOf(made.openPayment)).split('.');
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
    const read = await shop.call('GET', `/v1/mandates/${jti}`, { as: 'tenant_admin' });
    expect(read).toMatchObject({ status: 200, body: { family: 'payment', mandate_id: jti } });
    const { uri, idx } = read.body.status as { uri: string; idx: number };
    const revoked = await shop.call('POST', '/v1/revocations', {
      as: 'tenant_admin',
      body: { uri, idx, status: 'revoked', reason_code: 'consent_withdrawn' },
    });
    expect(revoked).toMatchObject({ status: 200 });
    expect((await buy([made.checkoutChain, made.paymentChain])).reason).toBe('mandate_revoked');
    expect((await use(allowed.decision_id)).body).toMatchObject({ reason: 'mandate_revoked' });
  });

  it.each([
    ['another object', async (made: Made) => registrationOf(made.openPayment)],
    ['nothing that is signed', () => Promise.resolve('a.b.c')],
  ] as const)('refuses a registration of %s', async (_, registration) => {
    const made = await absent();
    const body = { object: made.openCheckout, registration: await registration(made) };
    expect(await admin('POST', '/v1/mandates', body)).toMatchObject({ status: 422 });
  });
});

describe('a buyer who is there', () => {
  it('is one who signed exactly this cart, fresh: the stricter limits are not asked', async () => {
    const direct = directCheckout(world, await ownCheckout());
    const present = await buy([await withRegistration(direct)]);
    expect(present).toMatchObject({ outcome: 'allow' });
    const decision = await shop.call('GET', `/v1/decisions/${present.decision_id}`, {
      as: 'tenant_admin',
    });
    expect(JSON.stringify(decision.body)).toContain('buyer_present');
  });

  it('is not one whose agent closed an open mandate, whatever it says', async () => {
    const made = await absent();
    const { decision_id: id } = await buy(await named(made, made));
    const decision = await shop.call('GET', `/v1/decisions/${id}`, { as: 'tenant_admin' });
    expect(JSON.stringify(decision.body)).toContain('buyer_not_present');
  });
});
