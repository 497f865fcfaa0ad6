import {
  cosignatureMessage,
  cosignatureSignature,
  formatNote,
  parseNote,
  parseVkey,
  signatureLine,
  type VerifierKey,
} from '../../core/chain/index.js';
import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { Signer, SigningKeys } from '../../base/keys/index.js';
import { cell, type Command, event, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  checkpointCosigned,
  logRegistered,
  originDigest,
  type WitnessedLogRow,
  witnessedLogs,
} from '../ledger/index.js';
import { type AuthorityTenants, type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import {
  type CheckpointRequest,
  type CheckpointVerdict,
  judgeCheckpoint,
  type KnownLog,
  readCheckpointRequest,
} from './checkpoint-rule.js';
import { witnessKeyOf } from './witness-keys.js';
import { tenantOfLog } from './witness.store.js';

export interface WitnessParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly tenants: Pick<AuthorityTenants, 'publicly'>;
  readonly signingKeys: Pick<SigningKeys, 'signer' | 'list'>;
  /** Of the cosigner, in its keys and its lines. */
  readonly name: string;
  /**
   * Real time. WHY never a tenant's commerce time: a cosignature tells verifiers outside when the tree was seen, and
   * whoever could move that clock could date it.
   */
  readonly nowMs: () => InstantMs;
}

/** A log that is to be witnessed; the keys are its own, of type 01, each once. */
export interface LogRegistration {
  readonly origin: string;
  readonly vkeys: readonly VerifierKey[];
}

export type CosignAnswer =
  | { readonly kind: 'cosigned'; readonly line: string }
  | { readonly kind: 'other_size'; readonly size: bigint };

/**
 * Witness of transparency logs (C2SP tlog-witness v1.0.0): it keeps one checkpoint of each log and cosigns only what
 * extends it. What was cosigned once can no longer be cut or rewritten unseen.
 */
export class Witness {
  /** By kid. INVARIANT: a key never changes. */
  readonly #keys = new Map<string, VerifierKey>();

  constructor(private readonly parts: WitnessParts) {}

  /**
   * The tenant's log, with the keys that count from now on; the same again is ok. Problems, in order: conflict (the
   * tenant's log has another origin, or the origin ends in the id of another tenant, or is its log's), unavailable,
   * outcome_unknown. Not checked: who owns the name an origin begins with.
   */
  registerLog(tenant: ServedTenant, log: LogRegistration): Promise<Result<null, Problem>> {
    return this.parts.writer.execute(registerLogCommand(tenant, log));
  }

  /**
   * `POST add-checkpoint`. The checkpoint is on record before it is cosigned, so a lost answer is asked for again: with
   * the new size as the old one. Problems, in order: request_malformed, not_found (no log of this origin), those of
   * {@link judgeCheckpoint}, unavailable, outcome_unknown.
   */
  async addCheckpoint(body: string, requestId: string): Promise<Result<CosignAnswer, Problem>> {
    const read = readCheckpointRequest(body);
    if (!read.ok) return read;
    const request = read.value;
    const found = await this.#logOf(originDigest(request.checkpoint.origin), requestId);
    if (found === null) return err(noSuchLog);
    // Before the lock: who sends what nobody signed shall hold up no tenant.
    const glance = judgeCheckpoint(knownOf(found.log), request);
    if (glance.kind === 'refused') return err(glance.problem);
    if (glance.kind === 'other_size') return ok(glance);
    // Before the record, too: without a key that opens nothing is recorded.
    const signer = await this.parts.signingKeys.signer(SYSTEM_TENANT, 'witness');
    if (!signer.ok) return signer;
    const recorded = await this.parts.writer.execute(this.#record(found.tenant, request));
    if (!recorded.ok) return recorded;
    const { verdict, atSeconds } = recorded.value;
    if (verdict.kind === 'refused') return err(verdict.problem);
    if (verdict.kind === 'other_size') return ok(verdict);
    const line = await this.#cosign(signer.value, request.note.text, atSeconds);
    return ok({ kind: 'cosigned', line });
  }

  /**
   * The newest checkpoint of a log as its keys signed it, cosigned as of now. Problems, in order: not_found (no log of
   * this origin, or nothing was cosigned yet), unavailable.
   */
  async newest(originSha256: string): Promise<Result<string, Problem>> {
    const { database, signingKeys, nowMs } = this.parts;
    const signer = await signingKeys.signer(SYSTEM_TENANT, 'witness');
    if (!signer.ok) return signer;
    // INVARIANT: the time is read before the row, so nothing larger was on record at that time.
    const atSeconds = secondsOf(nowMs());
    const tenantId = await tenantOfLog(database, originSha256);
    const log =
      tenantId === null ? undefined : await readRow(database, witnessedLogs, { tenantId, key: [] });
    const kept = log?.note ?? null;
    if (kept === null) return err(noSuchLog);
    const note = parseNote(kept);
    invariant(note.ok, 'the note of a log was read before it was kept');
    const { text, signatures } = note.value;
    const line = await this.#cosign(signer.value, text, atSeconds);
    return ok(formatNote(text, [...signatures.map((one) => one.line), line]));
  }

  async #logOf(
    originSha256: string,
    requestId: string,
  ): Promise<{ readonly tenant: ServedTenant; readonly log: WitnessedLogRow } | null> {
    const { database, tenants } = this.parts;
    const tenantId = await tenantOfLog(database, originSha256);
    if (tenantId === null) return null;
    const tenant = await tenants.publicly(tenantId, requestId);
    const log = await readRow(database, witnessedLogs, { tenantId, key: [] });
    invariant(tenant !== null && log !== undefined, 'a log and its tenant stay');
    return { tenant, log };
  }

  /** Judges under the tenant's lock and records what is new. A refusal is an answer here: it may hold a size. */
  #record(
    { context }: ServedTenant,
    request: CheckpointRequest,
  ): Command<{ readonly verdict: CheckpointVerdict; readonly atSeconds: number }> {
    const { origin, size, root } = request.checkpoint;
    let judged: { verdict: CheckpointVerdict; atSeconds: number } | null = null;
    return {
      ...context,
      name: 'authority.cosign_checkpoint',
      reads: [cell(witnessedLogs)],
      decide: (view) => {
        const log = view.get(witnessedLogs, []);
        invariant(log !== undefined, 'a registered log stays');
        const verdict = judgeCheckpoint(knownOf(log), request);
        // WHY here: under the lock no larger tree can come between, so of two cosignatures the later one has the larger
        // tree. Entries do not hold this time: it is part of the answer alone.
        judged = { verdict, atSeconds: secondsOf(this.parts.nowMs()) };
        if (verdict.kind !== 'new') return ok({ events: [] });
        const { note } = verdict;
        const rootHex = Buffer.from(root).toString('hex');
        return ok({
          events: [event(checkpointCosigned, { origin, size: Number(size), root: rootHex, note })],
        });
      },
      answer() {
        invariant(judged !== null, 'what is answered was judged');
        return judged;
      },
    };
  }

  async #cosign(signer: Signer, text: string, atSeconds: number): Promise<string> {
    const { name } = this.parts;
    const { keyId } = await this.#keyOf(signer.kid);
    const signature = signer.sign(cosignatureMessage(atSeconds, text));
    return signatureLine(name, keyId, cosignatureSignature(atSeconds, signature));
  }

  async #keyOf(kid: string): Promise<VerifierKey> {
    const known = this.#keys.get(kid);
    if (known !== undefined) return known;
    const keys = await this.parts.signingKeys.list(SYSTEM_TENANT);
    const jwk = keys.find((one) => one.jwk.kid === kid)?.jwk;
    invariant(jwk !== undefined, 'a key that signs is listed');
    const key = witnessKeyOf(this.parts.name, jwk);
    this.#keys.set(kid, key);
    return key;
  }
}

const secondsOf = (atMs: InstantMs): number => Math.floor(atMs / 1_000);

function knownOf({ vkeys, size, root, note }: WitnessedLogRow): KnownLog {
  return {
    vkeys: vkeyTexts(vkeys).map((text) => {
      const key = parseVkey(text);
      invariant(key.ok, 'the keys of a log were read before they were kept');
      return key.value;
    }),
    size: BigInt(size),
    root: Buffer.from(root, 'hex'),
    isCosigned: note !== null,
  };
}

const TENANT_AT_END = /\/tnt_[0-9a-z]{1,64}$/;

const vkeyTexts = (vkeys: WitnessedLogRow['vkeys']): readonly string[] => vkeys as string[];

function registerLogCommand(
  { context }: ServedTenant,
  { origin, vkeys }: LogRegistration,
): Command<null> {
  const texts = vkeys.map(({ text }) => text);
  return {
    ...context,
    name: 'authority.register_log',
    reads: [cell(witnessedLogs)],
    clash: { constraint: 'witnessed_logs_origin', problem: originTaken },
    decide(view) {
      const log = view.get(witnessedLogs, []);
      if (log !== undefined && log.origin !== origin) return err(originStays);
      if (log === undefined && isOfAnother(origin, context.tenantId)) return err(originOfAnother);
      const isKnown = log !== undefined && sameTexts(vkeyTexts(log.vkeys), texts);
      return ok({ events: isKnown ? [] : [event(logRegistered, { origin, vkeys: texts })] });
    },
    answer: () => null,
  };
}

/**
 * INVARIANT: an origin that ends in a tenant's id is that tenant's. Arbiters end theirs so, and an id is drawn and known to
 * the service of its tenant alone before the tenant is served here: nobody can take an origin before its log comes.
 */
const isOfAnother = (origin: string, tenantId: TenantId): boolean =>
  TENANT_AT_END.test(origin) && !origin.endsWith(`/${tenantId}`);

const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  [...left].sort().join('\n') === [...right].sort().join('\n');

const noSuchLog = problem('not_found', 'No log of this origin is witnessed here.', {
  fix: 'The service of its tenant registers it with PUT /v1/tenants/{tenant_id}/log.',
});

const originStays = problem('conflict', 'The log of this tenant has another origin.', {
  fix: 'The origin of a log never changes: use the one it was registered with.',
  field: '/origin',
});

const END_IN_OWN_ID =
  "Use an origin that ends in a slash and this tenant's id: nobody else can have it.";

const originOfAnother = problem('conflict', 'The origin ends in the id of another tenant.', {
  fix: END_IN_OWN_ID,
  field: '/origin',
});

const originTaken = problem('conflict', 'The origin is that of another log, which came first.', {
  fix: END_IN_OWN_ID,
  field: '/origin',
});
