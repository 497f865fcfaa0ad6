import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LINE_BYTES_MAX } from '../../core/chain/index.js';

const BLOCK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/** Judges a line, given without its LF; false = no more lines are wanted. */
export type OnLine = (bytes: Buffer, begin: number, end: number) => boolean;

/** A file that is read once from its beginning to its end, line by line; a pipe does as well. */
export class ExportFile {
  /** Bytes of a regular file; null = it cannot be read at any place. */
  readonly size: number | null;
  readonly descriptor: number;
  #buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  /** What is read and not yet given away. */
  #begin = 0;
  #end = 0;
  #isAtEnd = false;
  /** Place in the file of what is read next. */
  #position = 0;

  /** Throws what the system says when the file cannot be opened. */
  constructor(path: string) {
    this.descriptor = openSync(path, 'r');
    const status = fstatSync(this.descriptor);
    this.size = status.isFile() ? status.size : null;
  }

  /** Place in the file of the next line. */
  get offset(): number {
    return this.#position - (this.#end - this.#begin);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /**
   * The first line that says something, with what stands before it; the whole file when no line ends in the first
   * {@link LINE_BYTES_MAX} bytes. It is given again by {@link lines}.
   */
  firstLine(): Buffer {
    let from = this.#begin;
    for (;;) {
      while (from < this.#end && isSpace(this.#buffer[from])) from += 1;
      const end = this.#buffer.subarray(0, this.#end).indexOf(LINE_FEED, from);
      if (end >= 0) return this.#buffer.subarray(this.#begin, end);
      const isLong = this.#end - this.#begin > LINE_BYTES_MAX;
      if (isLong || !this.#more()) return this.#buffer.subarray(this.#begin, this.#end);
      from = Math.min(from, this.#end);
    }
  }

  /** Gives lines until one is refused, the file ends, or the next line starts at `until`. */
  lines(onLine: OnLine, until = Infinity): void {
    let searched = this.#begin;
    for (;;) {
      if (this.offset >= until) return;
      const buffer = this.#buffer;
      const end = buffer.indexOf(LINE_FEED, searched);
      // Behind the end stands what was there before.
      if (end >= 0 && end < this.#end) {
        const begin = this.#begin;
        this.#begin = end + 1;
        searched = this.#begin;
        if (!onLine(buffer, begin, end)) return;
        continue;
      }
      const length = this.#end - this.#begin;
      if (length > LINE_BYTES_MAX || !this.#more()) {
        const [begin, last] = [this.#begin, this.#end];
        this.#begin = this.#end;
        if (length > 0) onLine(this.#buffer, begin, last);
        return;
      }
      searched = this.#begin + length;
    }
  }

  /** Goes on at another place of a regular file. */
  seek(offset: number): void {
    this.#begin = 0;
    this.#end = 0;
    this.#isAtEnd = false;
    this.#position = offset;
  }

  /** All that is left, or null when it is more than so many bytes. */
  rest(bytesMax: number): Buffer | null {
    while (this.#end - this.#begin <= bytesMax && this.#more());
    const length = this.#end - this.#begin;
    return length > bytesMax ? null : this.#buffer.subarray(this.#begin, this.#end);
  }

  /** Reads a block more behind what is left; false = the file is at its end. */
  #more(): boolean {
    if (this.#isAtEnd) return false;
    const length = this.#end - this.#begin;
    const isHalfFull = length * 2 > this.#buffer.length;
    const target = isHalfFull ? Buffer.allocUnsafe(this.#buffer.length * 2) : this.#buffer;
    this.#buffer.copy(target, 0, this.#begin, this.#end);
    this.#buffer = target;
    this.#begin = 0;
    this.#end = length;
    const place = this.size === null ? null : this.#position;
    const count = readSync(this.descriptor, target, length, target.length - length, place);
    this.#position += count;
    this.#end += count;
    this.#isAtEnd = count === 0;
    return count > 0;
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
