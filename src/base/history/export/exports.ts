import { Readable } from 'node:stream';
import {
  compareAnchors,
  type ExportAnchor,
  EXPORTED_HEADS_MAX,
} from '../../../core/chain/index.js';
import {
  err,
  formatInstant,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import {
  type Command,
  type CommandContext,
  dataOf,
  event,
  type LedgerLog,
  readRow,
  type Writer,
} from '../../ledger/index.js';
import type { Queryable } from '../../platform/index.js';
import { drawId, idAt } from '../../tenants/index.js';
import type { Checkpoints, StoredCheckpoint, Witnessing } from '../ports.js';
import { exportBytes, type ExportPart, type FixedExport } from './export-bytes.js';
import { readLink, readSealingChanges } from './exported-rows.store.js';
import {
  type ExportForm,
  ledgerExported,
  type LedgerExportRow,
  ledgerExports,
} from './exports.ledger.js';
import { dropOldFronts, type ExportFront, isKept, keepFront, readFront } from './fronts.store.js';
import { sealingStory } from './sealing-spans.js';

/** Files of one tenant that one process writes at the same time, at most. */
export const EXPORTS_RUNNING_MAX = 8;
const PAUSE_SECONDS = 5;

/** Injection token of the {@link LedgerExports}. */
export const LEDGER_EXPORTS = Symbol('LedgerExports');

/**
 * The ledger as a file for people outside (facts/arbiter.md 7.4, decisions 2.9): every entry as it is stored, with what
 * the log and its witnesses signed. Nothing is left out and nothing is blackened: who may ask is the door's to judge.
 */
export class LedgerExports {
  readonly #running = new Map<TenantId, number>();

  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      readonly checkpoints: Checkpoints;
      readonly witnessing: Pick<Witnessing, 'selfWitnesses'>;
      readonly log: LedgerLog;
    },
  ) {}

  /**
   * Writes the entry that says who takes the ledger out, makes a checkpoint, and only then fixes the last entry of the
   * file: the export's own entry is in it. A checkpoint that cannot be made is left out. Problems, in order: rate_limited
   * (as of {@link read}: then there is no entry), those of the writer, rate_limited (newer exports displaced it before it
   * was fixed).
   */
  async begin(context: CommandContext, form: ExportForm): Promise<Result<FixedExport, Problem>> {
    const { tenantId } = context;
    // Those that begin count too: else all that come at once would write their entries before the first is read.
    if (!this.enter(tenantId)) return err(TOO_MANY);
    try {
      const recorded = await this.dependencies.writer.execute(recordExport(context, form));
      if (!recorded.ok) return recorded;
      const fixed = await this.fix(tenantId, recorded.value);
      return fixed === null ? err(TOO_MANY) : ok(fixed);
    } finally {
      this.leave(tenantId);
    }
  }

  /** The same file again, to the byte. Problem: not_found (no such export of this tenant, or one that newer ones displaced). */
  async find(tenantId: TenantId, exportId: string): Promise<Result<FixedExport, Problem>> {
    const { database } = this.dependencies;
    const row = await readRow(database, ledgerExports, { tenantId, key: [exportId] });
    if (row === undefined || !(await isKept(database, tenantId, row.exportedSeq)))
      return err(NO_SUCH_EXPORT);
    const fixed = await this.fix(tenantId, row);
    return fixed === null ? err(NO_SUCH_EXPORT) : ok(fixed);
  }

  /**
   * The bytes of a part. They are read as they are taken, a page at a time; destroying the stream ends the reading.
   * Problem: rate_limited (too many files of this tenant at once).
   */
  read(fixed: FixedExport, part: ExportPart): Result<Readable, Problem> {
    const { tenantId } = fixed;
    if (!this.enter(tenantId)) return err(TOO_MANY);
    const bytes = Readable.from(exportBytes(this.dependencies.database, fixed, part), {
      objectMode: false,
    });
    bytes.once('close', () => this.leave(tenantId));
    return ok(bytes);
  }

  /** Takes one of the tenant's places; false = there is none. */
  private enter(tenantId: TenantId): boolean {
    const running = this.#running.get(tenantId) ?? 0;
    if (running >= EXPORTS_RUNNING_MAX) return false;
    this.#running.set(tenantId, running + 1);
    return true;
  }

  private leave(tenantId: TenantId): void {
    const left = (this.#running.get(tenantId) ?? 0) - 1;
    if (left > 0) this.#running.set(tenantId, left);
    else this.#running.delete(tenantId);
  }

  /** Null = it is no longer one of the kept: a hundred newer ones began meanwhile. */
  private async fix(tenantId: TenantId, row: LedgerExportRow): Promise<FixedExport | null> {
    const { database } = this.dependencies;
    const { exportId, form } = row;
    const stored = await readFront(database, tenantId, exportId);
    if (stored !== null) return { tenantId, exportId, form, ...stored };
    await keepFront(database, { tenantId, exportId }, await this.frontOf(tenantId, row));
    await this.dropOld(tenantId);
    // Another request may have come first: its front is the export's.
    const kept = await readFront(database, tenantId, exportId);
    return kept === null ? null : { tenantId, exportId, form, ...kept };
  }

  /** What stays now goes with the next export: no reason to refuse this one, which is whole. */
  private async dropOld(tenantId: TenantId): Promise<void> {
    try {
      await dropOldFronts(this.dependencies.database, tenantId);
    } catch (error) {
      this.dependencies.log.error('Old exports could not be let go', {
        tenant_id: tenantId,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private async frontOf(
    tenantId: TenantId,
    { exportedAtMs, exportedSeq }: LedgerExportRow,
  ): Promise<ExportFront> {
    const { database, checkpoints, witnessing } = this.dependencies;
    const made = await this.signedOr(tenantId, null, async () => {
      const checkpoint = await checkpoints.make(tenantId);
      if (!checkpoint.ok) throw new Error(checkpoint.error.detail);
      return checkpoint.value;
    });
    const throughSeq = Math.max(exportedSeq, made?.seq ?? 0);
    const witnessed = await this.signedOr(tenantId, [], () =>
      checkpoints.listWitnessed(tenantId, throughSeq, EXPORTED_HEADS_MAX),
    );
    const isSigned = made !== null || witnessed.length > 0;
    const { sinceSeq, lastSealedSeq, kids, counts } = sealingStory(
      await readSealingChanges(database, tenantId, throughSeq),
      throughSeq,
    );
    const hash = lastSealedSeq === null ? null : await readLink(database, tenantId, lastSealedSeq);
    return {
      header: {
        tenantId,
        exportedAt: formatInstant(exportedAtMs),
        sealing: { enabled: sinceSeq !== null, sinceSeq, kids },
        head: { seq: throughSeq, hash },
        counts,
        origin: isSigned ? await checkpoints.originOf(tenantId) : null,
        logKey: isSigned ? ((await checkpoints.logKeys(tenantId))[0] ?? null) : null,
        selfWitnesses: isSigned ? await witnessing.selfWitnesses() : [],
      },
      anchors: [
        ...(made === null ? [] : [anchorOf('anchor', made)]),
        ...witnessed.map((checkpoint) => anchorOf('witnessed_head', checkpoint)),
      ].sort(compareAnchors),
    };
  }

  /** What was signed makes an export stronger; without it the export is still the ledger. */
  private async signedOr<Value, Other>(
    tenantId: TenantId,
    other: Other,
    read: () => Promise<Value>,
  ): Promise<Value | Other> {
    try {
      return await read();
    } catch (error) {
      this.dependencies.log.error('An export goes without signed heads', {
        tenant_id: tenantId,
        error: error instanceof Error ? error.message : String(error),
      });
      return other;
    }
  }
}

const anchorOf = (
  kind: ExportAnchor['kind'],
  { seq, link, size, note, anchorNote }: StoredCheckpoint,
): ExportAnchor => ({
  kind,
  seq,
  hash: link,
  size,
  note: kind === 'anchor' ? anchorNote : note,
});

function recordExport(context: CommandContext, form: ExportForm): Command<LedgerExportRow> {
  const drawn = drawId('exp');
  return {
    ...context,
    name: 'ledger.export',
    reads: [],
    decide: (_view, moment) =>
      ok({ events: [event(ledgerExported, { exportId: idAt('exp', drawn, moment), form })] }),
    answer(entries) {
      const exported = dataOf(entries, ledgerExported);
      const [entry] = entries;
      invariant(exported !== null && entry !== undefined, 'an export is one entry');
      return { ...exported, exportedAtMs: entry.atMs, exportedSeq: entry.seq };
    },
  };
}

const NO_SUCH_EXPORT = problem('not_found', 'There is no such export that can be read.', {
  fix: 'Begin a new export: ask without export_id.',
  field: '?export_id',
});

const TOO_MANY = problem(
  'rate_limited',
  `${EXPORTS_RUNNING_MAX} exports of this tenant are being read already.`,
  { fix: 'Wait until one of them has ended.', retryAfterSeconds: PAUSE_SECONDS },
);
