import {
  type EndState,
  type EndVerdict,
  judgeEnd,
  newestWitnessed,
  type Stop,
} from './end-checks.js';
import {
  compareAnchors,
  ExportDigest,
  exportAnchorLine,
  exportHeaderLine,
  type ExportHeader,
  type ExportTrailer,
} from './export-format.js';
import {
  ANCHORS_MAX,
  type ExportLine,
  parseExportDocument,
  parseExportLine,
  type ReadAnchor,
  TOO_MANY_ANCHORS,
} from './export-reader.js';
import { type RowBreak, type RowContext, RowJudge } from './row-judge.js';
import { type RowRunReport, takeRun } from './row-run.js';
import type { JudgedAnswer, VerifierAnswer } from './verifier-answer.js';
import { keysFor, quorumOf, type VerifierOptions } from './verifier-options.js';
import { decodeUtf8 } from './wire-text.js';

/** Longest line of an export, in bytes without its LF. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** Longest single JSON document, in bytes. */
export const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;

/** The rows and what they are judged against, once the header is read. */
interface Rows {
  readonly header: ExportHeader;
  readonly context: RowContext;
  readonly judge: RowJudge;
}

/**
 * Judges an export line by line, in flat memory. The answer is a function of the file and the options.
 *
 * Each row, in this order: `extra_rows`, `sequence_gap` or `sequence_duplicate`, `previous_link`, `link_hash`,
 * `canonical_form`, `key_unknown`, `signature`. At the end {@link judgeEnd}. The first break is told; a line that is not
 * readable ends the judgement, unless a break was found before it.
 */
export class ExportVerifier {
  readonly #digest = new ExportDigest();
  readonly #anchors: ReadAnchor[] = [];
  readonly #anchorCounts = { anchor: 0, witnessed_head: 0 };
  readonly #stops = new Map<number, Stop>();
  #header: ExportHeader | null = null;
  #rows: Rows | null = null;
  #trailer: ExportTrailer | null = null;
  #answer: VerifierAnswer | null = null;
  #lineCount = 0;

  constructor(private readonly options: VerifierOptions) {}

  /** Judges a line, given without its LF. False = the answer is known, nothing more is read. */
  line(bytes: Buffer, begin: number, end: number): boolean {
    if (this.#answer !== null) return false;
    this.#lineCount += 1;
    if (end - begin > LINE_BYTES_MAX) return this.#unreadable('a line has at most 16 MiB');
    if (this.#rows !== null && this.#trailer === null) {
      if (this.#rows.judge.acceptLine(bytes, begin, end)) return true;
    }
    const text = decodeUtf8(bytes.subarray(begin, end));
    if (text === null) return this.#unreadable('it is not UTF-8');
    const line = parseExportLine(text);
    return line.ok ? this.#take(line.value) : this.#unreadable(line.error);
  }

  /** What has to be known to judge rows elsewhere ({@link judgeRun}); null before the first row. */
  get rowContext(): RowContext | null {
    return this.#trailer === null && this.#answer === null ? (this.#rows?.context ?? null) : null;
  }

  /** How many unsealed rows the header tells of. */
  get unsealedCount(): number {
    return this.#header?.counts.unsealed ?? 0;
  }

  /**
   * Takes over rows that were judged elsewhere, if they follow on those judged so far. False = they do not, or something
   * in them is for this verifier to judge: then their lines have to be given to {@link line}.
   */
  takeRun(run: RowRunReport): boolean {
    if (this.#rows === null || this.#trailer !== null) return false;
    const { judge } = this.#rows;
    if (!takeRun(judge, run, (seq, link) => this.#stopAt(seq, link))) return false;
    this.#lineCount += run.rowCount;
    return true;
  }

  /** The end of the file. */
  end(): VerifierAnswer {
    if (this.#answer !== null) return this.#answer;
    if (this.#rows === null && !this.#openRows())
      return this.#answer ?? { result: 'unreadable', message: 'it is empty' };
    return this.#ended();
  }

  /** Judges a file that is a single JSON document. */
  document(bytes: Uint8Array): VerifierAnswer {
    const tooLong = bytes.length > DOCUMENT_BYTES_MAX;
    if (tooLong) return { result: 'unreadable', message: 'a document has at most 256 MiB' };
    const text = decodeUtf8(bytes);
    if (text === null) return { result: 'unreadable', message: 'it is not UTF-8' };
    const read = parseExportDocument(text);
    if (!read.ok) return { result: 'unreadable', message: read.error };
    const { header, anchors, rows, trailer } = read.value;
    this.#header = header;
    this.#anchors.push(...anchors);
    if (this.#openRows()) {
      for (const row of rows) {
        if (this.#answer === null) this.#judged(this.#rows?.judge.judgeEntry(row) ?? null);
      }
    }
    this.#trailer = trailer;
    return this.end();
  }

  #take(line: ExportLine): boolean {
    if (this.#trailer !== null) return this.#unreadable('nothing stands behind the trailer');
    if (this.#header === null) {
      if (line.kind !== 'header') return this.#unreadable('the first line is the header');
      this.#header = line.header;
      return true;
    }
    switch (line.kind) {
      case 'header':
        return this.#unreadable('there is one header');
      case 'anchor':
        return this.#takeAnchor(line.anchor);
      case 'row':
        if (this.#rows === null && !this.#openRows()) return false;
        return this.#judged(this.#rows?.judge.judgeEntry(line.row) ?? null);
      case 'trailer':
        if (this.#rows === null && !this.#openRows()) return false;
        this.#trailer = line.trailer;
        return true;
    }
  }

  #takeAnchor(anchor: ReadAnchor): boolean {
    const before = this.#anchors.at(-1);
    if (this.#rows !== null)
      return this.#unreadable('anchors and witnessed heads stand before the rows');
    if (before !== undefined && compareAnchors(before, anchor) > 0)
      return this.#unreadable(
        'anchors and witnessed heads stand in the order of seq, kind and note',
      );
    this.#anchorCounts[anchor.kind] += 1;
    if (this.#anchorCounts[anchor.kind] > ANCHORS_MAX) return this.#unreadable(TOO_MANY_ANCHORS);
    this.#anchors.push(anchor);
    return true;
  }

  /** The header and the anchors are known: what they say is digested, and rows may come. */
  #openRows(): boolean {
    const header = this.#header;
    if (header === null) return false;
    const keys = keysFor(this.options.secrets, header.sealing.kids);
    if (!keys.ok) {
      this.#answer = { result: 'unusable', message: keys.error };
      return false;
    }
    this.#digest.add(exportHeaderLine(header));
    for (const anchor of this.#anchors) this.#digest.add(exportAnchorLine(anchor));
    const { expectedHead } = this.options;
    const stops = new Set(this.#anchors.map(({ seq }) => seq));
    if (expectedHead?.seq !== null && expectedHead !== null) stops.add(expectedHead.seq);
    const context: RowContext = {
      tenantId: header.tenantId,
      headSeq: header.head.seq,
      kids: header.sealing.kids,
      keys: keys.value,
      stops: [...stops].sort((left, right) => left - right),
      expectedLink: expectedHead?.seq === null ? expectedHead.hash : null,
    };
    const judge = new RowJudge(context, {
      onUnsealed: (line) => this.#digest.addBytes(line),
      onStop: (seq, link) => this.#stopAt(seq, link),
    });
    this.#rows = { header, context, judge };
    return true;
  }

  #stopAt(seq: number, link: string | null): void {
    if (this.#rows === null) return;
    const { tree, sealedCount } = this.#rows.judge;
    this.#stops.set(seq, { link, size: sealedCount, root: tree.root() });
  }

  #judged(found: RowBreak | null): boolean {
    if (found === null) return true;
    this.#answer = this.#judgedAnswer({ found, witnesses: [] });
    return false;
  }

  #unreadable(message: string): false {
    const place = this.#lineCount === 0 ? '' : `line ${this.#lineCount}: `;
    this.#answer = { result: 'unreadable', message: `${place}${message}` };
    return false;
  }

  #ended(): VerifierAnswer {
    const state = this.#endState();
    this.#answer =
      state === null
        ? { result: 'unreadable', message: 'it has no header' }
        : this.#judgedAnswer(judgeEnd(state));
    return this.#answer;
  }

  #endState(): EndState | null {
    if (this.#rows === null) return null;
    const { header, judge } = this.#rows;
    return {
      header,
      anchors: this.#anchors,
      trailer: this.#trailer,
      options: this.options,
      lastSeq: judge.nextSeq - 1,
      lastLink: judge.sealedCount === 0 ? null : judge.lastLink,
      sealing: judge.sealing,
      sinceSeq: judge.sinceSeq,
      sealedCount: judge.sealedCount,
      unsealedCount: judge.unsealedCount,
      uncheckedCount: judge.uncheckedCount,
      kidsSeen: judge.kidsSeen,
      hasExpectedLink: judge.hasExpectedLink,
      stops: this.#stops,
      digest: this.#digest.hex(),
    };
  }

  #judgedAnswer({ found, witnesses }: Pick<EndVerdict, 'witnesses'> & Found): VerifierAnswer {
    const judge = this.#rows?.judge;
    const { sealedCount = 0, unsealedCount = 0, uncheckedCount = 0, nextSeq = 0 } = judge ?? {};
    const { witnessKeys, witnessQuorum } = this.options;
    const isSkipped = this.options.secrets === null;
    const self = new Set(this.#header?.selfWitnesses);
    return {
      result: found === null ? 'verified' : 'broken',
      found,
      origin: this.#header?.origin ?? null,
      isLogUnchecked: this.options.witnessKeys?.every(({ kind }) => kind !== 'ed25519') ?? false,
      sealedCount,
      unsealedCount,
      head:
        judge === undefined || nextSeq === 0
          ? null
          : { seq: nextSeq - 1, hash: sealedCount === 0 ? null : judge.lastLink },
      tree:
        judge === undefined || sealedCount === 0
          ? null
          : { size: sealedCount, rootHex: Buffer.from(judge.tree.root()).toString('hex') },
      signatures: isSkipped ? 'skipped' : uncheckedCount > 0 ? 'unverifiable' : 'verified',
      unverifiable: {
        rowCount: isSkipped ? 0 : uncheckedCount,
        kids: isSkipped ? [] : [...(judge?.uncheckedKids ?? [])].sort(),
      },
      witnesses: witnesses.map(({ name }) => ({ name, self: self.has(name) })),
      unwitnessedSinceSeq: this.#unwitnessedSince(nextSeq - 1),
      uncheckedKids: [...(judge?.uncheckedKids ?? [])].sort(),
      quorum: { ...quorumOf(witnessKeys ?? [], witnesses), asked: witnessQuorum },
    };
  }

  #unwitnessedSince(lastSeq: number): number | null {
    const newest = newestWitnessed(this.#anchors);
    if (newest === undefined) return 0;
    return newest.seq + 1 <= lastSeq ? newest.seq + 1 : null;
  }
}

type Found = Pick<JudgedAnswer, 'found'>;
