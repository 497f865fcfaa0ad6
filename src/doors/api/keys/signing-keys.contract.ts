import { z } from 'zod';
import {
  OVERLAP_SECONDS_MAX,
  OVERLAP_SECONDS_MIN,
  type SigningKey,
  type SigningPurpose,
  TENANT_PURPOSES,
} from '../../../base/keys/index.js';
import { route } from '../../../base/platform/index.js';
import { formatInstant, invariant } from '../../../core/kernel/index.js';
import { instantOutput, printInstant } from '../wire.js';

const jwk = z.strictObject({
  kty: z.enum(['EC', 'OKP']),
  crv: z.enum(['P-256', 'Ed25519']),
  x: z.string(),
  y: z.string().optional(),
  kid: z.string(),
  alg: z.enum(['ES256', 'EdDSA']),
  use: z.literal('sig'),
});

const signingKeyView = z.strictObject({
  purpose: z.enum(TENANT_PURPOSES),
  state: z.enum(['signing', 'verifying', 'ended']),
  created_at: instantOutput,
  ends_at: instantOutput.nullable(),
  jwk,
});

export const printSigningKey = (key: SigningKey): z.input<typeof signingKeyView> => ({
  purpose: tenantPurposeOf(key.purpose),
  state: key.state,
  created_at: formatInstant(key.createdAtMs),
  ends_at: printInstant(key.endsAtMs),
  jwk: key.jwk,
});

function tenantPurposeOf(purpose: SigningPurpose) {
  const known = TENANT_PURPOSES.find((one) => one === purpose);
  invariant(known !== undefined, 'keys of the authority stand in no arbiter');
  return known;
}

export const readJwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the shop under this host',
  description:
    'A JWK Set (RFC 7517) of the keys that sign and of those within their overlap. The tenant is found by the Host header.',
  tag: 'well-known',
  access: 'public',
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ keys: z.array(jwk) }) },
  problems: ['misdirected_request'],
});

export const listSigningKeys = route({
  method: 'GET',
  path: '/v1/signing-keys',
  summary: 'Signing keys of the tenant, ended ones included',
  tag: 'signing-keys',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ keys: z.array(signingKeyView) }) },
  problems: [],
});

const purposeParams = z.strictObject({ purpose: z.enum(TENANT_PURPOSES) });

export const rotateSigningKey = route({
  method: 'POST',
  path: '/v1/signing-keys/{purpose}/rotate',
  summary: 'Sign with a new key for this purpose',
  description:
    'The new key signs at once. The old one stays published and verifies until its overlap is over, 7 days at least.',
  tag: 'signing-keys',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: purposeParams,
  body: z.strictObject({
    overlap_seconds: z
      .int()
      .min(OVERLAP_SECONDS_MIN)
      .max(OVERLAP_SECONDS_MAX)
      .default(OVERLAP_SECONDS_MIN),
  }),
  success: { status: 201, body: z.strictObject({ kid: z.string() }) },
  problems: ['not_found', 'conflict'],
});

export const retireSigningKey = route({
  method: 'POST',
  path: '/v1/signing-keys/{purpose}/retire',
  summary: 'End a replaced key before its overlap is over',
  description:
    'For a key that somebody else may hold: rotate first, then retire. What it signed verifies nowhere any more. Other ' +
    'processes of the service may sign with it for up to 30 seconds after the rotation.',
  tag: 'signing-keys',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: purposeParams,
  body: z.strictObject({ kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'A kid that is listed.') }),
  success: { status: 200, body: z.strictObject({ kid: z.string() }) },
  problems: ['not_found', 'conflict'],
});
