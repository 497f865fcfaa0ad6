import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { EntryForm } from './entry-form.js';
import { GENESIS_PREV } from './entry-bytes.js';
import { exportRowLine } from './export-format.js';
import { TreeBuilder } from './merkle.js';
import { RowBytes } from './row-bytes.js';
import { decodeUtf8 } from './wire-text.js';
import type { ChainBreakCode, ChainEntry } from './verify-chain.js';

/** What can be wrong with a row; see `verifyExport` for the order. */
export type RowBreakCode = 'extra_rows' | ChainBreakCode;

export interface RowBreak {
  readonly code: RowBreakCode;
  readonly seq: number;
}

/** What the rows are judged against. Nothing in it changes. */
export interface RowContext {
  readonly tenantId: string;
  /** Seq of the last row, as the header says. */
  readonly headSeq: number;
  /** Key ids that the header lists. */
  readonly kids: readonly string[];
  /** HMAC keys by key id; macs of the others are counted as not checked. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  /** Seqs, rising, after which {@link RowEvents.onStop} is called. */
  readonly stops: readonly number[];
  /** A link to look out for. */
  readonly expectedLink: string | null;
}

export interface RowEvents {
  /** A row that no link covers was accepted; called with its canonical line, which is not kept. */
  readonly onUnsealed: (line: Uint8Array) => void;
  /** The row of this seq was accepted; its link is null when it is not sealed. */
  readonly onStop: (seq: number, link: string | null) => void;
}

/** Where the judgement of rows starts or stands. */
export interface RowPlace {
  readonly nextSeq: number;
  /** Link of the last sealed row; 64 zeros before the first. */
  readonly lastLink: string;
  /** Whether the rows so far say that the next one is sealed. */
  readonly sealing: boolean;
  /** Seq of the entry that switched sealing on last; null while it is off. */
  readonly sinceSeq: number | null;
}

export const FIRST_PLACE: RowPlace = {
  nextSeq: 0,
  lastLink: GENESIS_PREV,
  sealing: false,
  sinceSeq: null,
};

/** Judges rows one after the other, each against what it computed itself from those before; stops at the first break. */
export class RowJudge implements RowPlace {
  nextSeq: number;
  lastLink: string;
  sealing: boolean;
  sinceSeq: number | null;
  sealedCount = 0;
  unsealedCount = 0;
  /** Sealed rows whose mac was not checked, for want of the key. */
  uncheckedCount = 0;
  hasExpectedLink = false;
  readonly kidsSeen = new Set<string>();
  readonly uncheckedKids = new Set<string>();
  /** Every link accepted so far is a leaf of it. */
  tree = new TreeBuilder();

  readonly #row: RowBytes;
  readonly #form = new EntryForm();
  readonly #listedKids: ReadonlySet<string>;
  #stopIndex = 0;

  constructor(
    private readonly context: RowContext,
    private readonly events: RowEvents,
    place: RowPlace = FIRST_PLACE,
  ) {
    this.#row = new RowBytes(context.tenantId);
    this.#listedKids = new Set(context.kids);
    this.nextSeq = place.nextSeq;
    this.lastLink = place.lastLink;
    this.sealing = place.sealing;
    this.sinceSeq = place.sinceSeq;
    this.passStops();
  }

  /** Leaves out the stops in front of the next row. */
  passStops(): void {
    while (this.#nextStop() < this.nextSeq) this.#stopIndex += 1;
  }

  /**
   * Judges a line (without LF) that is a row in the form it is written in. False = not accepted so, and nothing has
   * changed: whether it is a row in another spelling, a break or no row at all is for who parses it and hands a row to
   * {@link judgeEntry}.
   */
  acceptLine(line: Buffer, begin: number, end: number): boolean {
    const row = this.#row;
    if (!row.readLine(line, begin, end)) return false;
    if (!row.isAscii && decodeUtf8(line.subarray(begin, end)) === null) return false;
    return this.#judge(() => line.subarray(begin, end)) === null;
  }

  /** Judges a row whose text is well-formed Unicode. */
  judgeEntry(entry: ChainEntry): RowBreak | null {
    this.#row.readEntry(entry);
    return this.#judge(() => Buffer.from(exportRowLine(entry), 'utf8'));
  }

  #judge(canonicalLine: () => Uint8Array): RowBreak | null {
    const { seq } = this.#row;
    const code = this.#breakOf(canonicalLine);
    if (code !== null) return { code, seq };
    this.nextSeq = seq + 1;
    if (seq === this.#nextStop()) {
      this.#stopIndex += 1;
      this.events.onStop(seq, this.#row.form === 'sealed' ? this.lastLink : null);
    }
    return null;
  }

  #breakOf(canonicalLine: () => Uint8Array): RowBreakCode | null {
    const row = this.#row;
    const { seq } = row;
    if (seq > this.context.headSeq) return 'extra_rows';
    if (seq !== this.nextSeq) return seq > this.nextSeq ? 'sequence_gap' : 'sequence_duplicate';
    this.#form.read({ bytes: row.bytes, begin: row.bodyBegin, end: row.bodyEnd, seq });
    const sealing = this.#form.declaredSealing ?? this.sealing;
    // The entry that switches sealing off is still sealed: it is the last one.
    const code =
      this.sealing || sealing ? this.#acceptSealed() : this.#acceptUnsealed(canonicalLine);
    if (code !== null) return code;
    if (sealing !== this.sealing) this.sinceSeq = sealing ? seq : null;
    this.sealing = sealing;
    return null;
  }

  #acceptUnsealed(canonicalLine: () => Uint8Array): RowBreakCode | null {
    if (this.#row.form !== 'unsealed') return 'link_hash';
    if (!this.#form.isEntry) return 'canonical_form';
    this.events.onUnsealed(canonicalLine());
    this.unsealedCount += 1;
    return null;
  }

  #acceptSealed(): RowBreakCode | null {
    const row = this.#row;
    if (row.prev !== this.lastLink) return 'previous_link';
    if (row.form !== 'sealed') return 'link_hash';
    const link = hash('sha256', row.linkInput(), 'hex');
    if (link !== row.link) return 'link_hash';
    if (!this.#form.isEntry) return 'canonical_form';
    if (!this.#listedKids.has(row.kid)) return 'key_unknown';
    const key = this.context.keys.get(row.kid);
    if (key === undefined) {
      this.uncheckedCount += 1;
      this.uncheckedKids.add(row.kid);
    } else if (!this.#isMacOf(key)) return 'signature';
    this.kidsSeen.add(row.kid);
    this.lastLink = link;
    this.hasExpectedLink ||= link === this.context.expectedLink;
    this.sealedCount += 1;
    this.tree.pushLink(link);
    return null;
  }

  #isMacOf(key: Uint8Array): boolean {
    const [place, body] = this.#row.macInput(this.lastLink);
    const mac = createHmac('sha256', key).update(place).update(body).digest('hex');
    return timingSafeEqual(Buffer.from(mac, 'latin1'), this.#row.mac);
  }

  #nextStop(): number {
    return this.context.stops[this.#stopIndex] ?? Infinity;
  }
}
