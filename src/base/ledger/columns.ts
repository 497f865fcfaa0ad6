import { type CanonicalValue, canonicalize, invariant } from '../../core/kernel/index.js';
import type { Column } from './projection.js';

const text: Column<string> = {
  pgType: 'text',
  toSql: (value) => value,
  fromSql(value) {
    invariant(typeof value === 'string', 'a text column holds text');
    return value;
  },
};

/** Safe integers: counts, versions, sequence numbers, instants in milliseconds. */
const integer: Column<number> = {
  pgType: 'bigint',
  toSql: (value) => value,
  fromSql(value) {
    const parsed = Number(value);
    invariant(
      value !== null && Number.isSafeInteger(parsed),
      'a bigint column holds a safe integer',
    );
    return parsed;
  },
};

const amountMinor: Column<bigint> = {
  pgType: 'numeric',
  toSql: (value) => value.toString(),
  fromSql: (value) => BigInt(value as string),
};

const flag: Column<boolean> = {
  pgType: 'boolean',
  toSql: (value) => value,
  fromSql: (value) => value === true,
};

/** Canonical JSON text. A codec on the way in and out belongs to the room. */
const json: Column<CanonicalValue> = {
  pgType: 'text',
  toSql: (value) => canonicalize(value),
  fromSql: (value) => JSON.parse(value as string) as CanonicalValue,
};

const nullable = <Value>(inner: Column<Value>): Column<Value | null> => ({
  pgType: inner.pgType,
  toSql: (value) => (value === null ? null : inner.toSql(value)),
  fromSql: (value) => (value === null ? null : inner.fromSql(value)),
});

export const column = { text, integer, amountMinor, flag, json, nullable };
