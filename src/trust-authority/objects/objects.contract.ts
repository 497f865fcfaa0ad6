import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { MANDATE_KINDS, MANDATE_MERCHANTS_MAX } from '../../core/proofs/index.js';
import { ARTIFACT_TYPES } from '../../core/rules/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, instant, money, sha256Hex, slotRef, tenantParams } from '../wire.js';

/** Objects that one request binds at most; a body of 256 KiB holds about as many. */
export const OBJECTS_PER_REQUEST_MAX = 500;
export const ARTIFACTS_PER_REQUEST_MAX = 100;

/** Any text that names a lineage: the service's own word. */
const lineage = z.string().min(1).max(1_024);

const mandate = z
  .strictObject({
    parent_id: chosenId.nullable().default(null),
    mandate_kind: z.enum(MANDATE_KINDS),
    subject_commitment: z.string().min(1).max(256),
    agent_id: z.string().min(1).max(256),
    cart_hash: sha256Hex.nullable().default(null),
    cap: money,
    not_before: instant,
    expires_at: instant,
  })
  .refine(({ not_before, expires_at }) => not_before < expires_at, {
    path: ['expires_at'],
    message: 'A mandate ends after it begins.',
  });

const object = z
  .strictObject({
    kind: z.enum(['artifact', 'mandate', 'consent', 'passport']),
    object_id: chosenId,
    sha256: sha256Hex,
    lineage,
    merchant_ids: z.array(z.string().min(1).max(128)).max(MANDATE_MERCHANTS_MAX),
    slot: slotRef,
    artifact_type: z.enum(ARTIFACT_TYPES).nullable().default(null),
    mandate: mandate.nullable().default(null),
    consent_id: chosenId.nullable().default(null),
  })
  .refine(({ kind, artifact_type: type }) => (kind === 'artifact') === (type !== null), {
    path: ['artifact_type'],
    message: 'An artifact has a type, and nothing else has one.',
  })
  .refine(({ kind, mandate: terms }) => (kind === 'mandate') === (terms !== null), {
    path: ['mandate'],
    message: 'A mandate has terms, and nothing else has them.',
  })
  .refine(({ kind, consent_id: consentId }) => kind === 'passport' || consentId === null, {
    path: ['consent_id'],
    message: 'Only a passport rests on a consent.',
  });
export type ObjectInput = z.output<typeof object>;

const boundView = z.strictObject({ bound: z.int() });

export const bindObjectsRoute = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/objects',
  summary: 'Bind signed objects to their slots, all or none',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({ objects: z.array(object).min(1).max(OBJECTS_PER_REQUEST_MAX) }),
  success: { status: 200, body: boundView },
  problems: ['not_found', 'conflict', 'unverifiable', 'outcome_unknown'],
});

export const acceptArtifacts = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/artifacts',
  summary: 'Bind artifacts by their whole envelopes, which the authority reads itself',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({
    artifacts: z.array(z.record(z.string(), z.unknown())).min(1).max(ARTIFACTS_PER_REQUEST_MAX),
  }),
  success: { status: 200, body: boundView },
  problems: ['not_found', 'conflict', 'unverifiable', 'outcome_unknown'],
});
