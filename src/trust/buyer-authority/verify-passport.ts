import { type InstantMs, type Principal, type TenantId } from '../../core/kernel/index.js';
import {
  parseToken,
  type PassportCode,
  passportCodeOf,
  type PassportCircumstances,
  type PassportClaims,
  type PassportMode,
  passportStandingCode,
  type ProofFault,
  TOKEN_TYPS,
} from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX, type StatusFact } from '../../core/rules/index.js';
import { mayTouchMerchant } from '../../base/tenants/index.js';
import type { IssuerKey, IssuerKeys, SignatureChecker } from '../peers/index.js';
import type { StatusChecker } from '../status/index.js';
import { readToken, type ReadToken, verifyToken } from './verify-token.js';

export interface PassportVerification {
  readonly code: PassportCode | null;
  /** Why, for people; null = nothing is wrong. */
  readonly detail: string | null;
  /** Null: nobody is known to have said any of it. */
  readonly passport: PassportClaims | null;
  /** Null where no place is known to be its. */
  readonly status: StatusFact | null;
}

export interface PassportQuestion {
  readonly token: string;
  readonly mode: PassportMode;
  readonly atMs: InstantMs;
  /** Who asks: a key that is bound to merchants learns of others that they are not its own. */
  readonly asker: Pick<Principal, 'merchantIds' | 'world'>;
}

/**
 * Verifies a Commerce Passport as a purchase would, and says what is wrong in the words of its protocol. Always asks the
 * status list, whatever the mode. Nothing is written.
 */
export class PassportVerifier {
  constructor(
    private readonly dependencies: {
      readonly issuerKeys: IssuerKeys;
      readonly checker: SignatureChecker;
      readonly statuses: StatusChecker;
    },
  ) {}

  /** In order: form, issuer key, algorithm, signature, audience, tenant, merchant, type, times, lifetime, status. */
  async verify(tenantId: TenantId, question: PassportQuestion): Promise<PassportVerification> {
    const { token, asker, mode, atMs } = question;
    const read = readToken('passport', token);
    if (!read.ok) return wrong(read.error, { ...NOTHING_KNOWN, claims: claimsOf(token) });
    const { claims, slot } = read.value;
    const { checker, statuses } = this.dependencies;
    const found = await this.#keys(tenantId, read.value);
    const trust = { tenantId, issuerKey: found.issuerKey, checker, knownSinceMs: null, atMs };
    const fault = await verifyToken(read.value, trust);
    const retiredAtMs = found.issuerKey?.retiredAtMs ?? null;
    if (fault !== null)
      return wrong(fault, {
        ...{ claims: {}, key: found.key, retiredAtMs, issuedAtMs: claims.issuedAtMs },
      });
    const [status = null] = await statuses.check(tenantId, [slot], { atMs });
    const known = { passport: claims, status };
    if (claims.world !== asker.world)
      return { ...known, code: 'tenant_mismatch', detail: 'the passport is of the other world' };
    if (!mayTouchMerchant(asker, claims.merchantId))
      return {
        ...known,
        code: 'merchant_mismatch',
        detail: 'the passport is for another merchant',
      };
    const code = passportStandingCode(claims, {
      ...{ atMs, mode, retiredAtMs, aheadMsMax: ISSUED_AHEAD_MS_MAX },
      status: status ?? { verdict: 'unavailable' },
    });
    return { ...known, code, detail: code === null ? null : `the passport is not good: ${code}` };
  }

  async #keys(
    tenantId: TenantId,
    { issuerKeyId, claims }: ReadToken<'passport'>,
  ): Promise<{
    readonly issuerKey: IssuerKey | undefined;
    readonly key: PassportCircumstances['key'];
  }> {
    const { issuerKeys } = this.dependencies;
    const issuerKey = (await issuerKeys.find(tenantId, [issuerKeyId])).get(issuerKeyId);
    if (issuerKey !== undefined)
      return { issuerKey, key: issuerKey.role === 'passport' ? 'known' : 'of_another_role' };
    const others = await issuerKeys.list(tenantId);
    const isKnown = others.some(
      ({ issuer, role }) => issuer === claims.issuer && role === 'passport',
    );
    return { issuerKey, key: isKnown ? 'unknown_kid' : 'unknown_issuer' };
  }
}

const NOTHING_KNOWN: PassportCircumstances = {
  claims: null,
  key: 'unknown_kid',
  retiredAtMs: null,
  issuedAtMs: null,
};

function claimsOf(token: string): PassportCircumstances['claims'] {
  const jws = parseToken(token, TOKEN_TYPS.passport);
  return jws.ok ? jws.value.claims : null;
}

const wrong = (fault: ProofFault, around: PassportCircumstances): PassportVerification => ({
  code: passportCodeOf(fault, around),
  detail: fault.detail,
  passport: null,
  status: null,
});
