import { err, ok, parseStrictJson, type Result } from '../kernel/index.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import {
  compareAnchors,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportAnchor,
  type ExportCounts,
  type ExportHead,
  type ExportHeader,
  type ExportTrailer,
} from './export-format.js';
import { parseNote, type SignedNote } from './note.js';
import type { ChainEntry } from './verify-chain.js';

/** An anchor or witnessed head whose note was read. Nothing of it is verified. */
export interface ReadAnchor extends ExportAnchor {
  readonly signedNote: SignedNote;
  readonly checkpoint: Checkpoint;
}

/** One line of an export, its members and their types checked, and nothing else. */
export type ExportLine =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'anchor'; readonly anchor: ReadAnchor }
  | { readonly kind: 'row'; readonly row: ChainEntry }
  | { readonly kind: 'trailer'; readonly trailer: ExportTrailer };

/** The single JSON document. */
export interface ExportDocument {
  readonly header: ExportHeader;
  /** Anchors and witnessed heads, in the order of their lines. */
  readonly anchors: readonly ReadAnchor[];
  readonly rows: readonly ChainEntry[];
  readonly trailer: ExportTrailer;
}

/** More anchors than this, and more witnessed heads than this, are refused: nobody writes so many. */
export const ANCHORS_MAX = 10_000;
export const TOO_MANY_ANCHORS = `an export has at most ${ANCHORS_MAX} anchors and as many witnessed heads`;

type Members = Readonly<Record<string, unknown>>;

const TENANT_ID = /^tnt_[0-9a-z]{1,64}$/;
const EXPORTED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HEADER_NAMES = [
  'format',
  'version',
  'tenant_id',
  'exported_at',
  'sealing',
  'head',
  'counts',
  'origin',
  'log_key',
  'self_witnesses',
];
const ANCHOR_NAMES = ['seq', 'hash', 'size', 'note'];
const ROW_NAMES = ['body', 'kid', 'link', 'mac', 'prev', 'seq'];
const TRAILER_NAMES = ['head', 'counts', 'digest'];

/** Reads one line. Refused: what is no strict JSON, unknown kinds, missing and unknown members, wrong types and forms. */
export function parseExportLine(text: string): Result<ExportLine, string> {
  const json = parseStrictJson(text);
  if (!json.ok) return err(`${json.error.message} at character ${json.error.offset + 1}`);
  if (!isMembers(json.value)) return err('a line is a JSON object');
  const { kind = 'row', ...members } = json.value;
  const line = 'kind' in json.value && kind === 'row' ? null : lineOf(kind, members);
  return line === null
    ? err('it is no header, anchor, witnessed head, entry or trailer of an export')
    : ok(line);
}

function lineOf(kind: unknown, members: Members): ExportLine | null {
  switch (kind) {
    case 'header': {
      const header = readHeader(members);
      return header && { kind, header };
    }
    case 'anchor':
    case 'witnessed_head': {
      const anchor = readAnchor(kind, members);
      return anchor && { kind: 'anchor', anchor };
    }
    case 'row': {
      const row = readRow(members);
      return row && { kind, row };
    }
    case 'trailer': {
      const trailer = readTrailer(members);
      return trailer && { kind, trailer };
    }
    default:
      return null;
  }
}

/** Whether a text is one whole JSON value with the kind of a header: then the file is read line by line. */
export function isHeaderLine(text: string): boolean {
  const json = parseStrictJson(text);
  return json.ok && isMembers(json.value) && json.value['kind'] === 'header';
}

/** Reads the single JSON document, all of it. Refused: as {@link parseExportLine}, arrays out of their order, and more than {@link ANCHORS_MAX} anchors or witnessed heads. */
export function parseExportDocument(text: string): Result<ExportDocument, string> {
  const json = parseStrictJson(text);
  if (!json.ok) return err(`${json.error.message} at character ${json.error.offset + 1}`);
  const names = [...HEADER_NAMES, 'anchors', 'witnessed_heads', 'rows', 'trailer'];
  if (!isMembers(json.value) || !hasExactly(json.value, names))
    return err('the document has not the members of an export');
  const { anchors, witnessed_heads: heads, rows, trailer, ...rest } = json.value;
  if ([anchors, heads].some((list) => Array.isArray(list) && list.length > ANCHORS_MAX))
    return err(TOO_MANY_ANCHORS);
  const read = {
    header: readHeader(rest),
    anchors: readAll(anchors, (value) => readAnchor('anchor', value)),
    heads: readAll(heads, (value) => readAnchor('witnessed_head', value)),
    rows: readAll(rows, readRow),
    trailer: readTrailer(trailer),
  };
  if (read.header === null) return err('the members of the header are not those of an export');
  if (read.anchors === null || read.heads === null)
    return err('an anchor or witnessed head is not one of an export');
  if (!areOrdered(read.anchors) || !areOrdered(read.heads))
    return err('anchors and witnessed heads stand in the order of seq and note');
  if (read.rows === null) return err('a row is not one of an export');
  if (read.trailer === null) return err('the trailer is not one of an export');
  return ok({
    header: read.header,
    anchors: [...read.anchors, ...read.heads].sort(compareAnchors),
    rows: read.rows,
    trailer: read.trailer,
  });
}

export const areOrdered = (anchors: readonly ExportAnchor[]): boolean =>
  anchors.every((anchor, index) => {
    const before = anchors[index - 1];
    return before === undefined || compareAnchors(before, anchor) <= 0;
  });

function readHeader(value: unknown): ExportHeader | null {
  if (!isMembers(value) || !hasExactly(value, HEADER_NAMES)) return null;
  const { tenant_id: tenantId, exported_at: exportedAt, origin, log_key: logKey } = value;
  const { self_witnesses: selfWitnesses } = value;
  if (value['format'] !== EXPORT_FORMAT || value['version'] !== EXPORT_VERSION) return null;
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) return null;
  if (typeof exportedAt !== 'string' || !EXPORTED_AT.test(exportedAt)) return null;
  const sealing = readSealing(value['sealing']);
  const head = readHead(value['head']);
  const counts = readCounts(value['counts']);
  if (sealing === null || head === null || counts === null) return null;
  if (!isTextOrNull(origin) || !isTextOrNull(logKey) || !areTexts(selfWitnesses)) return null;
  return { tenantId, exportedAt, sealing, head, counts, origin, logKey, selfWitnesses };
}

function readSealing(value: unknown): ExportHeader['sealing'] | null {
  if (!isMembers(value) || !hasExactly(value, ['enabled', 'since_seq', 'kids'])) return null;
  const { enabled, since_seq: sinceSeq, kids } = value;
  if (typeof enabled !== 'boolean' || !areTexts(kids)) return null;
  return sinceSeq === null || isWhole(sinceSeq) ? { enabled, sinceSeq, kids } : null;
}

function readHead(value: unknown): ExportHead | null {
  if (!isMembers(value) || !hasExactly(value, ['seq', 'hash'])) return null;
  const { seq, hash } = value;
  return isWhole(seq) && isTextOrNull(hash) ? { seq, hash } : null;
}

function readCounts(value: unknown): ExportCounts | null {
  if (!isMembers(value) || !hasExactly(value, ['sealed', 'unsealed'])) return null;
  const { sealed, unsealed } = value;
  return isWhole(sealed) && isWhole(unsealed) ? { sealed, unsealed } : null;
}

function readAnchor(kind: ExportAnchor['kind'], value: unknown): ReadAnchor | null {
  if (!isMembers(value) || !hasExactly(value, ANCHOR_NAMES)) return null;
  const { seq, hash, size, note } = value;
  if (!isWhole(seq) || !isWhole(size) || typeof hash !== 'string' || typeof note !== 'string')
    return null;
  const signedNote = parseNote(note);
  const checkpoint = signedNote.ok ? parseCheckpoint(signedNote.value.text) : signedNote;
  return signedNote.ok && checkpoint.ok
    ? { kind, seq, hash, size, note, signedNote: signedNote.value, checkpoint: checkpoint.value }
    : null;
}

function readRow(value: unknown): ChainEntry | null {
  if (!isMembers(value) || !hasExactly(value, ROW_NAMES)) return null;
  const { seq, body, kid, prev, mac, link } = value;
  if (!isWhole(seq) || typeof body !== 'string') return null;
  if (!isTextOrNull(kid) || !isTextOrNull(prev) || !isTextOrNull(mac) || !isTextOrNull(link))
    return null;
  return { seq, body, kid, prev, mac, link };
}

function readTrailer(value: unknown): ExportTrailer | null {
  if (!isMembers(value) || !hasExactly(value, TRAILER_NAMES)) return null;
  const head = readHead(value['head']);
  const counts = readCounts(value['counts']);
  const { digest } = value;
  return head !== null && counts !== null && typeof digest === 'string'
    ? { head, counts, digest }
    : null;
}

function readAll<Value>(value: unknown, read: (one: unknown) => Value | null): Value[] | null {
  if (!Array.isArray(value)) return null;
  const all: Value[] = [];
  for (const one of value as unknown[]) {
    const item = read(one);
    if (item === null) return null;
    all.push(item);
  }
  return all;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasExactly = (members: Members, names: readonly string[]): boolean =>
  Object.keys(members).length === names.length &&
  names.every((name) => Object.hasOwn(members, name));

const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';
const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
