import {
  canonicalize,
  err,
  type InstantMs,
  invariant,
  ok,
  problem,
  type Problem,
  type Result,
} from '../../core/kernel/index.js';
import type { SigningKeys, SigningPurpose } from '../../base/keys/index.js';
import {
  cell,
  type CellRef,
  cellsOutsideLock,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  documentWrite,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { objectBound, objects, slots, SLOT_VALUES } from '../ledger/index.js';
import type { Place, StatusLists } from '../lists/index.js';
import { bindObjects, findPlaces, groundOf, LOOK_AGAIN, type NewObject } from '../objects/index.js';
import { type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import type { Claims, Issuance } from './claims.js';
import { ofRequest } from './pieces.js';
import { type CredentialKind, issuedHere } from './terms.js';

type PlannedObject = Pick<NewObject, 'merchantIds' | 'mandate' | 'parentId' | 'consentId'> & {
  readonly expiresAtMs: InstantMs;
  /** Digest of foreign bytes that the object stands for; null = it is the token itself. */
  readonly sha256: string | null;
  readonly terms: (tokenSha256: string) => NewObject['terms'];
};

/** One credential that is to be issued, whole but for its slot and what is judged under the lock. */
export interface CredentialPlan {
  readonly kind: CredentialKind;
  readonly objectId: string;
  /** Salted digest of what was asked for; under a chosen id the same again is the same credential. */
  readonly grant: string;
  readonly purpose: SigningPurpose;
  readonly typ: string;
  /** The token names this buyer, and may be erased. */
  readonly subjectCommitment: string;
  /** Whole seconds; commerce time when the plan was made. */
  readonly issuedAtMs: InstantMs;
  readonly object: PlannedObject;
  readonly claims: (issuance: Issuance) => Claims;
  readonly reads: readonly CellRef[];
  /** Why it may not be issued now, beside what binding judges; judged before and again under the lock. */
  readonly judge: (view: CellView, atMs: InstantMs) => Problem | null;
}

export interface CredentialIssuerParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly signingKeys: Pick<SigningKeys, 'signJws'>;
  readonly lists: Pick<StatusLists, 'reserve' | 'uriOf'>;
  readonly origin: string;
}

interface SignedPlan {
  readonly place: Place;
  readonly token: string;
}

/** How often a plan is judged anew because something changed between the look and the lock. */
const LOOKS_MAX = 5;

/**
 * Issues tokens: takes a slot, signs with the slot inside, then binds both in one transaction that judges again whether
 * what the token rests on still stands. A revoke of a parent or consent takes the same lock: it comes before and refuses
 * the child, or after and takes it along. A refused attempt leaves at most a slot that nothing names.
 */
export class CredentialIssuer {
  constructor(private readonly parts: CredentialIssuerParts) {}

  /**
   * Answers with the id of the credential; the same idempotency key, or the same grant under a chosen id, answers with
   * the first one's. Problems, in order: conflict (the id has another grant), those of the plan, those of binding,
   * unavailable, outcome_unknown.
   */
  async issue(
    tenant: ServedTenant,
    context: CommandContext,
    plan: CredentialPlan,
  ): Promise<Result<string, Problem>> {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const signed = await this.#prepare(tenant, plan);
      if (!signed.ok) return signed;
      const command = await this.#command(context, plan, signed.value);
      const bound = await this.parts.writer.execute(command);
      if (bound.ok) return bound;
      if (bound.error !== LOOK_AGAIN) return err(ofRequest(plan.kind, bound.error));
    }
    return err(busy);
  }

  /** Null = as it looks now there is nothing to sign: it is there already, or refused. */
  async #prepare(
    tenant: ServedTenant,
    plan: CredentialPlan,
  ): Promise<Result<SignedPlan | null, Problem>> {
    const { database, lists, signingKeys, origin } = this.parts;
    const { tenantId } = tenant;
    const glance = await cellsOutsideLock(database, tenantId, readsOf(plan));
    invariant(glance !== null, 'a served tenant has a ledger');
    const isThere = glance.view.get(objects, [plan.kind, plan.objectId]) !== undefined;
    if (isThere || plan.judge(glance.view, glance.moment.atMs) !== null) return ok(null);
    const taken = await lists.reserve(tenant, 1);
    if (!taken.ok) return taken;
    const [place] = taken.value;
    invariant(place !== undefined, 'a reservation of one is one place');
    const slot = { uri: lists.uriOf(tenantId, place.listNumber), index: place.slotIndex };
    const { objectId: id, issuedAtMs } = plan;
    const claims = plan.claims({ issuer: origin, tenantId, id, issuedAtMs, slot });
    const token = await signingKeys.signJws(SYSTEM_TENANT, plan.purpose, {
      header: { typ: plan.typ },
      payload: Buffer.from(canonicalize(claims), 'utf8'),
    });
    return token.ok ? ok({ place, token: token.value }) : token;
  }

  async #command(
    context: CommandContext,
    plan: CredentialPlan,
    signed: SignedPlan | null,
  ): Promise<Command<string>> {
    const bound = signed === null ? null : bindingOf(context, plan, signed);
    if (bound === null) return issueCredential(context, plan, null);
    const named = groundOf([bound.object]);
    const ground = await findPlaces(this.parts.database, context.tenantId, named);
    const { object, write } = bound;
    const extras = { sideWrites: [write] };
    const binding = bindObjects(context, { objects: [object], ground, at: () => '', extras });
    return issueCredential(context, plan, { place: object, binding });
  }
}

const readsOf = (plan: CredentialPlan): readonly CellRef[] => [
  cell(objects, plan.kind, plan.objectId),
  ...plan.reads,
];

/** The command that binds the token, with what is asked first: whether it is there already, and whether it may be. */
function issueCredential(
  context: CommandContext,
  plan: CredentialPlan,
  signed: { readonly place: Place; readonly binding: Command<unknown> } | null,
): Command<string> {
  const { kind, objectId } = plan;
  const slotKey = signed === null ? [] : [signed.place.listNumber, signed.place.slotIndex];
  return {
    ...context,
    name: `authority.issue_${kind}`,
    reads: [...readsOf(plan), ...(signed?.binding.reads ?? [])],
    decide(view, moment) {
      const known = view.get(objects, [kind, objectId]);
      if (known !== undefined)
        return issuedHere(known.terms)?.grant === plan.grant
          ? ok({ events: [] })
          : err(idTaken(plan));
      const objection = plan.judge(view, moment.atMs);
      if (objection !== null) return err(objection);
      if (signed === null) return err(LOOK_AGAIN);
      const slot = view.get(slots, slotKey);
      // Whoever guessed the place may have bound or revoked it: then another one is taken.
      if (slot?.lineage !== null || slot.value !== SLOT_VALUES.valid) return err(LOOK_AGAIN);
      return signed.binding.decide(view, moment);
    },
    answer: (entries) => dataOf(entries, objectBound)?.objectId ?? objectId,
  };
}

function bindingOf(
  { tenantId }: CommandContext,
  { kind, objectId, object, subjectCommitment }: CredentialPlan,
  { place, token }: SignedPlan,
) {
  const document = documentWrite(tenantId, {
    mediaType: 'application/jwt',
    bytes: Buffer.from(token, 'utf8'),
    erasable: true,
    buyerCommitment: subjectCommitment,
  });
  const { sha256, terms, ...rest } = object;
  const bound: NewObject = {
    ...place,
    ...rest,
    kind,
    objectId,
    sha256: sha256 ?? document.sha256,
    lineage: `${kind}|${objectId}`,
    artifactType: null,
    terms: terms(document.sha256),
  };
  return { object: bound, write: document.write };
}

const idTaken = ({ kind, objectId }: CredentialPlan): Problem =>
  problem('conflict', `The id ${objectId} names another ${kind}.`, {
    fix: `Choose another id, or repeat the request that the ${kind} was made with.`,
    field: kind === 'registration' ? '/sha256' : `/${kind}_id`,
  });

const busy = problem('unavailable', 'What the credential rests on changes too fast.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});
