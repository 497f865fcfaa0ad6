import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import { readRow } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { mayTouchMerchant, noSuchMerchant } from '../../base/tenants/index.js';
import type { RevokeRequest } from '../authority/index.js';
import { consents, mandates, passports } from '../buyer-authority/tables.js';
import { type FactPublisher, PUBLISHED_TYPES, publisherContext } from '../facts/index.js';
import { artifacts, currentArtifacts, factLineages } from '../facts/tables.js';
import {
  findSlots,
  listKindOf,
  slotMerchants,
  slotStatusOf,
  type StatusSlotRow,
} from '../status/index.js';

/** Kinds of objects that have ids. */
export const NAMED_KINDS = ['artifact', 'mandate', 'consent', 'passport', 'registration'] as const;
export type NamedKind = (typeof NAMED_KINDS)[number];

export type RevocationTarget =
  | { readonly slot: StatusRef }
  /** Without `kind`: of whatever kind, where one object here has this id. Named: also one that only the authority knows. */
  | { readonly subjectId: string; readonly kind?: NamedKind | null }
  /** The merchant's current fact of a type; `variantId` null for types that name no variant. */
  | {
      readonly artifactType: string;
      readonly merchantId: string;
      readonly variantId: string | null;
    };

export type Scope = Pick<Principal, 'merchantIds'>;

/** What the authority is asked to change, and where it stands; null = only the authority knows. */
export interface Target {
  readonly asked: RevokeRequest['target'];
  readonly slot: StatusRef | null;
  /**
   * What else is the merchant's current fact of this name: what an issuer registered, beside what the catalogue publishes.
   * Which of them a purchase rests on depends on its cart, so one without the other would go on selling.
   */
  readonly also: StatusRef | null;
}

/**
 * Finds what a caller names, and whether it may withdraw it. A key that is bound to merchants withdraws what is wholly
 * theirs, so nothing that only the authority knows. Problems, in order: not_found (no such object, fact or slot, several
 * of one name, or of merchants this key may not touch), conflict (the list is kept by somebody else), those of
 * {@link FactPublisher.publish} (a fact of the catalogue that nobody read yet, or not since it was set anew).
 */
export class Targets {
  constructor(
    private readonly parts: {
      readonly database: Queryable;
      readonly authorityOrigin: string;
      readonly publisher: Pick<FactPublisher, 'publish'>;
    },
  ) {}

  async find(
    tenantId: TenantId,
    { target, scope }: { readonly target: RevocationTarget; readonly scope: Scope },
  ): Promise<Result<Target, Problem>> {
    if ('slot' in target) return this.#slot(tenantId, target.slot, { scope, field: '/uri' });
    if ('artifactType' in target) return this.#fact(tenantId, target, scope);
    const { subjectId, kind = null } = target;
    const refs = await this.#refs(tenantId, subjectId, kind);
    const [ref] = refs;
    // Ids are chosen by issuers: of several objects with one name the caller has to say which.
    if (refs.length > 1) return err(noSuchSubject);
    if (ref !== undefined) return this.#slot(tenantId, ref, { scope, field: '/subject_id' });
    if (kind === null || scope.merchantIds !== null) return err(noSuchSubject);
    return ok({ asked: { kind, objectId: subjectId }, slot: null, also: null });
  }

  /** The slot's row; undefined = nobody reserved it here. */
  async row(tenantId: TenantId, ref: StatusRef): Promise<StatusSlotRow | undefined> {
    const found = await findSlots(this.parts.database, tenantId, [ref]);
    return found.get(`${ref.index} ${ref.uri}`);
  }

  async #slot(
    tenantId: TenantId,
    slot: StatusRef,
    { scope, field }: { readonly scope: Scope; readonly field: string },
  ): Promise<Result<Target, Problem>> {
    const row = await this.row(tenantId, slot);
    if (!mayWithdraw(scope, row)) return err(noSuchSlot);
    const { authorityOrigin: ownOrigin } = this.parts;
    return listKindOf(slot.uri, { ownOrigin, tenantId }) === 'own'
      ? ok({ asked: { slot }, slot, also: null })
      : err(foreignList(field));
  }

  async #fact(
    tenantId: TenantId,
    fact: Extract<RevocationTarget, { artifactType: string }>,
    scope: Scope,
  ): Promise<Result<Target, Problem>> {
    const { artifactType, merchantId, variantId } = fact;
    if (!mayTouchMerchant(scope, merchantId))
      return err(noSuchMerchant(merchantId, '/merchant_id'));
    const { database } = this.parts;
    const subject = variantId ?? merchantId;
    const lineage = { tenantId, key: [merchantId, artifactType, subject] };
    const brought = await this.#bringUp(tenantId, { merchantId, artifactType, subject });
    if (!brought.ok) return brought;
    const published = await readRow(database, factLineages, lineage);
    const key = [merchantId, artifactType, variantId ?? ''];
    const current = await readRow(database, currentArtifacts, { tenantId, key });
    const artifact =
      current && (await readRow(database, artifacts, { tenantId, key: [current.artifactId] }));
    const registered = artifact && { uri: artifact.listUri, index: artifact.slotIndex };
    const at = { scope, field: '/artifact_type' };
    if (published === undefined)
      return registered === undefined ? err(noSuchFact) : this.#slot(tenantId, registered, at);
    const place = { uri: published.listUri, index: published.slotIndex };
    const target = await this.#slot(tenantId, place, at);
    if (!target.ok || registered === undefined) return target;
    const row = await this.row(tenantId, registered);
    if (row !== undefined && slotStatusOf(row) === 'revoked') return target;
    const other = await this.#slot(tenantId, registered, at);
    return other.ok ? ok({ ...target.value, also: registered }) : other;
  }

  /**
   * INVARIANT: what is withdrawn is what would be sold next. A price that was set anew, and that nobody read since, gets its
   * place first; else the old place would be flipped, and the new price published a moment later.
   * What a merchant never stated (policy, protocol) is not made up in order to be withdrawn.
   */
  async #bringUp(
    tenantId: TenantId,
    {
      merchantId,
      artifactType,
      subject,
    }: { merchantId: string; artifactType: string; subject: string },
  ): Promise<Result<unknown, Problem>> {
    const type = PUBLISHED_TYPES.find((one) => one === artifactType);
    if (type === undefined) return ok(null);
    const lineage = { tenantId, key: [merchantId, type, subject] };
    const isOfMerchant = subject === merchantId;
    if (isOfMerchant && (await readRow(this.parts.database, factLineages, lineage)) === undefined)
      return ok(null);
    return this.parts.publisher.publish(publisherContext(tenantId), {
      merchantId,
      places: [{ type, subject }],
      isExact: false,
    });
  }

  async #refs(
    tenantId: TenantId,
    subjectId: string,
    kind: NamedKind | null,
  ): Promise<readonly StatusRef[]> {
    const { database } = this.parts;
    const at = { tenantId, key: [subjectId] };
    const readers = {
      artifact: () => readRow(database, artifacts, at),
      mandate: () => readRow(database, mandates, at),
      consent: () => readRow(database, consents, at),
      passport: () => readRow(database, passports, at),
      registration: () => Promise.resolve(undefined),
    };
    const kinds = kind === null ? NAMED_KINDS : [kind];
    const rows = await Promise.all(kinds.map((one) => readers[one]()));
    return rows.flatMap((row) =>
      row === undefined ? [] : [{ uri: row.listUri, index: row.slotIndex }],
    );
  }
}

function mayWithdraw(scope: Scope, slot: StatusSlotRow | undefined): boolean {
  if (scope.merchantIds === null) return true;
  const named = slotMerchants(slot?.merchantIds ?? []);
  return named.length > 0 && named.every((merchantId) => mayTouchMerchant(scope, merchantId));
}

const noSuchSubject = problem('not_found', 'No object with this id, or more than one, is here.', {
  fix: 'Name the id of one registered artifact, mandate, consent or passport, with subject_kind where the id alone is not enough, or name its slot.',
  field: '/subject_id',
});

export const noSuchSlot: Problem = problem('not_found', 'No such slot is reserved here.', {
  fix: 'Name a slot that POST /v1/status-slots answered with, or the id of a registered object.',
});

const noSuchFact = problem('not_found', 'This merchant has no such fact here.', {
  fix: 'Name the type, merchant and variant of a fact that GET /v1/artifacts lists.',
  field: '/artifact_type',
});

/** Lists of an earlier form, `urn:arbiter:status-list:`, are nobody's: what names them is unavailable already. */
const foreignList = (field: string): Problem =>
  problem('conflict', 'Its status list is not kept by the trust authority of this service.', {
    fix: 'Ask whoever signs that list to withdraw it there; until then retire the issuer key that signed the object.',
    field,
  });
