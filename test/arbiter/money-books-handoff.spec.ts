import { beforeAll, describe, expect, it } from 'vitest';
import {
  artifactIdOf,
  CREDENTIAL_IDS,
  factsOfMerchant,
  FROZEN_AT_MS,
  PRODUCTS,
  SHOP,
  signedFact,
  STALL,
} from '../../src/demo/demo-world.js';
import { cartOf, SHOP_AUTHORITY } from '../../src/demo/purchases.js';
import { capture, handOff, on } from '../money/desk.js';
import { ProviderDouble } from '../money/provider-double.js';
import type { TestService } from '../support/service.js';
import { answered, paymentsOf, setLimits, shopLimits, withdraw } from './money-books.js';
import { openShop, type Shop, startTestService } from './shop.js';
import { entriesOf, fresh, inr, moveClock } from './uses.js';

/**
 * The handoff as facts/arbiter.md 1.4 (M15 to M23), 1.11 (M55 to M60), 4.2 and 4.3 (D1 to D9) demand it, at
 * POST /v1/handoffs with a provider that counts its calls. What stands elsewhere:
 *
 * every reason of the facts rule at its boundary   src/core/rules/boundaries-facts.spec.ts, precedence.spec.ts
 * D3 a crash after the use, the reconciler          test/money/failure-table.spec.ts, payer-killed.spec.ts, reconciler.spec.ts
 * D4 the type ConsumedAllow                         .dependency-cruiser.cjs (only-the-consuming-transaction-builds-a-consumed-allow)
 * M23, J7 no countersignature in the live world     test/arbiter/money-books-allow.spec.ts
 * M59 refusals inside UCP and ACP                   not built yet: there is no checkout door
 */

const [CHAI, KETTLE, SAMOVAR, FLASK] = PRODUCTS;

let provider: ProviderDouble;
let service: TestService;
beforeAll(async () => {
  provider = await ProviderDouble.start();
  service = await startTestService({}, { rails: provider.rails() });
});

const FACTS = 'handoff_facts_valid';
const LIMITS = 'handoff_merchant_limits';

interface Case {
  /** What is different before it is asked. */
  readonly before?: (shop: Shop) => Promise<unknown>;
  readonly body?: object;
  readonly refused: readonly [rule: string, reason: string];
}

const chaiFact = (type: 'price' | 'inventory') =>
  artifactIdOf({ merchantId: SHOP, type, product: CHAI });
const shopFact = (type: 'catalog_snapshot' | 'policy' | 'protocol_adapter') =>
  artifactIdOf({ merchantId: SHOP, type, product: null });

const changedPrice = (amountMinor: number) => ({
  cart: {
    ...cartOf(CHAI, 1),
    lines: [
      {
        product_id: CHAI.productId,
        variant_id: CHAI.variantId,
        quantity: 1,
        unit_price: inr(amountMinor),
      },
    ],
    total: inr(amountMinor),
  },
});

/** A merchant that has signed facts of its own and never set a limit. */
const BARE = 'bare-shop';
async function openBareShop(shop: Shop): Promise<void> {
  const merchant = { merchant_id: BARE, name: 'Bare', country: 'IN' };
  const as = 'tenant_admin';
  answered(await shop.call('POST', '/v1/merchants', { as, body: merchant }), 201);
  const facts = factsOfMerchant(BARE).filter(({ product }) => product === null || product === CHAI);
  const body = { count: facts.length };
  const reserved = await shop.call('POST', '/v1/status-slots', { as, body });
  const { slots } = answered<{ slots: { uri: string; idx: number }[] }>(reserved, 201);
  const place = { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS };
  for (const [index, fact] of facts.entries()) {
    const { uri = '', idx = 0 } = slots[index] ?? {};
    const artifact = signedFact(fact, { place, slot: { uri, index: idx } });
    answered(await shop.call('POST', '/v1/artifacts', { as, body: { artifact } }), 201);
  }
}

/** Money of the shop's day that came without a link. */
async function takeMoney(shop: Shop, amountMinor: number, merchantId: string = SHOP) {
  const money = { order_id: fresh('order'), amount: inr(amountMinor) };
  const body = { merchant_id: merchantId, payment_id: undefined };
  answered(await capture(shop, money, body), 201);
}
const DAILY_MAX_MINOR = 20_000_000;

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    [
      ['catalog_snapshot', shopFact('catalog_snapshot')] as const,
      ['price', chaiFact('price')] as const,
      ['inventory', chaiFact('inventory')] as const,
      ['policy', shopFact('policy')] as const,
      ['protocol_adapter', shopFact('protocol_adapter')] as const,
    ].flatMap(([type, id]): [string, Case][] => [
      [
        `${type} revoked`,
        { before: (shop) => withdraw(shop, id), refused: [FACTS, `artifact_revoked:${type}`] },
      ],
      [
        `${type} suspended`,
        {
          before: (shop) => withdraw(shop, id, 'suspended'),
          refused: [FACTS, `artifact_suspended:${type}`],
        },
      ],
    ]),
  ),
  'inventory past its expiry': {
    before: (shop) => moveClock(shop, FROZEN_AT_MS + 60_000),
    refused: [FACTS, 'artifact_expired_or_stale:inventory'],
  },
  'price past its expiry': {
    before: (shop) => moveClock(shop, FROZEN_AT_MS + 300_000),
    refused: [FACTS, 'artifact_expired_or_stale:price'],
  },
  'catalogue past its expiry': {
    before: (shop) => moveClock(shop, FROZEN_AT_MS + 6 * 3_600_000),
    refused: [FACTS, 'artifact_expired_or_stale:catalog_snapshot'],
  },
  'no signed facts': {
    async before(shop) {
      const body = { merchant_id: BARE, name: 'Bare', country: 'IN' };
      answered(await shop.call('POST', '/v1/merchants', { as: 'tenant_admin', body }), 201);
      await setLimits(shop, shopLimits(), BARE);
    },
    body: { merchant_id: BARE },
    refused: [FACTS, 'artifact_missing_or_invalid:catalog_snapshot'],
  },
  'a signed fact that is named and unknown': {
    body: { artifacts: ['nowhere'] },
    refused: [FACTS, 'artifact_missing_or_invalid:commitment_evidence'],
  },
  'a price 1 below the signed one (D5)': {
    body: changedPrice(CHAI.amountMinor - 1),
    refused: [FACTS, 'price_changed:price'],
  },
  'a price 1 above the signed one (D5)': {
    body: changedPrice(CHAI.amountMinor + 1),
    refused: [FACTS, 'price_changed:price'],
  },
  'a currency that is not the signed one (D5)': {
    before: (shop) =>
      setLimits(shop, {
        currencies: [{ currency: 'USD', order_max_minor: '100000' }],
        items_max: 20,
      }),
    body: {
      cart: JSON.parse(JSON.stringify(cartOf(CHAI, 1)).replaceAll('INR', 'USD')) as object,
    },
    refused: [FACTS, 'price_changed:price'],
  },
  'a piece more than the signed stock (D5)': {
    before: (shop) => setLimits(shop, shopLimits({}, { items_max: 200 })),
    body: { cart: cartOf(CHAI, 101) },
    refused: [FACTS, 'inventory_snapshot_insufficient:inventory'],
  },
  'a variant that the catalogue does not know': {
    body: { cart: cartOf({ ...CHAI, productId: 'tea' as 'masala-chai' }, 1) },
    refused: [FACTS, 'product_or_variant_not_found:catalog_snapshot'],
  },
  'no limits at all': {
    before: openBareShop,
    body: { merchant_id: BARE, cart: cartOf(CHAI, 1) },
    refused: [LIMITS, 'merchant_limits_missing'],
  },
  'a currency without limits': {
    before: (shop) =>
      setLimits(shop, {
        currencies: [{ currency: 'USD', order_max_minor: '9000000' }],
        items_max: 20,
      }),
    refused: [LIMITS, 'order_currency_not_allowed'],
  },
  '1 above the maximum of an order': {
    before: (shop) => setLimits(shop, shopLimits({ order_max_minor: '91799' })),
    refused: [LIMITS, 'order_amount_cap_exceeded'],
  },
  'one item too many, over all lines (D8)': {
    before: (shop) => setLimits(shop, shopLimits({}, { items_max: 4 })),
    body: {
      cart: {
        currency: 'INR',
        lines: [cartOf(CHAI, 3), cartOf(KETTLE, 2)].flatMap(({ lines }) => lines as object[]),
        total: inr(3 * CHAI.amountMinor + 2 * KETTLE.amountMinor),
      },
    },
    refused: [LIMITS, 'order_items_cap_exceeded'],
  },
  '1 above the daily maximum': {
    before: (shop) => takeMoney(shop, DAILY_MAX_MINOR - 91_799),
    refused: [LIMITS, 'daily_amount_cap_exceeded'],
  },
};

describe('each handoff reason alone: that reason, rule named; the provider is never called', () => {
  it.each(Object.entries(CASES))('%s', async (_name, { before, body = {}, refused }) => {
    const shop = await openShop(service);
    await before?.(shop);
    const calls = provider.calls.length;
    const order_id = fresh('order');
    const answer = await handOff(shop, { order_id, ...body });
    expect([answer.status, answer.body.failing_rule, answer.body.reason]).toEqual([
      403,
      ...refused,
    ]);
    // M60: no link, and nothing that could become one.
    expect(provider.calls).toHaveLength(calls);
    expect(await paymentsOf(shop, order_id)).toEqual([]);
    expect(await entriesOf(shop, ['allow.used', 'payment.started'])).toEqual([]);
    const path = `/v1/decisions/${answer.body.decision_id}`;
    const { body: read } = await shop.call('GET', path, { as: 'auditor' });
    expect(read).toMatchObject({ outcome: 'refuse', failing_rule: refused[0], reason: refused[1] });
    // Alone: the other rule passes.
    const failing = (read.trace as { rule: string; failure: object | null }[]).filter(
      ({ failure }) => failure !== null,
    );
    expect(failing.map(({ rule }) => rule)).toEqual([refused[0]]);
  });

  it('equal to every limit is allowed (C4, D7)', async () => {
    const shop = await openShop(service);
    const exact = { order_max_minor: '91800', daily_max_minor: '91800' };
    await setLimits(shop, shopLimits(exact, { items_max: 2 }));
    expect((await handOff(shop)).status).toBe(201);
  });

  it('with everything wrong the reasons of the limits come in their order (D7)', async () => {
    const shop = await openShop(service);
    await takeMoney(shop, DAILY_MAX_MINOR);
    const low = { order_max_minor: '1', daily_max_minor: '1' };
    const wide = { order_max_minor: '5000000', daily_max_minor: '5000000' };
    const steps: [inRupees: object, itemsMax: number, reason: string][] = [
      [{ ...low, currency: 'USD' }, 2, 'order_currency_not_allowed'],
      [low, 2, 'order_amount_cap_exceeded'],
      [wide, 2, 'order_items_cap_exceeded'],
      [wide, 3, 'daily_amount_cap_exceeded'],
    ];
    for (const [inRupees, items_max, reason] of steps) {
      await setLimits(shop, shopLimits(inRupees, { items_max }));
      expect((await handOff(shop, { cart: cartOf(CHAI, 3) })).body.reason).toBe(reason);
    }
  });
});

describe('two rules and no more', () => {
  it('both always run, both are recorded, the first that fails is named (D1, M13)', async () => {
    const shop = await openShop(service);
    const { body } = await handOff(shop, { cart: cartOf(FLASK, 21) });
    expect(body).toMatchObject({ failing_rule: FACTS, reason: 'artifact_revoked:price' });
    const path = `/v1/decisions/${body.decision_id}`;
    const read = (await shop.call('GET', path, { as: 'auditor' })).body;
    const found = (read.trace as { rule: string; failure: { code: string } | null }[]).map(
      ({ rule, failure }) => [rule, failure?.code],
    );
    expect(found).toEqual([
      [FACTS, 'artifact_revoked'],
      [LIMITS, 'order_items_cap_exceeded'],
    ]);
  });

  it('mandate, consent, passport, authority, AFA and the not-present limits are left out (D6, M21)', async () => {
    const shop = await openShop(service);
    for (const id of Object.values(CREDENTIAL_IDS.shop)) await withdraw(shop, id);
    await setLimits(shop, shopLimits({}, { not_present: null }));
    const { body } = await handOff(shop, {}, { as: 'agent' });
    expect(body).toMatchObject({ payment: { state: 'open' }, decision: { outcome: 'allow' } });
    const named = await handOff(shop, { buyer_authority: SHOP_AUTHORITY });
    expect([named.status, named.body.field]).toEqual([400, '/buyer_authority']);
  });
});

it('the allow is spent first, the link comes into being second (D2, M23)', async () => {
  const own = await ProviderDouble.start();
  const countersigning = await startTestService(
    { COUNTERSIGNER: 'authority' },
    { rails: own.rails() },
  );
  const shop = on(countersigning, await openShop(countersigning));
  own.trouble = 'slow';
  const called = own.nextCall();
  const asked = handOff(shop);
  await called;
  const STEPS = ['decision.recorded', 'allow.countersigned', 'allow.used', 'payment.started'];
  const written = await entriesOf(shop, [...STEPS, 'payment.moved']);
  expect(written.map(({ type }) => type).sort()).toEqual([...STEPS].sort());
  own.release();
  expect((await asked).body.payment.state).toBe('open');
});

describe('what a refusal looks like (1.11)', () => {
  it('six fields at the top level of the 403, with the mission’s words (M55 to M58)', async () => {
    const shop = await openShop(service);
    await takeMoney(shop, 100_000, STALL);
    const { status, body } = await handOff(shop, { merchant_id: STALL, cart: cartOf(CHAI, 1) });
    expect(status).toBe(403);
    const { code, failing_rule, reason, decision_id, action, required_config } = body;
    expect({ code, failing_rule, reason, action }).toEqual({
      code: 'arbiter_refused',
      failing_rule: 'handoff_merchant_limits',
      reason: 'daily_amount_cap_exceeded',
      action: 'The commerce arbiter refused: handoff_merchant_limits (daily_amount_cap_exceeded).',
    });
    expect(decision_id).toMatch(/^arbdec_[0-9a-f]{12}$/);
    expect(required_config).toEqual(expect.stringMatching(/\w/));
    // M57: the id is the key to the decision in the ledger.
    const read = await shop.call('GET', `/v1/decisions/${decision_id}`, { as: 'auditor' });
    const [entry] = (await entriesOf(shop, ['decision.recorded'])).slice(-1);
    expect(read.body).toMatchObject({ reason, entry: { seq: entry?.seq } });
    expect(entry?.data['decision_id']).toBe(decision_id);
  });

  it('the samovar is above the maximum of one order', async () => {
    const shop = await openShop(service);
    const { body } = await handOff(shop, { cart: cartOf(SAMOVAR, 1) });
    expect(body.reason).toBe('order_amount_cap_exceeded');
  });
});
