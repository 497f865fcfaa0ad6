import type { ValueOf } from '../client/index.js';
import { printTable } from './table.js';
import { printAmount } from './values.js';

export type Limits = ValueOf<'get', '/v1/merchants/{merchant_id}/limits'>;

export interface LimitChange {
  /** Where it stands, as `currencies.INR.order_max_minor`. */
  readonly at: string;
  /** Null: it is not set there. */
  readonly from: string | null;
  readonly to: string | null;
}

/** What two documents of limits say differently, in the order of the names. Versions and instants are no limits. */
export function changesOf(from: unknown, to: unknown): readonly LimitChange[] {
  const [left, right] = [leavesOf(from), leavesOf(to)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((at) => {
    const [before, after] = [left.get(at) ?? null, right.get(at) ?? null];
    return before === after ? [] : [{ at, from: before, to: after }];
  });
}

const NO_LIMITS = new Set(['version', 'set_at']);

/** Every value by its place; currencies by their code, so that their order says nothing. Null is the same as absent. */
function leavesOf(document: unknown): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') {
      leaves.set(path.join('.'), JSON.stringify(value).replace(/^"|"$/g, ''));
      return;
    }
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      if (path.length === 0 && NO_LIMITS.has(name)) continue;
      visit(member, [...path, Array.isArray(value) ? (currencyOf(member) ?? name) : name]);
    }
  };
  visit(document, []);
  return leaves;
}

function currencyOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('currency' in value)) return null;
  return typeof value.currency === 'string' ? value.currency : null;
}

export function changesText(changes: readonly LimitChange[]): string {
  if (changes.length === 0) return 'No difference.';
  return printTable(
    [{ title: 'LIMIT' }, { title: 'FROM', align: 'right' }, { title: 'TO', align: 'right' }],
    changes.map(({ at, from, to }) => [at, from ?? '-', to ?? '-']),
  );
}

const amountText = (amount: string | null, currency: string): string =>
  amount === null ? 'none' : printAmount({ amount, currency });

/** The limits of one version as a table, an amount a cell. */
export function limitsText(limits: Limits): string {
  const { currencies, not_present: absent, items_max: items } = limits;
  return [
    `version ${limits.version}, set at ${limits.set_at}`,
    '',
    printTable(
      [
        { title: 'BUYER' },
        { title: 'CURRENCY' },
        { title: 'AN ORDER AT MOST', align: 'right' },
        { title: 'A DAY AT MOST', align: 'right' },
        { title: 'ITEMS AT MOST', align: 'right' },
      ],
      [
        ...currencies.map((each) => ({ who: 'present', ...each, items_max: items })),
        ...(absent === null ? [] : [{ who: 'absent', ...absent }]),
      ].map(
        ({ who, currency, order_max_minor: order, daily_max_minor: daily, items_max: count }) => [
          who,
          currency,
          amountText(order, currency),
          amountText(daily, currency),
          count.toString(),
        ],
      ),
    ),
    ...(absent === null ? ['absent buyers: nothing is set, so nothing is sold to them'] : []),
  ].join('\n');
}
