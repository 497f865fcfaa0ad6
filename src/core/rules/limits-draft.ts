import { AMOUNT_MINOR_MAX, err, ok, problem, type Problem, type Result } from '../kernel/index.js';
import type { MerchantLimits } from './facts.js';

/** Most items an order may ever be allowed to have. */
export const ITEMS_MAX_MAX = 10_000;
/** Most currencies one version of limits names: more than ISO 4217 has. */
export const LIMIT_CURRENCIES_MAX = 200;

/** Limits before they got a version. */
export type LimitsDraft = Omit<MerchantLimits, 'version'>;

/**
 * Whether these limits can be meant. All amounts of one currency stand in minor units.
 * Problems (validation_failed), in order: no currency or too many, then per currency: named twice, order maximum not
 * positive, daily maximum below it; items maximum outside 1..10000; then the not-present limits: currency without
 * normal limits, order maximum not positive, daily maximum below it, and each above the normal limit of that currency
 * (facts/arbiter.md G3: with the buyer away never more than with the buyer there).
 */
export function checkLimits(limits: LimitsDraft): Result<LimitsDraft, Problem> {
  const fault =
    currenciesFault(limits.currencies) ??
    itemsFault(limits.itemsMax, '/items_max') ??
    awayFault(limits);
  return fault === null
    ? ok(limits)
    : err(problem('validation_failed', fault.detail, { fix: fault.fix, field: fault.field }));
}

interface Fault {
  readonly field: string;
  readonly detail: string;
  readonly fix: string;
}

const fault = (field: string, detail: string, fix: string): Fault => ({ field, detail, fix });

function currenciesFault(currencies: LimitsDraft['currencies']): Fault | null {
  if (currencies.length === 0 || currencies.length > LIMIT_CURRENCIES_MAX) {
    return fault(
      '/currencies',
      `Limits name 1 to ${LIMIT_CURRENCIES_MAX} currencies.`,
      'Name each currency in which orders are taken, once.',
    );
  }
  const seen = new Set<string>();
  for (const [index, amounts] of currencies.entries()) {
    const at = `/currencies/${index}`;
    if (seen.has(amounts.currency)) {
      return fault(`${at}/currency`, `${amounts.currency} is named twice.`, 'Keep one of the two.');
    }
    seen.add(amounts.currency);
    const wrong = amountsFault(amounts, at);
    if (wrong !== null) return wrong;
  }
  return null;
}

function amountsFault(
  { orderMaxMinor, dailyMaxMinor }: { orderMaxMinor: bigint; dailyMaxMinor: bigint | null },
  at: string,
): Fault | null {
  if (orderMaxMinor <= 0n || orderMaxMinor > AMOUNT_MINOR_MAX) {
    return fault(
      `${at}/order_max_minor`,
      'The order maximum is a positive amount of at most 18 digits.',
      'Give it in minor units; to take no orders in a currency, leave the currency out.',
    );
  }
  if (
    dailyMaxMinor !== null &&
    (dailyMaxMinor < orderMaxMinor || dailyMaxMinor > AMOUNT_MINOR_MAX)
  ) {
    return fault(
      `${at}/daily_max_minor`,
      'The daily maximum is below the order maximum, so that one of the two could never be reached.',
      'Raise the daily maximum to the order maximum or more, or use null for none.',
    );
  }
  return null;
}

const itemsFault = (itemsMax: number, field: string): Fault | null =>
  itemsMax >= 1 && itemsMax <= ITEMS_MAX_MAX
    ? null
    : fault(
        field,
        `The most items of an order is 1 to ${ITEMS_MAX_MAX}.`,
        'Choose a number in between.',
      );

function awayFault({ currencies, itemsMax, notPresent: away }: LimitsDraft): Fault | null {
  if (away === null) return null;
  const at = '/not_present';
  const normal = currencies.find(({ currency }) => currency === away.currency);
  if (normal === undefined) {
    return fault(
      `${at}/currency`,
      `There are no normal limits in ${away.currency}.`,
      'Use a currency that /currencies names.',
    );
  }
  return (
    amountsFault(away, at) ??
    itemsFault(away.itemsMax, `${at}/items_max`) ??
    aboveNormal(`${at}/order_max_minor`, away.orderMaxMinor, normal.orderMaxMinor) ??
    aboveNormal(`${at}/items_max`, away.itemsMax, itemsMax) ??
    // A daily maximum of null sets no bound of its own: the normal one still holds, because rule 6 is judged as well.
    aboveNormal(
      `${at}/daily_max_minor`,
      away.dailyMaxMinor ?? 0n,
      normal.dailyMaxMinor ?? AMOUNT_MINOR_MAX,
    )
  );
}

const aboveNormal = <Value extends bigint | number>(
  field: string,
  value: Value,
  normal: Value,
): Fault | null =>
  value <= normal
    ? null
    : fault(
        field,
        `With the buyer away more would be allowed (${value}) than with the buyer there (${normal}).`,
        'Lower it to the normal limit or below.',
      );
