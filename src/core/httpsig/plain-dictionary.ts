import { Remembered } from '../kernel/index.js';
import type { BareItem, Item, Member, Parameters, ReadDictionary } from './structured-types.js';

/** Visible ASCII and spaces; without a backslash a string ends at its next quotation mark. */
const PLAIN_TEXT = /^[ -[\]-~]*$/;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const INTEGER = /(?:0|[1-9][0-9]{0,14})(?![0-9.])/y;
const NO_PARAMETERS: Parameters = new Map();
/** A signer covers the same components in every request. */
const LISTS = new Remembered<readonly Item[]>({ texts: 1_000, characters: 512 });
const FAITHFUL = { repeatedParameter: null, isUnfaithful: false } as const;

/**
 * A Dictionary in the one form that it would be written in again (RFC 9651 section 4.1), of what signatures consist of: inner lists
 * of strings, strings, byte sequences, and integers and flags as parameters. Nearly every signer writes so, and such a text is read
 * here in a fraction of the time. Null: it is something else, which is nothing bad; the library reads it then.
 * INVARIANT: what is read here, the library reads alike, with the same marks, and writes as the same texts (a test).
 */
export function readPlainDictionary(text: string): ReadDictionary | null {
  return PLAIN_TEXT.test(text) ? new PlainText(text).dictionary() : null;
}

class PlainText {
  private at = 0;

  constructor(private readonly text: string) {}

  dictionary(): ReadDictionary | null {
    const members = new Map<string, Member>();
    const texts = new Map<string, string>();
    const marks = new Map<string, typeof FAITHFUL>();
    do {
      const key = this.take(KEY);
      if (key === null || members.has(key) || !this.passes('=')) return null;
      const begin = this.at;
      const member = this.member();
      if (member === null) return null;
      members.set(key, member);
      texts.set(key, this.text.slice(begin, this.at));
      marks.set(key, FAITHFUL);
    } while (this.passes(', '));
    return this.at === this.text.length
      ? { members, texts, marks: { repeatedKey: null, members: marks } }
      : null;
  }

  private member(): Member | null {
    if (this.text[this.at] !== '(') return this.item(this.string() ?? this.bytes());
    const items = this.list();
    const parameters = items === null ? null : this.parameters();
    return items === null || parameters === null ? null : [items, parameters];
  }

  private list(): readonly Item[] | null {
    const begin = this.at;
    // No text that ends before its list does is ever kept, so what is found here would be read here.
    const end = this.text.indexOf(')', begin) + 1;
    const known = LISTS.get(this.text.slice(begin, end));
    if (known !== undefined) {
      this.at = end;
      return known;
    }
    this.at += 1;
    const items: Item[] = [];
    while (!this.passes(')')) {
      if (items.length > 0 && !this.passes(' ')) return null;
      const item = this.item(this.string());
      if (item === null) return null;
      items.push(item);
    }
    return LISTS.keep(this.text.slice(begin, this.at), items);
  }

  private item(value: BareItem | null): Item | null {
    const parameters = value === null ? null : this.parameters();
    return value === null || parameters === null ? null : [value, parameters];
  }

  private parameters(): Parameters | null {
    if (!this.passes(';')) return NO_PARAMETERS;
    const parameters = new Map<string, BareItem>();
    do {
      const key = this.take(KEY);
      if (key === null || parameters.has(key)) return null;
      const value = this.passes('=') ? (this.string() ?? this.integer()) : true;
      if (value === null) return null;
      parameters.set(key, value);
    } while (this.passes(';'));
    return parameters;
  }

  private string(): string | null {
    if (this.text[this.at] !== '"') return null;
    const end = this.text.indexOf('"', this.at + 1);
    if (end < 0) return null;
    const value = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return value;
  }

  private bytes(): ArrayBuffer | null {
    if (this.text[this.at] !== ':') return null;
    const end = this.text.indexOf(':', this.at + 1);
    if (end < 0) return null;
    const base64 = this.text.slice(this.at + 1, end);
    const bytes = Buffer.from(base64, 'base64');
    // Buffer skips what is no base64, and takes bits that are left over.
    if (bytes.toString('base64') !== base64) return null;
    this.at = end + 1;
    return new Uint8Array(bytes).buffer;
  }

  private integer(): number | null {
    const digits = this.take(INTEGER);
    return digits === null ? null : Number(digits);
  }

  private passes(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }
}
