import { err, type Problem, type Result } from '../../core/kernel/index.js';
import { parseMandateClaims, REGISTRATION_TYP, TOKEN_TYPS } from '../../core/proofs/index.js';
import type { CommandContext } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { drawId } from '../../base/tenants/index.js';
import {
  type CredentialIssuer,
  formFault,
  mandateClaims,
  type MandateGrant,
  registrationClaims,
  Subjects,
  subjectSalt,
  wholeSecond,
} from '../credentials/index.js';
import type { AuthorityTenants, ServedTenant } from '../tenants/index.js';
import { inWholeSeconds, treePlan } from './tree-plan.js';

export interface NewMandate extends MandateGrant {
  /** Null = the authority draws one. */
  readonly mandateId: string | null;
}

/** A foreign object of the tree: its bytes by digest, and the terms its issuer gave it. */
export interface NewRegistration extends MandateGrant {
  readonly sha256: string;
}

export interface MandatesParts {
  readonly database: Queryable;
  readonly tenants: Pick<AuthorityTenants, 'now'>;
  readonly issuer: CredentialIssuer;
}

const MANDATE_FORM = { claims: mandateClaims, parse: parseMandateClaims };

/** The tree of mandates: those issued here, and foreign ones that took a place in it. */
export class Mandates {
  constructor(private readonly parts: MandatesParts) {}

  /**
   * Signs a mandate and answers with its id. Problems, in order: validation_failed (a claim no token can hold, an end that
   * is not ahead), conflict (the id has other terms), unverifiable (the parent is unknown here or does not stand, the
   * tree is too deep or too large, beyond the parent), unavailable.
   */
  async issue(
    tenant: ServedTenant,
    context: CommandContext,
    { mandateId, ...asked }: NewMandate,
  ): Promise<Result<string, Problem>> {
    const { subjects, issuedAtMs } = await this.#begin(tenant);
    const grant = inWholeSeconds(asked);
    const named = { objectId: mandateId ?? drawId('mnd'), issuedAtMs };
    const fault = formFault({ ...named, tenantId: tenant.tenantId }, grant, MANDATE_FORM);
    if (fault !== null) return err(fault);
    const plan = treePlan(
      {
        ...named,
        kind: 'mandate',
        typ: TOKEN_TYPS.mandate[0],
        grant,
        sha256: null,
        claims: (issuance) => mandateClaims(issuance, grant),
      },
      subjects,
    );
    return this.parts.issuer.issue(tenant, context, plan);
  }

  /**
   * Gives a foreign object a place in the tree and answers with the id of its registration, which follows from the digest
   * of its bytes: the same bytes take one place, and once revoked they never come back. Problems as {@link issue}. Not
   * checked: the bytes themselves, which stay with whoever holds them.
   */
  async register(
    tenant: ServedTenant,
    context: CommandContext,
    { sha256, ...asked }: NewRegistration,
  ): Promise<Result<string, Problem>> {
    const { subjects, issuedAtMs } = await this.#begin(tenant);
    const grant = inWholeSeconds(asked);
    const named = { objectId: `reg_${sha256}`, issuedAtMs };
    const fault = formFault({ ...named, tenantId: tenant.tenantId }, grant, MANDATE_FORM);
    if (fault !== null) return err(fault);
    const { parentId, expiresAtMs, subject, agentId } = grant;
    const registration = { sha256, parentId, expiresAtMs, subject, agentId };
    const plan = treePlan(
      {
        ...named,
        kind: 'registration',
        typ: REGISTRATION_TYP,
        grant,
        sha256,
        claims: (issuance) => registrationClaims(issuance, registration),
      },
      subjects,
    );
    return this.parts.issuer.issue(tenant, context, plan);
  }

  async #begin({ tenantId }: ServedTenant) {
    const { database, tenants } = this.parts;
    const subjects = new Subjects(await subjectSalt(database, tenantId));
    return { subjects, issuedAtMs: wholeSecond(await tenants.now(tenantId)) };
  }
}
