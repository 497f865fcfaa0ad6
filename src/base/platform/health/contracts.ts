import { z } from 'zod';
import { route } from '../http/contract.js';

const reading = {
  method: 'GET',
  access: 'public',
  idempotency: 'none',
  uncounted: true,
  tag: 'health',
} as const;

export const readLiveness = route({
  ...reading,
  path: '/health/live',
  summary: 'The process runs and answers',
  success: { status: 200, body: z.strictObject({ status: z.literal('live') }) },
  problems: [],
});

export const readReadiness = route({
  ...reading,
  path: '/health/ready',
  summary: 'Whether this process should get requests; each check with its age',
  description:
    'Status 200 when every check but jobs, authority and witness is healthy, else 503 with the same body.',
  success: {
    status: 200,
    body: z.strictObject({
      status: z.enum(['ready', 'not_ready']),
      checks: z.array(
        z.strictObject({
          name: z.string(),
          healthy: z.boolean(),
          detail: z.string().nullable(),
          age_ms: z.int().min(0),
        }),
      ),
    }),
  },
  problems: [],
});
