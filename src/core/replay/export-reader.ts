import { EXPORT_FORMAT, EXPORT_VERSION } from '../chain/index.js';
import {
  type CanonicalValue,
  err,
  type InstantMs,
  ok,
  parseInstant,
  parseStrictJson,
  type Result,
} from '../kernel/index.js';

/** One entry of an export, as far as a replay reads it. */
export interface ExportedEntry {
  readonly seq: number;
  readonly type: string;
  readonly atMs: InstantMs;
  readonly data: CanonicalValue;
}

/** What the first line, or the document, says of itself. */
export interface ExportOutline {
  readonly tenantId: string;
  /** Entries up to the head. */
  readonly entryCount: number;
}

type Members = Readonly<Record<string, CanonicalValue>>;

/**
 * Reads an export, in JSON Lines or as one document, entry by entry in the order of the file (decisions 2.9). Everything
 * is read strictly: JSON that two readers could understand differently, a line of no kind, a place that was skipped and a
 * file without its end are errors, each a sentence. Not checked: seals, links, anchors, the digest; the verifier does that.
 */
export class ExportReader {
  private outline: ExportOutline | null = null;
  private nextSeq = 0;
  private isEnded = false;

  constructor(private readonly onEntry: (entry: ExportedEntry) => Result<null, string>) {}

  /** What is known of the file once its header was read. */
  get header(): ExportOutline | null {
    return this.outline;
  }

  /** Whether this first line begins JSON Lines; else the file is one document. */
  static isHeader(line: string): boolean {
    const parsed = parseStrictJson(line);
    return parsed.ok && membersOf(parsed.value)?.['kind'] === 'header';
  }

  /** The next line, without its LF. */
  line(text: string): Result<null, string> {
    const parsed = parseStrictJson(text);
    const members = parsed.ok ? membersOf(parsed.value) : null;
    if (members === null) return err('a line is no strict JSON object');
    if (this.isEnded) return err('something stands behind the trailer');
    if (this.outline === null) return this.begin(members);
    const { kind } = members;
    if (kind === undefined) return this.row(members);
    if (kind === 'trailer') {
      this.isEnded = true;
      return ok(null);
    }
    if (kind !== 'anchor' && kind !== 'witnessed_head')
      return err('a line is of a kind that version 1 does not have');
    return this.nextSeq === 0 ? ok(null) : err('an anchor stands behind an entry');
  }

  /** A whole file that is one document. */
  document(text: string): Result<null, string> {
    const parsed = parseStrictJson(text);
    const members = parsed.ok ? membersOf(parsed.value) : null;
    if (members === null)
      return err('the file is neither JSON Lines with a header nor one strict JSON object');
    const begun = this.begin({ kind: 'header', ...members });
    if (!begun.ok) return begun;
    const { rows, trailer } = members;
    if (!Array.isArray(rows)) return err('rows is a list');
    for (const row of rows as readonly CanonicalValue[]) {
      const read = this.row(membersOf(row) ?? {});
      if (!read.ok) return read;
    }
    this.isEnded = membersOf(trailer) !== null;
    return ok(null);
  }

  /** After the last line. Errors: there was no header, no trailer, or fewer entries than the header says. */
  end(): Result<ExportOutline, string> {
    if (this.outline === null) return err('there is no header');
    if (!this.isEnded) return err('the file ends before its trailer');
    if (this.nextSeq !== this.outline.entryCount)
      return err(
        `the header tells of ${this.outline.entryCount} entries, the file has ${this.nextSeq}`,
      );
    return ok(this.outline);
  }

  private begin(members: Members): Result<null, string> {
    const { kind, format, version, tenant_id: tenantId, head } = members;
    if (kind !== 'header' || format !== EXPORT_FORMAT || version !== EXPORT_VERSION)
      return err(`the file is no ${EXPORT_FORMAT} export of version ${EXPORT_VERSION}`);
    const headSeq = membersOf(head)?.['seq'];
    if (typeof tenantId !== 'string' || !isPlace(headSeq))
      return err('the header names no tenant_id and head.seq');
    this.outline = { tenantId, entryCount: headSeq + 1 };
    return ok(null);
  }

  private row({ seq, body }: Members): Result<null, string> {
    if (!isPlace(seq) || typeof body !== 'string') return err('a row has no seq and body');
    if (seq !== this.nextSeq) return err(`entry ${seq} stands where entry ${this.nextSeq} belongs`);
    this.nextSeq += 1;
    const entry = entryOf(seq, body);
    return entry === null ? err(`the body of entry ${seq} cannot be read`) : this.onEntry(entry);
  }
}

const isPlace = (value: CanonicalValue | undefined): value is number =>
  typeof value === 'number' && value >= 0;

function entryOf(seq: number, body: string): ExportedEntry | null {
  const parsed = parseStrictJson(body);
  const members = parsed.ok ? membersOf(parsed.value) : null;
  if (members === null) return null;
  const { type, at, data, v } = members;
  const atMs = typeof at === 'string' ? parseInstant(at) : null;
  if (v !== 1 || typeof type !== 'string' || atMs === null || data === undefined) return null;
  return { seq, type, atMs, data };
}

export const membersOf = (value: CanonicalValue | undefined): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
