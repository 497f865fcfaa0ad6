import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { cellsOutsideLock } from '../../src/base/ledger/index.js';
import { LedgerSettings } from '../../src/base/tenants/index.js';
import { createOutboundClient } from '../../src/base/platform/index.js';
import { AuthorityClient, ClockForwarding } from '../../src/trust/authority/index.js';
import { IssuerKeys, SignatureChecker } from '../../src/trust/peers/index.js';
import { authorityPort, type KnownAuthority, testAuthority } from '../support/authority.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';

const house = testHouse();
const { database, writer } = house;
const issuerKeys = new IssuerKeys({ database, writer });

it('registers a tenant and its keys once, however often it is asked', async () => {
  const port = authorityPort(house);
  const tenant = await createTestTenant(house);
  const all = await Promise.all([1, 2, 3].map(() => port.ensureTenant(tenant.tenantId)));
  expect(all.map(valueOf)).toEqual([null, null, null]);
  valueOf(await authorityPort(house).ensureTenant(tenant.tenantId));
  const keys = await issuerKeys.list(tenant.tenantId);
  expect(keys.map(({ role }) => role).sort()).toEqual([
    'consent',
    'countersign',
    'credential_issuer',
    'passport',
    'revocation',
    'status_list',
  ]);
  expect(new Set(keys.map(({ issuer }) => issuer))).toEqual(new Set([TEST_AUTHORITY_ORIGIN]));
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM entries WHERE tenant_id = $1 AND body::json->>'type' = 'issuer_key.added'`,
    [tenant.tenantId],
  );
  expect(Number(rows[0]?.count)).toBe(6);
});

it('reserves places on lists of the tenant', async () => {
  const port = authorityPort(house);
  const { tenantId } = await createTestTenant(house);
  const slots = [
    ...valueOf(await port.reserveSlots(tenantId, 3)),
    ...valueOf(await port.reserveSlots(tenantId, 500)),
  ];
  expect(new Set(slots.map(({ uri, index }) => `${uri} ${index}`)).size).toBe(503);
  for (const { uri } of slots) expect(uri).toMatch(`${TEST_AUTHORITY_ORIGIN}/status/${tenantId}/`);
});

it('a tenant that nobody has here is registered nowhere', async () => {
  const nobody = `tnt_${randomUUID().replaceAll('-', '')}` as const;
  expect(problemOf(await authorityPort(house).reserveSlots(nobody, 1)).code).toBe('not_found');
});

it('an embedded authority gets no live tenant unless that is said', async () => {
  const { address } = testAuthority();
  const embedded = { address: { ...address, isEmbedded: true }, settings: {} };
  const port = (servesLive: boolean) =>
    new AuthorityClient({
      address: embedded.address,
      outbound: createOutboundClient({
        ...{ allowLoopbackPeers: false, nowMs: Date.now, mapped: address },
      }),
      ...{ database, issuerKeys, servesLive },
      checker: new SignatureChecker(),
      nowMs: Date.now,
    });
  const { tenantId } = await createTestTenant(house, { world: 'live' });
  const refused = problemOf(await port(false).reserveSlots(tenantId, 1));
  expect(refused).toMatchObject({
    code: 'forbidden',
    fix: expect.stringContaining('UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS'),
  });
  expect(valueOf(await port(true).reserveSlots(tenantId, 1))).toHaveLength(1);
});

it.each<[string, Partial<KnownAuthority['address']>, string]>([
  ['nobody listens', { transportOrigin: () => 'http://127.0.0.1:9' }, 'connect_failed'],
  ['it is being started', { transportOrigin: () => null }, 'connect_failed'],
  ['our token is unknown', { serviceToken: 'x'.repeat(40) }, 'service token'],
])('unavailable: %s', async (_name, change, detail) => {
  const known = testAuthority();
  const port = authorityPort(house, { ...known, address: { ...known.address, ...change } });
  const { tenantId } = await createTestTenant(house);
  expect(problemOf(await port.reserveSlots(tenantId, 1))).toMatchObject({
    code: 'unavailable',
    detail: expect.stringContaining(detail),
    retryAfterSeconds: expect.any(Number),
  });
});

it('another authority at that address is not believed', async () => {
  const known = testAuthority();
  const url = known.address.transportOrigin();
  const other = {
    ...known.address,
    origin: 'https://ffffffffffffffff.authority.internal',
    transportOrigin: () => url,
  };
  const port = authorityPort(house, { ...known, address: other });
  const { tenantId } = await createTestTenant(house);
  expect(problemOf(await port.reserveSlots(tenantId, 1)).detail).toContain('another authority');
  expect(await issuerKeys.list(tenantId)).toEqual([]);
});

it('tells the authority of a clock that was moved, and of no other', async () => {
  const { tenantId, ...tenant } = await createTestTenant(house);
  const port = authorityPort(house);
  const told: number[] = [];
  const forwarding = new ClockForwarding({
    database,
    authority: {
      forwardClock: (one, nowMs) => {
        if (one === tenantId) told.push(nowMs);
        return port.forwardClock(one, nowMs);
      },
    },
  });
  const sweep = () => forwarding.sweepDue({ tenantId, limit: 100 });
  const settings = new LedgerSettings({
    ...{ database, writer },
    outsideLock: (id, reads) => cellsOutsideLock(database, id, reads),
  });
  const moveClock = async (atMs: number) =>
    valueOf(await settings.moveClock({ ...tenant.context(), tenantId }, atMs));
  const later = Date.now() + 3_600_000;
  await moveClock(later);
  await sweep();
  // The authority does not know the tenant yet; it will be told the time with its name.
  expect(told).toEqual([]);
  valueOf(await port.ensureTenant(tenantId));
  await sweep();
  expect(told).toEqual([]);
  await moveClock(later + 1);
  await Promise.all([sweep(), sweep()]);
  await sweep();
  expect(new Set(told)).toEqual(new Set([later + 1]));
});
