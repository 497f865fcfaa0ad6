import { createHash } from 'node:crypto';
import {
  err,
  invariant,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { fault, type TokenKind } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import {
  type CommandContext,
  type OutsideLock,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { mayTouchMerchant } from '../../base/tenants/index.js';
import { type IssuerKeys, type SignatureChecker, unverifiable } from '../peers/index.js';
import type { AuthorityPort, BoundObject } from '../authority/index.js';
import {
  bindAtAuthority,
  slotMerchants,
  type SlotPlace,
  slotPlace,
  type SlotQuestion,
  type StatusChecker,
} from '../status/index.js';
import { BUYER_CHANGED } from './buyers.ledger.js';
import { commitBuyers, findErased } from './buyers.store.js';
import {
  type ConsentRow,
  consents,
  type MandateRow,
  mandates,
  type PassportRow,
  passports,
} from './credentials.ledger.js';
import { findAncestorIds } from './credentials.store.js';
import { merchantsOf, registerCredential, type Registration } from './register-credential.js';
import {
  inWhateverState,
  readToken,
  type ReadToken,
  tokenLineage,
  verifyToken,
} from './verify-token.js';

export interface CredentialsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
  readonly statuses: StatusChecker;
  readonly authority: Pick<AuthorityPort, 'origin' | 'bindObjects'>;
  readonly outsideLock: OutsideLock;
}

/** Turns of one registration before it gives up. */
const TRIES_MAX = 3;

export interface NewCredential {
  readonly kind: TokenKind;
  readonly token: string;
  /** Who registers: what it could not see afterwards, it does not write. Left out: nobody whom anything narrows. */
  readonly registrar?: Viewer;
}

const forAnotherAgent = fault('binding', 'agent_id', 'the token is for another agent');

export interface RowOf {
  readonly mandate: MandateRow;
  readonly consent: ConsentRow;
  readonly passport: PassportRow;
}

export interface CredentialView<Kind extends TokenKind> {
  readonly row: RowOf[Kind];
  readonly status: StatusFact;
}

/** Who looks: an agent sees its own tokens, a merchant-bound key those of its merchants. */
export type Viewer = Pick<Principal, 'merchantIds' | 'agentId' | 'role'>;

/** Registration and reading of mandates, consents and passports. */
export class Credentials {
  constructor(private readonly dependencies: CredentialsDependencies) {}

  /**
   * Verifies one native token completely, binds it at the authority that keeps its slot, and holds it; the very same
   * token again is answered with its first registration and writes nothing. Answers with its id (`jti`).
   * Problems, in order: unverifiable (shape), not_found (only merchants this key may not touch), unverifiable (issuer
   * key, algorithm, signature, binding; for an agent: that the token names it), conflict (the token was erased, or its id
   * names another token),
   * unverifiable (key state, times, lineage, status), those of {@link bindAtAuthority}, unavailable.
   */
  async register(
    context: CommandContext,
    { kind, token, registrar = UNBOUND }: NewCredential,
  ): Promise<Result<string, Problem>> {
    const read = readToken(kind, token);
    if (!read.ok) return err(unverifiable('/token', read.error));
    const { claims } = read.value;
    if (!mayTouch(registrar, merchantsOf(claims))) return err(notOfTheseMerchants);
    const bad = await this.#verify(context.tenantId, read.value);
    if (bad !== null) return err(bad);
    if (registrar.role === 'agent' && registrar.agentId !== claims.agentId)
      return err(unverifiable('/token', forAnotherAgent));
    if (await this.#isErased(context.tenantId, read.value)) return err(wasErased(claims.id));
    if (await this.#isHeld(context.tenantId, read.value)) return ok(claims.id);
    const written = await this.#write(context, read.value);
    if (written.ok || written.error.code !== 'conflict') return written;
    // Somebody registered this id a moment ago; if it was the same token, that is the answer.
    return (await this.#isHeld(context.tenantId, read.value)) ? ok(claims.id) : written;
  }

  /** Problem: not_found (also for what this viewer may not see). */
  async get<Kind extends TokenKind>(
    tenantId: TenantId,
    { kind, id, viewer, atMs }: { kind: Kind; id: string; viewer: Viewer; atMs: number },
  ): Promise<Result<CredentialView<Kind>, Problem>> {
    const row = await this.#row(tenantId, kind, id);
    if (row === undefined || !mayView(viewer, row)) return err(noSuchToken(kind, id));
    const slot = {
      uri: row.listUri,
      index: row.slotIndex,
      lineage: tokenLineage(kind, id),
      issuer: row.issuer,
    };
    const [status] = await this.dependencies.statuses.check(tenantId, [slot], { atMs });
    invariant(status !== undefined, 'every slot that is asked for is answered');
    return ok({ row, status });
  }

  async #verify(tenantId: TenantId, read: ReadToken<TokenKind>): Promise<Problem | null> {
    const { issuerKeys, checker } = this.dependencies;
    const found = (await issuerKeys.find(tenantId, [read.issuerKeyId])).get(read.issuerKeyId);
    const fault = await verifyToken(read, {
      tenantId,
      // The key's state and every time are judged under the lock; here only whether the signature is its.
      issuerKey: found && inWhateverState(found),
      checker,
      knownSinceMs: null,
      atMs: Number.MAX_SAFE_INTEGER,
    });
    return fault === null ? null : unverifiable('/token', fault);
  }

  /** Looks again when the buyer was named or erased meanwhile; two such turns in a row do not happen by chance. */
  async #write(
    context: CommandContext,
    token: ReadToken<TokenKind>,
  ): Promise<Result<string, Problem>> {
    let written: Result<string, Problem> = err(BUYER_CHANGED);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const registration = await this.#registration(context.tenantId, token);
      written = await this.#bindAndWrite(context, registration);
      if (written.ok || written.error !== BUYER_CHANGED) return written;
    }
    return written;
  }

  /**
   * What would be refused here is not bound there: the command is judged once outside the lock, then again under it.
   * INVARIANT: bound first, so that a revoke of its parent at the same time finds it, or it finds its parent revoked.
   */
  async #bindAndWrite(
    context: CommandContext,
    registration: Registration<TokenKind>,
  ): Promise<Result<string, Problem>> {
    const { tenantId } = context;
    const { authority, outsideLock, writer } = this.dependencies;
    const command = registerCredential(context, registration);
    const glance = await outsideLock(tenantId, command.reads);
    const judged = glance && command.decide(glance.view, glance.moment);
    if (judged?.ok === false) return judged;
    if (registration.place.kind === 'reserved') {
      const at = { tenantId, field: '/token' } as const;
      const bound = await bindAtAuthority(authority, at, boundObject(registration));
      if (!bound.ok) return bound;
    }
    return writer.execute(command);
  }

  async #isErased(tenantId: TenantId, { compact }: ReadToken<TokenKind>): Promise<boolean> {
    const digest = createHash('sha256').update(compact, 'utf8').digest('hex');
    return (await findErased(this.dependencies.database, tenantId, [digest])).has(digest);
  }

  async #isHeld(
    tenantId: TenantId,
    { kind, claims, compact }: ReadToken<TokenKind>,
  ): Promise<boolean> {
    const row = await this.#row(tenantId, kind, claims.id);
    return row?.documentSha256 === createHash('sha256').update(compact, 'utf8').digest('hex');
  }

  async #registration(
    tenantId: TenantId,
    token: ReadToken<TokenKind>,
  ): Promise<Registration<TokenKind>> {
    const { database } = this.dependencies;
    const { claims } = token;
    const buyer = (await commitBuyers(database, tenantId, [claims.subject])).get(claims.subject);
    invariant(buyer !== undefined, 'every reference that is asked for has a commitment');
    const parentId = 'parentId' in claims ? claims.parentId : null;
    const ancestorIds =
      parentId === null
        ? []
        : [...new Set([parentId, ...(await findAncestorIds(database, tenantId, parentId))])];
    const ancestors: (SlotQuestion & { readonly id: string })[] = [];
    for (const id of ancestorIds) {
      const row = await this.#row(tenantId, 'mandate', id);
      if (row === undefined) continue;
      const { listUri: uri, slotIndex: index, issuer } = row;
      ancestors.push({ id, uri, index, issuer, lineage: tokenLineage('mandate', id) });
    }
    const seen = await this.#seenElsewhere(tenantId, [token.slot, ...ancestors]);
    const kind = this.#placeOf(tenantId, token.slot);
    return {
      token,
      buyer,
      ancestorIds,
      ancestorSlots: ancestors,
      place:
        kind === 'foreign'
          ? { kind, verdict: seen.get(token.slot)?.verdict ?? 'unavailable' }
          : { kind },
      validElsewhere: new Set(
        ancestors.flatMap((one) => (seen.get(one)?.verdict === 'valid' ? [one.id] : [])),
      ),
    };
  }

  #placeOf(tenantId: TenantId, slot: SlotQuestion): SlotPlace {
    const { origin: authorityOrigin } = this.dependencies.authority;
    return slotPlace(slot, { issuer: slot.issuer, tenantId, authorityOrigin });
  }

  /** What lists of other authorities say of these; slots on our own lists are read under the lock. */
  async #seenElsewhere(
    tenantId: TenantId,
    slots: readonly SlotQuestion[],
  ): Promise<ReadonlyMap<SlotQuestion, StatusFact>> {
    const foreign = slots.filter((slot) => this.#placeOf(tenantId, slot) === 'foreign');
    if (foreign.length === 0) return new Map();
    const { statuses, outsideLock } = this.dependencies;
    const atMs = (await outsideLock(tenantId, []))?.moment.atMs ?? 0;
    const said = await statuses.check(tenantId, foreign, { atMs });
    return new Map(
      foreign.flatMap((slot, index): [SlotQuestion, StatusFact][] => {
        const status = said[index];
        return status === undefined ? [] : [[slot, status]];
      }),
    );
  }

  async #row<Kind extends TokenKind>(
    tenantId: TenantId,
    kind: Kind,
    id: string,
  ): Promise<RowOf[Kind] | undefined> {
    const { database } = this.dependencies;
    const read = {
      mandate: () => readRow(database, mandates, { tenantId, key: [id] }),
      consent: () => readRow(database, consents, { tenantId, key: [id] }),
      passport: () => readRow(database, passports, { tenantId, key: [id] }),
    } as const;
    return (await read[kind]()) as RowOf[Kind] | undefined;
  }
}

/** What the authority keeps of a token. Of a mandate it learns the terms by which it judges children, and no name. */
function boundObject({ token, buyer }: Registration<TokenKind>): BoundObject {
  const { kind, claims, compact, slot } = token;
  return {
    kind,
    objectId: claims.id,
    sha256: createHash('sha256').update(compact, 'utf8').digest('hex'),
    lineage: slot.lineage,
    merchantIds: merchantsOf(claims),
    slot: { uri: slot.uri, index: slot.index },
    artifactType: null,
    mandate:
      'parentId' in claims
        ? {
            parentId: claims.parentId,
            kind: claims.kind,
            subjectCommitment: buyer.commitment,
            agentId: claims.agentId,
            cartHash: claims.cartHash,
            cap: claims.cap,
            notBeforeAtMs: claims.notBeforeAtMs,
            expiresAtMs: claims.expiresAtMs,
          }
        : null,
  };
}

function mayView(viewer: Viewer, row: MandateRow | ConsentRow | PassportRow): boolean {
  if (viewer.role === 'agent') return viewer.agentId === row.agentId;
  return mayTouch(viewer, 'merchantIds' in row ? slotMerchants(row.merchantIds) : [row.merchantId]);
}

const UNBOUND: Viewer = { role: 'tenant_admin', merchantIds: null, agentId: null };

/** Of several merchants one is enough; a token for any merchant is no single merchant's. */
const mayTouch = (viewer: Viewer, merchantIds: readonly string[]): boolean =>
  viewer.merchantIds === null || merchantIds.some((id) => mayTouchMerchant(viewer, id));

const notOfTheseMerchants = problem('not_found', 'The token names no merchant of this key.', {
  fix: 'Use a key that is not bound to merchants, or bound to one that the token names.',
  field: '/token',
});

const wasErased = (id: string): Problem =>
  problem('conflict', `The token ${id} was erased at the wish of its buyer.`, {
    fix: 'Have the issuer give the buyer a new token.',
    field: '/token',
  });

const noSuchToken = (kind: TokenKind, id: string): Problem =>
  problem('not_found', `There is no ${kind} ${id} here.`, {
    fix: `Name a ${kind} that was registered for this tenant.`,
  });
