import type { TenantId } from '../../../src/core/kernel/index.js';
import { testDatabase } from '../../support/database.js';
import type { Bought, MerchantCaps } from './plain.js';

/** The members of an entry, as its bytes say them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Raw = any;

export interface Entry {
  readonly seq: number;
  readonly atMs: number;
  readonly type: string;
  readonly data: Raw;
}

export async function readEntries(tenantId: TenantId): Promise<Entry[]> {
  const { rows } = await testDatabase().pool.query<{ seq: string; at_ms: string; body: string }>(
    'SELECT seq, at_ms, body FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map(({ seq, at_ms, body }) => {
    const { type, data } = JSON.parse(body) as Pick<Entry, 'type' | 'data'>;
    return { seq: Number(seq), atMs: Number(at_ms), type, data };
  });
}

interface RawCaps {
  readonly order_max_minor: string;
  readonly daily_max_minor: string | null;
}

interface RawLimits {
  readonly currencies: readonly (RawCaps & { readonly currency: string })[];
  readonly items_max: number;
  readonly not_present:
    (RawCaps & { readonly currency: string; readonly items_max: number }) | null;
}

const caps = ({ order_max_minor: order, daily_max_minor: day }: RawCaps) => ({
  orderMinor: BigInt(order),
  dayMinor: day === null ? null : BigInt(day),
});

export const capsOf = (limits: RawLimits): MerchantCaps => ({
  byCurrency: new Map(limits.currencies.map((one) => [one.currency, caps(one)])),
  items: limits.items_max,
  away: limits.not_present && {
    ...caps(limits.not_present),
    currency: limits.not_present.currency,
    items: limits.not_present.items_max,
  },
});

interface RawFacts {
  readonly flow: Bought['flow'];
  readonly merchant_id: string;
  readonly cart: {
    readonly lines: readonly { readonly variant_id: string; readonly quantity: number }[];
    readonly total_minor: string;
    readonly currency: string;
    readonly core_hash: string;
  };
  readonly authority: {
    readonly mandates: readonly RawMandate[];
    readonly passport: {
      readonly ref: string;
      readonly cap_minor: string;
      readonly expires_at: string;
    };
  };
  readonly artifacts: readonly { readonly expires_at: string }[];
}

interface RawMandate {
  readonly ref: string;
  readonly mandate_kind: string;
  readonly cap_minor: string;
  readonly intent_refs: readonly string[];
  readonly cart_hash: string | null;
  readonly issued_at: string;
}

/** The clock moved on between the look at the facts and the lock. */
export const isOfOldFacts = ({ artifacts }: RawFacts, atMs: number): boolean =>
  artifacts.some((one) => atMs >= Date.parse(one.expires_at));

/** What was asked for; `decidedAtMs` is when the buyer's presence is judged. */
export function boughtOf(facts: RawFacts, decidedAtMs: number): Bought {
  const { flow, cart, merchant_id: merchant } = facts;
  const pieces = new Map<string, number>();
  for (const { variant_id: variant, quantity } of cart.lines)
    pieces.set(variant, (pieces.get(variant) ?? 0) + quantity);
  return {
    flow,
    merchant,
    amountMinor: BigInt(cart.total_minor),
    currency: cart.currency,
    pieces,
    buyer: flow === 'handoff' ? null : buyerOf(facts, decidedAtMs),
  };
}

function buyerOf({ cart, authority }: RawFacts, atMs: number): Bought['buyer'] {
  const { mandates, passport } = authority;
  const isPresent = mandates.some(
    (one) =>
      one.mandate_kind === 'cart' &&
      one.cart_hash === cart.core_hash &&
      atMs - Date.parse(one.issued_at) <= 600_000,
  );
  const intents = mandates.filter((one) => one.mandate_kind === 'intent');
  return {
    isAway: !isPresent,
    passport: {
      ref: passport.ref,
      capMinor: BigInt(passport.cap_minor),
      endsMs: Date.parse(passport.expires_at),
    },
    intents: intents.map(({ ref, cap_minor: cap }) => ({ ref, capMinor: BigInt(cap) })),
    drawn: [...new Set(mandates.flatMap((one) => one.intent_refs))],
  };
}
