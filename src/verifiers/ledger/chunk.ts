import { readSync } from 'node:fs';
import {
  judgeRun,
  LINE_BYTES_MAX,
  type RowContext,
  type RowRunReport,
  runStartOf,
} from '../../core/chain/index.js';
import type { OnLine } from './export-file.js';

const LINE_FEED = 0x0a;
const SEARCH_BYTES = 64 * 1024;

/** What a thread needs once. */
export interface ChunkSetting {
  readonly descriptor: number;
  readonly fileSize: number;
  readonly context: RowContext;
  /** How many unsealed rows the header tells of: they mostly stand in front of all others. */
  readonly unsealedCount: number;
}

export interface Chunk {
  readonly begin: number;
  readonly end: number;
}

/** The lines that start in a chunk, and what they say when judged alone; null = they are judged where they stand. */
export interface JudgedChunk {
  /** Where the first of these lines starts. */
  readonly begin: number;
  /** Where the line behind the last one starts. */
  readonly end: number;
  readonly report: RowRunReport | null;
}

/** Reads and judges the chunks it is given, one at a time. */
export class ChunkJudge {
  #buffer = Buffer.alloc(0);

  constructor(private readonly setting: ChunkSetting) {}

  judge(chunk: Chunk): JudgedChunk {
    const unjudged = this.leave(chunk);
    const { begin, end } = unjudged;
    const isOdd = end <= begin || end - chunk.end > LINE_BYTES_MAX;
    return isOdd ? unjudged : { begin, end, report: this.#run(begin, end) };
  }

  /** Says where the lines of a chunk are, and leaves them to be judged where they stand. */
  leave(chunk: Chunk): JudgedChunk {
    const begin = this.#lineStart(chunk.begin);
    return { begin, end: Math.max(begin, this.#lineStart(chunk.end)), report: null };
  }

  #run(begin: number, end: number): RowRunReport | null {
    const length = end - begin;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(length);
    if (!this.#fill(begin, length)) return null;
    const bytes = this.#buffer.subarray(0, length);
    const firstEnd = bytes.indexOf(LINE_FEED);
    const start = firstEnd < 0 ? null : runStartOf(bytes, 0, firstEnd);
    if (start === null) return null;
    const firstLeaf = start.seq - this.setting.unsealedCount;
    return judgeRun(this.setting.context, { ...start, firstLeaf }, (judge) =>
      linesOf(bytes, judge),
    );
  }

  /** The first place at or behind this one where a line starts. */
  #lineStart(place: number): number {
    const { descriptor, fileSize } = this.setting;
    const block = Buffer.allocUnsafe(SEARCH_BYTES);
    let at = place - 1;
    while (at < fileSize) {
      const count = readSync(descriptor, block, 0, SEARCH_BYTES, at);
      const found = block.subarray(0, count).indexOf(LINE_FEED);
      if (found >= 0) return at + found + 1;
      if (count === 0) break;
      at += count;
    }
    return fileSize;
  }

  #fill(begin: number, length: number): boolean {
    for (let filled = 0; filled < length;) {
      const count = readSync(
        this.setting.descriptor,
        this.#buffer,
        filled,
        length - filled,
        begin + filled,
      );
      if (count === 0) return false;
      filled += count;
    }
    return true;
  }
}

function linesOf(bytes: Buffer, onLine: OnLine): void {
  for (let begin = 0; begin < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, begin);
    const end = found < 0 ? bytes.length : found;
    if (!onLine(bytes, begin, end)) return;
    begin = end + 1;
  }
}
