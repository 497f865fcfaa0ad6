import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import {
  type Ap2Object,
  fault,
  parsePublicJwk,
  type ProofFault,
  type RegistrationClaims,
  type UncheckedJws,
  type VerificationKey,
} from '../../core/proofs/index.js';
import type { SigningKey } from '../../base/keys/index.js';
import {
  type IssuerKey,
  issuerKeyIdOf,
  type IssuerKeyRole,
  type SignatureChecker,
} from '../peers/index.js';
import { originOf } from '../status/index.js';
import { audienceFault, issuerFault, signatureFault, type TokenTrust } from './verify-token.js';

/** Whom the tenant believes about AP2, as looked up for one request. */
export interface Ap2Keys {
  readonly byId: ReadonlyMap<string, IssuerKey>;
  /** Of roots that name no issuer: every key of this kid, of whatever issuer. */
  readonly byKid: ReadonlyMap<string, readonly IssuerKey[]>;
  /** The tenant's own `ucp` keys by kid: what signs its checkouts. */
  readonly merchant: ReadonlyMap<string, VerificationKey>;
}

export interface Ap2Trust {
  readonly tenantId: TenantId;
  readonly keys: Ap2Keys;
  readonly checker: SignatureChecker;
  /** When exactly this object was registered here; null = it comes with the request. */
  readonly knownSinceMs: InstantMs | null;
  readonly atMs: InstantMs;
}

/** Who may sign what a purchase begins with (facts/protocols.md 4.4): agent providers sign mandates, issuers credentials too. */
const MANDATE_ROOT_ROLES: readonly IssuerKeyRole[] = ['agent_provider', 'credential_issuer'];
const CREDENTIAL_ROOT_ROLES: readonly IssuerKeyRole[] = ['credential_issuer'];

/** The key a root names: by issuer and kid, or by kid alone where exactly one issuer of these roles has it. */
export function rootKeyOf({ proof }: Ap2Object, keys: Ap2Keys): IssuerKey | undefined {
  const { issuer, kid, isCredential } = proof.root;
  const roles = isCredential ? CREDENTIAL_ROOT_ROLES : MANDATE_ROOT_ROLES;
  const named = issuer === null ? undefined : keys.byId.get(issuerKeyIdOf(issuer, kid));
  const candidates = issuer === null ? (keys.byKid.get(kid) ?? []) : named ? [named] : [];
  const [key, another] = candidates.filter(({ role }) => roles.includes(role));
  return another === undefined ? key : undefined;
}

/**
 * Verifies one AP2 object; null = everybody who had to sign it did. Faults, in order: those of `issuerFault` for the
 * root, signature of each key-bound token under the key before it, issuer_key and signature of the merchant's own part
 * (the tenant's `ucp` key), binding (an audience that is not us).
 * Not judged: times, status, constraints, nonce. We hand out none here: a closed checkout names the signature of our own
 * key over it, which nobody can foretell, and every closed mandate is used once.
 */
export async function ap2Fault(object: Ap2Object, trust: Ap2Trust): Promise<ProofFault | null> {
  const { proof } = object;
  const { tenantId, atMs } = trust;
  const issuerKey = rootKeyOf(object, trust.keys);
  const root = await issuerFault(
    {
      jws: proof.root.jws,
      // A root that says no time of issue is as old as a token made now: an ended key does not vouch for it.
      claims: { issuedAtMs: proof.root.issuedAtMs ?? atMs },
      role: issuerKey?.role ?? 'agent_provider',
    },
    tokenTrust(trust, issuerKey),
  );
  if (root !== null) return root;
  for (const { jws, key } of proof.links) {
    const link = await signatureFault(jws, key, trust);
    if (link !== null) return { ...link, member: 'key_binding' };
  }
  for (const jws of proof.merchantJws) {
    const merchant = await merchantFault(jws, trust);
    if (merchant !== null) return merchant;
  }
  for (const { audiences } of proof.bindings) {
    const audience = audienceFault({ audiences, tenantId }, tenantId);
    if (audience !== null) return audience;
  }
  return null;
}

const tokenTrust = (trust: Ap2Trust, issuerKey: IssuerKey | undefined): TokenTrust => ({
  ...trust,
  issuerKey,
});

async function merchantFault(jws: UncheckedJws, trust: Ap2Trust): Promise<ProofFault | null> {
  const key = trust.keys.merchant.get(jws.header.kid ?? '');
  if (key === undefined)
    return fault('signature', 'checkout_jwt', 'it was not signed with a key of this merchant');
  const found = await signatureFault(jws, key, trust);
  return found && { ...found, member: 'checkout_jwt' };
}

/**
 * Verifies the authority's registration of an object. Faults, in order: those of `issuerFault` (role credential_issuer),
 * binding (for another tenant), payload_hash (it registers something else), status (a list of somebody else), binding (it names another buyer than the
 * object does).
 */
export async function registrationFault(
  registration: RegistrationClaims,
  object: Ap2Object,
  trust: Ap2Trust,
): Promise<ProofFault | null> {
  const { issuer, kid, jws } = registration;
  const issuerKey = trust.keys.byId.get(issuerKeyIdOf(issuer, kid));
  const found = await issuerFault(
    { jws, claims: registration, role: 'credential_issuer' },
    tokenTrust(trust, issuerKey),
  );
  if (found !== null) return found;
  const audience = audienceFault(registration, trust.tenantId);
  if (audience !== null) return audience;
  if (!object.registrable.includes(registration.sha256))
    return fault('payload_hash', 'registration.sha256', 'it registers another object');
  // INVARIANT: who keeps the list says whose the place is; nobody else registers an object on it.
  if (originOf(registration.status.uri) !== issuer)
    return fault('status', 'registration.status', 'its list is not kept by its issuer');
  const { subject } = object;
  return subject !== null && registration.subject !== null && subject !== registration.subject
    ? fault('binding', 'registration.sub', 'the object is of another buyer')
    : null;
}

/** The tenant's own keys for checkouts that have not ended, by kid. */
export function merchantKeysOf(keys: readonly SigningKey[]): ReadonlyMap<string, VerificationKey> {
  const usable = keys.filter(({ purpose, state }) => purpose === 'ucp' && state !== 'ended');
  return new Map(
    usable.flatMap(({ jwk }): [string, VerificationKey][] => {
      const key = parsePublicJwk(jwk);
      return key.ok ? [[jwk.kid, key.value]] : [];
    }),
  );
}
