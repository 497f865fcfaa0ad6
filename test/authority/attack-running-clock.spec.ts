import { expect, it } from 'vitest';
import { openDesk } from './desk.js';

const desk = await openDesk();

it('a clock that was stopped a moment before the authority heard of it stands there too', async () => {
  const tenantId = await desk.tenant();
  const stop = (now: number) =>
    desk.call('POST', `/v1/tenants/${tenantId}/clock`, { now: new Date(now).toISOString() });
  const askedMs = Date.now() - 5;
  const stopped = await stop(askedMs);
  expect(stopped.status).toBe(200);
  const standsMs = Date.parse(String(stopped.body.now));
  expect(standsMs).toBeGreaterThan(askedMs);
  // Real time goes on.
  while (Date.now() <= standsMs + 20) await stop(askedMs);
  expect((await stop(askedMs)).body).toEqual(stopped.body);
  const [slot] = await desk.slots(tenantId, 1);
  const path = String(slot?.uri).slice(desk.origin.length);
  const list = await desk.call('GET', path, undefined, null);
  const claims = JSON.parse(Buffer.from(list.text.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.iat).toBe(Math.floor(standsMs / 1_000));
  expect(await desk.differences(tenantId)).toEqual([]);
});
