import { z } from 'zod';
import {
  AUTHORITY_PURPOSES,
  OVERLAP_SECONDS_MAX,
  OVERLAP_SECONDS_MIN,
} from '../../base/keys/index.js';
import { route } from '../../base/platform/index.js';
import { SERVICE } from '../service-principal.js';

const jwk = z.strictObject({
  kty: z.enum(['EC', 'OKP']),
  crv: z.enum(['P-256', 'Ed25519']),
  x: z.string(),
  y: z.string().optional(),
  kid: z.string(),
  alg: z.enum(['ES256', 'EdDSA']),
  use: z.literal('sig'),
  purpose: z.enum(AUTHORITY_PURPOSES),
});

export const readJwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the authority, those within their overlap included',
  tag: 'well-known',
  access: 'public',
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ keys: z.array(jwk) }) },
  problems: [],
});

export const readAuthority = route({
  method: 'GET',
  path: '/.well-known/arbiter-authority',
  summary: 'The permanent name of the authority, and the keys it cosigns logs with',
  tag: 'well-known',
  access: 'public',
  idempotency: 'none',
  success: {
    status: 200,
    body: z.strictObject({
      origin: z.string(),
      jwks_uri: z.string(),
      embedded: z.boolean(),
      witness: z.strictObject({ vkeys: z.array(z.string()), submission_prefix: z.string() }),
    }),
  },
  problems: [],
});

export const rotateKey = route({
  method: 'POST',
  path: '/v1/keys/rotations',
  summary: 'Sign with a new key; the one before verifies for a while',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  body: z.strictObject({
    purpose: z.enum(AUTHORITY_PURPOSES),
    overlap_seconds: z.int().min(OVERLAP_SECONDS_MIN).max(OVERLAP_SECONDS_MAX),
  }),
  success: { status: 200, body: z.strictObject({ kid: z.string() }) },
  problems: ['conflict', 'outcome_unknown'],
});
