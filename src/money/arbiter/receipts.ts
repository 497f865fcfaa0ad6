import type {
  Checkpoints,
  LedgerTree,
  StoredCheckpoint,
  Witnessing,
} from '../../base/history/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { formatTlogProof, parseNote, parseVkey, type VerifierKey } from '../../core/chain/index.js';
import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
  type World,
} from '../../core/kernel/index.js';
import {
  claimsOfBody,
  compactToken,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_TYP,
  RECEIPT_VERSION,
  type ReceiptEntry,
  statedEntry,
  type StatementClaims,
  tokenSigningInput,
} from '../../core/proofs/index.js';
import type { RecordedDecision } from './decide.js';
import { readSealedEntry } from './receipts.store.js';

/** How long a receipt waits for witnesses, in milliseconds. */
export const RECEIPT_WAIT_MS = 3_000;
/** How many of the newest cosigned checkpoints are looked at first for one with a quorum, and then at a time. */
const CHECKPOINTS_READ = 16;
const CHECKPOINTS_PAGE = 1_000;
/** At most, before the witnesses are asked again: a week of one a minute. */
const CHECKPOINTS_READ_MAX = 10_000;
const RETRY_AFTER_SECONDS = 5;

const NOT_SEALED = problem(
  'conflict',
  'The entry of this decision is not sealed, so there is nothing that a receipt could prove.',
  {
    fix: 'An administrator switches sealing on (PUT /v1/ledger/sealing with {"on":true}); decisions from then on have receipts.',
  },
);

const NOT_WITNESSED_YET = problem(
  'unavailable',
  'The witnesses have not cosigned a checkpoint that covers this decision yet.',
  {
    fix: 'Ask again a little later. The decision itself stands and is not touched by this.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  },
);

const KEY_ENDED = problem(
  'conflict',
  'The key of the checkpoint over this decision was ended, and nothing was sealed since.',
  {
    fix: 'An administrator switches sealing on (PUT /v1/ledger/sealing): the next sealed entry brings a checkpoint by the new key.',
  },
);

export interface ReceiptParts {
  readonly database: Queryable;
  readonly signingKeys: Pick<SigningKeys, 'signer' | 'list'>;
  readonly tree: Pick<LedgerTree, 'inclusion'>;
  readonly checkpoints: Pick<Checkpoints, 'newest' | 'make' | 'listWitnessed' | 'logKeys'>;
  readonly witnessing: Pick<Witnessing, 'isOn' | 'round' | 'selfWitnesses'>;
  /** Real time: what is signed is read by others, whose clocks no test clock moves. */
  readonly nowMs: () => InstantMs;
  readonly waitMs?: number;
}

/** A decision whose receipt is asked for, and whether its reader may see the entry. */
export interface ReceiptWish {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly decision: RecordedDecision;
  readonly showsEntry: boolean;
}

/** A checkpoint with the key that signed it, which still counts. */
interface Signed {
  readonly checkpoint: StoredCheckpoint;
  readonly logKey: VerifierKey;
}

interface Covering extends Signed {
  readonly witnessed: boolean;
}

/** Receipts of decisions: made anew at every ask, from what the ledger holds. They write no entry. */
export class Receipts {
  readonly #rounds = new Map<TenantId, ReturnType<Witnessing['round']>>();

  constructor(private readonly parts: ReceiptParts) {}

  /**
   * A signed statement about the decision, with the proof that its entry stands under a cosigned checkpoint, or, while
   * witnessing is off, under the ledger's own.
   * Problems, in order: conflict (the entry is not sealed), unavailable (no checkpoint that covers it is cosigned by a
   * quorum within {@link RECEIPT_WAIT_MS}), conflict (its key was ended), unavailable (a signing key does not open).
   */
  async issue(wish: ReceiptWish): Promise<Result<Receipt, Problem>> {
    const { tenantId, decision, showsEntry } = wish;
    const entry = await readSealedEntry(this.parts.database, tenantId, decision.entry.seq);
    if (entry === null) return err(NOT_SEALED);
    const covering = await this.covering(tenantId, entry.seq);
    if (!covering.ok) return covering;
    const { checkpoint, witnessed } = covering.value;
    const proven = await this.parts.tree.inclusion(tenantId, entry.seq, checkpoint.size);
    invariant(proven !== null, 'an entry up to the last one of a checkpoint is a leaf of its tree');
    const claims = await this.claims(wish, entry, covering.value);
    const signed = await this.sign(tenantId, claims);
    if (!signed.ok) return signed;
    return ok({
      format: RECEIPT_FORMAT,
      version: RECEIPT_VERSION,
      witnessed,
      ...signed.value,
      entry: showsEntry ? entry : null,
      proof: formatTlogProof({
        index: BigInt(proven.index),
        hashes: proven.proof,
        checkpoint: checkpoint.note,
      }),
    });
  }

  private async claims(
    { tenantId, world, decision, showsEntry }: ReceiptWish,
    entry: ReceiptEntry,
    { checkpoint, logKey, witnessed }: Covering,
  ): Promise<StatementClaims> {
    const { witnessing, nowMs } = this.parts;
    const told = claimsOfBody(entry.body);
    invariant(told.ok, 'the entry of a decision says what a receipt states');
    const self = new Set(await witnessing.selfWitnesses());
    const { usable, usableReason } = decision;
    return {
      ...told.value,
      // A countersignature that came later makes usable what the entry could not call so.
      usable,
      usable_reason: usableReason,
      iss: logKey.name,
      tenant_id: tenantId,
      world,
      iat: Math.floor(nowMs() / 1_000),
      entry: statedEntry(entry, showsEntry),
      log_key: logKey.text,
      witnessed,
      self_witnesses: checkpoint.cosigners.filter((name) => self.has(name)),
    };
  }

  private async sign(
    tenantId: TenantId,
    claims: StatementClaims,
  ): Promise<Result<Pick<Receipt, 'statement' | 'issuer_jwk'>, Problem>> {
    const { signingKeys } = this.parts;
    const signer = await signingKeys.signer(tenantId, 'receipt');
    if (!signer.ok) return signer;
    const { kid, algorithm } = signer.value;
    const keys = await signingKeys.list(tenantId);
    const jwk = keys.find((key) => key.jwk.kid === kid)?.jwk;
    invariant(jwk !== undefined, 'a key that signs is listed');
    const header = { alg: algorithm, kid, typ: RECEIPT_TYP };
    const input = tokenSigningInput(header, { ...claims, entry: { ...claims.entry } });
    const statement = compactToken(input, signer.value.sign(Buffer.from(input)));
    return ok({ statement, issuer_jwk: jwk });
  }

  /** A checkpoint over the entry: cosigned by a quorum, or while witnessing is off the newest of the ledger's own. */
  private async covering(tenantId: TenantId, seq: number): Promise<Result<Covering, Problem>> {
    const { checkpoints, witnessing } = this.parts;
    const cosigned = await this.cosigned(tenantId, seq);
    if (cosigned !== null) return ok(cosigned);
    if (await witnessing.isOn(tenantId)) return this.afterRound(tenantId, seq);
    const newest = await this.signed(tenantId, await checkpoints.newest(tenantId));
    if (newest !== null && newest.checkpoint.seq >= seq) return ok({ ...newest, witnessed: false });
    const made = await checkpoints.make(tenantId);
    if (!made.ok) return made;
    const signed = await this.signed(tenantId, made.value);
    if (signed === null) return err(KEY_ENDED);
    invariant(signed.checkpoint.seq >= seq, 'a checkpoint that is made now covers what is sealed');
    return ok({ ...signed, witnessed: false });
  }

  /**
   * The newest with a quorum that covers the entry, if its key still counts. Newer ones may have no quorum: a witness that
   * is away, or lies, takes no receipt away that there was.
   */
  private async cosigned(tenantId: TenantId, seq: number): Promise<Covering | null> {
    const { checkpoints } = this.parts;
    let throughSeq = Number.MAX_SAFE_INTEGER;
    let limit = CHECKPOINTS_READ;
    for (let looked = 0; looked < CHECKPOINTS_READ_MAX; looked += limit, limit = CHECKPOINTS_PAGE) {
      const newest = await checkpoints.listWitnessed(tenantId, throughSeq, limit);
      const covering = newest.filter((each) => each.quorum && each.seq >= seq).at(-1);
      if (covering !== undefined) {
        const signed = await this.signed(tenantId, covering);
        return signed === null ? null : { ...signed, witnessed: true };
      }
      const [oldest] = newest;
      if (oldest === undefined || oldest.seq <= seq) return null;
      throughSeq = oldest.seq - 1;
    }
    return null;
  }

  /** Null = there is no checkpoint, or its key was ended: then it proves nothing any more. */
  private async signed(
    tenantId: TenantId,
    checkpoint: StoredCheckpoint | null,
  ): Promise<Signed | null> {
    if (checkpoint === null) return null;
    const logKey = signerOf(checkpoint, await this.parts.checkpoints.logKeys(tenantId));
    return logKey === null ? null : { checkpoint, logKey };
  }

  /**
   * Asks the witnesses now, within the time there is. A round that somebody else began may be of an older checkpoint: then
   * there is another. INVARIANT: without a quorum there is no receipt while witnessing is on.
   */
  private async afterRound(tenantId: TenantId, seq: number): Promise<Result<Covering, Problem>> {
    const { waitMs = RECEIPT_WAIT_MS } = this.parts;
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<null>((late) => (timer = setTimeout(late, waitMs, null)));
    try {
      for (;;) {
        const round = await Promise.race([this.round(tenantId), isLate]);
        if (round !== null && !round.ok) return round;
        const cosigned = await this.cosigned(tenantId, seq);
        if (cosigned !== null) return ok(cosigned);
        const asked = round?.value.checkpoint ?? null;
        if (asked === null) return err(NOT_WITNESSED_YET);
        if ((await this.signed(tenantId, asked)) === null) return err(KEY_ENDED);
        if (asked.seq >= seq) return err(NOT_WITNESSED_YET);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** One round at a time for a tenant, whoever waits for it. */
  private round(tenantId: TenantId): ReturnType<Witnessing['round']> {
    const running = this.#rounds.get(tenantId);
    if (running !== undefined) return running;
    const round = this.parts.witnessing.round(tenantId);
    this.#rounds.set(tenantId, round);
    const forget = () => void this.#rounds.delete(tenantId);
    round.then(forget, forget);
    return round;
  }
}

/** Which of the keys signed a checkpoint. */
function signerOf({ note }: StoredCheckpoint, vkeys: readonly string[]): VerifierKey | null {
  const parsed = parseNote(note);
  invariant(parsed.ok, 'a stored checkpoint is a signed note');
  const keys = vkeys.map(parseVkey).flatMap((vkey) => (vkey.ok ? [vkey.value] : []));
  const isOfNote = ({ name, keyId }: VerifierKey) =>
    parsed.value.signatures.some((line) => line.name === name && line.keyId === keyId);
  return keys.find(isOfNote) ?? null;
}
