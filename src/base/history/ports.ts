import type { Problem, Result, TenantId } from '../../core/kernel/index.js';
import type { CommandContext } from '../ledger/index.js';

/** Injection token of the {@link LedgerTree}. */
export const LEDGER_TREE = Symbol('LedgerTree');
/** Injection token of the {@link Checkpoints}. */
export const CHECKPOINTS = Symbol('Checkpoints');
/** Injection token of {@link Witnessing}. */
export const WITNESSING = Symbol('Witnessing');

/** The end of a tenant's tree: how many leaves, and the entry of the last one. Nothing sealed: size 0, seq -1, link null. */
export interface TreeHead {
  readonly size: number;
  readonly seq: number;
  readonly link: string | null;
}

export interface InclusionProof {
  /** Which leaf of the tree the entry is, from 0. */
  readonly index: number;
  /** Hashes of 32 bytes, from the leaf up (RFC 6962 section 2.1.1). */
  readonly proof: readonly Uint8Array[];
}

/**
 * The Merkle tree (RFC 6962) over the sealed entries of a tenant in their order; leaf data are the 32 bytes of an
 * entry's link. It is derived from entries that never change, behind the writer's back, and costs no commit anything.
 * Its methods reject when an own invariant is broken, after an alarm was raised.
 */
export interface LedgerTree {
  /**
   * Takes the sealed entries that are not in the tree yet; with `throughSeq` those up to it at least. Answers with the
   * end of the tree. Safe in any number of processes at once.
   */
  catchUp(tenantId: TenantId, throughSeq?: number): Promise<TreeHead>;
  /** The end of the tree as it stands. */
  head(tenantId: TenantId): Promise<TreeHead>;
  /** Which leaf an entry is; null = it is unsealed, or not in the tree (yet). */
  indexOf(tenantId: TenantId, seq: number): Promise<number | null>;
  /** Proves an entry against the tree of `size` leaves; null = it is unsealed, not among them, or the tree is smaller. */
  inclusion(tenantId: TenantId, seq: number, size: number): Promise<InclusionProof | null>;
  /** Proves that the tree of `newSize` extends the one of `oldSize` (RFC 6962 section 2.1.2); null = not 0 < old <= new <= tree. */
  consistency(
    tenantId: TenantId,
    oldSize: number,
    newSize: number,
  ): Promise<readonly Uint8Array[] | null>;
}

/** A signed checkpoint (C2SP tlog-checkpoint) as it is kept. Whoever signed or cosigned it can never take it back. */
export interface StoredCheckpoint {
  readonly tenantId: TenantId;
  readonly size: number;
  /** The last sealed entry of the tree of that size. */
  readonly seq: number;
  readonly link: string;
  readonly rootHex: string;
  /** The signed note: the log's line, then a line for each cosignature that is known and verified. */
  readonly note: string;
  /** The same note without the cosignatures. */
  readonly anchorNote: string;
  /** Names of the witnesses that cosigned it, sorted. */
  readonly cosigners: readonly string[];
  /** Whether they are a quorum under the policy of this deployment. */
  readonly quorum: boolean;
  readonly madeAtMs: number;
}

export interface Checkpoints {
  /**
   * Catches the tree up and answers with the checkpoint of its end, signed and stored if there was none of that size.
   * Null = nothing is sealed. Problems, in order: not_found (no such tenant), unavailable (the signing key does not
   * open, or an own invariant is broken: while it is, nothing is signed for this tenant).
   */
  make(tenantId: TenantId): Promise<Result<StoredCheckpoint | null, Problem>>;
  newest(tenantId: TenantId): Promise<StoredCheckpoint | null>;
  /** The newest with at least one cosignature, of `minSize` leaves at least; whether they are a quorum stands in it. */
  newestWitnessed(tenantId: TenantId, minSize?: number): Promise<StoredCheckpoint | null>;
  /** Those with at least one cosignature whose last entry is `throughSeq` at most: the newest `limit`, oldest first. */
  listWitnessed(
    tenantId: TenantId,
    throughSeq: number,
    limit: number,
  ): Promise<readonly StoredCheckpoint[]>;
  /** The permanent name of the tenant's log: `<LEDGER_LOG_NAME>/<tenant_id>`; null = there is no such ledger. */
  originOf(tenantId: TenantId): Promise<string | null>;
  /** The verifier key (C2SP signed-note, Ed25519) that signs checkpoints now; the first use makes it. Problems as of {@link make}. */
  logKey(tenantId: TenantId): Promise<Result<string, Problem>>;
  /** Verifier keys whose checkpoints count now: the one that signs, and replaced ones within their overlap. */
  logKeys(tenantId: TenantId): Promise<readonly string[]>;
}

/** What one round with the witnesses came to. */
export interface WitnessRound {
  readonly checkpoint: StoredCheckpoint | null;
  readonly witnesses: readonly {
    readonly name: string;
    readonly outcome: 'cosigned' | 'known' | 'away' | 'disagrees';
    /** For operators; null when it cosigned. */
    readonly detail: string | null;
  }[];
}

/** How it stands with the witnesses of one ledger. */
export interface WitnessStanding {
  readonly isOn: boolean;
  readonly witnesses: readonly {
    readonly name: string;
    readonly isSelf: boolean;
    /** Leaves of the largest tree that it cosigned; 0 = none. */
    readonly size: number;
    readonly lastCosignedAtMs: number | null;
    /** Since when no try came to anything, and why the last did not; null = it answers. */
    readonly failing: { readonly sinceMs: number; readonly reason: string } | null;
    /** The invariant that does not hold between it and this ledger. */
    readonly disagreement: string | null;
  }[];
  /** An invariant of the ledger's own history that is broken now: nothing is signed. */
  readonly brokenInvariant: string | null;
  /** Broken invariants that were ever seen, newest first. */
  readonly alarms: readonly {
    readonly invariant: string;
    /** Null = an own one. */
    readonly witnessName: string | null;
    readonly detail: string;
    readonly raisedAtMs: number;
  }[];
}

export interface Witnessing {
  isOn(tenantId: TenantId): Promise<boolean>;
  /** Switches witnessing on or off, as an entry; saying what is so already writes none. Problems: those of the writer. */
  switch(context: CommandContext, on: boolean): Promise<Result<{ readonly on: boolean }, Problem>>;
  /**
   * Makes the newest checkpoint and asks every witness for its cosignature now, whether the switch is on or not.
   * Never rejects because of a witness. Problems as of {@link Checkpoints.make}.
   */
  round(tenantId: TenantId): Promise<Result<WitnessRound, Problem>>;
  standing(tenantId: TenantId): Promise<WitnessStanding>;
  /** Names of the witnesses that the operator of this service runs itself, sorted. */
  selfWitnesses(): Promise<readonly string[]>;
}
