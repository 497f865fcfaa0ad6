import type { DisplayString, Token } from 'structured-headers';
import type { DictionaryMarks } from './structured-scan.js';

/**
 * Structured fields (RFC 8941, RFC 9651). The library's own types name a type of browsers and would be `any` here; only
 * structured.ts calls it.
 */
export type BareItem = number | string | boolean | Token | ArrayBuffer | Date | DisplayString;
export type Parameters = ReadonlyMap<string, BareItem>;
export type Item = readonly [value: BareItem, parameters: Parameters];
export type InnerList = readonly [items: readonly Item[], parameters: Parameters];
export type Member = Item | InnerList;
export type Dictionary = ReadonlyMap<string, Member>;

export interface ReadDictionary {
  readonly members: Dictionary;
  readonly marks: DictionaryMarks;
  /** Each member as it is written again, where the text has that form already; null: it has to be written. */
  readonly texts: ReadonlyMap<string, string> | null;
}
