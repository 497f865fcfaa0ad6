import { isDigestHex, isKeyId } from './entry-bytes.js';
import type { ChainEntry } from './verify-chain.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const DIGIT_0 = 0x30;

const DIGEST_CHARACTERS = 64;
/** Room in front of the body: the longest `arbiter-link/1`, tenant, seq, kid, prev and mac with their line feeds. */
const BODY_BEGIN = 512;
const MAC_BEGIN = BODY_BEGIN - 1 - DIGEST_CHARACTERS;
const PREV_BEGIN = MAC_BEGIN - 1 - DIGEST_CHARACTERS;
/** Where the digits of the last link read are kept: mostly they are the prev of the next row. */
const LINK_BEGIN = 0;

/** Copies by words may write so many bytes behind a body. */
const WORD_ROOM = 16;

/** The top bits of all bytes of a word but the first. */
const BEHIND_FIRST = 0x80808000;

const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const LINE_START = words('{"body":"');
const KID = words('","kid":"');
const LINK = words('","link":"');
const MAC = words('","mac":"');
const PREV = words('","prev":"');
const SEQ = words('","seq":');
const UNSEALED = ascii('","kid":null,"link":null,"mac":null,"prev":null,"seq":');

/** Whether both bytes of a 16-bit word are lowercase hex digits. */
const IS_HEX_PAIR = new Uint8Array(65_536);
for (const first of HEX_DIGITS)
  for (const second of HEX_DIGITS) IS_HEX_PAIR[first * 256 + second] = 1;
const IS_KEY_ID = Uint8Array.from({ length: 256 }, (_, byte) =>
  isKeyId(String.fromCharCode(byte)) ? 1 : 0,
);

/** `sealed` has a well-formed kid, prev, mac and link; `unsealed` has none of them; `malformed` is all the rest. */
export type RowForm = 'sealed' | 'unsealed' | 'malformed';

/**
 * One row, laid out so that all that its link hashes stands in one piece: constants, tenant, seq, kid, prev, mac, body.
 * Reused from row to row: nothing here is kept by who reads it.
 */
export class RowBytes {
  seq = 0;
  form: RowForm = 'malformed';
  /** False = some byte of the body is none of ASCII. */
  isAscii = true;
  kid = '';
  /** As they stand in the row; null where it says so. */
  prev: string | null = null;
  link: string | null = null;
  bodyEnd = BODY_BEGIN;
  readonly bodyBegin = BODY_BEGIN;
  /** Behind the body stands a zero byte. */
  bytes: Buffer = Buffer.alloc(64 * 1024);

  readonly #linkPrefix: Buffer;
  readonly #macPrefix: string;
  /** What the constant part in front of prev was written for last. */
  #writtenSeqDigits = 0;
  #writtenKid = '';
  #writtenBegin = 0;
  /** Views of what links hash, by the end of the body: making one takes as long as a small hash. */
  #inputs: Uint8Array[] = [];
  #source = new DataView(this.bytes.buffer);
  #target = new DataView(this.bytes.buffer);

  constructor(tenantId: string) {
    this.#linkPrefix = Buffer.from(`arbiter-link/1\n${tenantId}\n`, 'utf8');
    this.#macPrefix = `arbiter-mac/1\n${tenantId}\n`;
  }

  /**
   * Takes over a line (without LF) that is a row exactly as `exportRowLine` writes it, whose body needs no escapes but
   * `\"` and `\\`. False = it is not, and may still be a row in another spelling. The caller has checked that the line
   * is UTF-8.
   */
  readLine(line: Buffer, begin: number, end: number): boolean {
    if (this.#source.buffer !== line.buffer) this.#source = new DataView(line.buffer);
    const source = this.#source;
    const { byteOffset } = line;
    if (end - begin < LINE_START.length || !stands(LINE_START, source, byteOffset + begin))
      return false;
    const seqBegin = this.#readSeq(line, end);
    if (seqBegin < 0) return false;
    const bodyBegin = begin + LINE_START.length;
    if (endsWith(line, seqBegin, UNSEALED)) {
      this.form = 'unsealed';
      this.prev = null;
      this.link = null;
      return this.#readBody(line, bodyBegin, seqBegin - UNSEALED.length);
    }
    this.form = 'sealed';
    const prevBegin = seqBegin - SEQ.length - DIGEST_CHARACTERS;
    const macBegin = prevBegin - PREV.length - DIGEST_CHARACTERS;
    const linkBegin = macBegin - MAC.length - DIGEST_CHARACTERS;
    const kidEnd = linkBegin - LINK.length;
    if (
      kidEnd < bodyBegin ||
      !stands(SEQ, source, byteOffset + seqBegin - SEQ.length) ||
      !stands(PREV, source, byteOffset + prevBegin - PREV.length) ||
      !stands(MAC, source, byteOffset + macBegin - MAC.length) ||
      !stands(LINK, source, byteOffset + linkBegin - LINK.length)
    )
      return false;
    const kidBegin = this.#readKid(line, kidEnd);
    if (kidBegin < bodyBegin + KID.length) return false;
    if (!stands(KID, source, byteOffset + kidBegin - KID.length)) return false;
    // Prev and link are compared with what is computed here, which is hex.
    this.prev = this.#isLastLink(byteOffset + prevBegin)
      ? this.link
      : line.toString('latin1', prevBegin, prevBegin + DIGEST_CHARACTERS);
    this.link = line.toString('latin1', linkBegin, linkBegin + DIGEST_CHARACTERS);
    this.#copyDigits(byteOffset + prevBegin, PREV_BEGIN);
    this.#copyDigits(byteOffset + linkBegin, LINK_BEGIN);
    return this.#readMac(line, macBegin) && this.#readBody(line, bodyBegin, kidBegin - KID.length);
  }

  /** Takes over a row of any form. The body is well-formed Unicode. */
  readEntry({ seq, body, kid, prev, mac, link }: ChainEntry): void {
    this.seq = seq;
    this.prev = prev;
    this.link = link;
    this.#reserve(Buffer.byteLength(body, 'utf8'));
    this.bodyEnd = BODY_BEGIN + this.bytes.write(body, BODY_BEGIN, 'utf8');
    this.bytes[this.bodyEnd] = 0;
    const isSealed =
      kid !== null &&
      prev !== null &&
      mac !== null &&
      link !== null &&
      isKeyId(kid) &&
      [prev, mac, link].every(isDigestHex);
    const isUnsealed = kid === null && prev === null && mac === null && link === null;
    this.form = isSealed ? 'sealed' : isUnsealed ? 'unsealed' : 'malformed';
    if (!isSealed) return;
    this.kid = kid;
    this.bytes.write(prev, PREV_BEGIN, 'latin1');
    this.bytes.write(mac, MAC_BEGIN, 'latin1');
  }

  /** The mac's digits, in the row's own bytes. */
  get mac(): Uint8Array {
    return this.bytes.subarray(MAC_BEGIN, MAC_BEGIN + DIGEST_CHARACTERS);
  }

  get body(): string {
    return this.bytes.toString('utf8', BODY_BEGIN, this.bodyEnd);
  }

  /** All that the link of a sealed row hashes. */
  linkInput(): Uint8Array {
    const seqDigits = digitsOf(this.seq);
    if (seqDigits !== this.#writtenSeqDigits || this.kid !== this.#writtenKid)
      this.#writeConstants(seqDigits);
    const { bytes } = this;
    const seqBegin = this.#writtenBegin + this.#linkPrefix.length;
    let rest = this.seq;
    for (let at = seqBegin + seqDigits - 1; at >= seqBegin; at -= 1) {
      const tens = Math.floor(rest / 10);
      bytes[at] = DIGIT_0 + rest - tens * 10;
      rest = tens;
    }
    return (this.#inputs[this.bodyEnd] ??= bytes.subarray(this.#writtenBegin, this.bodyEnd));
  }

  /** All that the mac of a sealed row authenticates, in two pieces: up to prev, and the body. */
  macInput(prev: string): readonly [string, Uint8Array] {
    const place = `${this.#macPrefix}${this.seq}\n${this.kid}\n${prev}\n`;
    return [place, this.bytes.subarray(BODY_BEGIN, this.bodyEnd)];
  }

  /** What stays from row to row: the prefix, the kid and the line feeds. */
  #writeConstants(seqDigits: number): void {
    const { bytes, kid } = this;
    const kidBegin = PREV_BEGIN - 1 - kid.length;
    this.#writtenBegin = kidBegin - 1 - seqDigits - this.#linkPrefix.length;
    this.#linkPrefix.copy(bytes, this.#writtenBegin);
    bytes.write(kid, kidBegin, 'latin1');
    for (const begin of [kidBegin, PREV_BEGIN, MAC_BEGIN, BODY_BEGIN]) bytes[begin - 1] = LINE_FEED;
    this.#writtenSeqDigits = seqDigits;
    this.#inputs = [];
    this.#writtenKid = kid;
  }

  /** Reads the digits in front of the closing brace; says where they begin, or -1. */
  #readSeq(line: Buffer, end: number): number {
    let at = end - 1;
    if (line[at] !== 0x7d) return -1;
    let value = 0;
    let unit = 1;
    for (at -= 1; at >= 0 && unit < 1e16; at -= 1, unit *= 10) {
      const digit = (line[at] ?? 0) - DIGIT_0;
      if (digit < 0 || digit > 9) break;
      value += digit * unit;
    }
    const begin = at + 1;
    const hasLeadingZero = line[begin] === DIGIT_0 && unit > 10;
    if (unit === 1 || hasLeadingZero || unit >= 1e16) return -1;
    this.seq = value;
    return begin;
  }

  /** Reads the kid that ends here; says where it begins, or -1. */
  #readKid(line: Buffer, end: number): number {
    let begin = end;
    while (begin > end - 64 && IS_KEY_ID[line[begin - 1] ?? 0] === 1) begin -= 1;
    if (begin === end) return -1;
    // Mostly the kid of the row before.
    const known = this.kid;
    let index = known.length === end - begin ? 0 : -1;
    while (index >= 0 && index < known.length) {
      index = known.charCodeAt(index) === line[begin + index] ? index + 1 : -1;
    }
    if (index < 0) this.kid = line.toString('latin1', begin, end);
    return begin;
  }

  /** Copies a mac; false = it is not 64 lowercase hex digits. */
  #readMac(line: Buffer, begin: number): boolean {
    const source = this.#source;
    const target = this.#target;
    const from = line.byteOffset + begin;
    let isHex = 1;
    for (let index = 0; index < DIGEST_CHARACTERS; index += 4) {
      const word = source.getUint32(from + index);
      isHex &= (IS_HEX_PAIR[word >>> 16] ?? 0) & (IS_HEX_PAIR[word & 0xffff] ?? 0);
      target.setUint32(MAC_BEGIN + index, word);
    }
    return isHex === 1;
  }

  #isLastLink(from: number): boolean {
    const source = this.#source;
    const target = this.#target;
    let difference = 0;
    for (let index = 0; index < DIGEST_CHARACTERS; index += 4) {
      difference |= source.getUint32(from + index) ^ target.getUint32(LINK_BEGIN + index);
    }
    return difference === 0;
  }

  #copyDigits(from: number, to: number): void {
    const source = this.#source;
    const target = this.#target;
    for (let index = 0; index < DIGEST_CHARACTERS; index += 4) {
      target.setUint32(to + index, source.getUint32(from + index));
    }
  }

  /**
   * Copies a body out of its JSON string: four bytes at once while all of them stand for themselves. What stands behind
   * the body in a line ends the loop: it starts with a quote.
   */
  #readBody(line: Buffer, begin: number, end: number): boolean {
    if (end < begin) return false;
    this.#reserve(end - begin);
    const source = this.#source;
    const target = this.#target;
    const sourceOffset = line.byteOffset;
    let to = BODY_BEGIN;
    let at = begin;
    let seen = 0;
    let word = source.getUint32(sourceOffset + at, true);
    let stops = stopsIn(word);
    for (;;) {
      target.setUint32(to, word, true);
      if (stops === 0) {
        at += 4;
        to += 4;
        word = source.getUint32(sourceOffset + at, true);
        stops = stopsIn(word);
        continue;
      }
      const plain = (31 - Math.clz32(stops & -stops)) >> 3;
      at += plain;
      to += plain;
      const byte = (word >>> (8 * plain)) & 0xff;
      if (byte === BACKSLASH) {
        at += 1;
        word = source.getUint32(sourceOffset + at, true);
        const escaped = word & 0xff;
        if (escaped !== QUOTE && escaped !== BACKSLASH) return false;
        stops = stopsIn(word) & BEHIND_FIRST;
        continue;
      }
      if (at >= end) break;
      if (byte <= QUOTE && byte !== 0x20 && byte !== 0x21) return false;
      seen |= byte;
      word = source.getUint32(sourceOffset + at, true);
      stops = stopsIn(word) & BEHIND_FIRST;
    }
    this.isAscii = seen < 0x80;
    this.bytes[to] = 0;
    this.bodyEnd = to;
    // An escape that ends behind the body has taken the quote that closes it.
    return at === end;
  }

  #reserve(bodyBytes: number): void {
    const needed = BODY_BEGIN + bodyBytes + WORD_ROOM;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.alloc(needed * 2);
    this.bytes.copy(larger, 0, 0, BODY_BEGIN);
    this.bytes = larger;
    this.#target = new DataView(larger.buffer, larger.byteOffset);
    this.#inputs = [];
  }
}

/**
 * The top bit of the lowest of four bytes that is below `#` or from 0x80 on or a backslash, and maybe of some above it;
 * 0 = there is none.
 */
const stopsIn = (word: number): number =>
  (((word ^ 0x5c5c5c5c) - 0x01010101) | (word - 0x23232323) | word) & 0x80808080;

/** A text of 8 to 12 bytes as three words that may overlap, so that it is compared in three steps. */
interface Words {
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly last: number;
}

function words(text: string): Words {
  const bytes = ascii(text);
  return {
    length: bytes.length,
    first: bytes.readUInt32BE(0),
    second: bytes.readUInt32BE(4),
    last: bytes.readUInt32BE(bytes.length - 4),
  };
}

const stands = ({ length, first, second, last }: Words, source: DataView, at: number): boolean =>
  source.getUint32(at) === first &&
  source.getUint32(at + 4) === second &&
  source.getUint32(at + length - 4) === last;

function endsWith(line: Uint8Array, end: number, text: Uint8Array): boolean {
  if (end < text.length) return false;
  for (let index = 0, at = end - text.length; index < text.length; index += 1, at += 1) {
    if (line[at] !== text[index]) return false;
  }
  return true;
}

/** Decimal digits of a whole number. */
function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}
