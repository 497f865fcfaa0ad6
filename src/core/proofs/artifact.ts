import {
  CANONICAL_DEPTH_MAX,
  type CanonicalValue,
  canonicalize,
  err,
  type InstantMs,
  ok,
  type Result,
} from '../kernel/index.js';
import { ARTIFACT_TYPES, type ArtifactType } from '../rules/index.js';
import { type ArtifactContent, parseArtifactPayload } from './artifact-payload.js';
import { BUYER_AGENT_SCOPED, FORBIDDEN_MEMBERS, WITHOUT_SELLER_AGENT } from './artifact-types.js';
import { fault, type ProofFault } from './fault.js';
import { MemberReader, type StatusRef } from './members.js';

/** The only envelope version there is. */
export const ARTIFACT_SCHEMA_VERSION = 'oacp.internal.v1';
/** Longest canonical envelope, in characters; a catalogue of 2,000 products fits. */
export const ARTIFACT_LENGTH_MAX = 262_144;
/** In `seller_agent_id` and `buyer_agent_id`: made for every agent. */
export const ANY_AGENT = '*';

/** One signed fact of a merchant, read but NOT verified: see {@link parseArtifact}. */
export interface Artifact extends ArtifactContent {
  readonly id: string;
  readonly type: ArtifactType;
  readonly issuer: string;
  readonly issuerKeyId: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Which state of the merchant's own record it was made from; null = its issuer does not say. Part of its lineage. */
  readonly sourceRevision: string | null;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly buyerAgentId: string | null;
  readonly issuedAtMs: InstantMs;
  /** `not_before`, or the time of issue where the envelope has none; never before an offer begins. */
  readonly notBeforeAtMs: InstantMs;
  /** The earliest of `expires_at` and what the payload says of its own end (`price_valid_until`, `offer_valid_until`). */
  readonly expiresAtMs: InstantMs;
  /** Null when the envelope itself says that it is stale or does not know: missing freshness refuses (W17). */
  readonly sourceObservedAtMs: InstantMs | null;
  readonly status: StatusRef;
  readonly statedPayloadHash: string;
  readonly signatureAlg: string;
  /** Detached JWS, or whatever stands in its place. */
  readonly signature: string | null;
  /** The text whose UTF-8 bytes are signed: the canonical envelope without `signature` and `payload`. */
  readonly signedText: string;
  /** The canonical payload; `payload_hash` is the hex SHA-256 of its UTF-8 bytes. */
  readonly payloadText: string;
  /** The whole canonical envelope: what is stored and named by its SHA-256. */
  readonly envelopeText: string;
}

const FRESHNESS_CLASSES = ['fresh', 'acceptable', 'stale', 'unknown'] as const;
const STALE_BEHAVIORS = ['refuse_final_commitment', 'non_binding_only', 'refuse_all'] as const;

const ENVELOPE_MEMBERS: ReadonlySet<string> = new Set([
  'artifact_id',
  'artifact_type',
  'schema_version',
  'issuer',
  'issuer_key_id',
  'subject_type',
  'subject_id',
  'issued_at',
  'expires_at',
  'freshness_class',
  'revocation_status_url',
  'policy_version',
  'evidence_refs',
  'payload_hash',
  'signature_alg',
  'signature',
  'safety',
  'tenant_id',
  'merchant_id',
  'seller_agent_id',
  'buyer_agent_id',
  'not_before',
  'source_observed_at',
  'adapter_version',
  'source_system_refs',
  'source_revision',
  'status',
  'payload',
]);

/**
 * Reads one artifact envelope (facts/arbiter.md 2.7, 2.8; docs/tokens.md says exactly which bytes are signed).
 * `value` is parsed JSON. Faults are `shape`, in this order: no object; not canonical (fractions, deep nesting, lone
 * surrogates, too long); a forbidden name at any depth; members of the envelope, scope members that the type needs
 * and the safety block included; members of the payload.
 * Not checked here: whose scope it is, key, signature, payload hash, times, status.
 */
export function parseArtifact(value: unknown): Result<Artifact, ProofFault> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err(fault('shape', null, 'an artifact is an object'));
  const uncanonical = firstUncanonical(value, '', 0);
  if (uncanonical !== null) return err(uncanonical);
  const envelope = value as Readonly<Record<string, CanonicalValue>>;
  const envelopeText = canonicalize(envelope);
  if (envelopeText.length > ARTIFACT_LENGTH_MAX)
    return err(fault('shape', null, `an artifact has at most ${ARTIFACT_LENGTH_MAX} characters`));
  const read = new MemberReader(envelope);
  const header = readEnvelope(read);
  if (read.fault !== null) return err(read.fault);
  const payload = parseArtifactPayload(header.type, {
    value: envelope['payload'],
    envelopeExpiresAtMs: header.expiresAtMs,
  });
  if (!payload.ok) return payload;
  const { content, beginsAtMs, endsAtMs } = payload.value;
  const { payload: payloadValue = null, signature = null, ...signed } = envelope;
  return ok({
    ...header,
    ...content,
    notBeforeAtMs: Math.max(header.notBeforeAtMs, beginsAtMs ?? header.notBeforeAtMs),
    expiresAtMs: Math.min(header.expiresAtMs, endsAtMs ?? header.expiresAtMs),
    signature: typeof signature === 'string' ? signature : null,
    signedText: canonicalize(signed),
    payloadText: canonicalize(payloadValue),
    envelopeText,
  });
}

function readEnvelope(read: MemberReader) {
  read.only(ENVELOPE_MEMBERS);
  const type = read.oneOf('artifact_type', ARTIFACT_TYPES);
  read.oneOf('schema_version', [ARTIFACT_SCHEMA_VERSION]);
  read.text('policy_version');
  read.texts('evidence_refs');
  readSafety(read);
  const freshness = read.oneOf('freshness_class', FRESHNESS_CLASSES);
  const observedAtMs = read.instant('source_observed_at');
  const status = read.status();
  if (read.text('revocation_status_url') !== status.uri)
    read.fail('revocation_status_url', 'it names the same list as status.status_list.uri');
  const issuedAtMs = read.instant('issued_at');
  const expiresAtMs = read.instant('expires_at');
  if (expiresAtMs <= issuedAtMs) read.fail('expires_at', 'an artifact ends after it was issued');
  if (!WITHOUT_SELLER_AGENT.has(type)) read.text('seller_agent_id');
  return {
    id: read.id('artifact_id'),
    type,
    issuer: read.text('issuer'),
    issuerKeyId: read.text('issuer_key_id'),
    subjectType: read.text('subject_type'),
    subjectId: read.text('subject_id'),
    sourceRevision: read.has('source_revision') ? read.id('source_revision') : null,
    tenantId: read.id('tenant_id'),
    merchantId: read.id('merchant_id'),
    buyerAgentId: BUYER_AGENT_SCOPED.has(type)
      ? read.text('buyer_agent_id')
      : read.optionalText('buyer_agent_id'),
    issuedAtMs,
    notBeforeAtMs: read.optionalInstant('not_before') ?? issuedAtMs,
    expiresAtMs,
    sourceObservedAtMs: freshness === 'fresh' || freshness === 'acceptable' ? observedAtMs : null,
    status,
    statedPayloadHash: read.text('payload_hash'),
    signatureAlg: read.text('signature_alg'),
  };
}

function readSafety(read: MemberReader): void {
  const safety = read.object('safety');
  if (!safety.flag('public_safe'))
    safety.fail('public_safe', 'only facts that are safe to publish are read');
  if (safety.flag('contains_private_data'))
    safety.fail('contains_private_data', 'a fact holds no private data');
  for (const name of ['allowed_agent_uses', 'forbidden_agent_uses']) safety.texts(name);
  for (const name of [
    'commitment_allowed',
    'offline_commitment_allowed',
    'requires_online_confirmation',
    'requires_provider_direct_verification',
    'requires_merchant_system_confirmation',
  ])
    safety.flag(name);
  safety.oneOf('stale_behavior', STALE_BEHAVIORS);
  safety.text('refusal_code_if_invalid');
  read.adopt(safety);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** What `canonicalize` would call a broken invariant is, coming from outside, only a bad artifact. */
function firstUncanonical(value: unknown, path: string, depth: number): ProofFault | null {
  if (typeof value === 'string')
    return LONE_SURROGATE.test(value)
      ? fault('shape', path, 'a text holds a lone surrogate')
      : null;
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? null
      : fault('shape', path, 'numbers are whole and at most 2^53 - 1; amounts are minor units');
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value !== 'object') return fault('shape', path, 'this is no JSON value');
  if (depth >= CANONICAL_DEPTH_MAX) return fault('shape', path, 'it nests too deep');
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (FORBIDDEN_MEMBERS.has(name.toLowerCase()) && !Array.isArray(value))
      return fault('shape', innerPath, 'this name may stand nowhere inside an artifact');
    if (LONE_SURROGATE.test(name)) return fault('shape', path, 'a name holds a lone surrogate');
    const found = firstUncanonical(inner, innerPath, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
