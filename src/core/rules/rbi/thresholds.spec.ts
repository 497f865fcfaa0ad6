import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../../test/support/oracles.js';
import {
  atIst,
  autopay,
  delegationOf,
  evidenceOf,
  mandateOf,
  MORNING_MS,
  noticeOf,
  onRail,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import type { PurchaseCase } from '../facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';
import { THRESHOLD_ROWS } from './thresholds.js';

interface OracleRow {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Rows no check reads: another channel, no code in the table, or a cap that only the bank can count. */
const NOT_READ = [
  'contactless-card',
  'small-value-offline',
  'sbmd-purpose-77',
  'p2m-default',
  'p2m-verified',
  'rupay-recurring',
];

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Our row in the spelling of the public table. */
function spelled(row: (typeof THRESHOLD_ROWS)[number]): Record<string, unknown> {
  const plain = Object.entries(row).filter(
    ([name, value]) => !name.endsWith('Ms') && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(
    plain.map(([name, value]: [string, unknown]) => {
      if (typeof value === 'bigint') return [name, value.toString()];
      if (name === 'openMinutes') {
        return ['open', (value as [number, number][]).map((window) => window.map(clock))];
      }
      return [name, value];
    }),
  );
}

describeWithOracle<{ rows: readonly OracleRow[] }>(
  'payments/rbi-thresholds.json',
  'our dated table against the public one, row by row',
  ({ rows }) => {
    it.each(rows.filter((row) => !NOT_READ.includes(row.id)).map((row) => [row.id, row] as const))(
      '%s',
      (id, oracle) => {
        const ours = THRESHOLD_ROWS.find((row) => row.id === id);
        expect(ours, `row ${id} is written in the project`).toBeDefined();
        if (ours !== undefined) expect(oracle).toMatchObject(spelled(ours));
      },
    );

    it('has no row of ours that the public table does not have', () => {
      const known = rows.map((row) => row.id);
      expect(THRESHOLD_ROWS.map((row) => row.id).filter((id) => !known.includes(id))).toEqual([]);
      expect(NOT_READ.filter((id) => !known.includes(id))).toEqual([]);
    });
  },
);

const codeOf = (purchase: PurchaseCase): string | null =>
  judgeRbiAfa(purchase).failure?.code ?? null;
const needsAfa = (purchase: PurchaseCase): boolean => {
  const code = codeOf(purchase);
  expect([null, 'afa_evidence_missing']).toContain(code);
  return code !== null;
};

describe('AFA-free debits: both sides of every cap, last instant before and first instant of every date', () => {
  const debit = (amountMinor: bigint, atMs: number, category = 'general' as const): PurchaseCase =>
    autopay({ amountMinor, atMs, rbi: { category } });
  const startOf = (day: string): number => atIst(`${day}T00:00:00`);

  it.each([
    ['2020-01-10', 0n, 200_000n],
    ['2021-01-01', 200_000n, 500_000n],
    ['2022-06-16', 500_000n, 1_500_000n],
  ])('from %s: before up to %s paise, from then on up to %s', (day, earlierMinor, limitMinor) => {
    const first = startOf(day);
    if (earlierMinor > 0n) expect(needsAfa(debit(earlierMinor, first - 1))).toBe(false);
    expect(needsAfa(debit(earlierMinor + 1n, first - 1))).toBe(true);
    expect(needsAfa(debit(limitMinor, first))).toBe(false);
    expect(needsAfa(debit(limitMinor + 1n, first))).toBe(true);
  });

  it('14,999.99, 15,000.00 and 15,000.01 on 2022-06-15 and 2022-06-16', () => {
    const last = startOf('2022-06-16') - 1;
    const first = startOf('2022-06-16');
    for (const amountMinor of [1_499_999n, 1_500_000n, 1_500_001n]) {
      expect(needsAfa(debit(amountMinor, last))).toBe(true);
      expect(needsAfa(debit(amountMinor, first))).toBe(amountMinor > 1_500_000n);
    }
    expect(needsAfa(debit(500_000n, last))).toBe(false);
    expect(needsAfa(debit(500_001n, last))).toBe(true);
  });

  it('cards and wallets from 2019-09-01; before, and on UPI until 2020-01-10, nothing is free', () => {
    const card = (atMs: number): PurchaseCase =>
      onRail(
        {
          rail: 'card_emandate',
          event: 'subsequent_debit',
          mandate: mandateOf({ validFromAtMs: 0 }),
          cycleSeq: 4,
          preDebitNotice: noticeOf(200_000n, atMs),
        },
        { amountMinor: 200_000n, atMs },
      );
    expect(needsAfa(card(startOf('2019-09-01') - 1))).toBe(true);
    expect(needsAfa(card(startOf('2019-09-01')))).toBe(false);
    expect(needsAfa(card(startOf('2020-01-10')))).toBe(false);
    expect(needsAfa(debit(1n, startOf('2020-01-10') - 1))).toBe(true);
    expect(needsAfa(debit(1n, startOf('2020-01-10')))).toBe(false);
  });

  const inCategory = (
    category: 'mutual_fund' | 'insurance' | 'card_bill',
    mcc: string | null,
    options: { amountMinor?: bigint; atMs?: number; purposeCode?: string | null } = {},
  ): PurchaseCase => {
    const { amountMinor = 10_000_000n, atMs = MORNING_MS, purposeCode = category } = options;
    return autopay({ amountMinor, atMs, rbi: { category, mcc, purposeCode } });
  };
  const PROXIES = [
    ['mutual_fund', '6211'],
    ['insurance', '6300'],
    ['insurance', '6529'],
    ['insurance', '5960'],
  ] as const;

  it.each(PROXIES)('%s under MCC %s up to 1,00,000.00 from 2023-12-12', (category, mcc) => {
    expect(needsAfa(inCategory(category, mcc))).toBe(false);
    expect(needsAfa(inCategory(category, mcc, { amountMinor: 10_000_001n }))).toBe(true);
    const first = startOf('2023-12-12');
    const amountMinor = 1_500_001n;
    expect(needsAfa(inCategory(category, mcc, { atMs: first, amountMinor }))).toBe(false);
    expect(needsAfa(inCategory(category, mcc, { atMs: first - 1, amountMinor }))).toBe(true);
    expect(needsAfa(inCategory(category, mcc, { atMs: first - 1, amountMinor: 1_500_000n }))).toBe(
      false,
    );
  });

  it.each([
    ['insurance', '6381'],
    ['insurance', '6399'],
    ['card_bill', '5413'],
    ['card_bill', '6012'],
  ] as const)(
    '%s under MCC %s: free above 15,000 up to the cap of UPI AutoPay',
    (category, mcc) => {
      expect(needsAfa(inCategory(category, mcc, { amountMinor: 9_999_900n }))).toBe(false);
      expect(codeOf(inCategory(category, mcc, { amountMinor: 9_999_901n }))).toBe(
        'mandate_amount_exceeded',
      );
    },
  );

  it('a category without proof counts as general, with a warning', () => {
    const unproven = [
      inCategory('mutual_fund', '6211', { purposeCode: 'stock', amountMinor: 1_500_001n }),
      inCategory('mutual_fund', '6211', { purposeCode: null, amountMinor: 1_500_001n }),
      inCategory('mutual_fund', '6300', { amountMinor: 1_500_001n }),
      inCategory('mutual_fund', null, { amountMinor: 1_500_001n }),
      inCategory('insurance', '6211', { amountMinor: 1_500_001n }),
    ];
    for (const purchase of unproven) {
      expect(needsAfa(purchase)).toBe(true);
      expect(judgeRbiAfa(purchase).notes).toContain('warning:afa_category_unproven');
    }
    const small = inCategory('mutual_fund', null, { amountMinor: 1_500_000n });
    expect(needsAfa(small)).toBe(false);
  });

  it('FASTag and NCMC top-ups from 2024-08-22 up to 15,000.00, and no other category', () => {
    const first = startOf('2024-08-22');
    const topUp = (amountMinor: bigint, atMs: number, category: 'fastag' | 'ncmc' | 'general') =>
      autopay({ amountMinor, atMs, rbi: { event: 'auto_topup', category, preDebitNotice: null } });
    expect(codeOf(topUp(1_500_000n, first, 'fastag'))).toBeNull();
    expect(codeOf(topUp(1_500_000n, first, 'ncmc'))).toBeNull();
    expect(codeOf(topUp(1_500_001n, first, 'ncmc'))).toBe('afa_evidence_missing');
    expect(codeOf(topUp(1n, first - 1, 'fastag'))).toBe('pdn_missing');
    expect(codeOf(topUp(1n, first, 'general'))).toBe('rbi_unclassified');
  });
});

describe('caps of the rails', () => {
  it('UPI AutoPay: 99,999 for one debit, 2,00,000 for listed merchant categories', () => {
    const amounts: [bigint, string | null, string | null][] = [
      [9_999_900n, null, 'afa_evidence_missing'],
      [9_999_901n, null, 'mandate_amount_exceeded'],
      [20_000_000n, '7322', 'afa_evidence_missing'],
      [20_000_001n, '7322', 'mandate_amount_exceeded'],
    ];
    for (const [amountMinor, mcc, code] of amounts) {
      const purchase = autopay({ amountMinor, rbi: { mcc }, mandate: { limitMinor: 99_999_999n } });
      expect(codeOf(purchase)).toBe(code);
    }
  });

  it('UPI Lite: 1,000 within the balance, from 2026-04-01', () => {
    const first = atIst('2026-04-01T00:00:00');
    const lite = (amountMinor: bigint, liteBalanceMinor: bigint | null, atMs = first) =>
      needsAfa(
        onRail({ rail: 'upi_lite', event: 'one_time', liteBalanceMinor }, { amountMinor, atMs }),
      );
    expect(lite(100_000n, 500_000n)).toBe(false);
    expect(lite(100_001n, 500_000n)).toBe(true);
    expect(lite(100_000n, 500_001n)).toBe(true);
    expect(lite(100_000n, 99_999n)).toBe(true);
    expect(lite(100_000n, 100_000n)).toBe(false);
    expect(lite(100_000n, null)).toBe(true);
    expect(lite(100_000n, 500_000n, first - 1)).toBe(true);
  });

  it('UPI Circle: 5,000 a payment, 15,000 a month, 2,000 or 5,000 in the first 24 hours', () => {
    const pay = (amountMinor: bigint, changes: Parameters<typeof delegationOf>[0]) =>
      codeOf(
        onRail(
          { rail: 'upi_circle_full', event: 'one_time', delegation: delegationOf(changes) },
          { amountMinor },
        ),
      );
    const linked24h = MORNING_MS - 86_400_000;
    expect(pay(500_000n, { linkedAtMs: linked24h })).toBeNull();
    expect(pay(500_001n, { linkedAtMs: linked24h })).toBe('circle_limit_txn');
    expect(pay(500_000n, { monthSpentMinor: 1_000_000n })).toBeNull();
    expect(pay(500_000n, { monthSpentMinor: 1_000_001n })).toBe('circle_limit_month');
    const cooling = { linkedAtMs: linked24h + 1 };
    expect(pay(200_000n, cooling)).toBeNull();
    expect(pay(200_001n, cooling)).toBe('circle_limit_cooling');
    expect(pay(100_000n, { ...cooling, firstDaySpentMinor: 100_001n })).toBe(
      'circle_limit_cooling',
    );
    expect(pay(500_000n, { ...cooling, secondary: 'person' })).toBeNull();
    expect(pay(100n, { linkedAtMs: null, firstDaySpentMinor: 200_000n })).toBe(
      'circle_limit_cooling',
    );
  });

  it('UPI Circle before its dates: the primary user approves', () => {
    const pay = (secondary: 'person' | 'software', atMs: number) =>
      codeOf(
        onRail(
          {
            rail: 'upi_circle_full',
            event: 'one_time',
            delegation: delegationOf({ secondary, linkedAtMs: 0 }),
          },
          { amountMinor: 100n, atMs },
        ),
      );
    for (const [secondary, day] of [
      ['person', '2024-08-13'],
      ['software', '2025-10-08'],
    ] as const) {
      const first = atIst(`${day}T00:00:00`);
      expect(pay(secondary, first)).toBeNull();
      expect(pay(secondary, first - 1)).toBe('afa_evidence_missing');
    }
  });

  it('a biometric for the PIN: up to 5,000, from 2025-10-08', () => {
    const first = atIst('2025-10-08T00:00:00');
    const pay = (amountMinor: bigint, atMs: number) =>
      codeOf(
        onRail(
          {
            rail: 'upi_once',
            event: 'one_time',
            evidence: evidenceOf(amountMinor, atMs, {
              method: 'upi_device_biometric',
              mandateRefBound: null,
            }),
          },
          { amountMinor, atMs },
        ),
      );
    expect(pay(500_000n, first)).toBeNull();
    expect(pay(500_001n, first)).toBe('afa_biometric_limit');
    expect(pay(1n, first - 1)).toBe('afa_biometric_limit');
  });

  it('cross-border cards: asked for on and after 2026-10-01, risk-based when not asked', () => {
    const first = atIst('2026-10-01T00:00:00');
    const pay = (afaAskedByMerchant: boolean | null, atMs: number) => {
      const { failure, notes } = judgeRbiAfa(
        onRail(
          { rail: 'card_once_xborder', event: 'one_time', afaAskedByMerchant },
          { amountMinor: 100n, atMs, currency: 'USD' },
        ),
      );
      return [failure?.code ?? null, notes[0]];
    };
    expect(pay(true, first)).toEqual(['afa_evidence_missing', 'afa_required_xborder']);
    expect(pay(null, first)).toEqual(['afa_evidence_missing', 'afa_required_xborder']);
    expect(pay(true, first - 1)).toEqual(['afa_evidence_missing', 'afa_required_one_time']);
    expect(pay(false, first)).toEqual([null, 'afa_xborder_risk_based']);
  });

  it('cross-border recurring: free only when the rupee value lies clear of the threshold', () => {
    const pay = (inrValueMinor: bigint | null) => {
      const atMs = MORNING_MS;
      const notice = noticeOf(10_000n, atMs, { currency: 'USD' });
      const mandate = mandateOf({ currency: 'USD' });
      const rbi = {
        rail: 'card_emandate',
        event: 'subsequent_debit',
        cycleSeq: 4,
        mandate,
        preDebitNotice: notice,
        inrValueMinor,
      } as const;
      return needsAfa(onRail(rbi, { amountMinor: 10_000n, currency: 'USD' }));
    };
    expect(pay(1_425_000n)).toBe(false);
    expect(pay(1_425_001n)).toBe(true);
    expect(pay(1_500_000n)).toBe(true);
    expect(pay(1_500_001n)).toBe(true);
    expect(pay(null)).toBe(true);
  });

  it('AutoPay windows and attempts hold from 2025-08-01', () => {
    const first = atIst('2025-08-01T00:00:00');
    const peak = atIst('2025-08-01T11:00:00');
    const notice = noticeOf(1_499_900n, peak);
    const planned = (atMs: number, attemptsThisCycle = 0) =>
      codeOf(
        autopay({ atMs, rbi: { executionAtMs: peak, preDebitNotice: notice, attemptsThisCycle } }),
      );
    expect(planned(first)).toBe('upi_window_closed');
    expect(planned(first - 1)).toBeNull();
    expect(planned(first, 4)).toBe('upi_retry_exhausted');
    expect(planned(first - 1, 4)).toBeNull();
    expect(codeOf(withRbi(autopay(), { attemptsThisCycle: 3 }))).toBeNull();
    expect(codeOf(withRbi(autopay(), { attemptsThisCycle: 4 }))).toBe('upi_retry_exhausted');
  });
});
