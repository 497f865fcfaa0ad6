import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { API_KEY_ROLES } from '../../base/tenants/index.js';
import { INVALID_REASONS, SIGNATURE_LIMITS, UNVERIFIED_REASONS } from '../../core/httpsig/index.js';
import { SIGNATURE_PROFILES } from '../../core/kernel/index.js';

export const SIGNATURE_CHECK_PATH = '/v1/signature-check';

const LINES_MAX = 200;
const TEXT_CHARACTERS_MAX = 8_192;
const BODY_CHARACTERS_MAX = 65_536;
const BASE_CHARACTERS_MAX = 32_768;

const describedMessage = z.strictObject({
  method: z.string().min(1).max(32).meta({ example: 'GET' }),
  scheme: z.enum(['https', 'http']).default('https'),
  authority: z.string().min(1).max(TEXT_CHARACTERS_MAX).meta({ example: 'shop.example' }),
  target: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({ description: 'Path and query, as they are sent.', example: '/catalog.json' }),
  headers: z
    .array(z.tuple([z.string().max(256), z.string().max(TEXT_CHARACTERS_MAX)]))
    .max(LINES_MAX)
    .meta({ description: 'Lines in their order, name and value.' }),
  body: z.string().max(BODY_CHARACTERS_MAX).nullable().default(null),
});

const comparison = z.strictObject({
  same: z.boolean(),
  lines: z.array(
    z.strictObject({
      ours: z.string().nullable(),
      expected: z.string().nullable(),
      same: z.boolean(),
    }),
  ),
  first_difference: z
    .strictObject({
      line: z.int(),
      character: z.int(),
      component: z.string().nullable(),
    })
    .nullable(),
  cause: z.string().nullable(),
  advice: z.string().nullable(),
});

export const signatureReason = z.enum([...INVALID_REASONS, ...UNVERIFIED_REASONS]);

export const checkSignature = route({
  method: 'POST',
  path: SIGNATURE_CHECK_PATH,
  summary: 'How a request is signed, as it is judged here, and why',
  description:
    'With an empty object as the body this request itself is judged; with `message` one that is described. `expected_base` is the text ' +
    'that the signer signed: the answer shows where it differs from the one that was verified. No nonce is used up. UCP’s ' +
    `own signatures are judged here too. At most ${SIGNATURE_LIMITS.labels} labels.`,
  tag: 'signatures',
  access: API_KEY_ROLES,
  idempotency: 'none',
  body: z.strictObject({
    message: describedMessage.optional(),
    expected_base: z.string().max(BASE_CHARACTERS_MAX).optional(),
    profiles: z
      .array(z.enum(SIGNATURE_PROFILES))
      .min(1)
      .max(SIGNATURE_PROFILES.length)
      .optional()
      .meta({ description: 'Of a described message; all of them when left out.' }),
  }),
  examples: { 'this request': {} },
  success: {
    status: 200,
    body: z.strictObject({
      status: z.enum(['unsigned', 'verified', 'invalid', 'unverified']),
      reason: signatureReason.nullable(),
      detail: z.string().nullable(),
      advice: z.string().nullable(),
      in_enforce: z.strictObject({
        answered: z.boolean(),
        code: z.string().nullable(),
      }),
      profile: z.enum(SIGNATURE_PROFILES).nullable(),
      label: z.string().nullable(),
      keyid: z.string().nullable(),
      agent: z.string().nullable(),
      agent_form: z.string().nullable(),
      tag: z.string().nullable(),
      coverage: z.enum(['full', 'identity']).nullable(),
      covered: z.array(z.string()),
      accept_signature: z.string(),
      bases: z.array(
        z.strictObject({
          label: z.string().nullable(),
          base: z.string().nullable(),
          fault: signatureReason.nullable(),
          detail: z.string().nullable(),
          comparison: comparison.nullable(),
        }),
      ),
    }),
  },
  problems: [],
});
