import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atIst,
  autopay,
  evidenceOf,
  MORNING_MS,
  noticeOf,
  PAYEE,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import { reasonPlace, RULESET_VERSION } from '../../kernel/index.js';
import type { PurchaseCase } from '../facts.js';
import { decideAfa } from './decide-afa.js';
import { AFA_EVENTS, AFA_RAILS, type RbiFacts } from './facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';

const AMOUNT = 1_600_000n;
const PROVEN = autopay({
  amountMinor: AMOUNT,
  rbi: {
    evidence: evidenceOf(AMOUNT, MORNING_MS),
    category: 'insurance',
    mcc: '6300',
    purposeCode: 'other',
  },
});
const fails = (purchase: PurchaseCase): boolean => judgeRbiAfa(purchase).failure !== null;

/** Ways to break a purchase that is in order; each of them must refuse, also beside any garbage. */
const FAULTS: readonly Partial<RbiFacts>[] = [
  { evidence: null },
  { mandate: null },
  { preDebitNotice: null },
  { payeeId: null },
  { event: null },
  { attemptsThisCycle: 9 },
  { cycleSeq: 3 },
  { executionAtMs: atIst('2026-11-30T11:00:00') },
];

const garbageText = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom('IN', 'in', '6300'));
/** Members that are absent or nonsense; nothing here is what a verifier would write for this debit. */
const garbage: fc.Arbitrary<Partial<RbiFacts>> = fc.record(
  {
    issuerCountry: garbageText,
    mcc: garbageText,
    purposeCode: fc.oneof(fc.constant(null), fc.string({ maxLength: 6 })),
    category: fc.constantFrom(null, 'general', 'card_bill', 'fastag'),
    sameStepAsRegistration: fc.constant(false),
    afaAskedByMerchant: fc.constantFrom(null, true, false),
    inrValueMinor: fc.constantFrom(null, 1n, -1n),
    liteBalanceMinor: fc.constantFrom(null, 10n ** 17n),
    payeeDebitedThisCycleMinor: fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
    delegation: fc.constant(null),
  },
  { requiredKeys: [] },
);

describe('rule 8 as a function', () => {
  it('starts from a purchase that passes', () => {
    expect(judgeRbiAfa(PROVEN).failure).toBeNull();
  });

  it('garbage beside a failure never makes it pass', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FAULTS), garbage, (fault, noise) => {
        expect(fails(withRbi(PROVEN, { ...noise, ...fault }))).toBe(true);
      }),
    );
  });

  it('whatever member goes missing, the purchase does not get easier', () => {
    const members = Object.keys(PROVEN.facts.rbi).filter(
      (member) => PROVEN.facts.rbi[member as keyof RbiFacts] !== null,
    ) as (keyof RbiFacts)[];
    const nullable = members.filter(
      (member) =>
        ![
          // Without a profile the test world asks nothing; executionAt null means at once; the rest are not nullable.
          'profile',
          'switchedOnRails',
          'sameStepAsRegistration',
          'attemptsThisCycle',
          'payeeDebitedThisCycleMinor',
        ].includes(member),
    );
    for (const fault of FAULTS) {
      for (const member of nullable) {
        const broken = withRbi(PROVEN, { ...fault, [member]: null });
        if (member in fault) continue;
        expect(fails(broken), `${Object.keys(fault).join()} with ${member} null`).toBe(true);
      }
    }
  });

  it('absent members of evidence, notice and mandate never mend anything', () => {
    const parts = ['evidence', 'preDebitNotice', 'mandate'] as const;
    /** Absent on purpose in a purchase that is in order, or the later of two times of which one suffices. */
    const mayBeNull = [
      'expiresAtMs',
      'payerRefBound',
      'sentAtMs',
      'deliveredAtMs',
      'optedOutAtMs',
      'debitDay',
      'registeredAtMs',
      'registrationAfaRef',
      'lastSeq',
      'lastDebitedAtMs',
      'blockedMinor',
      'debitedMinor',
      'reservedMinor',
    ];
    for (const part of parts) {
      const fact = PROVEN.facts.rbi[part];
      for (const [member, value] of Object.entries(fact ?? {})) {
        const isNullable =
          typeof value === 'string' || typeof value === 'bigint' || member.endsWith('AtMs');
        const isWord = [
          'reference',
          'ref',
          'method',
          'assertedBy',
          'verification',
          'status',
          'kind',
        ];
        if (!isNullable || mayBeNull.includes(member) || isWord.includes(member)) continue;
        const broken = withRbi(PROVEN, { [part]: { ...fact, [member]: null } });
        expect(fails(broken), `${part}.${member} null`).toBe(true);
      }
    }
  });

  it('a larger amount is never easier, evidence and notice re-bound to it (decisions 3.3)', () => {
    const bound = (amountMinor: bigint, proven: boolean, mcc: string | null): PurchaseCase =>
      autopay({
        amountMinor,
        rbi: {
          category: 'insurance',
          mcc,
          purposeCode: 'insurance',
          preDebitNotice: noticeOf(amountMinor, MORNING_MS),
          evidence: proven ? evidenceOf(amountMinor, MORNING_MS) : null,
        },
      });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 30_000_000n }),
        fc.bigInt({ min: 0n, max: 30_000_000n }),
        fc.boolean(),
        fc.constantFrom(null, '6300', '6211'),
        (amountMinor, more, proven, mcc) => {
          if (fails(bound(amountMinor, proven, mcc))) {
            expect(fails(bound(amountMinor + more, proven, mcc))).toBe(true);
          }
        },
      ),
    );
  });

  it('the same purchase has the same answer, and its facts are not touched', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FAULTS), garbage, (fault, noise) => {
        const purchase = withRbi(PROVEN, { ...noise, ...fault });
        const before = structuredClone(purchase);
        expect(judgeRbiAfa(purchase)).toEqual(judgeRbiAfa(structuredClone(purchase)));
        expect(purchase).toEqual(before);
      }),
    );
  });

  it('of all that was found, the reason stands first in the catalogue and is the strictest', () => {
    const anyCase = fc.record({
      rail: fc.constantFrom(...AFA_RAILS),
      event: fc.constantFrom(...AFA_EVENTS),
      amountMinor: fc.constantFrom(1n, 500_001n, 1_500_001n, 25_000_000n),
      atMs: fc.integer({ min: atIst('2018-01-01T00:00:00'), max: atIst('2027-01-01T00:00:00') }),
      facts: fc.tuple(fc.constantFrom({}, ...FAULTS), garbage),
      payeeId: fc.constantFrom(PAYEE, 'other'),
    });
    fc.assert(
      fc.property(anyCase, ({ rail, event, amountMinor, atMs, facts, payeeId }) => {
        const rbi = { ...PROVEN.facts.rbi, payeeId, ...facts[0], ...facts[1] };
        const { effect, refusal, remarks, notBeforeMs } = decideAfa({
          ruleset: RULESET_VERSION,
          rail,
          event,
          amount: { amountMinor, currency: 'INR' },
          coreHash: 'c',
          atMs,
          executionAtMs: atMs,
          facts: rbi,
        });
        const found = remarks.flatMap((remark) => (remark.effect === 'note' ? [] : [remark.code]));
        const places = found.map((code) => reasonPlace('rbi_afa', code));
        if (refusal === null) expect(found).toEqual([]);
        else expect(reasonPlace('rbi_afa', refusal.code)).toBe(Math.min(...places));
        // N1: nothing stricter was found than what decides.
        const strictness = ['note', 'defer', 'step_up', 'deny'];
        const strictest = Math.max(
          0,
          ...remarks.map(({ effect: found }) => strictness.indexOf(found)),
        );
        expect(strictness.indexOf(effect)).toBe(strictest);
        expect(notBeforeMs !== null).toBe(refusal?.effect === 'defer');
      }),
      { numRuns: 2_000 },
    );
  });
});
