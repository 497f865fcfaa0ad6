import type { CanonicalValue } from './canonical.js';
import { isCurrencyCode } from './currency.js';
import { formatInstant, type InstantMs, parseInstant } from './instant.js';
import { invariant } from './invariant.js';
import { type Money, parseSignedMinorUnits } from './money.js';

/**
 * The two directions between a value as rules read it (bigint amounts, instants in milliseconds) and the canonical
 * value that is hashed and stored. `decode` reads what `encode` wrote: a text that does not fit is a broken
 * invariant of the ledger, so it throws. Bodies of callers are parsed by the doors, never by a codec.
 */
export interface Codec<Value> {
  encode(value: Value): CanonicalValue;
  decode(value: unknown, path: string): Value;
}

export type Decoded<C> = C extends Codec<infer Value> ? Value : never;

const primitive = <Value extends string | number | boolean>(
  name: string,
  holds: (value: unknown) => boolean,
): Codec<Value> => ({
  encode: (value) => value,
  decode(value, path) {
    invariant(holds(value), `${path} is ${name}`);
    return value as Value;
  },
});

export const text: Codec<string> = primitive('a string', (value) => typeof value === 'string');
export const flag: Codec<boolean> = primitive('a boolean', (value) => typeof value === 'boolean');
export const integer: Codec<number> = primitive('a safe integer', (value) =>
  Number.isSafeInteger(value),
);

/** One of a closed list of words. */
export const oneOf = <const Words extends readonly string[]>(
  ...words: Words
): Codec<Words[number]> =>
  primitive(`one of ${words.join(', ')}`, (value) => words.includes(value as string));

/** Minor units, possibly negative, as a decimal string. */
export const amountMinor: Codec<bigint> = {
  encode: (value) => value.toString(),
  decode(value, path) {
    const parsed = typeof value === 'string' ? parseSignedMinorUnits(value) : null;
    invariant(parsed !== null, `${path} is a decimal string of minor units`);
    return parsed;
  },
};

/** `{"amount":"2099","currency":"INR"}` (decisions 1.6). */
export const money: Codec<Money> = {
  encode: (value) => ({ amount: value.amountMinor.toString(), currency: value.currency }),
  decode(value, path) {
    const { amount, currency } = members(value, path);
    invariant(
      typeof currency === 'string' && isCurrencyCode(currency),
      `${path}.currency is an ISO 4217 code`,
    );
    return { amountMinor: amountMinor.decode(amount, `${path}.amount`), currency };
  },
};

/** RFC 3339, UTC, three digits. */
export const instant: Codec<InstantMs> = {
  encode: formatInstant,
  decode(value, path) {
    const atMs = typeof value === 'string' ? parseInstant(value) : null;
    invariant(atMs !== null, `${path} is an RFC 3339 instant`);
    return atMs;
  },
};

export const nullable = <Value>(inner: Codec<Value>): Codec<Value | null> => ({
  encode: (value) => (value === null ? null : inner.encode(value)),
  decode: (value, path) => (value === null ? null : inner.decode(value, path)),
});

/** A member that entries of an earlier form do not have: absent reads as `before`; it is always written. */
export const added = <Value>(inner: Codec<Value>, before: Value): Codec<Value> => ({
  encode: (value) => inner.encode(value),
  decode: (value, path) => (value === undefined ? before : inner.decode(value, path)),
});

export const list = <Value>(item: Codec<Value>): Codec<readonly Value[]> => ({
  encode: (values) => values.map((value) => item.encode(value)),
  decode(value, path) {
    invariant(Array.isArray(value), `${path} is an array`);
    return value.map((entry, index) => item.decode(entry, `${path}[${index}]`));
  },
});

type RecordOf<S> = {
  readonly [Name in keyof S]: S[Name] extends Codec<infer Value> ? Value : never;
};

/** `expiresAtMs` is `expires_at` on the wire: RFC 3339 there, milliseconds here. All other names only change case. */
const wireName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/(^|_)at_ms$/, '$1at');

/** A closed object: exactly these members, no more, no fewer, in snake_case. Absence is spelled null. */
export function record<S extends { readonly [Name in keyof S]: Codec<never> | Codec<unknown> }>(
  shape: S,
): Codec<RecordOf<S>> {
  const fields = Object.entries(shape as unknown as Readonly<Record<string, Codec<unknown>>>).map(
    ([name, inner]) => ({ name, wire: wireName(name), inner }),
  );
  const wireNames = new Set(fields.map((field) => field.wire));
  return {
    encode(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const encoded: Record<string, CanonicalValue> = {};
      for (const { name, wire, inner } of fields) encoded[wire] = inner.encode(source[name]);
      return encoded;
    },
    decode(value, path) {
      const source = members(value, path);
      const unknown = Object.keys(source).find((wire) => !wireNames.has(wire));
      invariant(unknown === undefined, `${path} has no member ${unknown}`);
      const decoded: Record<string, unknown> = {};
      for (const { name, wire, inner } of fields)
        decoded[name] = inner.decode(source[wire], `${path}.${wire}`);
      return decoded as RecordOf<S>;
    },
  };
}

type VariantOf<Cases> = {
  [Kind in keyof Cases]: { readonly kind: Kind } & (Cases[Kind] extends Codec<infer Value>
    ? Value
    : never);
}[keyof Cases];

/** A closed union told apart by its member `kind`; each case is a {@link record} without that member. */
export function variant<
  Cases extends { readonly [Kind in keyof Cases]: Codec<never> | Codec<unknown> },
>(cases: Cases): Codec<VariantOf<Cases>> {
  const codecs = cases as unknown as Readonly<Record<string, Codec<unknown>>>;
  return {
    encode(value) {
      const { kind } = value as unknown as { kind: string };
      return { kind, ...(codecs[kind]?.encode(value) as object) };
    },
    decode(value, path) {
      const { kind, ...rest } = members(value, path);
      const inner =
        typeof kind === 'string' && Object.hasOwn(codecs, kind) ? codecs[kind] : undefined;
      invariant(inner !== undefined, `${path}.kind is one of ${Object.keys(codecs).join(', ')}`);
      return { kind, ...(inner.decode(rest, path) as object) } as VariantOf<Cases>;
    },
  };
}

/** A canonical value taken as it stands: a document whose inner form belongs to somebody else. */
export const opaque: Codec<CanonicalValue> = {
  encode: (value) => value,
  decode: (value) => value as CanonicalValue,
};

function members(value: unknown, path: string): Readonly<Record<string, unknown>> {
  invariant(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${path} is an object`,
  );
  return value as Readonly<Record<string, unknown>>;
}
