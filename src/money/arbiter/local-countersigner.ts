import { canonicalize, type TenantId } from '../../core/kernel/index.js';
import {
  COUNTERSIGNATURE_TYP,
  parsePublicJwk,
  type VerificationKey,
} from '../../core/proofs/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import type { Countersigner, CountersignOutcome, CountersignRequest } from './countersigner.js';

/** The issuer that the local signer names; its keys are trusted without registration, and only while it is switched on. */
export const LOCAL_COUNTERSIGNER = 'urn:arbiter:local-countersigner';

/**
 * Signs with a key of the tenant's own in place of the authority, with the authority's interface. One party then both
 * decides and confirms: it shows that the way works, and protects nobody.
 */
export class LocalCountersigner implements Countersigner {
  readonly isOn = true;

  constructor(
    private readonly parts: {
      readonly signingKeys: Pick<SigningKeys, 'signJws' | 'list'>;
      readonly signsForLive: boolean;
    },
  ) {}

  async countersign(
    requests: readonly CountersignRequest[],
    deadline: AbortSignal,
  ): Promise<readonly CountersignOutcome[]> {
    return Promise.all(requests.map((request) => this.#sign(request, deadline)));
  }

  /** The tenant's key of this kid, while it signs or its overlap lasts; null = there is none. */
  async keyOf(tenantId: TenantId, kid: string): Promise<VerificationKey | null> {
    const keys = await this.parts.signingKeys.list(tenantId);
    const key = keys.find(
      ({ jwk, purpose, state }) =>
        jwk.kid === kid && purpose === 'countersign' && state !== 'ended',
    );
    if (key === undefined) return null;
    const parsed = parsePublicJwk(key.jwk);
    return parsed.ok ? parsed.value : null;
  }

  async #sign(request: CountersignRequest, deadline: AbortSignal): Promise<CountersignOutcome> {
    if (request.world !== 'test' && !this.parts.signsForLive)
      return { kind: 'refused', detail: 'the local countersigner does not sign for live tenants' };
    if (deadline.aborted) return { kind: 'unavailable', detail: 'the time was over' };
    const signed = await this.parts.signingKeys.signJws(request.tenantId, 'countersign', {
      header: { typ: COUNTERSIGNATURE_TYP },
      payload: Buffer.from(canonicalize(claimsOf(request)), 'utf8'),
    });
    return signed.ok
      ? { kind: 'signed', jws: signed.value }
      : { kind: 'unavailable', detail: signed.error.detail };
  }
}

const seconds = (atMs: number): number => Math.floor(atMs / 1_000);

const claimsOf = (request: CountersignRequest) => ({
  iss: LOCAL_COUNTERSIGNER,
  aud: request.tenantId,
  jti: `csig_${request.decisionId.replace('arbdec_', '')}`,
  iat: seconds(request.decidedAtMs),
  exp: seconds(request.expiresAtMs),
  decision_id: request.decisionId,
  flow: request.flow,
  ...(request.cartHash === null ? {} : { cart_hash: request.cartHash }),
  ...(request.orderId === null ? {} : { order_id: request.orderId }),
  amount_minor: request.amountMinor.toString(),
  currency: request.currency,
});
