import {
  checkpointText,
  consistencySpans,
  formatNote,
  rootOf,
  type Span,
  signatureLine,
  verifyConsistency,
} from '../../../core/chain/index.js';
import {
  err,
  mapOk,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { Pool, Queryable } from '../../platform/index.js';
import { HistoryBroken, type OwnInvariant } from '../broken.js';
import type { Checkpoints, StoredCheckpoint } from '../ports.js';
import { spanHashes } from '../tree/subtree-hashes.js';
import type { LedgerTrees } from '../tree/tree.js';
import { markBroken, type StoredTree, withLockedTree } from '../tree/trees.store.js';
import {
  checkpointOfSize,
  type CheckpointRow,
  type CosignatureRow,
  insertCheckpoint,
  listWitnessedCheckpoints,
  newestCheckpoint,
} from './checkpoints.store.js';
import type { LogKeys, LogSigner } from './log-keys.js';

/** What stands before a signature. */
export interface Recall {
  /** Asked before one that goes on from the newest stored checkpoint (null = there is none); the problem says why none may be made. */
  before(tenantId: TenantId, newest: CheckpointRow | null): Promise<Result<null, Problem>>;
  signed(checkpoint: Pick<CheckpointRow, 'tenantId' | 'size'>): void;
}

export interface CheckpointParts {
  readonly pool: Pool;
  readonly trees: LedgerTrees;
  readonly logKeys: LogKeys;
  readonly isQuorum: (cosignatures: readonly CosignatureRow[]) => boolean;
  readonly onBroken: (tenantId: TenantId, broken: HistoryBroken) => Promise<void>;
  readonly recall: Recall;
  /** Told what was found to hold, and over how many entries. */
  readonly onHeld: (invariant: OwnInvariant, entryCount: number) => void;
  /** Real time. */
  readonly nowMs: () => number;
}

/**
 * Signs and keeps checkpoints.
 * INVARIANT: what is signed extends what was signed before. Under the lock of the tree its root is compared with the
 * ledger's links, and proved to go on from the newest checkpoint, before anything is signed; it is stored before anybody sees it.
 * A database may have been restored from an older copy, and then the newest stored is not the newest signed: the witnesses
 * are asked what they remember before the first signature ({@link Recall}).
 */
export class LedgerCheckpoints implements Checkpoints {
  constructor(private readonly parts: CheckpointParts) {}

  async make(tenantId: TenantId): Promise<Result<StoredCheckpoint | null, Problem>> {
    const { trees, logKeys, onBroken } = this.parts;
    const origin = await trees.originOf(tenantId);
    if (origin === null) return err(noSuchLedger);
    try {
      const { size } = await trees.catchUp(tenantId);
      if (size === 0) return ok(null);
      const signer = await logKeys.current(tenantId, origin);
      if (!signer.ok) return signer;
      // A key that was made just now stands in an entry of its own, which belongs under its first signature.
      await trees.catchUp(tenantId);
      const recalled = await this.#recall(tenantId);
      if (!recalled.ok) return recalled;
      const stored = await this.#sign(tenantId, signer.value);
      if (stored === null) return ok(null);
      this.parts.recall.signed(stored);
      return ok(this.printed(stored));
    } catch (error) {
      if (!(error instanceof HistoryBroken)) throw error;
      await onBroken(tenantId, error);
      return err(brokenHistory(error));
    }
  }

  async newest(tenantId: TenantId): Promise<StoredCheckpoint | null> {
    const row = await newestCheckpoint(this.parts.pool, tenantId);
    return row === null ? null : this.printed(row);
  }

  async ofSize(tenantId: TenantId, size: number): Promise<StoredCheckpoint | null> {
    const row = await checkpointOfSize(this.parts.pool, tenantId, size);
    return row === null ? null : this.printed(row);
  }

  async newestWitnessed(tenantId: TenantId, minSize = 0): Promise<StoredCheckpoint | null> {
    const range = { minSize, throughSeq: Number.MAX_SAFE_INTEGER, limit: 1 };
    const [row] = await listWitnessedCheckpoints(this.parts.pool, tenantId, range);
    return row === undefined ? null : this.printed(row);
  }

  async listWitnessed(
    tenantId: TenantId,
    throughSeq: number,
    limit: number,
  ): Promise<readonly StoredCheckpoint[]> {
    const range = { minSize: 0, throughSeq, limit };
    const rows = await listWitnessedCheckpoints(this.parts.pool, tenantId, range);
    return rows.map((row) => this.printed(row)).reverse();
  }

  originOf(tenantId: TenantId): Promise<string | null> {
    return this.parts.trees.originOf(tenantId);
  }

  async logKey(tenantId: TenantId): Promise<Result<string, Problem>> {
    const origin = await this.originOf(tenantId);
    if (origin === null) return err(noSuchLedger);
    return mapOk(await this.parts.logKeys.current(tenantId, origin), ({ key }) => key.text);
  }

  async logKeys(tenantId: TenantId): Promise<readonly string[]> {
    const origin = await this.originOf(tenantId);
    if (origin === null) return [];
    return (await this.parts.logKeys.accepted(tenantId, origin)).map(({ text }) => text);
  }

  private printed(row: CheckpointRow): StoredCheckpoint {
    const { tenantId, size, seq, link, root, text, logLine, madeAtMs, cosignatures } = row;
    return {
      ...{ tenantId, size, seq, link, madeAtMs },
      rootHex: Buffer.from(root).toString('hex'),
      note: formatNote(text, [logLine, ...cosignatures.map(({ line }) => line)]),
      anchorNote: formatNote(text, [logLine]),
      cosigners: [...new Set(cosignatures.map(({ witnessName }) => witnessName))],
      quorum: this.parts.isQuorum(cosignatures),
    };
  }

  /** Before the lock: the answers of witnesses take time. */
  async #recall(tenantId: TenantId): Promise<Result<null, Problem>> {
    const { pool, trees, recall } = this.parts;
    const newest = await newestCheckpoint(pool, tenantId);
    const { size } = await trees.head(tenantId);
    return newest !== null && newest.size >= size ? ok(null) : recall.before(tenantId, newest);
  }

  #sign(tenantId: TenantId, { signer, key }: LogSigner): Promise<CheckpointRow | null> {
    const { pool, onHeld, nowMs } = this.parts;
    return withLockedTree(pool, tenantId, async (client, tree) => {
      const newest = await newestCheckpoint(client, tenantId);
      await checkTree(client, tree, newest);
      onHeld('tree_is_whole', tree.range.size);
      if (newest !== null) onHeld('tree_extends_checkpoint', tree.range.size);
      if (tree.brokenInvariant !== null) await markBroken(client, tenantId, null);
      if (newest?.size === tree.range.size) return newest;
      const root = rootOf(tree.range);
      const { origin, lastSeq: seq, lastLink: link } = tree;
      const { size } = tree.range;
      const text = checkpointText({ origin, size: BigInt(size), root, extensions: [] });
      const logLine = signatureLine(key.name, key.keyId, signer.sign(Buffer.from(text)));
      const row = {
        ...{ tenantId, size, seq, link: link ?? '', root, text, logLine, madeAtMs: nowMs() },
        logKid: signer.kid,
      };
      await insertCheckpoint(client, row);
      return { ...row, cosignatures: [] };
    });
  }
}

/** Throws HistoryBroken: the tree is not the one over the ledger's links, or does not go on from the newest checkpoint. */
async function checkTree(
  database: Queryable,
  tree: StoredTree,
  newest: CheckpointRow | null,
): Promise<void> {
  const { tenantId, range } = tree;
  const { size } = range;
  const newRoot = rootOf(range);
  if (newest !== null && newest.size > size)
    throw new HistoryBroken(
      'tree_extends_checkpoint',
      `a checkpoint of ${newest.size} leaves was signed, the tree has ${size}`,
    );
  const extension: readonly Span[] = newest === null ? [] : consistencySpans(newest.size, size);
  const [found, ...proof] = await spanHashes(database, tenantId, [
    { begin: 0, end: size },
    ...extension,
  ]);
  if (found === undefined || Buffer.compare(found, newRoot) !== 0)
    throw new HistoryBroken('tree_is_whole', `the links of ${size} entries have another root`);
  if (newest === null) return;
  const isExtension = verifyConsistency({
    oldSize: BigInt(newest.size),
    newSize: BigInt(size),
    oldRoot: newest.root,
    newRoot,
    proof,
  });
  if (!isExtension)
    throw new HistoryBroken(
      'tree_extends_checkpoint',
      `the tree of ${size} leaves does not extend the checkpoint of ${newest.size}`,
    );
}

export const noSuchLedger = problem('not_found', 'There is no ledger of this name.', {
  fix: 'Name a tenant that exists.',
});

const brokenHistory = ({ invariant }: HistoryBroken): Problem =>
  problem(
    'unavailable',
    `The history of this ledger is broken (${invariant}): nothing is signed.`,
    {
      fix: 'The operator finds out who changed what never changes (arbiter rebuild --check) and restores it.',
      retryAfterSeconds: 60,
    },
  );
