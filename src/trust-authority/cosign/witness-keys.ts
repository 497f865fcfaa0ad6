import type { PublicJwk, SigningKey } from '../../base/keys/index.js';
import { type VerifierKey, vkeyOf } from '../../core/chain/index.js';
import { invariant } from '../../core/kernel/index.js';

/** The name under which an authority cosigns: that of its keys, too. */
export const witnessNameOf = (origin: string): string =>
  `${origin.replace(/^https:\/\//, '')}/witness`;

/** Where the routes of the witness stand below the origin: its submission prefix and its monitoring prefix. */
export const WITNESS_PATH = '/witness';

/** A key of ours as verifiers of cosignatures know it (C2SP type 04). */
export function witnessKeyOf(name: string, jwk: PublicJwk): VerifierKey {
  invariant(jwk.kty === 'OKP', 'the key of the witness is Ed25519');
  return vkeyOf('cosignature', name, Buffer.from(jwk.x, 'base64url'));
}

/** Those that count: the one that signs, then those within their overlap, the newest first. */
export const witnessVkeys = (name: string, keys: readonly SigningKey[]): readonly string[] =>
  keys
    .filter(({ purpose, state }) => purpose === 'witness' && state !== 'ended')
    .sort((left, right) => rank(left) - rank(right) || right.createdAtMs - left.createdAtMs)
    .map(({ jwk }) => witnessKeyOf(name, jwk).text);

const rank = ({ state }: SigningKey): number => (state === 'signing' ? 0 : 1);
