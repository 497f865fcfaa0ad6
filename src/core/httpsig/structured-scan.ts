/**
 * What `structured-headers` does not tell: keys that occur twice collapse in its maps, `1.0` comes back as the integer 1,
 * and display strings are written back in another form. The raw text is walked once more, after it parsed.
 */
export interface MemberMarks {
  /** A parameter that occurs twice on one item, or null. */
  readonly repeatedParameter: string | null;
  /** Holds a value that the library would not write back as the RFC says. */
  readonly isUnfaithful: boolean;
}

export interface DictionaryMarks {
  readonly repeatedKey: string | null;
  readonly members: ReadonlyMap<string, MemberMarks>;
}

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const DISPLAY_STRING = /%"[^"]*"/y;
const BYTES = /:[^:]*:/y;
const NUMBER = /-?[0-9.]+/y;
const WHOLE_DECIMAL = /^-?\d+\.0+$/;
const OTHER = /[^\s;,()"]+/y;
const SPACE = /[ \t]*/y;

class Scan {
  private position = 0;
  private repeatedParameter: string | null = null;
  private isUnfaithful = false;

  constructor(private readonly text: string) {}

  dictionary(): DictionaryMarks {
    const members = new Map<string, MemberMarks>();
    let repeatedKey: string | null = null;
    this.take(SPACE);
    while (this.position < this.text.length) {
      const before = this.position;
      const key = this.take(KEY);
      if (members.has(key)) repeatedKey ??= key;
      this.repeatedParameter = null;
      this.isUnfaithful = false;
      this.member();
      const { repeatedParameter, isUnfaithful } = this;
      members.set(key, { repeatedParameter, isUnfaithful });
      this.separator();
      if (this.position === before) break;
    }
    return { repeatedKey, members };
  }

  /** Of a list or an item: all its members taken together. */
  members(): MemberMarks {
    while (this.position < this.text.length) {
      const before = this.position;
      this.value();
      this.parameters();
      this.separator();
      if (this.position === before) break;
    }
    const { repeatedParameter, isUnfaithful } = this;
    return { repeatedParameter, isUnfaithful };
  }

  private member(): void {
    if (this.text[this.position] === '=') {
      this.position += 1;
      this.value();
    }
    this.parameters();
  }

  private value(): void {
    if (this.text[this.position] !== '(') return this.bareItem();
    this.position += 1;
    this.take(SPACE);
    while (this.position < this.text.length && this.text[this.position] !== ')') {
      const before = this.position;
      this.bareItem();
      this.parameters();
      this.take(SPACE);
      if (this.position === before) return;
    }
    this.position += 1;
  }

  private parameters(): void {
    const seen = new Set<string>();
    while (this.text[this.position] === ';') {
      this.position += 1;
      this.take(SPACE);
      const key = this.take(KEY);
      if (seen.has(key)) this.repeatedParameter ??= key;
      seen.add(key);
      if (this.text[this.position] !== '=') continue;
      this.position += 1;
      this.bareItem();
    }
  }

  private bareItem(): void {
    const first = this.text[this.position];
    if (first === '"') this.take(STRING);
    else if (first === ':') this.take(BYTES);
    else if (first === '%') {
      this.isUnfaithful = true;
      this.take(DISPLAY_STRING);
    } else {
      const number = this.take(NUMBER);
      if (WHOLE_DECIMAL.test(number)) this.isUnfaithful = true;
      if (number === '') this.take(OTHER);
    }
  }

  private separator(): void {
    this.take(SPACE);
    if (this.text[this.position] === ',') this.position += 1;
    this.take(SPACE);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }
}

/** Only for text that parsed as a Dictionary. */
export const scanDictionary = (text: string): DictionaryMarks => new Scan(text).dictionary();

/** Only for text that parsed as a List or an Item. */
export const scanMembers = (text: string): MemberMarks => new Scan(text).members();
