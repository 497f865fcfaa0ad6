import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A line is an entry: its body has 262,144 characters at most, which are six bytes each when all are escaped twice. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** What the end of a file says of its entries. */
export interface ExportSummary {
  readonly counts: { readonly sealed: number; readonly unsealed: number };
  readonly head: { readonly seq: number; readonly hash: string | null };
}

/** How far a file of an export has come. `summary` null = it has an end, and is no export. */
export type Place =
  | { readonly at: 'start' }
  | { readonly at: 'row'; readonly seq: number }
  | { readonly at: 'end'; readonly summary: ExportSummary | null };

/**
 * An export on its way to its file: it stands beside it under a name that says which export it is, and takes the file's name
 * when it is whole. So a later run finds it and goes on.
 */
export class PartialFile {
  private constructor(
    readonly path: string,
    private readonly names: { readonly out: string; readonly exportId: string },
    private readonly file: number,
  ) {}

  get exportId(): string {
    return this.names.exportId;
  }

  /** The one that an earlier run left beside `out`; null = there is none. Of several the newest export's. */
  static found(out: string): PartialFile | null {
    const start = `${basename(out)}.`;
    const folder = dirname(out);
    if (!existsSync(folder)) return null;
    const names = readdirSync(folder).filter(
      (name) => name.startsWith(start) && EXPORT_NAME.test(name.slice(start.length)),
    );
    const name = names.sort().at(-1);
    const exportId = EXPORT_NAME.exec(name?.slice(start.length) ?? '')?.[1];
    if (name === undefined || exportId === undefined) return null;
    const path = join(folder, name);
    // It will be cut and written to: who may write in this folder could have put a link to any file of ours here.
    const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
    return new PartialFile(path, { out, exportId }, file);
  }

  static made(out: string, exportId: string): PartialFile {
    const path = `${out}.${exportId}.part`;
    return new PartialFile(path, { out, exportId }, openSync(path, 'wx+', 0o600));
  }

  /** Cuts away what is not a whole line, and everything when there is no whole row yet. */
  cutToWholeLine(): Place {
    const size = fstatSync(this.file).size;
    const from = Math.max(0, size - LINE_BYTES_MAX);
    const tail = this.bytes(from, size - from);
    const end = tail.lastIndexOf(LINE_FEED) + 1;
    const begin = end < 2 ? 0 : tail.lastIndexOf(LINE_FEED, end - 2) + 1;
    const place = placeOf(tail.toString('utf8', begin, end));
    ftruncateSync(this.file, place.at === 'start' ? 0 : from + end);
    return place;
  }

  append(chunk: Uint8Array): void {
    let { size: position } = fstatSync(this.file);
    for (let written = 0; written < chunk.length;) {
      const count = writeSync(this.file, chunk, written, chunk.length - written, position);
      written += count;
      position += count;
    }
  }

  finish(): void {
    fsyncSync(this.file);
    closeSync(this.file);
    renameSync(this.path, this.names.out);
  }

  close(): void {
    closeSync(this.file);
  }

  private bytes(from: number, count: number): Buffer {
    const bytes = Buffer.alloc(count);
    let read = 0;
    for (;;) {
      const more = readSync(this.file, bytes, read, count - read, from + read);
      if (more === 0) return bytes.subarray(0, read);
      read += more;
    }
  }
}

/** Of a trailer. WHY not of the header, which says the same: in the single document signed heads stand before it, without bound. */
function summaryOf(trailer: unknown): ExportSummary | null {
  type Loose = Readonly<Record<string, unknown>> | undefined;
  const { counts, head } = (trailer ?? {}) as { readonly counts?: Loose; readonly head?: Loose };
  const [sealed, unsealed, seq] = [counts?.['sealed'], counts?.['unsealed'], head?.['seq']];
  const hash = head?.['hash'];
  return isCount(sealed) &&
    isCount(unsealed) &&
    isCount(seq) &&
    (hash === null || typeof hash === 'string')
    ? { counts: { sealed, unsealed }, head: { seq, hash } }
    : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

const EXPORT_NAME = /^(exp_[0-9a-f]{32})\.part$/;

/** Of a last whole line, in both forms of an export. */
function placeOf(line: string): Place {
  // The last line of the single document ends its rows.
  const value = valueOf(line.startsWith(']') ? `{"rows":[${line}` : line.replace(/^,/, ''));
  if (line.startsWith(']')) return { at: 'end', summary: summaryOf(value['trailer']) };
  if (value['kind'] === 'trailer') return { at: 'end', summary: summaryOf(value) };
  const { seq, body } = value;
  return typeof seq === 'number' && typeof body === 'string' ? { at: 'row', seq } : { at: 'start' };
}

/** Without members where the line is no object. */
function valueOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
