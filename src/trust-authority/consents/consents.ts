import {
  err,
  type InstantMs,
  type Money,
  type Problem,
  type Result,
} from '../../core/kernel/index.js';
import { parseConsentClaims, type PublicJwk, TOKEN_TYPS } from '../../core/proofs/index.js';
import type { CommandContext } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { drawId } from '../../base/tenants/index.js';
import {
  consentClaims,
  type ConsentGrant,
  consentTerms,
  type CredentialIssuer,
  type CredentialPlan,
  endsTooEarly,
  formFault,
  moneyText,
  Subjects,
  subjectSalt,
  wholeSecond,
} from '../credentials/index.js';
import type { AuthorityTenants, ServedTenant } from '../tenants/index.js';

/** A buyer's answer. `expiresAtMs` is cut to whole seconds: a token never lasts longer than was asked for. */
export interface NewConsent extends ConsentGrant {
  /** Null = the authority draws one. */
  readonly consentId: string | null;
  readonly maxAmount: Money | null;
  readonly buyerKey: PublicJwk | null;
}

export interface ConsentsParts {
  readonly database: Queryable;
  readonly tenants: Pick<AuthorityTenants, 'now'>;
  readonly issuer: CredentialIssuer;
}

/** Consents: what a buyer answered to a merchant's question, with the right to take it back. */
export class Consents {
  constructor(private readonly parts: ConsentsParts) {}

  /**
   * Signs a consent and answers with its id. Problems, in order: validation_failed (a claim no token can hold, an end
   * that is not ahead), conflict (the id has other terms), unavailable.
   */
  async register(
    tenant: ServedTenant,
    context: CommandContext,
    { consentId, maxAmount, buyerKey, ...asked }: NewConsent,
  ): Promise<Result<string, Problem>> {
    const { database, tenants, issuer } = this.parts;
    const { tenantId } = tenant;
    const subjects = new Subjects(await subjectSalt(database, tenantId));
    const issuedAtMs = wholeSecond(await tenants.now(tenantId));
    const objectId = consentId ?? drawId('con');
    const grant: ConsentGrant = { ...asked, expiresAtMs: wholeSecond(asked.expiresAtMs) };
    const fault = formFault({ tenantId, objectId, issuedAtMs }, grant, CONSENT_FORM);
    if (fault !== null) return err(fault);
    const plan = planOf({ objectId, issuedAtMs, grant, maxAmount, buyerKey }, subjects);
    return issuer.issue(tenant, context, plan);
  }
}

const CONSENT_FORM = { claims: consentClaims, parse: parseConsentClaims };

interface Draft extends Pick<NewConsent, 'maxAmount' | 'buyerKey'> {
  readonly objectId: string;
  readonly issuedAtMs: InstantMs;
  readonly grant: ConsentGrant;
}

function planOf(
  { objectId, issuedAtMs, grant, maxAmount, buyerKey }: Draft,
  subjects: Subjects,
): CredentialPlan {
  const { expiresAtMs, state, agentId, scopes } = grant;
  const subjectCommitment = subjects.commitmentOf(grant.subject);
  const digest = subjects.digestOf({ ...grant, maxAmount: moneyText(maxAmount), buyerKey });
  return {
    kind: 'consent',
    objectId,
    grant: digest,
    purpose: 'consent',
    typ: TOKEN_TYPS.consent[0],
    subjectCommitment,
    issuedAtMs,
    object: {
      sha256: null,
      merchantIds: [grant.merchantId],
      mandate: null,
      parentId: null,
      consentId: null,
      expiresAtMs,
      terms: (tokenSha256) =>
        consentTerms.encode({
          tokenSha256,
          grant: digest,
          issuedAtMs,
          state,
          agentId,
          subjectCommitment,
          scopes,
          maxAmount,
          buyerKey,
        }),
    },
    claims: (issuance) => consentClaims(issuance, grant),
    reads: [],
    judge: (_view, atMs) => (atMs >= expiresAtMs ? endsTooEarly : null),
  };
}
