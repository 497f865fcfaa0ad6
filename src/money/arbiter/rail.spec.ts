import { describe, expect, it } from 'vitest';
import {
  evidenceOf,
  mandateOf,
  MORNING_MS,
  noticeOf,
} from '../../../test/support/rbi-purchases.js';
import { soundPurchase } from '../../../test/support/purchase-case.js';
import type { CellView } from '../../base/ledger/index.js';
import { type RbiFacts, rbiFactsOf } from '../../core/rules/index.js';
import {
  evidenceRefsOf,
  NO_RAIL,
  RAIL_UNAVAILABLE,
  type ReportedMandate,
  type ResolvedRail,
  StoredRailResolver,
} from '../../trust/rail-evidence/index.js';
import { debitMandateRefOf, rbiFactsFor } from './rbi.js';
import { isRailCurrent, railCells, withReports } from './rail.js';

const viewOf = (rows: Readonly<Record<string, object>>): CellView => ({
  get: (projection, key) => rows[[projection.table, ...key].join(' ')] as never,
});
const EMPTY = viewOf({});
const MANDATE = 'mnd_1';
const claims = {
  mandateRef: MANDATE,
  rail: 'upi_autopay',
  event: 'subsequent_debit',
  category: null,
  mcc: null,
  purposeCode: null,
  umn: null,
  country: 'IN',
};
const facts: RbiFacts = {
  ...rbiFactsOf('in-rbi-2026-04'),
  rail: 'upi_autopay',
  event: 'subsequent_debit',
  payeeId: 'payee-1',
};
const beingMade: RbiFacts = {
  ...facts,
  event: 'first_debit',
  sameStepAsRegistration: true,
  mandate: mandateOf({ ref: MANDATE, status: 'initiated' }),
};
const reported = (changes: Parameters<typeof mandateOf>[0] = {}): ReportedMandate => ({
  state: 'reported',
  rail: 'upi_autopay',
  attemptsThisCycle: 2,
  payeeDebitedThisCycleMinor: 7n,
  fact: mandateOf({ ref: MANDATE, ...changes }),
});
/** A payment mandate of the buyer, in everything else like the sound one. */
function mandateFactOf(ref: string) {
  const [sound] = soundPurchase().facts.authority.mandates;
  if (sound === undefined) throw new Error('the sound purchase has mandates');
  return { ...sound, ref };
}
const seen = (rail: Partial<ResolvedRail>, base = facts, view = EMPTY) =>
  withReports(base, { rail: { ...NO_RAIL, ...rail }, claims }, view);

describe('what rule 8 sees of the reports', () => {
  it('is nothing when nothing was reported: a first debit makes its mandate', () => {
    expect(seen({})).toEqual(facts);
    expect(seen({}, beingMade)).toEqual(beingMade);
  });

  it('is the reported state, and the cycle after the last debit', () => {
    expect(seen({ mandate: reported({ lastSeq: 3 }) })).toMatchObject({
      mandate: { status: 'live' },
      cycleSeq: 4,
      attemptsThisCycle: 2,
      payeeDebitedThisCycleMinor: 7n,
    });
    expect(seen({ mandate: reported({ lastSeq: null }) }).cycleSeq).toBe(1);
  });

  it('is no mandate when the report does not count, is of another rail or could not be had', () => {
    const none = { mandate: null, sameStepAsRegistration: false };
    expect(seen({ mandate: { state: 'unusable' } }, beingMade)).toMatchObject(none);
    expect(seen({ mandate: { ...reported(), rail: 'upi_otm' } as never }, beingMade)).toMatchObject(
      none,
    );
    expect(seen(RAIL_UNAVAILABLE, beingMade)).toMatchObject(none);
  });

  it('is a mandate made in one step only while the provider says that it is being made', () => {
    const stateOf = (status: 'initiated' | 'live') =>
      seen({ mandate: reported({ status }) }, beingMade).sameStepAsRegistration;
    expect(stateOf('initiated')).toBe(true);
    expect(stateOf('live')).toBe(false);
    expect(seen({ mandate: reported({ status: 'initiated' }) }).sameStepAsRegistration).toBe(false);
  });

  it('is evidence as it was reported, and whether it was used up meanwhile', () => {
    const evidence = evidenceOf(1n, MORNING_MS, { mandateRefBound: MANDATE });
    const mandate = reported();
    expect(seen({ evidence, mandate }).evidence).toEqual(evidence);
    const used = viewOf({ [`afa_evidence_claims ${evidence.reference}`]: {} });
    expect(seen({ evidence, mandate }, facts, used).evidence?.claimedBefore).toBe(true);
  });

  it('takes evidence for the payment mandate itself where no debit mandate stands', () => {
    const bound = (mandateRefBound: string) =>
      seen({ evidence: evidenceOf(1n, MORNING_MS, { mandateRefBound }) }).evidence?.mandateRefBound;
    expect(bound(MANDATE)).toBeNull();
    expect(bound('another')).toBe('another');
  });
});

describe('the name of the debit mandate', () => {
  it('is the bank’s where the payment mandate says it, else the payment mandate’s own', () => {
    expect(debitMandateRefOf(claims)).toBe(MANDATE);
    expect(debitMandateRefOf({ ...claims, umn: 'umn-9' })).toBe('umn-9');
    const one = mandateFactOf(MANDATE);
    const merchant = {
      merchantId: 'shop',
      rbiProfile: 'in-rbi-2026-04',
      rbiRails: ['upi_autopay'],
    };
    const first = { ...claims, event: 'first_debit', umn: 'umn-9' };
    expect(rbiFactsFor(merchant, first, [one]).mandate?.ref).toBe('umn-9');
  });
});

describe('under the lock', () => {
  const looked = [
    { kind: 'payment_mandate', subjectRef: MANDATE, reportId: 'r1' },
    { kind: 'pre_debit_notice', subjectRef: 'pdn_1', reportId: null },
  ] as const;
  const rail = { ...NO_RAIL, looked, evidence: evidenceOf(1n, MORNING_MS) };

  it('every report that was looked for is read again, and every claim', () => {
    expect(railCells(rail).map(({ projection, key }) => [projection.table, ...key])).toEqual([
      ['current_rail_reports', 'payment_mandate', MANDATE],
      ['debit_mandates', MANDATE],
      ['current_rail_reports', 'pre_debit_notice', 'pdn_1'],
      ['afa_evidence_claims', 'afa-1'],
    ]);
  });

  it('a newer report, or a first one, sends the purchase back to be looked up', () => {
    const known = { [`current_rail_reports payment_mandate ${MANDATE}`]: { reportId: 'r1' } };
    const notice = { 'current_rail_reports pre_debit_notice pdn_1': { reportId: 'r9' } };
    const newer = { [`current_rail_reports payment_mandate ${MANDATE}`]: { reportId: 'r2' } };
    expect(isRailCurrent(rail, viewOf(known))).toBe(true);
    expect(isRailCurrent(rail, viewOf(newer))).toBe(false);
    expect(isRailCurrent(rail, viewOf({ ...known, ...notice }))).toBe(false);
    expect(isRailCurrent(NO_RAIL, EMPTY)).toBe(true);
  });
});

describe('what could not be looked up in time', () => {
  it('is unavailable, and refuses where it is needed', async () => {
    const never = { query: () => new Promise<never>(() => undefined) };
    const resolver = new StoredRailResolver({ database: never } as never);
    const ended = AbortSignal.timeout(1);
    const request = { tenantId: 'tnt_1', atMs: MORNING_MS, deadline: ended } as const;
    const names = { evidenceId: 'e', noticeRef: null, mandateRef: MANDATE };
    expect(await resolver.resolveRail({ ...request, ...names })).toEqual(RAIL_UNAVAILABLE);
  });
});

describe('what consumption asks', () => {
  const cart = { coreHash: 'c' } as never;
  const rbi: RbiFacts = {
    ...facts,
    mandate: mandateOf({ ref: MANDATE }),
    preDebitNotice: noticeOf(1n, MORNING_MS),
    evidence: evidenceOf(1n, MORNING_MS, { mandateRefBound: MANDATE }),
  };
  const refs = (changes: Partial<NonNullable<RbiFacts['evidence']>>) =>
    evidenceRefsOf({
      cart,
      rbi: { ...rbi, evidence: rbi.evidence && { ...rbi.evidence, ...changes } },
    });

  it('claims the evidence of this payment and no other’s', () => {
    expect(refs({})).toEqual(['afa-1']);
    expect(refs({ cartBound: 'c' })).toEqual(['afa-1']);
    expect(refs({ cartBound: 'd' })).toEqual([]);
    expect(refs({ payeeBound: 'other' })).toEqual([]);
    expect(refs({ mandateRefBound: null })).toEqual([]);
    expect(refs({ verification: 'none' })).toEqual([]);
    expect(evidenceRefsOf({ cart, rbi: { ...rbi, evidence: null } })).toEqual([]);
  });
});
