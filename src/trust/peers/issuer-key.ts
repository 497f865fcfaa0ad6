import { invariant } from '../../core/kernel/index.js';
import {
  fault,
  type IssuerKeyState,
  keyStateFor,
  parsePublicJwk,
  type ProofFault,
  type VerificationKey,
} from '../../core/proofs/index.js';
import { ARTIFACT_TYPES, type ArtifactType } from '../../core/rules/index.js';
import { ISSUER_KEY_ROLES, type IssuerKeyRole, type IssuerKeyRow } from './issuer-keys.ledger.js';

/** An issuer's key as a tenant believes it. */
export interface IssuerKey extends IssuerKeyState {
  readonly id: string;
  readonly issuer: string;
  readonly kid: string;
  readonly role: IssuerKeyRole;
  readonly key: VerificationKey;
  readonly types: readonly ArtifactType[];
}

/** Reads a stored row. The key was checked when it was imported and is checked again: a row is not trusted blindly. */
export function issuerKeyOf(row: IssuerKeyRow): IssuerKey {
  const role = ISSUER_KEY_ROLES.find((one) => one === row.role);
  invariant(role !== undefined, 'an issuer key has a role of the closed list');
  const key = parsePublicJwk(row.jwk);
  invariant(key.ok && key.value.alg === row.alg, 'a stored issuer key is a usable public key');
  invariant(Array.isArray(row.types), 'an issuer key lists its types');
  const { issuerKeyId: id, issuer, kid, notBeforeAtMs, retiredAtMs, compromisedSinceAtMs } = row;
  const types = ARTIFACT_TYPES.filter((type) => (row.types as readonly unknown[]).includes(type));
  return {
    id,
    issuer,
    kid,
    role,
    key: key.value,
    types,
    notBeforeAtMs,
    retiredAtMs,
    compromisedSinceAtMs,
  };
}

const WHY_NOT = {
  not_yet: 'the key was not in force yet',
  retired: 'the key was retired before this was issued',
  compromised: 'the key is compromised and this was not registered here before',
} as const;

/** The key's state for one object at one instant as a finding, or null when it counts: see {@link keyStateFor}. */
export function keyStateFault(
  key: IssuerKeyState,
  times: Parameters<typeof keyStateFor>[1],
): ProofFault | null {
  const state = keyStateFor(key, times);
  return state === 'usable' ? null : fault('issuer_key_state', 'kid', WHY_NOT[state]);
}
