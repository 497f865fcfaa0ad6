import { z } from 'zod';
import { REASON_CATALOGUE, type ReasonRule, REASONS, ROLES } from '../../../core/kernel/index.js';
import { route } from '../http/contract.js';
import { DOCS_ASSETS } from './docs-page.js';
import { PROBLEM_CODES } from './problem-pages.js';
import { REASONS_PATH } from './reason-pages.js';

const reading = {
  method: 'GET',
  access: 'public',
  idempotency: 'none',
  tag: 'documentation',
} as const;

export const readOpenApi = route({
  ...reading,
  path: '/openapi.json',
  summary: 'This API as an OpenAPI 3.0.3 document',
  success: { status: 200, body: z.looseObject({ openapi: z.literal('3.0.3') }) },
  problems: [],
});

export const readAccess = route({
  ...reading,
  path: '/v1/access',
  summary: 'Which role may call which route',
  success: {
    status: 200,
    body: z.strictObject({
      roles: z.array(z.enum(ROLES)),
      routes: z.array(
        z.strictObject({
          method: z.string(),
          path: z.string(),
          summary: z.string(),
          access: z.union([z.enum(['public', 'optional']), z.array(z.enum(ROLES))]),
          key_roles: z.array(z.enum(ROLES)).optional(),
          idempotency: z.enum(['none', 'optional', 'required']),
        }),
      ),
    }),
  },
  problems: [],
});

export const readDocs = route({
  ...reading,
  path: '/docs',
  summary: 'This API as a page',
  success: { status: 200, body: null },
  problems: [],
});

export const readDocsAsset = route({
  ...reading,
  path: '/docs/assets/{name}',
  summary: 'A file of the docs page',
  params: z.strictObject({ name: z.enum(DOCS_ASSETS) }),
  success: { status: 200, body: null },
  problems: [],
});

export const readProblemPage = route({
  ...reading,
  path: '/docs/problems/{code}',
  summary: 'What a problem code means and how to fix it, as Markdown',
  params: z.strictObject({ code: z.enum(PROBLEM_CODES) }),
  success: { status: 200, body: null },
  problems: [],
});

const RULES = Object.keys(REASONS) as readonly ReasonRule[];
const CODES = [...new Set(REASON_CATALOGUE.map(({ code }) => code))];

export const readReasonIndex = route({
  ...reading,
  path: REASONS_PATH,
  summary: 'Every reason a refusal can name, in order of precedence, as Markdown',
  success: { status: 200, body: null },
  problems: [],
});

export const readReasonPage = route({
  ...reading,
  path: `${REASONS_PATH}/{rule}/{code}`,
  summary: 'What a reason of a refusal means and what to do about it, as Markdown',
  params: z.strictObject({ rule: z.enum(RULES), code: z.enum(CODES) }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});
