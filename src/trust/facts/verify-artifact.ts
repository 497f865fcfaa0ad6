import { createHash } from 'node:crypto';
import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import {
  ANY_AGENT,
  type Artifact,
  fault,
  parseDetachedJws,
  type ProofFault,
  type VerificationKey,
} from '../../core/proofs/index.js';
import type { ArtifactVerdict } from '../../core/rules/index.js';
import { type IssuerKey, keyStateFault, type SignatureChecker } from '../peers/index.js';

/** The first failing check and what rule 5 calls it. */
export interface ArtifactFinding {
  readonly verdict: Exclude<ArtifactVerdict, 'valid'>;
  readonly fault: ProofFault;
}

export interface ArtifactScope {
  readonly tenantId: TenantId;
  /** Null at registration: the artifact says itself for which merchant and agent it is. */
  readonly purchase: { readonly merchantId: string; readonly agentId: string | null } | null;
}

export interface ArtifactTrust {
  /** The key that the envelope names, as the tenant believes it; undefined = it does not. */
  readonly issuerKey: IssuerKey | undefined;
  /** When exactly these bytes were registered here; null = they come with the request. */
  readonly knownSinceMs: InstantMs | null;
  readonly atMs: InstantMs;
}

/** What of an artifact scope and trust are judged by. */
type TrustTerms = Pick<
  Artifact,
  'tenantId' | 'merchantId' | 'buyerAgentId' | 'type' | 'issuedAtMs'
>;

const found = (
  verdict: ArtifactFinding['verdict'],
  ...parts: Parameters<typeof fault>
): ArtifactFinding => ({ verdict, fault: fault(...parts) });

/**
 * Verifies one artifact of good shape; null = it is what it says. Findings, in order (decisions 3.1): scope, issuer key
 * (unknown, other role, other type), key state, algorithm, signature form, signature, payload hash.
 * Not judged here: times, freshness, status, price and stock (rule 5 does, at the instant of the decision).
 */
export async function verifyArtifact(
  artifact: Artifact,
  {
    scope,
    trust,
    checker,
  }: { scope: ArtifactScope; trust: ArtifactTrust; checker: SignatureChecker },
): Promise<ArtifactFinding | null> {
  const { issuerKey } = trust;
  const untrusted = trustFinding(artifact, { scope, trust });
  if (untrusted !== null || issuerKey === undefined) return untrusted;
  const { tenantId } = scope;
  return bytesFinding(artifact, { tenantId, key: issuerKey.key, checker });
}

/** The part of {@link verifyArtifact} that may change: scope, and what the tenant believes of the issuer's key now. */
export const trustFinding = (
  artifact: TrustTerms,
  { scope, trust }: { readonly scope: ArtifactScope; readonly trust: ArtifactTrust },
): ArtifactFinding | null => scopeFinding(artifact, scope) ?? issuerFinding(artifact, trust);

/** The part of {@link verifyArtifact} that bytes and key decide for ever: algorithm, signature, payload hash. */
export async function bytesFinding(
  artifact: Artifact,
  {
    tenantId,
    key,
    checker,
  }: Pick<ArtifactScope, 'tenantId'> & {
    readonly key: VerificationKey;
    readonly checker: SignatureChecker;
  },
): Promise<ArtifactFinding | null> {
  const otherAlgorithm = found(
    'signature_algorithm_unsupported',
    'algorithm',
    'signature_alg',
    `this key signs with ${key.alg}`,
  );
  if (artifact.signatureAlg !== key.alg) return otherAlgorithm;
  if (artifact.signature === null)
    return found('signature_missing_or_placeholder', 'signature', 'signature', 'there is none');
  const jws = parseDetachedJws(artifact.signature, artifact.signedText);
  if (!jws.ok) return { verdict: formVerdict(jws.error), fault: jws.error };
  const { header, signingInput, signature } = jws.value;
  if (header.alg !== key.alg) return otherAlgorithm;
  if (header.kid !== null && header.kid !== artifact.issuerKeyId)
    return found(
      'detached_jws_verification_failed',
      'signature',
      'signature',
      'its header names another key than issuer_key_id',
    );
  if (!(await checker.isValid({ tenantId, key, signingInput, signature })))
    return found(
      'detached_jws_verification_failed',
      'signature',
      'signature',
      'the signature is not of this key over these bytes',
    );
  return payloadFinding(artifact);
}

function scopeFinding(
  artifact: TrustTerms,
  { tenantId, purchase }: ArtifactScope,
): ArtifactFinding | null {
  const outside = (member: string, detail: string) =>
    found('artifact_scope_mismatch', 'scope', member, detail);
  if (artifact.tenantId !== tenantId) return outside('tenant_id', 'it is of another tenant');
  if (purchase === null) return null;
  if (artifact.merchantId !== purchase.merchantId)
    return outside('merchant_id', 'it is of another merchant');
  const { buyerAgentId } = artifact;
  const isForAgent =
    buyerAgentId === null || buyerAgentId === ANY_AGENT || buyerAgentId === purchase.agentId;
  return isForAgent ? null : outside('buyer_agent_id', 'it was made for another agent');
}

function issuerFinding(
  artifact: TrustTerms,
  { issuerKey, knownSinceMs, atMs }: ArtifactTrust,
): ArtifactFinding | null {
  const untrusted = (detail: string) =>
    found('issuer_key_untrusted', 'issuer_key', 'issuer_key_id', detail);
  if (issuerKey === undefined) return untrusted('the tenant has no such issuer key');
  if (issuerKey.role !== 'fact_issuer') return untrusted(`the key has the role ${issuerKey.role}`);
  if (issuerKey.types.length > 0 && !issuerKey.types.includes(artifact.type))
    return untrusted(`the key does not vouch for ${artifact.type}`);
  const { issuedAtMs } = artifact;
  const state = keyStateFault(issuerKey, { issuedAtMs, knownSinceMs, atMs });
  return state === null ? null : { verdict: 'issuer_key_inactive', fault: state };
}

const formVerdict = ({ check }: ProofFault): ArtifactFinding['verdict'] => {
  if (check === 'signature') return 'signature_missing_or_placeholder';
  return check === 'algorithm'
    ? 'signature_algorithm_unsupported'
    : 'detached_jws_verification_failed';
};

function payloadFinding({ payloadText, statedPayloadHash }: Artifact): ArtifactFinding | null {
  const hash = createHash('sha256').update(payloadText, 'utf8').digest('hex');
  return hash === statedPayloadHash
    ? null
    : found(
        'payload_hash_mismatch',
        'payload_hash',
        'payload_hash',
        'it is not the hash of this payload',
      );
}
