import { invariant } from '../../core/kernel/index.js';

/** What travels to the database: the driver spells these without fail, so a statement of a batch is never lost in it. */
export type SqlValue = string | number | boolean | Uint8Array | null;

export function sqlValue(value: unknown, place: string): SqlValue {
  invariant(
    value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      Number.isSafeInteger(value) ||
      value instanceof Uint8Array,
    `${place} is text, a flag, a safe integer, bytes or null`,
  );
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value as SqlValue;
}

/** Names of tables and columns come from our own definitions; they are checked all the same before they enter SQL. */
export function sqlName(name: string): string {
  invariant(/^[a-z][a-z0-9_]{0,62}$/.test(name), `${name} is a name of a table or column`);
  return name;
}

/** `testClockAtMs` -> `test_clock_at_ms`. */
export const snakeCase = (name: string): string =>
  sqlName(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
