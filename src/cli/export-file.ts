import { createReadStream } from 'node:fs';
import { type ExportedEntry, ExportReader } from '../core/replay/index.js';
import { err, ok, type Result } from '../core/kernel/index.js';
import type { ProgressLine } from './progress.js';

/** Longest line, and largest file that is one document. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;
/** A bar is drawn again after so many entries. */
const PROGRESS_EVERY = 500;

export interface ExportFile {
  readonly tenantId: string;
  readonly entryCount: number;
}

interface Taking {
  readonly take: (entry: ExportedEntry) => Result<null, string>;
  readonly progress: ProgressLine;
}

/**
 * Reads an export from a file in either form and hands out its entries one by one; of JSON Lines only a line is held at a
 * time. Errors, each a sentence: the file cannot be read, is no UTF-8, or is not an export (see ExportReader).
 */
export async function readExportFile(
  path: string,
  { take, progress }: Taking,
): Promise<Result<ExportFile, string>> {
  let entryCount = 0;
  const reader: ExportReader = new ExportReader((entry) => {
    entryCount += 1;
    const total = reader.header?.entryCount ?? 0;
    if (entryCount % PROGRESS_EVERY === 0)
      progress.show({ done: entryCount, total, unit: 'entries' });
    return take(entry);
  });
  try {
    const read = await readInto(reader, path);
    return read.ok ? reader.end() : read;
  } catch (error) {
    return err(reasonOf(error));
  } finally {
    progress.clear();
  }
}

async function readInto(reader: ExportReader, path: string): Promise<Result<null, string>> {
  // Opened once: a pipe does not give its beginning a second time.
  const stream = createReadStream(path);
  try {
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const front = await frontOf(chunks);
    if (front.length === 0) return ok(null);
    const end = front.indexOf(LINE_FEED);
    const firstLine = end < 0 ? front : front.subarray(0, end);
    const whole = withFront(front, chunks);
    return firstLine.length <= LINE_BYTES_MAX && ExportReader.isHeader(utf8(firstLine))
      ? await readLines(reader, whole)
      : await readDocument(reader, whole);
  } finally {
    stream.destroy();
  }
}

/** The first line and what was read with it, or more bytes than a line has. */
async function frontOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let byteCount = 0; byteCount <= LINE_BYTES_MAX;) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(next.value);
    byteCount += next.value.length;
    if (next.value.includes(LINE_FEED)) break;
  }
  return Buffer.concat(parts);
}

async function* withFront(front: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield front;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

async function readLines(
  reader: ExportReader,
  chunks: AsyncIterable<Buffer>,
): Promise<Result<null, string>> {
  for await (const line of linesOf(chunks)) {
    if (line === null) return err(`a line is longer than ${LINE_BYTES_MAX} bytes`);
    const read = reader.line(line);
    if (!read.ok) return read;
  }
  return ok(null);
}

async function readDocument(
  reader: ExportReader,
  chunks: AsyncIterable<Buffer>,
): Promise<Result<null, string>> {
  const parts: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of chunks) {
    byteCount += chunk.length;
    if (byteCount > DOCUMENT_BYTES_MAX)
      return err(`a document is at most ${DOCUMENT_BYTES_MAX} bytes; export as JSON Lines`);
    parts.push(chunk);
  }
  return reader.document(utf8(Buffer.concat(parts)));
}

/** Split at LF alone; null = a line too long to be one. A last line without its LF counts. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      yield utf8(Buffer.concat([...parts, chunk.subarray(begin, end)]));
      parts = [];
      byteCount = 0;
      begin = end + 1;
    }
    parts.push(chunk.subarray(begin));
    byteCount += chunk.length - begin;
    if (byteCount > LINE_BYTES_MAX) yield null;
  }
  if (byteCount > 0) yield utf8(Buffer.concat(parts));
}

const utf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'the file is no UTF-8';
  if (code === null) throw error;
  return `the file cannot be read (${code})`;
}
