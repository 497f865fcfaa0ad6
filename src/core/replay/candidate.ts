import {
  type CanonicalValue,
  err,
  isCurrencyCode,
  parseMinorUnits,
  parseStrictJson,
  type Problem,
  problem,
  type Result,
} from '../kernel/index.js';
import { checkLimits, type LimitsDraft } from '../rules/index.js';
import { membersOf } from './export-reader.js';

/**
 * Reads limits in the form of the body of `PUT /v1/merchants/{merchant_id}/limits`; daily maxima and `not_present` may be
 * left out. Amounts are minor units as text. Problems (validation_failed), in order: no strict JSON object, then member by
 * member what is missing, unknown or of the wrong form, then those of {@link checkLimits}.
 */
export function readCandidate(text: string): Result<LimitsDraft, Problem> {
  const parsed = parseStrictJson(text);
  if (!parsed.ok)
    return err(faulty({ field: '', detail: 'The file holds no strict JSON.', fix: OBJECT_FIX }));
  const read = readLimits(parsed.value);
  return read instanceof Fault ? err(faulty(read)) : checkLimits(read);
}

const faulty = ({ field, detail, fix }: Pick<Fault, 'field' | 'detail' | 'fix'>): Problem =>
  problem('validation_failed', detail, { fix, field });

/** The first thing wrong, and where. */
class Fault {
  constructor(
    readonly field: string,
    readonly detail: string,
    readonly fix: string,
  ) {}
}

const OBJECT_FIX =
  'Give the body of PUT /v1/merchants/{merchant_id}/limits: currencies, items_max, not_present.';
const AMOUNT_FIX = 'Give minor units as a decimal string, positive, at most 18 digits.';

type Members = Readonly<Record<string, CanonicalValue>>;

function readLimits(value: CanonicalValue): LimitsDraft | Fault {
  const members = readMembers(value, '', ['currencies', 'items_max', 'not_present']);
  if (members instanceof Fault) return members;
  const { currencies, items_max: items, not_present: absent = null } = members;
  if (!Array.isArray(currencies))
    return new Fault('/currencies', 'currencies is a list.', 'Name each currency once.');
  const amounts = firstFault(
    (currencies as readonly CanonicalValue[]).map((each, index) =>
      readAmounts(each, `/currencies/${index}`),
    ),
  );
  if (amounts instanceof Fault) return amounts;
  const itemsMax = readItems(items, '/items_max');
  if (itemsMax instanceof Fault) return itemsMax;
  if (absent === null) return { currencies: amounts, itemsMax, notPresent: null };
  const notPresent = readAbsent(absent);
  return notPresent instanceof Fault ? notPresent : { currencies: amounts, itemsMax, notPresent };
}

type Amounts = LimitsDraft['currencies'][number];
const AMOUNT_MEMBERS = ['currency', 'order_max_minor', 'daily_max_minor'];

function readAmounts(value: CanonicalValue, at: string): Amounts | Fault {
  const members = readMembers(value, at, AMOUNT_MEMBERS);
  return members instanceof Fault ? members : amountsOf(members, at);
}

function readAbsent(value: CanonicalValue): NonNullable<LimitsDraft['notPresent']> | Fault {
  const at = '/not_present';
  const members = readMembers(value, at, [...AMOUNT_MEMBERS, 'items_max']);
  if (members instanceof Fault) return members;
  const amounts = amountsOf(members, at);
  if (amounts instanceof Fault) return amounts;
  const itemsMax = readItems(members['items_max'], `${at}/items_max`);
  return itemsMax instanceof Fault ? itemsMax : { ...amounts, itemsMax };
}

function amountsOf(members: Members, at: string): Amounts | Fault {
  const { currency, order_max_minor: order, daily_max_minor: daily = null } = members;
  if (typeof currency !== 'string' || !isCurrencyCode(currency))
    return new Fault(
      `${at}/currency`,
      'This is no currency one can pay in.',
      'Give an ISO 4217 code.',
    );
  const orderMaxMinor = amountOf(order);
  if (orderMaxMinor === null)
    return new Fault(`${at}/order_max_minor`, 'The order maximum is no amount.', AMOUNT_FIX);
  const dailyMaxMinor = daily === null ? null : amountOf(daily);
  return daily !== null && dailyMaxMinor === null
    ? new Fault(
        `${at}/daily_max_minor`,
        'The daily maximum is no amount.',
        `${AMOUNT_FIX} Use null for none.`,
      )
    : { currency, orderMaxMinor, dailyMaxMinor };
}

const amountOf = (value: CanonicalValue | undefined): bigint | null =>
  typeof value === 'string' ? parseMinorUnits(value) : null;

const readItems = (value: CanonicalValue | undefined, at: string): number | Fault =>
  typeof value === 'number'
    ? value
    : new Fault(at, 'The most items of an order is a whole number.', 'Give a number from 1 on.');

/** A closed object: unknown members are told, missing ones are found by who reads them. */
function readMembers(value: CanonicalValue, at: string, names: readonly string[]): Members | Fault {
  const members = membersOf(value);
  if (members === null) return new Fault(at, 'This is no JSON object.', OBJECT_FIX);
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  return unknown === undefined
    ? members
    : new Fault(
        `${at}/${unknown}`,
        'Limits have no such member.',
        `Leave it out; there are ${names.join(', ')}.`,
      );
}

function firstFault<Value>(read: readonly (Value | Fault)[]): readonly Value[] | Fault {
  const fault = read.find((each) => each instanceof Fault);
  return fault instanceof Fault ? fault : (read as readonly Value[]);
}
