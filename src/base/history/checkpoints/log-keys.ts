import { type VerifierKey, vkeyOf } from '../../../core/chain/index.js';
import {
  invariant,
  ok,
  type Problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { Signer, SigningKey, SigningKeys } from '../../keys/index.js';

const PURPOSE = 'checkpoint';

/** What signs a tenant's checkpoints: its signing key, under the name of its log. */
export interface LogSigner {
  readonly signer: Signer;
  readonly key: VerifierKey;
}

/** The verifier keys of a tenant's log. */
export class LogKeys {
  constructor(private readonly signingKeys: SigningKeys) {}

  /** Problems of SigningKeys.signer. The first use makes the key, which is an entry. */
  async current(tenantId: TenantId, origin: string): Promise<Result<LogSigner, Problem>> {
    const signer = await this.signingKeys.signer(tenantId, PURPOSE);
    if (!signer.ok) return signer;
    const { kid } = signer.value;
    const stored = (await this.#list(tenantId)).find(({ jwk }) => jwk.kid === kid);
    invariant(stored !== undefined, 'a key that signs is listed');
    return ok({ signer: signer.value, key: verifierKey(origin, stored) });
  }

  /** Those whose signatures count now: the one that signs first, then those within their overlap. */
  async accepted(tenantId: TenantId, origin: string): Promise<readonly VerifierKey[]> {
    const keys = (await this.#list(tenantId)).filter(({ state }) => state !== 'ended');
    const signsFirst = keys.toSorted((a, b) => rank(a) - rank(b));
    return signsFirst.map((key) => verifierKey(origin, key));
  }

  async #list(tenantId: TenantId): Promise<readonly SigningKey[]> {
    const keys = await this.signingKeys.list(tenantId);
    return keys.filter(({ purpose }) => purpose === PURPOSE);
  }
}

const rank = ({ state }: SigningKey): number => (state === 'signing' ? 0 : 1);

function verifierKey(origin: string, { jwk }: SigningKey): VerifierKey {
  return vkeyOf('ed25519', origin, Buffer.from(jwk.x, 'base64url'));
}
