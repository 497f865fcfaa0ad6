import { hash, randomBytes } from 'node:crypto';
import { StatusLists } from '../src/trust/status/index.js';
import { race, repeat, report } from './lib/ratio.js';
import { LIST_URI, PLACES, signedList, sourcesOf, TENANT_ID } from './lib/status-list.js';

// What reading one place of a held list costs, both clocks judged, beside one small hash. The target is a third or more.
const lists = new StatusLists({ ...sourcesOf(signedList().token), random: Math.random });
const question = { tenantId: TENANT_ID, uri: LIST_URI, minVersion: -1, atMs: Date.now() };
const fault = await lists.ensure(question);
if (fault !== null) throw new Error(fault);
const bytes = randomBytes(500);
let index = 0;

report(
  await race({
    name: 'status-consult',
    claim: 'places read from a held list of 1,048,576 / SHA-256 over 500 bytes',
    candidate: repeat(() => {
      index = (index + 7_919) % PLACES;
      const answer = lists.consult(question, index);
      if (!answer.ok) throw new Error(answer.error);
    }),
    baseline: repeat(() => hash('sha256', bytes)),
  }),
);
await lists.stop();
