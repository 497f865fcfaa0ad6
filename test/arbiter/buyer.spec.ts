import { beforeAll, describe, expect, it } from 'vitest';
import { keyBindingHash } from '../../src/core/proofs/index.js';
import { DemoIssuer } from '../../src/demo/demo-issuer.js';
import { demoRooms } from '../../src/demo/demo-rooms.js';
import {
  BUYER,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  ISSUERS,
  PRODUCTS,
  STALL,
} from '../../src/demo/demo-world.js';
import { ALLOWED_PURCHASE, cartOf } from '../../src/demo/purchases.js';
import { checkCart, coreHashOf } from '../../src/money/arbiter/cart.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await switchAgentPayment(shop, true);
});

const [chai] = PRODUCTS;
const buyerKey = new DemoIssuer('buyer', 'buyer-1');
const seconds = FROZEN_AT_MS / 1000;

/** What a wallet computes of a cart of one line (decisions 3.8). */
function coreHash(quantity: number): string {
  const inr = (amountMinor: number) => ({ amountMinor: BigInt(amountMinor), currency: 'INR' });
  const cart = checkCart({
    currency: 'INR',
    lines: [
      {
        productId: chai.productId,
        variantId: chai.variantId,
        quantity,
        unitPrice: inr(chai.amountMinor),
      },
    ],
    discount: null,
    tax: null,
    shipping: null,
    total: inr(chai.amountMinor * quantity),
    fulfilmentChoice: null,
  });
  if (!cart.ok) throw new Error(cart.error.detail);
  return coreHashOf(cart.value, STALL);
}

/** A cart mandate, with the buyer's own signature when the buyer is there. */
function cartMandate(quantity: number, bound: boolean): string {
  const slot = shop.spareSlots[0];
  const token = ISSUERS.credentials.token('mandate+jwt', {
    iss: ISSUERS.credentials.issuer,
    sub: BUYER,
    aud: shop.tenantId,
    jti: 'cart-mandate',
    iat: seconds,
    exp: seconds + 600,
    tenant_id: shop.tenantId,
    agent_id: shop.agentId,
    status: { status_list: { uri: slot?.uri ?? '', idx: slot?.index ?? 0 } },
    kind: 'cart',
    merchant_ids: [STALL],
    cart_hash: coreHash(quantity),
    cap: { amount: '100000', currency: 'INR' },
    cnf: { jwk: buyerKey.jwk },
  });
  if (!bound) return token;
  const claims = { iat: seconds, aud: shop.tenantId, sd_hash: keyBindingHash(token) };
  return `${token}~${buyerKey.token('kb+jwt', claims)}`;
}

const ids = CREDENTIAL_IDS.stall;
const buy = async (mandate: string, quantity = 1) =>
  (
    await shop.ask({
      ...ALLOWED_PURCHASE,
      merchant_id: STALL,
      cart: cartOf(chai, quantity),
      buyer_authority: {
        mandate_refs: [mandate, ids.payment],
        consent_ref: ids.consent,
        passport_ref: ids.passport,
      },
    })
  ).body as { outcome: string; reason: string };

describe('presence of the buyer', () => {
  it('is a key-bound cart mandate for exactly this cart: the stricter limits are not asked', async () => {
    expect(await buy(cartMandate(1, true))).toMatchObject({ outcome: 'allow', usable: true });
  });

  it('is nothing less', async () => {
    expect((await buy(cartMandate(1, false))).reason).toBe('not_present_limits_missing');
    expect((await buy(cartMandate(1, true), 2)).reason).toBe('mandate_cart_mismatch');
    expect((await buy(cartMandate(1, true).slice(0, -4))).reason).toBe('mandate_signature_invalid');
  });
});

describe('withdrawal', () => {
  const withdraw = async (own: Shop, subjectId: string) => {
    const changed = await demoRooms(own.service.app).revocations.change(
      {
        tenantId: own.tenantId,
        actor: { role: 'operator', id: 'test' },
        requestId: 'r',
        idempotency: null,
      },
      {
        target: { subjectId },
        status: 'revoked',
        reasonCode: 'consent_withdrawn',
        scope: { merchantIds: null },
      },
    );
    expect(changed.ok).toBe(true);
  };

  it.each([
    [CREDENTIAL_IDS.shop.intent, 'mandate_revoked'],
    [CREDENTIAL_IDS.shop.consent, 'consent_revoked'],
    [CREDENTIAL_IDS.shop.passport, 'passport_revoked'],
  ])(
    'of %s refuses the next ask with %s, and what was decided stays',
    async (subjectId, reason) => {
      const own = await openShop(shop.service);
      const before = await own.ask(ALLOWED_PURCHASE);
      expect(before.body.outcome).toBe('allow');
      await withdraw(own, subjectId);
      expect((await own.ask(ALLOWED_PURCHASE)).body).toMatchObject({ outcome: 'refuse', reason });
      const path = `/v1/decisions/${before.body.decision_id}`;
      expect((await own.call('GET', path)).body).toEqual(before.body);
    },
  );
});
