import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { parsePassportClaims, TOKEN_TYPS } from '../../core/proofs/index.js';
import { cell, type CellView, type CommandContext, readRow } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { drawId } from '../../base/tenants/index.js';
import { consentStateOf } from '../consents/index.js';
import {
  type ConsentTerms,
  consentTerms,
  type CredentialIssuer,
  type CredentialPlan,
  findToken,
  formFault,
  issuedHere,
  noSuch,
  passportClaims,
  type PassportGrant,
  passportTerms,
  termsProblem,
  textsOf,
  wholeSecond,
} from '../credentials/index.js';
import { type ObjectRow, objects, slots } from '../ledger/index.js';
import { statusOf } from '../revocations/index.js';
import type { AuthorityTenants, ServedTenant } from '../tenants/index.js';
import {
  beyondConsent,
  type ConsentBounds,
  passportEnd,
  type PassportWish,
} from './within-consent.js';

export interface NewPassport extends PassportWish {
  readonly consentId: string;
}

export interface PassportsParts {
  readonly database: Queryable;
  readonly tenants: Pick<AuthorityTenants, 'now'>;
  readonly issuer: CredentialIssuer;
}

/** A consent as it never changes: its terms, and the name in its token. */
interface Consent {
  readonly row: ObjectRow;
  readonly terms: ConsentTerms;
  readonly subject: string;
}

/** Commerce passports: short-lived, of one living consent each, never wider or longer than it (facts/arbiter.md 3.6). */
export class Passports {
  constructor(private readonly parts: PassportsParts) {}

  /**
   * Signs a passport and answers with its id. Problems, in order: not_found (no such consent was issued here), conflict
   * (the consent is denied, not valid on its list, ended, or has a passport), unverifiable (beyond the consent, see
   * {@link beyondConsent}), unavailable. The same idempotency key answers with the first one's id.
   */
  async issue(
    tenant: ServedTenant,
    context: CommandContext,
    wish: NewPassport,
  ): Promise<Result<string, Problem>> {
    const consent = await this.#consent(tenant, wish.consentId);
    if (!consent.ok) return consent;
    const issuedAtMs = wholeSecond(await this.parts.tenants.now(tenant.tenantId));
    const isLive = tenant.world === 'live';
    const grant = grantOf(wish, consent.value, { issuedAtMs, isLive });
    const named = { tenantId: tenant.tenantId, objectId: drawId('psp'), issuedAtMs };
    const fault = formFault(named, grant, PASSPORT_FORM);
    if (fault !== null) return err(fault);
    const plan = planOf({ ...named, wish, grant }, consent.value);
    return this.parts.issuer.issue(tenant, context, plan);
  }

  async #consent({ tenantId }: ServedTenant, consentId: string): Promise<Result<Consent, Problem>> {
    const { database } = this.parts;
    const row = await readRow(database, objects, { tenantId, key: ['consent', consentId] });
    const issued = row === undefined ? null : issuedHere(row.terms);
    if (row === undefined || issued === null)
      return err({ ...noSuch('consent'), field: '/consent_id' });
    const token = await findToken(database, tenantId, issued.tokenSha256);
    if (token === null) return err(consentErased);
    const terms = consentTerms.decode(row.terms, 'objects.terms');
    return ok({ row, terms, subject: subjectOf(token) });
  }
}

function endOf({ expiresAtMs }: ObjectRow): InstantMs {
  invariant(expiresAtMs !== null, 'a consent that was issued here ends');
  return expiresAtMs;
}

/** The name in a token that we signed ourselves. */
function subjectOf(token: string): string {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(payload) as { sub: string }).sub;
}

const PASSPORT_FORM = { claims: passportClaims, parse: parsePassportClaims };

const boundsOf = ({ row, terms }: Consent): ConsentBounds => ({
  scopes: terms.scopes,
  maxAmount: terms.maxAmount,
  expiresAtMs: endOf(row),
});

function grantOf(
  wish: NewPassport,
  consent: Consent,
  { issuedAtMs, isLive }: { readonly issuedAtMs: InstantMs; readonly isLive: boolean },
): PassportGrant {
  const { consentId, passportType, scopes, maxAmount } = wish;
  const { row, terms, subject } = consent;
  return {
    subject,
    agentId: terms.agentId,
    merchantId: textsOf(row.merchantIds)[0] ?? '',
    passportType,
    consentId,
    scopes,
    maxAmount,
    isLive,
    expiresAtMs: passportEnd(wish, boundsOf(consent), issuedAtMs),
  };
}

interface Draft {
  readonly objectId: string;
  readonly issuedAtMs: InstantMs;
  readonly wish: NewPassport;
  readonly grant: PassportGrant;
}

function planOf({ objectId, issuedAtMs, wish, grant }: Draft, consent: Consent): CredentialPlan {
  const { row, terms } = consent;
  const { agentId, subjectCommitment } = terms;
  const { passportType, scopes, maxAmount, expiresAtMs } = grant;
  return {
    kind: 'passport',
    objectId,
    grant: '',
    purpose: 'passport',
    typ: TOKEN_TYPS.passport[0],
    subjectCommitment,
    issuedAtMs,
    object: {
      sha256: null,
      merchantIds: [grant.merchantId],
      mandate: null,
      parentId: null,
      consentId: wish.consentId,
      expiresAtMs,
      terms: (tokenSha256) =>
        passportTerms.encode({
          tokenSha256,
          grant: '',
          issuedAtMs,
          passportType,
          agentId,
          subjectCommitment,
          scopes,
          maxAmount,
        }),
    },
    claims: (issuance) => passportClaims(issuance, grant),
    reads: [cell(objects, 'consent', row.objectId), cell(slots, row.listNumber, row.slotIndex)],
    judge(view, atMs) {
      const fault = standingFault(view, consent, atMs);
      if (fault !== null) return fault;
      const beyond = beyondConsent(wish, boundsOf(consent), issuedAtMs);
      return beyond === null ? null : termsProblem(beyond);
    },
  };
}

/** Why a consent carries no passport now, or null. */
function standingFault(view: CellView, { row, terms }: Consent, atMs: InstantMs): Problem | null {
  const consent = view.get(objects, ['consent', row.objectId]);
  const slot = view.get(slots, [row.listNumber, row.slotIndex]);
  invariant(consent !== undefined && slot !== undefined, 'a consent that was read stays');
  const state = consentStateOf({ row, status: statusOf(slot), nowMs: atMs }, terms.state);
  if (state !== 'granted') return notGranted(state);
  return consent.childCount > 0 ? hasPassport : null;
}

const notGranted = (state: string): Problem =>
  problem('conflict', `The consent is ${state}.`, {
    fix: 'Ask the buyer anew and register the answer as another consent.',
    field: '/consent_id',
  });

const hasPassport = problem('conflict', 'The consent has a passport already.', {
  fix: 'Ask the buyer anew: one consent carries one passport.',
  field: '/consent_id',
});

const consentErased = problem('conflict', 'The token of the consent was erased.', {
  fix: 'Ask the buyer anew and register the answer as another consent.',
  field: '/consent_id',
});
