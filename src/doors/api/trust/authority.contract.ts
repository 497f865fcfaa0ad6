import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import { TOKEN_LENGTH_MAX } from '../../../core/proofs/index.js';
import { chosenId } from '../wire.js';

/** What the trust authority tells everybody, read through this service; docs/authority.md. */
const read = { method: 'GET', tag: 'trust', access: 'public', idempotency: 'none' } as const;

const tenantId = z
  .string()
  .regex(/^tnt_[0-9a-z]{1,64}$/, 'tnt_ and lower-case letters or digits')
  .meta({ description: 'As it stands in the uri of a list.' });

export const readAuthorityJwks = route({
  ...read,
  path: '/authority/.well-known/jwks.json',
  summary: 'Public keys of the trust authority',
  success: {
    status: 200,
    body: z.object({
      keys: z.array(z.object({ kty: z.string(), kid: z.string(), purpose: z.string() }).loose()),
    }),
  },
  problems: [],
});

export const readAuthorityName = route({
  ...read,
  path: '/authority/.well-known/arbiter-authority',
  summary: 'The permanent name of the trust authority',
  success: {
    status: 200,
    body: z.object({
      origin: z.string(),
      jwks_uri: z.string(),
      embedded: z.boolean(),
      witness: z
        .object({ vkeys: z.array(z.string()), submission_prefix: z.string() })
        .optional()
        .meta({ description: 'Under which keys it cosigns logs (C2SP tlog-witness).' }),
    }),
  },
  problems: [],
});

export const readAuthorityList = route({
  ...read,
  path: '/authority/status/{tenant_id}/{number}',
  summary: 'A signed status list of the trust authority',
  description:
    'application/statuslist+jwt, the bytes of the authority. The list with the uri <origin>/status/<tenant_id>/<number>; its sub says so.',
  params: z.strictObject({
    tenant_id: tenantId,
    number: z.string().regex(/^[1-9]\d{0,8}$/, 'A number from 1.'),
  }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});

export const readAuthorityRecord = route({
  ...read,
  path: '/authority/revocations/{tenant_id}/{revocation_id}',
  summary: 'The signed record of one change of a status',
  description: 'application/jwt, the bytes of the authority.',
  params: z.strictObject({
    tenant_id: tenantId,
    revocation_id: z
      .string()
      .regex(/^rev_[0-9a-z]{1,64}$/, 'rev_ and lower-case letters or digits'),
  }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});

export const readAuthorityCheckpoint = route({
  ...read,
  path: '/authority/witness/{origin_sha256}/checkpoint',
  summary: 'The newest checkpoint of a log that the trust authority cosigned',
  description:
    'text/plain, the bytes of the authority: a signed note (C2SP tlog-checkpoint), cosigned as of now. origin_sha256 is the SHA-256 ' +
    'of the first line of the checkpoints of the log.',
  params: z.strictObject({
    origin_sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits.'),
  }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});

/** Path of {@link readAuthorityRecord} for one record. */
export const recordPath = (tenantId: TenantId, revocationId: string): string =>
  `/authority/revocations/${tenantId}/${revocationId}`;

export const withdrawAuthorityConsent = route({
  ...read,
  method: 'POST',
  path: '/authority/consents/{tenant_id}/{consent_id}/withdrawals',
  summary: 'Take a consent back at the trust authority, with a proof of the buyer',
  description:
    'proof is a compact JWS of typ consent-withdrawal+jwt, signed with the key that the consent was registered with: claims iss ' +
    '(the name of the buyer as it stands in the consent), aud (the origin of the authority), jti, iat (within 300 s of now), ' +
    'consent_id, tenant_id. Whoever has the proof may send it.',
  params: z.strictObject({ tenant_id: tenantId, consent_id: chosenId }),
  body: z.strictObject({ proof: z.string().min(1).max(TOKEN_LENGTH_MAX) }),
  success: {
    status: 200,
    body: z.object({
      revocations: z.array(z.string()),
      lists: z.array(z.object({ uri: z.string(), version: z.int() })),
    }),
  },
  problems: ['not_found', 'unverifiable'],
});
