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
import { fault, type ProofFault } from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX, type StatusFact } from '../../core/rules/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  documentWrite,
  event,
  type OutsideLock,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import { mayTouchMerchant } from '../../base/tenants/index.js';
import {
  issuerKeyIdOf,
  issuerKeyOf,
  issuerKeys,
  keyStateFault,
  unverifiable,
} from '../peers/index.js';
import type { StatusChecker } from '../status/index.js';
import { type Ap2Sources, gatherAp2, type VerifiedAp2 } from './ap2-evidence.js';
import { type Ap2ObjectRow, ap2Objects, ap2Registered, type Ap2Registered } from './ap2.ledger.js';
import { findObjectSha256 } from './ap2.store.js';
import { anyErased, BUYER_CHANGED, buyerClash, erasedBuyerCells } from './buyers.ledger.js';
import { commitBuyers, type CommittedBuyer } from './buyers.store.js';
import type { Viewer } from './credentials.js';
import { tokenLineage } from './verify-token.js';

export interface Ap2ObjectsDependencies extends Ap2Sources {
  readonly writer: Writer;
  readonly statuses: StatusChecker;
  readonly outsideLock: OutsideLock;
}

export interface Ap2ObjectView {
  readonly row: Ap2ObjectRow;
  readonly status: StatusFact;
}

/** Turns of one registration before it gives up. */
const TRIES_MAX = 3;
/** Real time for looking up what an object names. */
const LOOK_UP_MS = 3_000;

/** Registration and reading of AP2 objects that the authority registered (docs/ap2.md). */
export class Ap2Objects {
  constructor(private readonly dependencies: Ap2ObjectsDependencies) {}

  /**
   * Verifies an AP2 object with the authority's registration of it and holds both: from then on a purchase names the
   * object, or a chain under it, without the registration. The same again is answered with its first registration.
   * Answers with the digest that was registered. Problems, in order: unverifiable `/object` or `/registration` (the first
   * check that fails, as in a purchase; a registration that names no buyer or agent; for an agent: another one; status),
   * not_found (merchants this key may not touch), conflict (erased, or held under another registration), unverifiable
   * (key state, times), unavailable.
   */
  async register(
    context: CommandContext,
    named: { readonly object: string; readonly registration: string; readonly registrar: Viewer },
  ): Promise<Result<string, Problem>> {
    let written: Result<string, Problem> = err(BUYER_CHANGED);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const verified = await this.#verified(context.tenantId, named);
      if (!verified.ok) return verified;
      written = await this.dependencies.writer.execute(holdAp2(context, verified.value));
      if (written.ok || written.error !== BUYER_CHANGED) return written;
    }
    return written;
  }

  /** By the id of its registration. Problem: not_found (also for what this viewer may not see). */
  async get(
    tenantId: TenantId,
    {
      id,
      viewer,
      atMs,
    }: { readonly id: string; readonly viewer: Viewer; readonly atMs: InstantMs },
  ): Promise<Result<Ap2ObjectView, Problem>> {
    const { database, statuses } = this.dependencies;
    const objectSha256 = await findObjectSha256(database, tenantId, id);
    const row =
      objectSha256 === null
        ? undefined
        : await readRow(database, ap2Objects, { tenantId, key: [objectSha256] });
    if (row === undefined || !mayView(viewer, row)) return err(noSuchObject(id));
    const { listUri: uri, slotIndex: index, issuer } = row;
    const slot = { uri, index, issuer, lineage: tokenLineage('mandate', row.registrationId) };
    const [status] = await statuses.check(tenantId, [slot], { atMs });
    invariant(status !== undefined, 'every slot that is asked for is answered');
    return ok({ row, status });
  }

  async #verified(
    tenantId: TenantId,
    { object, registration, registrar }: Parameters<Ap2Objects['register']>[1],
  ): Promise<Result<Verified, Problem>> {
    const { database, outsideLock, statuses } = this.dependencies;
    const atMs = (await outsideLock(tenantId, []))?.moment.atMs ?? 0;
    const deadline = AbortSignal.timeout(LOOK_UP_MS);
    const [found] = await gatherAp2(this.dependencies, [{ object, registration }], {
      ...{ tenantId, atMs, deadline },
    });
    invariant(found !== undefined, 'every object that is named is answered');
    if (found.state === 'rejected') return err(refused(found.fault));
    if (found.state !== 'verified')
      return err(found.state === 'unavailable' ? notInTime : wasErased);
    const { ap2 } = found;
    const { subject, registration: claims, slot } = ap2;
    if (subject === null || claims.agentId === null)
      return err(refused(fault('binding', 'registration', 'it names no buyer or no agent')));
    if (registrar.role === 'agent' && registrar.agentId !== claims.agentId)
      return err(refused(fault('binding', 'registration.agent_id', 'it is for another agent')));
    if (!mayRegister(registrar, ap2)) return err(notOfTheseMerchants);
    const [status] = await statuses.check(tenantId, [slot], { atMs, deadline });
    if (status?.verdict !== 'valid')
      return err(
        refused(
          fault('status', 'registration.status', `its list says ${status?.verdict ?? 'nothing'}`),
        ),
      );
    const buyer = (await commitBuyers(database, tenantId, [subject])).get(subject);
    invariant(buyer !== undefined, 'every reference that is asked for has a commitment');
    return ok({ ap2, claims, agentId: claims.agentId, buyer, registration });
  }
}

interface Verified {
  readonly ap2: VerifiedAp2;
  readonly claims: VerifiedAp2['registration'];
  readonly agentId: string;
  readonly buyer: CommittedBuyer;
  readonly registration: string;
}

function holdAp2(context: CommandContext, verified: Verified): Command<string> {
  const { ap2, claims, buyer, registration } = verified;
  const { root } = ap2.object.proof;
  const { commitment } = buyer;
  const document = (text: string) =>
    documentWrite(context.tenantId, {
      mediaType: 'application/jwt',
      bytes: Buffer.from(text, 'utf8'),
      erasable: true,
      buyerCommitment: commitment,
    });
  const [object, word] = [document(ap2.object.text), document(registration)];
  const keyIds = [ap2.rootKeyId, issuerKeyIdOf(claims.issuer, claims.kid)];
  return {
    ...context,
    name: 'foreign_mandate.register',
    clash: buyerClash(BUYER_CHANGED),
    reads: [
      cell(ap2Objects, claims.sha256),
      ...keyIds.map((id) => cell(issuerKeys, id)),
      ...erasedBuyerCells([commitment]),
    ],
    decide(view, { atMs }) {
      const held = view.get(ap2Objects, [claims.sha256]);
      if (held !== undefined)
        return held.registrationId === claims.id ? ok({ events: [] }) : err(heldAlready);
      if (anyErased(view, [commitment])) return err(BUYER_CHANGED);
      for (const [place, id] of keyIds.entries()) {
        const row = view.get(issuerKeys, [id]);
        invariant(row !== undefined, 'the key that verified an object is never removed');
        const issuedAtMs = place === 0 ? (root.issuedAtMs ?? atMs) : claims.issuedAtMs;
        const state = keyStateFault(issuerKeyOf(row), { issuedAtMs, knownSinceMs: null, atMs });
        if (state !== null) return err(refused(state));
      }
      if (claims.issuedAtMs > atMs + ISSUED_AHEAD_MS_MAX)
        return err(refused(fault('not_before', 'registration.iat', 'it is from the future')));
      if (atMs >= claims.expiresAtMs)
        return err(refused(fault('expiry', 'registration.exp', 'the registration has ended')));
      return ok({
        events: [event(ap2Registered, registeredOf(verified, object.sha256, word.sha256))],
        sideWrites: [object.write, word.write, ...(buyer.write === null ? [] : [buyer.write])],
      });
    },
    answer: () => claims.id,
  };
}

function registeredOf(
  { ap2, claims, agentId, buyer }: Verified,
  documentSha256: string,
  registrationSha256: string,
): Ap2Registered {
  const { content } = ap2.object;
  const isOld = content.version === '0.1';
  return {
    objectSha256: claims.sha256,
    registrationId: claims.id,
    family: isOld ? 'purchase' : content.mandate.family,
    isOpen: !isOld && content.mandate.closed === null,
    issuer: claims.issuer,
    issuerKid: claims.kid,
    rootKeyId: ap2.rootKeyId,
    documentSha256,
    registrationSha256,
    parentId: claims.parentId,
    agentId,
    buyerCommitment: buyer.commitment,
    issuedAtMs: claims.issuedAtMs,
    expiresAtMs: claims.expiresAtMs,
    listUri: claims.status.uri,
    slotIndex: claims.status.index,
  };
}

/** An open mandate names no single merchant, so only who is bound to none registers it. */
const mayRegister = (registrar: Viewer, { judged }: VerifiedAp2): boolean =>
  registrar.merchantIds === null ||
  judged.mandates.some(({ payee }) => mayTouchMerchant(registrar, payee));

const mayView = (viewer: Viewer, { agentId }: Ap2ObjectRow): boolean =>
  viewer.role === 'agent' ? viewer.agentId === agentId : viewer.merchantIds === null;

const refused = (found: ProofFault): Problem => {
  const { field, ...rest } = unverifiable('/token', found);
  return {
    ...rest,
    field:
      found.member?.startsWith('registration') === true
        ? '/registration'
        : field === '/token'
          ? '/object'
          : field,
  };
};

const notInTime = problem('unavailable', 'What the object names could not be looked up in time.', {
  fix: 'Send the request again.',
});
const wasErased = problem('conflict', 'The object was erased at the wish of its buyer.', {
  fix: 'Have the buyer give a new mandate.',
  field: '/object',
});
const heldAlready = problem('conflict', 'The object is held under another registration.', {
  fix: 'Name the registration that GET /v1/mandates/{id} shows; one object has one place.',
  field: '/registration',
});
const notOfTheseMerchants = problem('not_found', 'The object names no merchant of this key.', {
  fix: 'Use a key that is not bound to merchants, or bound to one that the object names.',
  field: '/object',
});
const noSuchObject = (id: string): Problem =>
  problem('not_found', `There is no mandate ${id} here.`, {
    fix: 'Name a mandate that was registered for this tenant.',
  });
