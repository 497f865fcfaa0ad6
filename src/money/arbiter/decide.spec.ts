import { afterAll, describe, expect, it } from 'vitest';
import { AT_MS, soundPurchase } from '../../../test/support/purchase-case.js';
import type { CellView, CommandContext, Moment } from '../../base/ledger/index.js';
import {
  merchantLimits,
  type PurchaseFlow,
  UNUSABLE_REASONS,
  withEachStatus,
} from '../../core/rules/index.js';
import { AMOUNT_MINOR_MAX, type World } from '../../core/kernel/index.js';
import { NO_RAIL } from '../../trust/rail-evidence/index.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { checkCart, coreHashOf } from './cart.js';
import {
  decidePurchaseCommand,
  decideRefundCommand,
  DRAW_AGAIN,
  draw,
  type Draw,
} from './decide.js';
import { type DecisionRecorded, decisionRecorded } from './decision.events.js';
import type { PurchaseJudging } from './judge.js';

const context: CommandContext = {
  tenantId: 'tnt_1',
  actor: { role: 'agent', id: 'key_1' },
  requestId: 'req_1',
  idempotency: null,
};
const moment: Moment = { atMs: AT_MS, nextSeq: 7, idSeed: null };

/** Rows by table and key. */
type Rows = Readonly<Record<string, object>>;
const viewOf = (rows: Rows): CellView => ({
  get: (projection, key) => rows[[projection.table, ...key].join(' ')] as never,
});

const { facts } = soundPurchase();
const merchant = {
  merchantId: 'm_tea',
  name: 'Tea',
  country: 'IN',
  rbiProfile: 'in-rbi-2026-04',
  rbiRails: ['upi_autopay'],
  agentPaymentEnabled: true,
};
const limits = { merchantId: 'm_tea', version: 1, setAtMs: 0 };
const world: Rows = {
  tenants: { callerAssertedAllowed: false },
  'merchants m_tea': merchant,
  'agents agt_1': { agentId: 'agt_1', suspended: false },
  ...(facts.limits === null
    ? {}
    : {
        'merchant_limits_current m_tea': { ...limits, limits: merchantLimits.encode(facts.limits) },
      }),
};

function askOf(flow: PurchaseFlow, inWorld: World): PurchaseAsk {
  const inr = (amountMinor: bigint) => ({ amountMinor, currency: 'INR' });
  const cart = checkCart({
    currency: 'INR',
    lines: facts.cart.lines.map((line) => ({ ...line, unitPrice: inr(line.unitPriceMinor) })),
    discount: inr(facts.cart.discountMinor),
    tax: inr(facts.cart.taxMinor),
    shipping: inr(facts.cart.shippingMinor),
    total: inr(facts.cart.totalMinor),
    fulfilmentChoice: null,
  });
  if (!cart.ok) throw new Error(cart.error.detail);
  return {
    flow,
    world: inWorld,
    merchantId: 'm_tea',
    agentId: 'agt_1',
    cart: cart.value,
    authority: null,
    artifacts: [],
    buyerReference: null,
  };
}

const judging = (
  flow: PurchaseFlow,
  { inWorld = 'test', enabled = true }: { inWorld?: World; enabled?: boolean } = {},
): PurchaseJudging => ({
  tenantId: 'tnt_1',
  ask: askOf(flow, inWorld),
  resolved: {
    authority: {
      ...facts.authority,
      mandates: facts.authority.mandates.map((mandate) => ({
        ...mandate,
        cartHash:
          mandate.mandateKind === 'cart' ? coreHashOf(askOf(flow, inWorld).cart, 'm_tea') : null,
      })),
      passport: facts.authority.passport && { ...facts.authority.passport, world: inWorld },
    },
    presenceEvidence: 'resolved',
    railClaims: null,
    rail: NO_RAIL,
    artifacts: facts.artifacts,
    buyerCommitment: 'buyer-commitment-1',
    sideWrites: [],
  },
  switches: { agentExecutedPaymentEnabled: enabled },
});

function decisionOf(
  judged: PurchaseJudging,
  {
    rows = world,
    at = moment,
    drawn = draw(AT_MS),
  }: { rows?: Rows; at?: Moment; drawn?: Draw } = {},
) {
  const result = decidePurchaseCommand(context, judged, drawn).decide(viewOf(rows), at);
  if (!result.ok) return result.error;
  const [first] = result.value.events;
  // What is stored is what a later reader gets: everything has to survive its own codec.
  const text = JSON.stringify(decisionRecorded.data.encode(first?.data as DecisionRecorded));
  const recorded = decisionRecorded.data.decode(JSON.parse(text), 'decision');
  if (recorded.usableReason !== null) unusableReasons.add(recorded.usableReason);
  return recorded;
}
/** Every reason that stood beside an answer that nobody can use. */
const unusableReasons = new Set<string>();

afterAll(() => {
  const unreached = UNUSABLE_REASONS.filter((reason) => !unusableReasons.has(reason));
  expect(unreached, 'reasons of the pseudo-rules that no decision above recorded').toEqual([]);
});

describe('a purchase', () => {
  it('allowed: usable for ten minutes, bound to its cart', () => {
    expect(decisionOf(judging('handoff'))).toMatchObject({
      decision: { flow: 'handoff', outcome: 'allow', failingRule: null },
      dryRun: false,
      usable: true,
      usableReason: null,
      allow: { expiresAtMs: AT_MS + 600_000 },
    });
  });

  it.each([
    ['the deployment has it off', judging('agent_payment', { enabled: false }), world],
    [
      'the merchant has it off',
      judging('agent_payment'),
      { ...world, 'merchants m_tea': { ...merchant, agentPaymentEnabled: false } },
    ],
  ])('by the agent itself is a dry run while %s', (_name, judged, rows) => {
    expect(decisionOf(judged, { rows })).toMatchObject({
      dryRun: true,
      usable: false,
      usableReason: 'agent_executed_payment_disabled',
      allow: null,
    });
  });

  it('in the live world is allowed and not usable: the countersignature is missing (J7)', () => {
    expect(decisionOf(judging('handoff', { inWorld: 'live' }))).toMatchObject({
      decision: { outcome: 'allow' },
      usable: false,
      usableReason: 'grantex_countersignature_missing',
    });
  });

  it('a dry run stays one in the live world, and a handoff never is one', () => {
    expect(decisionOf(judging('agent_payment', { inWorld: 'live', enabled: false }))).toMatchObject(
      {
        usableReason: 'agent_executed_payment_disabled',
      },
    );
    expect(decisionOf(judging('handoff', { enabled: false }))).toMatchObject({ dryRun: false });
  });

  it('counts the day of its instant and every intent it names', () => {
    const rows: Rows = {
      ...world,
      'merchant_day_money m_tea INR 2026-11-30': { confirmedMinor: 5n, awayMinor: 3n },
      'merchant_day_money m_tea INR 2026-12-01': { confirmedMinor: 900n, awayMinor: 900n },
      'authority_spend passport cpsp_1 INR': { spentMinor: 11n },
      'authority_spend intent mdt_intent INR': { spentMinor: 13n },
    };
    expect(decisionOf(judging('agent_payment'), { rows })).toMatchObject({
      judged: {
        counters: {
          merchantDayMinor: 5n,
          notPresentDayMinor: 3n,
          passportSpentMinor: 11n,
          intentSpentMinor: 13n,
        },
      },
    });
  });

  it('reads the stock that is kept of its variants, and refuses what is held by others', () => {
    const pot = { merchantId: 'm_tea', variantId: 'pot-1l', onHand: 3, held: 2 };
    const rows: Rows = { ...world, 'stock m_tea pot-1l': pot, 'stock other tea-250': pot };
    expect(decisionOf(judging('handoff'), { rows })).toMatchObject({
      decision: { outcome: 'allow' },
      judged: { counters: { stock: [{ variantId: 'pot-1l', quantityAvailable: 1 }] } },
    });
    const sold = { ...rows, 'stock m_tea pot-1l': { ...pot, held: 3 } };
    for (const flow of ['handoff', 'agent_payment'] as const)
      expect(decisionOf(judging(flow), { rows: sold })).toMatchObject({
        decision: { reason: 'inventory_snapshot_insufficient:inventory' },
      });
    const { reads } = decidePurchaseCommand(context, judging('handoff'), draw(AT_MS));
    const stockKeys = reads.filter(({ projection }) => projection.table === 'stock');
    expect(stockKeys.map(({ key }) => key)).toEqual([
      ['m_tea', 'pot-1l'],
      ['m_tea', 'tea-250'],
    ]);
  });

  it('survives sums beyond what any single amount may be, and refuses', () => {
    const day = 'merchant_day_money m_tea INR 2026-11-30';
    const huge = { confirmedMinor: AMOUNT_MINOR_MAX * 1000n, awayMinor: AMOUNT_MINOR_MAX * 1000n };
    const spent = { spentMinor: AMOUNT_MINOR_MAX * 1000n };
    const rows: Rows = {
      ...world,
      [day]: huge,
      'authority_spend passport cpsp_1 INR': spent,
      'authority_spend intent mdt_intent INR': spent,
    };
    expect(decisionOf(judging('agent_payment'), { rows })).toMatchObject({
      decision: { outcome: 'refuse', reason: 'passport_amount_cap_exceeded' },
    });
  });

  it.each([
    ['merchant', 'merchants m_tea', undefined, 'not_found', '/merchant_id'],
    ['agent', 'agents agt_1', undefined, 'not_found', '/agent_id'],
    ['agent that is suspended', 'agents agt_1', { suspended: true }, 'forbidden', '/agent_id'],
  ])('is not judged for no %s', (_name, key, row, code, field) => {
    const rows = { ...world, [key]: row } as Rows;
    expect(decisionOf(judging('handoff'), { rows })).toMatchObject({ code, field });
  });
});

describe('names drawn before the lock', () => {
  const drawn = draw(AT_MS);

  it('are drawn again when the id is taken or another day began', () => {
    const rows = { ...world, [`decisions ${drawn.decisionId}`]: {} };
    expect(decisionOf(judging('handoff'), { rows, drawn })).toBe(DRAW_AGAIN);
    const tomorrow = { ...moment, atMs: AT_MS + 86_400_000 };
    expect(decisionOf(judging('handoff'), { at: tomorrow, drawn })).toBe(DRAW_AGAIN);
    const looked = [{ kind: 'payment_mandate', subjectRef: 'umn-1', reportId: null }] as const;
    const found = judging('agent_payment');
    const reported = { ...found, resolved: { ...found.resolved, rail: { ...NO_RAIL, looked } } };
    const newer = { ...world, 'current_rail_reports payment_mandate umn-1': { reportId: 'r1' } };
    expect(decisionOf(reported, { rows: newer })).toBe(DRAW_AGAIN);
  });

  it.each([
    ['handoff', 'handoff_facts_valid', 'status_list_unavailable:catalog_snapshot'],
    ['agent_payment', 'mandate_present', 'status_list_unavailable'],
  ] as const)('look again below a floor, and refuse a %s after the last look', (flow, ...why) => {
    const uri = facts.artifacts[0]?.status.listUri ?? '';
    const floor = (minVersion: number): Rows => ({
      ...world,
      [`status_floors ${uri}`]: { listUri: uri, minVersion },
    });
    const found = judging(flow);
    const read = (listVersion: number): PurchaseJudging => ({
      ...found,
      resolved: withEachStatus(found.resolved, (status) => ({ ...status, listVersion })),
    });
    const untouched = decisionOf(read(4), { drawn });
    expect(decisionOf(read(4), { rows: floor(4), drawn })).toEqual(untouched);
    expect(decisionOf(read(3), { rows: floor(4) })).toBe(DRAW_AGAIN);
    const refused = decisionOf(read(3), { rows: floor(4), drawn: draw(AT_MS, true) });
    const [failingRule, reason] = why;
    expect(refused).toMatchObject({ decision: { outcome: 'refuse', failingRule, reason } });
    expect(JSON.stringify(decisionRecorded.data.encode(refused as DecisionRecorded))).toContain(
      'status_below_floor',
    );
  });

  it('name both days around midnight', () => {
    const midnightMs = Date.UTC(2026, 11, 1);
    expect(draw(midnightMs - 1).days).toEqual(['2026-11-30', '2026-12-01']);
    expect(draw(midnightMs).days).toEqual(['2026-11-30', '2026-12-01']);
    expect(draw(AT_MS).days).toEqual(['2026-11-30']);
  });

  it('follow from seed and place in a tenant with reproducible ids', () => {
    const at = { ...moment, idSeed: 'seed' };
    const first = decisionOf(judging('handoff'), { at });
    expect(first).toMatchObject({
      decisionId: expect.stringMatching(/^arbdec_[0-9a-f]{12}$/) as string,
    });
    expect(decisionOf(judging('handoff'), { at })).toEqual(first);
    expect(decisionOf(judging('handoff'), { at: { ...at, nextSeq: 8 } })).not.toMatchObject({
      decisionId: (first as DecisionRecorded).decisionId,
    });
  });
});

describe('a refund', () => {
  const ask: RefundAsk = {
    world: 'test',
    merchantId: 'm_tea',
    orderId: 'ord_1',
    amountMinor: 40n,
    currency: 'INR',
  };
  const order = { currency: 'INR', capturedMinor: 100n, refundedMinor: 60n };
  const rows: Rows = { ...world, 'order_money m_tea ord_1': order };
  const refundEvents = (change: Partial<RefundAsk>, seen = rows) => {
    const result = decideRefundCommand(context, { ...ask, ...change }, draw(AT_MS)).decide(
      viewOf(seen),
      moment,
    );
    return result.ok ? result.value.events : result.error;
  };

  it('that is allowed is counted in the same transaction', () => {
    expect(refundEvents({})).toMatchObject([
      {
        data: {
          decision: { outcome: 'allow' },
          orderId: 'ord_1',
          usable: true,
          allow: { cartHash: null, expiresAtMs: AT_MS + 600_000 },
        },
      },
      { eventType: { type: 'refund.allowed' }, data: { orderId: 'ord_1', amountMinor: 40n } },
    ]);
  });

  it('of the live world is allowed, not usable without a countersignature, and leaves the captured money alone', () => {
    const events = refundEvents({ world: 'live' });
    expect(events).toMatchObject([
      {
        data: {
          decision: { outcome: 'allow' },
          usable: false,
          usableReason: 'grantex_countersignature_missing',
        },
      },
    ]);
    expect(events).toHaveLength(1);
  });

  it.each([
    [{ amountMinor: 41n }, 'refund_exceeds_captured'],
    [{ amountMinor: 0n }, 'refund_amount_not_positive'],
    [{ amountMinor: -1n }, 'refund_amount_not_positive'],
    [{ currency: 'USD' }, 'refund_currency_mismatch'],
    [{ orderId: 'ord_2' }, 'refund_exceeds_captured'],
  ])('%o is refused as %s and counts nothing', (change, reason) => {
    expect(refundEvents(change)).toMatchObject([
      { data: { decision: { outcome: 'refuse', reason }, usable: false, allow: null } },
    ]);
    expect(refundEvents(change)).toHaveLength(1);
  });
});
