import { createHash } from 'node:crypto';
import { canonicalize, type CanonicalValue } from '../kernel/index.js';
import type { ChainEntry } from './verify-chain.js';

/** `format` of the header. */
export const EXPORT_FORMAT = 'oacp-commerce-ledger';
export const EXPORT_VERSION = 1;
/** At most so many witnessed heads stand in one export: the newest. */
export const EXPORTED_HEADS_MAX = 1_000;

/** The first line. All of it is of the entries 0 to `head.seq`. */
export interface ExportHeader {
  readonly tenantId: string;
  /** RFC 3339, UTC, three digits of milliseconds. */
  readonly exportedAt: string;
  readonly sealing: {
    /** Whether the entry behind the last one would be sealed. */
    readonly enabled: boolean;
    /** Seq of the entry that switched sealing on last; null = sealing is off. */
    readonly sinceSeq: number | null;
    /** Every key id of a sealed entry, once, sorted by UTF-16 code units. */
    readonly kids: readonly string[];
  };
  readonly head: ExportHead;
  readonly counts: ExportCounts;
  /** Origin of the ledger's checkpoints; null = there is none yet. */
  readonly origin: string | null;
  /** Verifier key of the checkpoints. */
  readonly logKey: string | null;
  /** Names of witnesses that the operator of the ledger runs itself. */
  readonly selfWitnesses: readonly string[];
}

export interface ExportHead {
  readonly seq: number;
  /** Link of the last sealed entry; null = none is sealed. */
  readonly hash: string | null;
}

export interface ExportCounts {
  readonly sealed: number;
  readonly unsealed: number;
}

/** A signed statement about the ledger: the log's own, or one that witnesses cosigned. */
export interface ExportAnchor {
  readonly kind: 'anchor' | 'witnessed_head';
  /** Place of the last sealed entry of the tree of `size` leaves. */
  readonly seq: number;
  /** That entry's link. */
  readonly hash: string;
  readonly size: number;
  /** The signed note: a checkpoint with the log's line, and in a witnessed head with lines of cosigners. */
  readonly note: string;
}

export interface ExportTrailer {
  readonly head: ExportHead;
  readonly counts: ExportCounts;
  /** {@link ExportDigest}. */
  readonly digest: string;
}

const headerMembers = (header: ExportHeader) => ({
  format: EXPORT_FORMAT,
  version: EXPORT_VERSION,
  tenant_id: header.tenantId,
  exported_at: header.exportedAt,
  sealing: {
    enabled: header.sealing.enabled,
    since_seq: header.sealing.sinceSeq,
    kids: header.sealing.kids,
  },
  head: headMembers(header.head),
  counts: countMembers(header.counts),
  origin: header.origin,
  log_key: header.logKey,
  self_witnesses: header.selfWitnesses,
});

const headMembers = ({ seq, hash }: ExportHead) => ({ seq, hash });
const countMembers = ({ sealed, unsealed }: ExportCounts) => ({ sealed, unsealed });
const anchorMembers = ({ seq, hash, size, note }: ExportAnchor) => ({ seq, hash, size, note });

const trailerMembers = ({ head, counts, digest }: ExportTrailer) => ({
  head: headMembers(head),
  counts: countMembers(counts),
  digest,
});

/** The header's canonical line. No line written here carries its LF. */
export const exportHeaderLine = (header: ExportHeader): string =>
  canonicalize({ kind: 'header', ...headerMembers(header) });

export const exportAnchorLine = (anchor: ExportAnchor): string =>
  canonicalize({ kind: anchor.kind, ...anchorMembers(anchor) });

/** An entry's canonical line: `{"body":..,"kid":..,"link":..,"mac":..,"prev":..,"seq":..}`. */
export const exportRowLine = ({ seq, body, kid, prev, mac, link }: ChainEntry): string =>
  canonicalize({ body, kid, link, mac, prev, seq });

export const exportTrailerLine = (trailer: ExportTrailer): string =>
  canonicalize({ kind: 'trailer', ...trailerMembers(trailer) });

/** Anchors and witnessed heads stand in this order: by seq, kind, note (both by UTF-16 code units), none twice. */
export function compareAnchors(left: ExportAnchor, right: ExportAnchor): number {
  return (
    left.seq - right.seq || byCodeUnits(left.kind, right.kind) || byCodeUnits(left.note, right.note)
  );
}

const byCodeUnits = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

/**
 * The trailer's digest: SHA-256 over lines, each with its LF, in the order of the file: the header, the anchors and
 * witnessed heads, and every row that is not sealed. It covers what no link covers.
 */
export class ExportDigest {
  readonly #hash = createHash('sha256');

  /** Adds a canonical line, given without its LF. */
  add(line: string): void {
    this.#hash.update(`${line}\n`, 'utf8');
  }

  /** As {@link add}, for a line in bytes. */
  addBytes(line: Uint8Array): void {
    this.#hash.update(line).update('\n');
  }

  /** 64 hex digits; the digest takes nothing more after that. */
  hex(): string {
    return this.#hash.digest('hex');
  }
}

/**
 * The beginning of the single JSON document, up to where the rows stand: {@link exportRowLine}s with commas between
 * them follow, then {@link exportDocumentEnd}. `anchors` holds both kinds.
 */
export function exportDocumentStart(
  header: ExportHeader,
  anchors: readonly ExportAnchor[],
): string {
  const ofKind = (kind: ExportAnchor['kind']): CanonicalValue =>
    anchors.filter((anchor) => anchor.kind === kind).map(anchorMembers);
  const members = canonicalize({
    ...headerMembers(header),
    anchors: ofKind('anchor'),
    witnessed_heads: ofKind('witnessed_head'),
  });
  return `${members.slice(0, -1)},"rows":[`;
}

/** The end of the single JSON document. */
export const exportDocumentEnd = (trailer: ExportTrailer): string =>
  `],"trailer":${canonicalize(trailerMembers(trailer))}}`;
