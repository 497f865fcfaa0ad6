import type { Money, Ruleset } from '../../kernel/index.js';
import type { AfaEvent, AfaRail, RbiFacts } from './facts.js';
import type { RailClass } from './thresholds.js';

/** One payment in the scope of the Indian rules: rail and event are known, the amount is the cart's total. */
export interface AfaCase {
  readonly rail: AfaRail;
  readonly event: AfaEvent;
  readonly amount: Money;
  /** What evidence that names its cart is compared with (decisions 3.8). */
  readonly coreHash: string;
  /** Instant of the decision: what the dated tables are read at. */
  readonly atMs: number;
  /** When the debit will run; never before the decision. */
  readonly executionAtMs: number;
  readonly facts: RbiFacts;
  readonly ruleset: Ruleset;
}

const E_MANDATE_CLASSES: Partial<Record<AfaRail, RailClass>> = {
  upi_autopay: 'upi',
  card_emandate: 'card',
  ppi_emandate: 'ppi',
};

/** The class of an e-mandate rail (mandate with later debits), else null. */
export const eMandateClass = (rail: AfaRail): RailClass | null => E_MANDATE_CLASSES[rail] ?? null;

export const isUpi = (rail: AfaRail): boolean => rail.startsWith('upi_');

const MANDATE_EVENTS: readonly AfaEvent[] = [
  'register',
  'first_debit',
  'subsequent_debit',
  'auto_topup',
  'modify',
  'withdraw',
];
const BLOCK_EVENTS: readonly AfaEvent[] = ['register', 'block_create', 'block_debit', 'withdraw'];
const ONE_TIME: readonly AfaEvent[] = ['one_time'];

/** Which events each rail knows; any other pair is row 21 of the table. */
const EVENTS_OF_RAIL: Record<AfaRail, readonly AfaEvent[]> = {
  upi_autopay: MANDATE_EVENTS,
  card_emandate: MANDATE_EVENTS,
  ppi_emandate: MANDATE_EVENTS,
  upi_reserve_pay: BLOCK_EVENTS,
  upi_otm: BLOCK_EVENTS,
  upi_circle_full: ONE_TIME,
  upi_circle_partial: ONE_TIME,
  upi_lite: ONE_TIME,
  upi_once: ONE_TIME,
  card_once: ONE_TIME,
  card_once_xborder: ONE_TIME,
  netbanking: ONE_TIME,
  other: [],
};

export const railKnowsEvent = (rail: AfaRail, event: AfaEvent): boolean =>
  EVENTS_OF_RAIL[rail].includes(event);

/** Making or changing a mandate or block: no money moves, the terms are what the buyer authenticates. */
export const isAboutTerms = (event: AfaEvent): boolean =>
  event === 'register' || event === 'block_create' || event === 'modify';

/** FASTag (tolls) and NCMC (transit cards): the only wallets that top themselves up under the framework. */
export const isTollOrTransit = (category: RbiFacts['category']): boolean =>
  category === 'fastag' || category === 'ncmc';

/** Is the authentication on file under which the mandate or block was made? */
export const hasRegistrationAfa = ({ facts }: AfaCase): boolean =>
  facts.mandate !== null && facts.mandate.registrationAfaRef !== null;

/**
 * A debit called later although the mandate was never debited is its first (facts/arbiter.md H2): a word cannot take
 * the first authentication away.
 */
export function isFirstDebit({ event, facts }: AfaCase): boolean {
  if (event === 'first_debit') return true;
  const { mandate } = facts;
  return (
    event === 'subsequent_debit' &&
    mandate !== null &&
    mandate.lastDebitedAtMs === null &&
    (mandate.lastSeq ?? 0) < 1
  );
}
