import { route } from '../http/contract.js';

export const readMetrics = route({
  method: 'GET',
  path: '/metrics',
  summary: 'Counters of this process, in the text form of Prometheus',
  description:
    'Of this process alone, since it started. Labels are from closed lists: no tenant, no URL, no key.',
  tag: 'metrics',
  access: ['platform_admin'],
  idempotency: 'none',
  success: { status: 200, body: null, mediaType: 'text/plain' },
  problems: [],
});
