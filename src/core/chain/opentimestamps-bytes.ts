/** Reads forward; every answer is null once the bytes do not suffice or are no such value. */
export class ByteReader {
  #offset = 0;

  constructor(private readonly source: Uint8Array) {}

  atEnd(): boolean {
    return this.#offset === this.source.length;
  }

  byte(): number | null {
    const value = this.source[this.#offset];
    if (value === undefined) return null;
    this.#offset += 1;
    return value;
  }

  bytes(count: number): Uint8Array | null {
    const end = this.#offset + count;
    if (end > this.source.length) return null;
    const taken = this.source.slice(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  /** LEB128, unsigned; null also when it is no safe integer. */
  number(): number | null {
    let value = 0;
    for (let factor = 1; factor <= FACTOR_MAX; factor *= 128) {
      const byte = this.byte();
      if (byte === null) return null;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return Number.isSafeInteger(value) ? value : null;
    }
    return null;
  }

  /** A length and that many bytes, `least` to `most` of them. */
  lengthAndBytes(least: number, most: number): Uint8Array | null {
    const length = this.number();
    return length === null || length < least || length > most ? null : this.bytes(length);
  }
}

/** Eight groups of seven bits hold every safe integer. */
const FACTOR_MAX = 128 ** 7;

export function numberBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

export const lengthAndBytes = (bytes: Uint8Array): Buffer =>
  Buffer.concat([numberBytes(bytes.length), bytes]);
