import { formatInstant, invariant } from '../core/kernel/index.js';
import type { StatusRef } from '../core/proofs/index.js';
import {
  CARD_TERMS,
  CREDENTIAL_IDS,
  type DemoPlace,
  FROZEN_AT_MS,
  INTENT_CAP_MINOR,
  intentToken,
  passportToken,
  paymentToken,
  PRODUCTS,
  SHOP,
  STALL,
} from './demo-world.js';
import {
  ABOVE_THE_PASSPORT,
  ALLOWED_PURCHASE,
  type Body,
  cartOf,
  SHOP_AUTHORITY,
} from './purchases.js';
import type { SeededTenant } from './seed.js';

const [CHAI, , SAMOVAR, FLASK] = PRODUCTS;

/** One refusal by name: what is asked, and which rule says no for which reason. */
export interface RefusalCase {
  readonly title: string;
  readonly body: Body;
  readonly rule: string;
  readonly reason: string;
}

/** One purchase per rule in which exactly that rule is the earliest to fail. */
export function refusalsByRule(tenant: SeededTenant): readonly RefusalCase[] {
  const place = { tenantId: tenant.tenantId, agentId: tenant.agentId, atMs: FROZEN_AT_MS };
  const refused = (title: string, [rule, reason]: readonly [string, string], change: Body) => ({
    title,
    rule,
    reason,
    body: { ...ALLOWED_PURCHASE, ...change },
  });
  const authority = (change: Body) => ({ buyer_authority: { ...SHOP_AUTHORITY, ...change } });
  const slot = (index: number): StatusRef => spareSlot(tenant, index);
  return [
    refused(
      'rule 1, mandate_present: the mandate has expired',
      ['mandate_present', 'mandate_expired'],
      authority({ mandate_refs: [expiredIntent(place, slot(0))] }),
    ),
    refused('rule 2, consent_active: no consent', ['consent_active', 'consent_missing'], {
      buyer_authority: {
        mandate_refs: SHOP_AUTHORITY.mandate_refs,
        passport_ref: SHOP_AUTHORITY.passport_ref,
      },
    }),
    refused(
      'rule 3, passport_amount_cap: more than the passport covers',
      ['passport_amount_cap', 'passport_amount_cap_exceeded'],
      { cart: ABOVE_THE_PASSPORT['cart'] ?? null },
    ),
    refused(
      'rule 4, verified_buyer_authority: the body claims what nobody signed',
      ['verified_buyer_authority', 'buyer_authority_caller_asserted'],
      { buyer_authority: FORGED_AUTHORITY },
    ),
    refused(
      'rule 5, facts_valid: the price was a mistake and is revoked',
      ['facts_valid', 'artifact_revoked:price'],
      { cart: cartOf(FLASK, 1) },
    ),
    refused(
      'rule 6, merchant_limits: above the maximum of the merchant for one order',
      ['merchant_limits', 'order_amount_cap_exceeded'],
      {
        cart: cartOf(SAMOVAR, 1),
        ...authority({
          mandate_refs: [
            intentToken({ id: 'tour-rich-intent', merchantId: SHOP, slot: slot(3) }, place, RICH),
            paymentToken({ id: 'tour-rich-payment', merchantId: SHOP, slot: slot(4) }, place, {
              ...CARD_TERMS,
              ...RICH,
            }),
          ],
          passport_ref: richPassport(place, slot(1)),
        }),
      },
    ),
    refused(
      'rule 7, not_present_limits: the buyer is away, and the stall takes no such orders',
      ['not_present_limits', 'not_present_limits_missing'],
      { merchant_id: STALL, cart: cartOf(CHAI, 1), buyer_authority: STALL_AUTHORITY },
    ),
    refused(
      'rule 8, rbi_afa: UPI AutoPay without proof that the bank asked the buyer',
      ['rbi_afa', 'afa_evidence_missing'],
      authority({ mandate_refs: [SHOP_AUTHORITY.mandate_refs[0], upiMandate(place, slot(2))] }),
    ),
  ];
}

/**
 * The allowed purchase with a payment mandate of its own: money that is captured for it uses that mandate up, and the
 * seeded one is left for the charge.
 */
export function purchaseToCapture(tenant: SeededTenant): Body {
  const { tenantId, agentId } = tenant;
  const place = { tenantId, agentId, atMs: FROZEN_AT_MS };
  const credential = { id: 'tour-payment', merchantId: SHOP, slot: spareSlot(tenant, 5) };
  const payment = paymentToken(credential, place, { ...CARD_TERMS, capMinor: INTENT_CAP_MINOR });
  const [intent] = SHOP_AUTHORITY.mandate_refs;
  return {
    ...ALLOWED_PURCHASE,
    buyer_authority: { ...SHOP_AUTHORITY, mandate_refs: [intent, payment] },
  };
}

function spareSlot({ spareSlots }: SeededTenant, index: number): StatusRef {
  const found = spareSlots[index];
  invariant(found !== undefined, 'the seed reserves spare places');
  return found;
}

/** A handoff of the flask: its price is revoked. */
export const REVOKED_HANDOFF: Body = { flow: 'handoff', merchant_id: SHOP, cart: cartOf(FLASK, 1) };

/** One pack of chai at the stall: refused once its day is full. */
export const STALL_HANDOFF: Body = { flow: 'handoff', merchant_id: STALL, cart: cartOf(CHAI, 1) };

const STALL_AUTHORITY: Body = {
  mandate_refs: [CREDENTIAL_IDS.stall.intent, CREDENTIAL_IDS.stall.payment],
  consent_ref: CREDENTIAL_IDS.stall.consent,
  passport_ref: CREDENTIAL_IDS.stall.passport,
};

const FORGED_AUTHORITY: Body = {
  mandate_refs: ['mandate-i-made-up'],
  mandate_expires_at: formatInstant(FROZEN_AT_MS + 600_000),
  consent_ref: 'consent-i-made-up',
  consent_state: 'granted',
  consent_expires_at: formatInstant(FROZEN_AT_MS + 600_000),
  passport_ref: 'passport-i-made-up',
  passport_max_amount_minor_units: 100_000_000,
  passport_currency: 'INR',
  passport_expires_at: formatInstant(FROZEN_AT_MS + 600_000),
};

const HOUR_MS = 3_600_000;

/** Signed two hours ago for one hour. */
const expiredIntent = (place: DemoPlace, slot: StatusRef): string =>
  intentToken(
    { id: 'tour-expired-intent', merchantId: SHOP, slot },
    { ...place, atMs: place.atMs - 2 * HOUR_MS },
    { capMinor: INTENT_CAP_MINOR, lifeMs: HOUR_MS },
  );

/** INR 1,000,000.00: authority so wide that the limits of the merchant are what refuses. */
const RICH = { capMinor: 100_000_000 };

const richPassport = (place: DemoPlace, slot: StatusRef): string =>
  passportToken({ id: 'tour-rich-passport', merchantId: SHOP, slot }, place, {
    consentId: CREDENTIAL_IDS.shop.consent,
    ...RICH,
  });

const upiMandate = (place: DemoPlace, slot: StatusRef): string =>
  paymentToken({ id: 'tour-upi-mandate', merchantId: SHOP, slot }, place, {
    capMinor: INTENT_CAP_MINOR,
    rail: 'upi_autopay',
    event: 'first_debit',
  });
