import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { KEY_ID_LENGTH_MAX } from '../../../core/proofs/index.js';
import { ARTIFACT_TYPES } from '../../../core/rules/index.js';
import { ISSUER_KEY_ROLES, type IssuerKey } from '../../../trust/peers/index.js';
import { instantInput, instantOutput, printInstant } from '../wire.js';
import { ISSUER_KEY_EXAMPLES } from './examples.js';

/** Longest name of an issuer, in characters: a URL or another URI as tokens spell it in `iss`. */
export const ISSUER_CHARACTERS_MAX = 512;

const readable = /^[^\p{Cc}\p{Cs}\s]+$/u;
const keyParams = z.strictObject({
  issuer_key_id: z.string().regex(/^ikey_[0-9a-f]{32}$/, 'ikey_ and 32 hex digits'),
});

const issuerKeyView = z.strictObject({
  issuer_key_id: z.string(),
  issuer: z.string(),
  kid: z.string(),
  role: z.enum(ISSUER_KEY_ROLES),
  alg: z.enum(['ES256', 'EdDSA']),
  jwk: z.record(z.string(), z.string()),
  thumbprint: z.string(),
  types: z.array(z.enum(ARTIFACT_TYPES)),
  not_before: instantOutput,
  retired_at: instantOutput.nullable(),
  compromised_since: instantOutput.nullable(),
});

export const printIssuerKey = (key: IssuerKey): z.input<typeof issuerKeyView> => ({
  issuer_key_id: key.id,
  issuer: key.issuer,
  kid: key.kid,
  role: key.role,
  alg: key.key.alg,
  jwk: { ...key.key.jwk },
  thumbprint: key.key.thumbprint,
  types: [...key.types],
  not_before: formatInstant(key.notBeforeAtMs),
  retired_at: printInstant(key.retiredAtMs),
  compromised_since: printInstant(key.compromisedSinceAtMs),
});

export const addIssuerKey = route({
  method: 'POST',
  path: '/v1/issuer-keys',
  summary: 'Believe a key of an issuer',
  description:
    'From now on objects signed under this issuer and kid count, for this role alone. The algorithm follows from the key. ' +
    'Keys under which anybody could sign are refused. types limits a fact_issuer to some types of artifacts.',
  tag: 'trust',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({
    issuer: z.string().min(1).max(ISSUER_CHARACTERS_MAX).regex(readable, 'A URI without spaces.'),
    kid: z.string().min(1).max(KEY_ID_LENGTH_MAX).regex(readable, 'Readable text without spaces.'),
    role: z.enum(ISSUER_KEY_ROLES),
    jwk: z
      .record(z.string().max(64), z.unknown())
      .meta({ description: 'A public JWK: EC P-256 or OKP Ed25519.' }),
    types: z.array(z.enum(ARTIFACT_TYPES)).max(ARTIFACT_TYPES.length).default([]),
    not_before: instantInput
      .nullable()
      .default(null)
      .meta({ description: 'Commerce time; null = now.' }),
  }),
  examples: ISSUER_KEY_EXAMPLES,
  success: { status: 201, body: issuerKeyView },
  problems: ['conflict'],
});

export const listIssuerKeys = route({
  method: 'GET',
  path: '/v1/issuer-keys',
  summary: 'Keys of issuers that the tenant believes, by issuer and kid',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ items: z.array(issuerKeyView) }) },
  problems: [],
});

export const retireIssuerKey = route({
  method: 'POST',
  path: '/v1/issuer-keys/{issuer_key_id}/retire',
  summary: 'Retire an issuer key',
  description:
    'What is issued at or after retired_at is refused; what was issued before stays good until its own end.',
  tag: 'trust',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: keyParams,
  body: z.strictObject({ retired_at: instantInput.nullable().default(null) }),
  success: { status: 200, body: issuerKeyView },
  problems: ['not_found', 'conflict'],
});

export const compromiseIssuerKey = route({
  method: 'POST',
  path: '/v1/issuer-keys/{issuer_key_id}/compromise',
  summary: 'Declare an issuer key compromised',
  description:
    'Only objects that were registered here before compromised_since still count, because whoever holds the key also ' +
    'chooses the time it signs. The date only ever moves back.',
  tag: 'trust',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: keyParams,
  body: z.strictObject({ compromised_since: instantInput.nullable().default(null) }),
  success: { status: 200, body: issuerKeyView },
  problems: ['not_found', 'conflict'],
});
