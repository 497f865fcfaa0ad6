import { isChosenId, isCurrencyCode, parseInstant, parseMinorUnits } from '../kernel/index.js';
import type { CurrencyCode, InstantMs, Money } from '../kernel/index.js';
import { fault, type ProofFault } from './fault.js';

/** Longest text of a member that is no id, in characters. */
export const MEMBER_TEXT_LENGTH_MAX = 2_048;
/** Longest list inside a signed object, in items. */
export const MEMBER_LIST_LENGTH_MAX = 10_000;

const SECOND_MS = 1_000;
const STATUS_INDEX_MAX = 2 ** 31 - 1;

/** Where the revocation state of one object stands: a list and a place in it (facts/arbiter.md A4). */
export interface StatusRef {
  readonly uri: string;
  readonly index: number;
}

/**
 * Reads the members of one parsed object into typed values and remembers the first that does not fit, as a `shape`
 * fault; later reads return harmless values. Ask `fault` before any value is used.
 */
export class MemberReader {
  private found: ProofFault | null = null;

  constructor(
    private readonly members: Readonly<Record<string, unknown>>,
    private readonly prefix = '',
  ) {}

  get fault(): ProofFault | null {
    return this.found;
  }

  fail(member: string, detail: string): void {
    this.found ??= fault('shape', `${this.prefix}${member}`, detail);
  }

  has(member: string): boolean {
    return this.members[member] !== undefined && this.members[member] !== null;
  }

  /** Refuses members that nobody declared: a misspelled limit must not read as "no limit". */
  only(allowed: ReadonlySet<string>): void {
    const foreign = Object.keys(this.members).find((member) => !allowed.has(member));
    if (foreign !== undefined) this.fail(foreign, 'there is no such member');
  }

  text(member: string): string {
    const value = this.members[member];
    if (isMemberText(value)) return value;
    return this.miss(
      member,
      `a text of 1 to ${MEMBER_TEXT_LENGTH_MAX} characters without NUL is needed`,
      '',
    );
  }

  optionalText(member: string): string | null {
    return this.has(member) ? this.text(member) : null;
  }

  /** An id: letters, digits and `._:@/+-`, at most 128 (core/kernel isChosenId). */
  id(member: string): string {
    const value = this.members[member];
    if (typeof value === 'string' && isChosenId(value)) return value;
    return this.miss(member, 'an id of at most 128 letters, digits and ._:@/+- is needed', '');
  }

  oneOf<const Word extends string>(member: string, words: readonly [Word, ...Word[]]): Word {
    const value = words.find((word) => word === this.members[member]);
    return value ?? this.miss(member, `one of ${words.join(', ')} is needed`, words[0]);
  }

  flag(member: string): boolean {
    const value = this.members[member];
    return typeof value === 'boolean' ? value : this.miss(member, 'true or false is needed', false);
  }

  /** A whole number from 0 to 2^53 - 1. */
  count(member: string): number {
    const value = this.members[member];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return this.miss(member, 'a whole number from 0 is needed', 0);
  }

  /** NumericDate of RFC 7519 in whole seconds. A fraction is refused: nobody may gain a second by rounding. */
  seconds(member: string): InstantMs {
    const value = this.members[member];
    if (
      typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value >= 0 &&
      value <= SECONDS_MAX
    )
      return value * SECOND_MS;
    return this.miss(member, 'a time in whole seconds since 1970 is needed', 0);
  }

  /** RFC 3339 with offset. */
  instant(member: string): InstantMs {
    const value = this.members[member];
    const atMs = typeof value === 'string' ? parseInstant(value) : null;
    return atMs ?? this.miss(member, 'an RFC 3339 time with offset is needed', 0);
  }

  optionalInstant(member: string): InstantMs | null {
    return this.has(member) ? this.instant(member) : null;
  }

  currency(member: string): CurrencyCode {
    const value = this.members[member];
    if (typeof value === 'string' && isCurrencyCode(value)) return value;
    return this.miss(member, 'an ISO 4217 code in capitals is needed', 'XXX');
  }

  texts(member: string): readonly string[] {
    const value = this.members[member];
    if (Array.isArray(value) && value.length <= MEMBER_LIST_LENGTH_MAX && value.every(isMemberText))
      return value;
    return this.miss(member, 'a list of texts without NUL is needed', []);
  }

  object(member: string): MemberReader {
    const value = this.members[member];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return this.child(value as Readonly<Record<string, unknown>>, member);
    this.fail(member, 'an object is needed');
    return this.child({}, member);
  }

  raw(member: string): unknown {
    return this.members[member];
  }

  /** `{"amount":"2099","currency":"INR"}`, an amount from 0 (decisions 1.6). */
  money(member: string): Money {
    const inner = this.object(member);
    inner.only(MONEY_MEMBERS);
    const amount = inner.text('amount');
    const amountMinor = parseMinorUnits(amount);
    if (amountMinor === null) inner.fail('amount', 'minor units as a decimal string are needed');
    const value: Money = { amountMinor: amountMinor ?? 0n, currency: inner.currency('currency') };
    this.adopt(inner);
    return value;
  }

  /** `status: {status_list: {uri, idx}}` (IETF Token Status List section 6). */
  status(): StatusRef {
    const list = this.object('status').object('status_list');
    const value = { uri: list.text('uri'), index: list.count('idx') };
    if (value.index > STATUS_INDEX_MAX) list.fail('idx', `an index is at most ${STATUS_INDEX_MAX}`);
    this.adopt(list);
    return value;
  }

  /** Takes over what an inner reader found. */
  adopt(inner: MemberReader): void {
    this.found ??= inner.found;
  }

  private child(members: Readonly<Record<string, unknown>>, member: string): MemberReader {
    return new MemberReader(members, `${this.prefix}${member}.`);
  }

  private miss<Value>(member: string, detail: string, value: Value): Value {
    this.fail(member, detail);
    return value;
  }
}

/** NUL can be signed, but neither a row nor an index can hold it. */
const isMemberText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MEMBER_TEXT_LENGTH_MAX &&
  !value.includes('\0');

/** The last second that an RFC 3339 year of four digits can spell. */
const SECONDS_MAX = 253_402_300_799;
const MONEY_MEMBERS: ReadonlySet<string> = new Set(['amount', 'currency']);
