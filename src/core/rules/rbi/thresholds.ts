import { invariant, parseInstant } from '../../kernel/index.js';

/**
 * Amounts, leads and windows of the Indian rules, dated, so that an old decision is judged again by what held then
 * (facts/payments.md 1.1 to 1.5; state of 2026-11-30). Amounts are paise and inclusive: "up to 15,000.00" passes at
 * 1500000. Dates are calendar days in +05:30 from 00:00:00; `effectiveFrom` is inclusive, `effectiveTo` exclusive.
 * Not legal advice: the originals of RBI and NPCI must be checked by counsel.
 */
export interface DatedRow {
  readonly id: string;
  /** Null: the start is not known; the row holds since ever. */
  readonly effectiveFrom: string | null;
  /** Null: still in force. */
  readonly effectiveTo: string | null;
  readonly reference: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Period {
  readonly from: string | null;
  readonly to?: string;
  readonly reference?: string;
}

const startOfDayMs = (day: string): number => {
  const atMs = parseInstant(`${day}T00:00:00+05:30`);
  invariant(atMs !== null, 'a table row starts and ends on a calendar day');
  return atMs;
};

const dated = <Values extends object>(
  id: string,
  { from, to, reference }: Period,
  values: Values,
): DatedRow & Values => ({
  id,
  effectiveFrom: from,
  effectiveTo: to ?? null,
  reference: reference ?? null,
  fromMs: from === null ? -Infinity : startOfDayMs(from),
  toMs: to === undefined ? Infinity : startOfDayMs(to),
  ...values,
});

export const isInForce = (row: DatedRow, atMs: number): boolean =>
  row.fromMs <= atMs && atMs < row.toMs;

/** The row when it is in force, else null. */
export const inForce = <Row extends DatedRow>(row: Row, atMs: number): Row | null =>
  isInForce(row, atMs) ? row : null;

export type RailClass = 'card' | 'ppi' | 'upi';

interface AfaFreeValues {
  readonly rails: readonly RailClass[];
  readonly category:
    'any' | 'general' | 'mutual_fund' | 'insurance' | 'card_bill' | 'fastag_or_ncmc';
  readonly event: 'subsequent_debit' | 'auto_topup';
  readonly limitMinor: bigint;
  /** Merchant category codes that a claim of the category must agree with; a proxy only. */
  readonly mccProxy: readonly string[];
}
export type AfaFreeRow = DatedRow & AfaFreeValues;

const ALL_RAILS: readonly RailClass[] = ['card', 'ppi', 'upi'];
const later = { event: 'subsequent_debit', mccProxy: [] } as const;
const T2_REFERENCE = 'RBI/2023-24/88; kept by RBI/DPSS/2026-27/396, 21 Apr 2026';
const T2 = {
  rails: ALL_RAILS,
  event: 'subsequent_debit',
  limitMinor: 10_000_000n,
} as const;

/** Later debits under an e-mandate up to `limitMinor` need no AFA of their own. */
export const EMANDATE_AFA_FREE: readonly AfaFreeRow[] = [
  dated<AfaFreeValues>(
    'emandate-std-2019',
    {
      from: '2019-09-01',
      to: '2020-01-10',
      reference: 'RBI/2019-20/47, DPSS.CO.PD.No.447, 21 Aug 2019',
    },
    { ...later, rails: ['card', 'ppi'], category: 'any', limitMinor: 200_000n },
  ),
  dated<AfaFreeValues>(
    'emandate-std-2020',
    { from: '2020-01-10', to: '2021-01-01', reference: 'DPSS.CO.PD.No.1324' },
    { ...later, rails: ALL_RAILS, category: 'any', limitMinor: 200_000n },
  ),
  dated<AfaFreeValues>(
    'emandate-std-2021',
    { from: '2021-01-01', to: '2022-06-16', reference: 'DPSS.CO.PD.No.754, 4 Dec 2020' },
    { ...later, rails: ALL_RAILS, category: 'any', limitMinor: 500_000n },
  ),
  dated<AfaFreeValues>(
    'emandate-std-2022',
    {
      from: '2022-06-16',
      reference:
        'CO.DPSS.POLC.No.S-518/02.14.003/2022-23; kept by RBI/DPSS/2026-27/396, 21 Apr 2026',
    },
    { ...later, rails: ALL_RAILS, category: 'general', limitMinor: 1_500_000n },
  ),
  dated<AfaFreeValues>(
    'emandate-cat-2023-mutual_fund',
    { from: '2023-12-12', reference: T2_REFERENCE },
    { ...T2, category: 'mutual_fund', mccProxy: ['6211'] },
  ),
  dated<AfaFreeValues>(
    'emandate-cat-2023-insurance',
    { from: '2023-12-12', reference: T2_REFERENCE },
    { ...T2, category: 'insurance', mccProxy: ['6300', '6381', '6399', '6529', '5960'] },
  ),
  dated<AfaFreeValues>(
    'emandate-cat-2023-card_bill',
    { from: '2023-12-12', reference: T2_REFERENCE },
    { ...T2, category: 'card_bill', mccProxy: ['5413', '6012'] },
  ),
  dated<AfaFreeValues>(
    'auto-topup-2024',
    { from: '2024-08-22', reference: 'RBI circular 22 Aug 2024' },
    {
      rails: ALL_RAILS,
      category: 'fastag_or_ncmc',
      event: 'auto_topup',
      limitMinor: 1_500_000n,
      mccProxy: [],
    },
  ),
];

export const PDN_MIN_LEAD = dated(
  'pdn-min-lead',
  { from: '2019-09-01', reference: 'RBI/2019-20/47; RBI/DPSS/2026-27/396' },
  { minSeconds: 86_400 },
);
export const PDN_EXEMPT_AUTO_TOPUP = dated(
  'pdn-exempt-auto-topup',
  { from: '2024-08-22', reference: 'RBI circular 22 Aug 2024' },
  { exempt: true },
);

const DIRECTIONS_2025 =
  'Authentication Directions, 2025 (25 Sep 2025), annexure as listed by law firms';

export const UPI_LITE = dated(
  'upi-lite',
  { from: '2026-04-01', reference: DIRECTIONS_2025 },
  { limitMinor: 100_000n, totalMinor: 500_000n },
);
export const XBORDER_DUTY = dated(
  'xborder-cnp',
  { from: '2026-10-01', reference: 'Authentication Directions, 2025' },
  {},
);

/** A product cap of one acquirer; whether NPCI sets one is not known (facts/payments.md 1.5). */
export const RESERVE_PAY_BLOCK = dated(
  'reserve-pay-block',
  { from: null },
  { limitMinor: 1_000_000n, autoReleaseMinutesBeforeExpiry: 10 },
);
export const SBMD_SECURITIES = dated(
  'sbmd-purpose-76',
  { from: '2024-07-31', reference: 'NPCI OC 200/2024-25, 31 Jul 2024' },
  { limitMinor: 50_000_000n },
);
export const UPI_OTM = dated('upi-otm', { from: null }, { limitMinor: 9_999_900n });
export const AUTOPAY_CAP = dated(
  'autopay-registration-cap',
  { from: null },
  {
    limitMinor: 9_999_900n,
    higherLimitMcc: ['6211', '6300', '7322', '6529', '5960'] as readonly string[],
    higherLimitMinor: 20_000_000n,
  },
);
export const CIRCLE_PERSON = dated(
  'circle-full',
  { from: '2024-08-13', reference: 'NPCI OC 201, 13 Aug 2024' },
  { limitMinor: 500_000n, monthMinor: 1_500_000n, first24hMinor: 500_000n },
);
export const CIRCLE_SOFTWARE = dated(
  'circle-device',
  { from: '2025-10-08', reference: 'NPCI OC 201-B, 8 Oct 2025' },
  { limitMinor: 500_000n, monthMinor: 1_500_000n, first24hMinor: 200_000n },
);
export const CIRCLE_PARTIAL = dated(
  'circle-partial',
  { from: '2024-08-13', reference: 'NPCI OC 201, 13 Aug 2024' },
  { requestLifetimeSeconds: 600 },
);
export const BIOMETRIC_FOR_PIN = dated(
  'biometric-for-pin',
  { from: '2025-10-08' },
  { limitMinor: 500_000n },
);

/** Half-open windows in minutes of the Indian day; peak hours lie between them. */
export const AUTOPAY_WINDOWS = dated(
  'autopay-windows',
  { from: '2025-08-01' },
  {
    openMinutes: [
      [0, 600],
      [780, 1020],
      [1290, 1440],
    ] as readonly (readonly [number, number])[],
  },
);
export const AUTOPAY_ATTEMPTS = dated(
  'autopay-attempts',
  { from: '2025-08-01' },
  { attempts: 1, retries: 3 },
);

/** Every row this project reads; a test compares them with the public table. */
export const THRESHOLD_ROWS: readonly DatedRow[] = [
  ...EMANDATE_AFA_FREE,
  PDN_MIN_LEAD,
  PDN_EXEMPT_AUTO_TOPUP,
  UPI_LITE,
  XBORDER_DUTY,
  RESERVE_PAY_BLOCK,
  SBMD_SECURITIES,
  UPI_OTM,
  AUTOPAY_CAP,
  CIRCLE_PERSON,
  CIRCLE_SOFTWARE,
  CIRCLE_PARTIAL,
  BIOMETRIC_FOR_PIN,
  AUTOPAY_WINDOWS,
  AUTOPAY_ATTEMPTS,
];
