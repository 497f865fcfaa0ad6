import { inflateSync } from 'node:zlib';
import { jwtVerify } from 'jose';
import { bringList } from '../src/trust/status/bring-list.js';
import { closedLoop, race, report } from './lib/ratio.js';
import { LIST_URI, listKey, signedList, sourcesOf, TENANT_ID } from './lib/status-list.js';

// What a fetched list of a million places costs until it may be held (form, key, signature, claims, inflating, digest,
// order) beside jose's jwtVerify and a bare inflateSync of the same bytes. The target is a third or more.
const { token, lst } = signedList();
const sources = sourcesOf(token);
const errand = { tenantId: TENANT_ID, uri: LIST_URI, nowMs: Date.now(), held: null };

report(
  await race({
    name: 'status-verify',
    claim: `lists of 1,048,576 places verified and held / jwtVerify and inflateSync of the same ${token.length} characters`,
    candidate: closedLoop(1, async () => {
      const list = await bringList(sources, errand);
      if (!list.ok) throw new Error(list.error);
    }),
    baseline: closedLoop(1, async () => {
      await jwtVerify(token, listKey, { typ: 'statuslist+jwt' });
      inflateSync(Buffer.from(lst, 'base64url'));
    }),
  }),
);
