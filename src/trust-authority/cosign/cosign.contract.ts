import { z } from 'zod';
import {
  checkpointText,
  EMPTY_ROOT,
  parseCheckpoint,
  parseVkey,
  type VerifierKey,
} from '../../core/chain/index.js';
import { route } from '../../base/platform/index.js';
import { SERVICE } from '../service-principal.js';
import { sha256Hex, tenantParams } from '../wire.js';
import { WITNESS_PATH } from './witness-keys.js';

/** Keys of one log that count at once: the one that signs and those it replaced lately. */
export const LOG_VKEYS_MAX = 16;
export const ORIGIN_LENGTH_MAX = 255;
const VKEY_LENGTH_MAX = 512;

const isOrigin = (origin: string): boolean =>
  parseCheckpoint(checkpointText({ origin, size: 0n, root: EMPTY_ROOT, extensions: [] })).ok;

const logVkey = z
  .string()
  .max(VKEY_LENGTH_MAX)
  .transform((text, context): VerifierKey => {
    const key = parseVkey(text);
    if (key.ok && key.value.kind === 'ed25519') return key.value;
    const message = key.ok ? 'A log signs with a key of type 01 (Ed25519).' : `${key.error}.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const isEachOnce = (keys: readonly VerifierKey[]): boolean =>
  new Set(keys.map(({ name, keyId }) => `${name} ${keyId}`)).size === keys.length;

export const registerLog = route({
  method: 'PUT',
  path: '/v1/tenants/{tenant_id}/log',
  summary: 'Have the log of a tenant witnessed',
  description:
    'origin is the first line of its checkpoints and never changes. An origin belongs to one tenant: one that ends in "/" and a tenant id to that tenant, any other to who comes first. vkeys are all keys that count from now on (C2SP signed-note, type 01).',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({
    origin: z
      .string()
      .min(1)
      .max(ORIGIN_LENGTH_MAX)
      .refine(isOrigin, 'One line without control characters.'),
    vkeys: z
      .array(logVkey)
      .min(1)
      .max(LOG_VKEYS_MAX)
      .refine(isEachOnce, 'Keys of one name and key id cannot be told apart: send each once.'),
  }),
  success: {
    status: 200,
    body: z.strictObject({ origin: z.string(), vkeys: z.array(z.string()) }),
  },
  problems: ['not_found', 'conflict', 'outcome_unknown'],
});

export const addCheckpoint = route({
  method: 'POST',
  path: `${WITNESS_PATH}/add-checkpoint`,
  summary: 'Have a checkpoint cosigned (C2SP tlog-witness v1.0.0)',
  description:
    'The body is text/plain: "old", a space and the size that the witness holds, the hashes of a consistency proof, an empty line, the signed note. ' +
    'Answered with the cosignature line. 409 as text/x.tlog.size says which size is held here: prove from that one.',
  tag: 'witness',
  access: 'public',
  idempotency: 'none',
  lines: true,
  body: z.string(),
  success: { status: 200, body: null },
  problems: ['not_found', 'forbidden', 'unverifiable', 'outcome_unknown'],
});

export const readCosigned = route({
  method: 'GET',
  path: `${WITNESS_PATH}/{origin_sha256}/checkpoint`,
  summary: 'The newest checkpoint of a log that was cosigned, cosigned as of now',
  description: 'origin_sha256 is the SHA-256 of the origin without line feed. Answered as text.',
  tag: 'witness',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({ origin_sha256: sha256Hex }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});
