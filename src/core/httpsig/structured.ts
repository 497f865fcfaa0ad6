import {
  isValidKeyStr,
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
  serializeList,
  Token,
} from 'structured-headers';
import { err, ok, Remembered, type Result } from '../kernel/index.js';
import { readPlainDictionary } from './plain-dictionary.js';
import type {
  BareItem,
  Dictionary,
  InnerList,
  Item,
  Member,
  ReadDictionary,
} from './structured-types.js';
import { scanDictionary } from './structured-scan.js';
import { fault, type SignatureFault } from './vocabulary.js';

export type {
  BareItem,
  Dictionary,
  InnerList,
  Item,
  Member,
  Parameters,
  ReadDictionary,
} from './structured-types.js';

export const isInnerList = (member: Member): member is InnerList => Array.isArray(member[0]);
export const isKey = (text: string): boolean => isValidKeyStr(text);

/** The library throws on text that is no structured field; here that is a value. */
function attempt<Value>(parse: () => unknown, what: string): Result<Value, SignatureFault> {
  try {
    return ok(parse() as Value);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/[^\x20-\x7e]/g, '?') : 'unreadable';
    return err(fault('malformed_header', `${what}: ${why.slice(0, 200)}.`));
  }
}

/** A Dictionary with what the raw text says beyond the parsed one. `what` names the field in a fault. */
export function readDictionary(text: string, what: string): Result<ReadDictionary, SignatureFault> {
  const plain = readPlainDictionary(text);
  return plain === null ? readAnyDictionary(text, what) : ok(plain);
}

const remembered = new Remembered<ReadDictionary>({ texts: 1_000, characters: 256 });

/** {@link readDictionary}, for fields of which a sender writes the same in every message. */
export function readKnownDictionary(
  text: string,
  what: string,
): Result<ReadDictionary, SignatureFault> {
  const known = remembered.get(text);
  if (known !== undefined) return ok(known);
  const read = readDictionary(text, what);
  return read.ok ? ok(remembered.keep(text, read.value)) : read;
}

/** By the library, whatever its form. */
export function readAnyDictionary(
  text: string,
  what: string,
): Result<ReadDictionary, SignatureFault> {
  const parsed = attempt<Dictionary>(() => parseDictionary(text), what);
  if (!parsed.ok) return parsed;
  return ok({ members: parsed.value, marks: scanDictionary(text), texts: null });
}

export const readList = (text: string, what: string): Result<readonly Member[], SignatureFault> =>
  attempt(() => parseList(text), what);

export const readItem = (text: string, what: string): Result<Item, SignatureFault> =>
  attempt(() => parseItem(text), what);

// What was parsed, or built of checked parts, can be written: the library does not throw here.
export const writeMember = (member: Member): string =>
  isInnerList(member) ? serializeInnerList(member as never) : serializeItem(member as never);
export const writeDictionary = (members: Dictionary): string =>
  serializeDictionary(members as never);
export const writeList = (members: readonly Member[]): string => serializeList(members as never);

/** Bytes of a member that is a byte sequence; null: it is something else. */
export const bytesOf = ([value]: Member): Buffer | null =>
  value instanceof ArrayBuffer ? Buffer.from(value) : null;

/** A value that is text or a number, or a flag; a token as its text; undefined: something else. */
export function plainValue(value: BareItem): string | number | true | undefined {
  if (value instanceof Token) return value.toString();
  return typeof value === 'string' || typeof value === 'number' || value === true
    ? value
    : undefined;
}
