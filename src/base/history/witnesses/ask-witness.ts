import { type VerifierKey, verifyConsistency } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { OutboundClient, Pool } from '../../platform/index.js';
import { HistoryBroken } from '../broken.js';
import { type CheckpointRow, newestCheckpoint } from '../checkpoints/checkpoints.store.js';
import { consistencySpans, formatNote } from '../../../core/chain/index.js';
import { spanHashes } from '../tree/subtree-hashes.js';
import { type Cosignature, submitCheckpoint } from './add-checkpoint.js';
import type { Witness } from './panel.js';
import { keepRegistration, type WitnessState } from './witnesses.store.js';

/**
 * What a witness shows us to be untrue.
 * witness_accepts_extension   it cosigns a tree that is proved to extend the one it cosigned before
 * ledger_is_newest            no tree is larger than the newest one that this ledger signed
 */
export type WitnessInvariant = 'witness_accepts_extension' | 'ledger_is_newest';

/** How asking one witness ended. */
export type AskedWitness =
  | {
      readonly kind: 'cosigned';
      readonly size: number;
      readonly cosignatures: readonly Cosignature[];
    }
  | { readonly kind: 'away'; readonly detail: string }
  | {
      readonly kind: 'disagrees';
      readonly invariant: WitnessInvariant;
      readonly detail: string;
      /** It holds a tree that is not below the checkpoint, and that this ledger never signed. */
      readonly isLater: boolean;
    };

export interface AskParts {
  readonly pool: Pool;
  readonly outbound: OutboundClient;
  /** The keys of the tenant's log that count now, as texts. */
  readonly logKeys: readonly string[];
  /** For one answer. */
  readonly deadlineMs: number;
  readonly nowMs: () => number;
}

/** Requests to one witness in one round: a rebuilt proof, a log made known, a checkpoint that another process made. */
const REQUESTS_MAX = 4;

interface Question {
  readonly tenantId: TenantId;
  readonly origin: string;
  readonly witness: Witness;
  readonly state: WitnessState;
}

/**
 * Asks one witness to cosign a checkpoint (C2SP tlog-witness): tells it the size that it cosigned last with the proof from
 * there; when it holds another size, once more from that one. Throws HistoryBroken when our own proof does not hold.
 */
export async function askWitness(
  parts: AskParts,
  question: Question,
  newest: CheckpointRow,
): Promise<AskedWitness> {
  const place = await question.witness.place();
  if (place === null) return { kind: 'away', detail: 'where it answers is not known now' };
  const unknown = await madeKnown(parts, question, { again: false });
  if (unknown !== null) return unknown;
  return new Asking(parts, question, place).run(newest);
}

class Asking {
  #oldSize: number;
  #hasRebuilt = false;
  #hasRegistered = false;

  constructor(
    private readonly parts: AskParts,
    private readonly question: Question,
    private readonly place: { readonly url: string; readonly keys: readonly VerifierKey[] },
  ) {
    this.#oldSize = question.state.size;
  }

  async run(newest: CheckpointRow): Promise<AskedWitness> {
    let checkpoint = newest;
    for (let request = 0; request < REQUESTS_MAX; request += 1) {
      // Another process made a newer checkpoint and had it cosigned: that one is asked for.
      if (this.#oldSize > checkpoint.size) {
        const newer = await newestCheckpoint(this.parts.pool, this.question.tenantId);
        if (newer === null || newer.size < this.#oldSize) return this.#ahead(newest);
        checkpoint = newer;
      }
      const asked = await this.#ask(checkpoint);
      if (asked !== 'again') return asked;
    }
    return { kind: 'away', detail: 'its answers lead nowhere' };
  }

  async #ask(checkpoint: CheckpointRow): Promise<AskedWitness | 'again'> {
    const { pool, outbound, deadlineMs, nowMs } = this.parts;
    const { tenantId, witness } = this.question;
    const answer = await submitCheckpoint(outbound, {
      ...this.place,
      oldSize: this.#oldSize,
      proof: await provenExtension(pool, tenantId, { oldSize: this.#oldSize, checkpoint }),
      checkpoint: {
        text: checkpoint.text,
        note: formatNote(checkpoint.text, [checkpoint.logLine]),
        madeAtMs: checkpoint.madeAtMs,
      },
      ...{ deadlineMs, nowMs },
    });
    switch (answer.kind) {
      case 'cosigned':
        return { ...answer, size: checkpoint.size };
      case 'away':
        return answer;
      case 'refuses_extension':
        return this.#refuses(checkpoint);
      case 'holds':
        // Told this very size it can only mean the root (tlog-witness asks for 409 or 422 then).
        if (answer.size === this.#oldSize && answer.size === checkpoint.size)
          return this.#refuses(checkpoint);
        if (this.#hasRebuilt || answer.size === this.#oldSize)
          return { kind: 'away', detail: `it holds ${answer.size} leaves, and another size again` };
        // A newer checkpoint that another process had cosigned may be followed by one more rebuilt proof.
        this.#hasRebuilt = answer.size <= checkpoint.size;
        this.#oldSize = answer.size;
        return 'again';
      case 'unknown_log': {
        if (witness.source === null || this.#hasRegistered)
          return {
            kind: 'away',
            detail: `it does not know this log or its key (${answer.detail})`,
          };
        this.#hasRegistered = true;
        return (await madeKnown(this.parts, this.question, { again: true })) ?? 'again';
      }
    }
  }

  #refuses({ size }: CheckpointRow): AskedWitness {
    return {
      kind: 'disagrees',
      invariant: 'witness_accepts_extension',
      detail: `${this.question.witness.name} refuses the proof from ${this.#oldSize} to ${size} leaves`,
      isLater: this.#oldSize === size,
    };
  }

  #ahead(newest: CheckpointRow): AskedWitness {
    const { witness } = this.question;
    return {
      kind: 'disagrees',
      isLater: true,
      invariant: 'ledger_is_newest',
      detail: `${witness.name} cosigned ${this.#oldSize} leaves, this ledger has signed ${newest.size}`,
    };
  }
}

/** Makes the log known to a witness that learns of it through us; null = it knows it now. */
async function madeKnown(
  { pool, logKeys }: AskParts,
  { tenantId, origin, witness, state }: Question,
  { again }: { readonly again: boolean },
): Promise<AskedWitness | null> {
  const vkeys = logKeys.join('\n');
  if (witness.source === null || (state.registeredVkeys === vkeys && !again)) return null;
  const registered = await witness.source.registerLog(tenantId, { origin, vkeys: logKeys });
  if (!registered.ok)
    return { kind: 'away', detail: `the log is not made known to it: ${registered.error.detail}` };
  await keepRegistration(pool, { tenantId, witnessName: witness.name }, vkeys);
  return null;
}

/**
 * The proof from a size that a witness holds, checked before it is sent: what a witness refuses afterwards is its
 * disagreement and no fault of ours. Throws HistoryBroken.
 */
async function provenExtension(
  pool: Pool,
  tenantId: TenantId,
  { oldSize, checkpoint }: { readonly oldSize: number; readonly checkpoint: CheckpointRow },
): Promise<readonly Uint8Array[]> {
  if (oldSize === 0 || oldSize === checkpoint.size) return [];
  const spans = [{ begin: 0, end: oldSize }, ...consistencySpans(oldSize, checkpoint.size)];
  const [oldRoot, ...proof] = await spanHashes(pool, tenantId, spans);
  const isProven =
    oldRoot !== undefined &&
    verifyConsistency({
      oldSize: BigInt(oldSize),
      newSize: BigInt(checkpoint.size),
      oldRoot,
      newRoot: checkpoint.root,
      proof,
    });
  if (isProven) return proof;
  throw new HistoryBroken(
    'tree_extends_checkpoint',
    `the checkpoint of ${checkpoint.size} leaves is not proved from ${oldSize}`,
  );
}
