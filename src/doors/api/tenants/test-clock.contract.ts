import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { TestClock } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantInput, instantOutput } from '../wire.js';

const clockView = z.strictObject({
  now: instantOutput,
  frozen: z.boolean().meta({ description: 'False until the clock was moved for the first time.' }),
});

export const printClock = ({ nowMs, frozen }: TestClock): z.input<typeof clockView> => ({
  now: formatInstant(nowMs),
  frozen,
});

export const readTestClock = route({
  method: 'GET',
  path: '/v1/test-clock',
  summary: 'Commerce time of a test tenant',
  tag: 'test-clock',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: clockView },
  problems: ['not_found'],
});

export const moveTestClock = route({
  method: 'PUT',
  path: '/v1/test-clock',
  summary: 'Move the clock of a test tenant forward',
  description:
    'Commerce time only: rules, expiries, daily totals. It stands still at the given instant. Request signatures, API keys ' +
    'and rate limits stay on real time.',
  tag: 'test-clock',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ now: instantInput }),
  success: { status: 200, body: clockView },
  problems: ['not_found'],
});
