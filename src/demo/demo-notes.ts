import { FROZEN_TENANT_ID, REAL_TIME_TENANT_ID } from './demo-world.js';
import { ABOVE_THE_PASSPORT, ALLOWED_HANDOFF, type Body } from './purchases.js';
import { apiKeysOf } from './seed.js';

const askCurl = (baseUrl: string, body: Body): string =>
  [
    `curl -s ${baseUrl}/v1/decisions \\`,
    `  -H 'authorization: Bearer ${apiKeysOf(FROZEN_TENANT_ID).agent}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');

/** What the operator sees after the start: two requests that can be pasted, now and in a year. */
export const demoNotes = (baseUrl: string): readonly string[] => [
  'Two demo tenants of the test world are ready; their keys are published, so never give them anything of value.',
  '',
  'Allowed: the buyer will pay on the page of the merchant.',
  askCurl(baseUrl, ALLOWED_HANDOFF),
  '',
  'Refused by rule 3 of 8: more than the passport of the buyer covers. A dry run while agent-executed payment is off.',
  askCurl(baseUrl, ABOVE_THE_PASSPORT),
  '',
  `Their administrators: ${apiKeysOf(FROZEN_TENANT_ID).tenant_admin} (demo-frozen)`,
  `                      ${apiKeysOf(REAL_TIME_TENANT_ID).tenant_admin} (demo, on real time)`,
];
