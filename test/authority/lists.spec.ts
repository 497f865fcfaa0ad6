import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readStatusListTokenForTests } from './read-list.js';
import type { StatusLists } from '../../src/trust-authority/lists/index.js';
import type { AuthorityTenants } from '../../src/trust-authority/tenants/index.js';
import { STATUS_LISTS, TENANTS } from '../../src/trust-authority/tokens.js';
import { valueOf } from '../support/tenants.js';
import { openDesk } from './desk.js';
import { artifact, bind, claimsOf, headerOf, readList, revoke } from './forest.js';

const desk = await openDesk();
const path = (uri: string) => uri.slice(desk.origin.length);
const get = (uri: string, known?: string) =>
  fetch(
    `${desk.url}${path(uri)}`,
    known === undefined ? {} : { headers: { 'if-none-match': known } },
  );

describe('a signed list', () => {
  it('says what the arbiter asks of it', async () => {
    const tenantId = await desk.tenant('test', '2026-03-01T10:00:00.000Z');
    const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
    const { answer, claims } = await readList(desk, slot.uri);
    expect(headerOf(answer.text)).toMatchObject({ typ: 'statuslist+jwt', alg: 'EdDSA' });
    const iat = Date.parse('2026-03-01T10:00:00Z') / 1000;
    expect(claims).toEqual({
      iss: desk.origin,
      sub: slot.uri,
      iat,
      exp: iat + 3600,
      ttl: 60,
      version: 1,
      status_list: { bits: 2, lst: expect.any(String) },
    });
    expect(readStatusListTokenForTests(answer.text, slot.uri, iat * 1000)).toEqual({
      version: 1,
      places: 131_072,
    });
    expect(answer.headers.get('content-type')).toBe('application/statuslist+jwt');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('answers 304 to who has it, and again whole after a change', async () => {
    const tenantId = await desk.tenant('test', '2026-03-01T10:00:00.000Z');
    const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
    const first = await get(slot.uri);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const unchanged = await get(slot.uri, known);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      expect(unchanged.headers.get('etag')).toBe(etag);
      expect(unchanged.headers.get('cache-control')).toBe('public, max-age=60');
    }
    await revoke(desk, tenantId, { slot });
    const changed = await get(slot.uri, etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(claimsOf(await changed.text())['version']).toBe(2);
  });

  it('is signed again when half a minute of commerce time has gone, without a new version', async () => {
    const tenantId = await desk.tenant('test', '2026-03-01T10:00:00.000Z');
    const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
    const read = async () => {
      const answer = await get(slot.uri);
      const { iat, version } = claimsOf(await answer.text());
      return [iat, version, answer.headers.get('cache-control')];
    };
    const iat = Date.parse('2026-03-01T10:00:00Z') / 1000;
    expect(await read()).toEqual([iat, 1, 'public, max-age=60']);
    const forward = (now: string) => desk.call('POST', `/v1/tenants/${tenantId}/clock`, { now });
    await forward('2026-03-01T10:00:29.000Z');
    expect(await read()).toEqual([iat, 1, 'public, max-age=31']);
    await forward('2026-03-01T10:00:30.000Z');
    expect(await read()).toEqual([iat + 30, 1, 'public, max-age=60']);
  });

  it('shows a change at once to whoever asks another process', async () => {
    const other = await openDesk();
    const tenantId = await desk.tenant();
    const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
    await readList(other, slot.uri);
    await revoke(desk, tenantId, { slot });
    expect((await readList(other, slot.uri)).claims['version']).toBe(2);
  });

  it.each([
    '/status/tnt_nobody/1',
    '/status/tnt_nobody/0',
    '/status/TNT/1',
    '/status/tnt_authority/1',
  ])('%s is none', async (where) => {
    const answer = await desk.call('GET', where, undefined, null);
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toMatch(/problem\+json/);
  });
});

describe('a tenant with many slots', () => {
  it('goes on with the next list when one is half full, and revokes on both', async () => {
    const tenantId = await desk.tenant();
    const served = await desk.app.get<AuthorityTenants>(TENANTS).publicly(tenantId, 'a test');
    if (served === null) throw new Error('the tenant was registered');
    // As many requests of 500 would take a minute; the rest comes over HTTP, across the border.
    const lists = desk.app.get<StatusLists>(STATUS_LISTS);
    const taken = [
      valueOf(await lists.reserve(served, 32_600)),
      valueOf(await lists.reserve(served, 32_600)),
    ].flat();
    const last = await desk.slots(tenantId, 500);
    const all = [
      ...taken.map(
        ({ listNumber, slotIndex }) => `${lists.uriOf(tenantId, listNumber)} ${slotIndex}`,
      ),
      ...last.map(({ uri, idx }) => `${uri} ${idx}`),
    ];
    expect(new Set(all).size).toBe(65_700);
    expect(last.filter(({ uri }) => uri.endsWith('/1'))).toHaveLength(65_536 - 65_200);
    expect(last.filter(({ uri }) => uri.endsWith('/2'))).toHaveLength(164);
    const parent = artifact(last[0] ?? { uri: '', idx: 0 });
    const next = artifact(last.at(-1) ?? { uri: '', idx: 0 });
    expect((await bind(desk, tenantId, [parent, next])).status).toBe(200);
    for (const { slot } of [parent, next]) {
      const done = await revoke(desk, tenantId, { slot });
      expect(done.body.lists).toEqual([{ uri: slot.uri, version: 2 }]);
    }
    expect(await desk.differences(tenantId)).toEqual([]);
  });
});

describe('keys', () => {
  it('publishes a key for every purpose, and passport keys by their own name', async () => {
    const { body, headers } = await desk.call('GET', '/.well-known/jwks.json', undefined, null);
    const purposes = new Set((body.keys as { purpose: string }[]).map(({ purpose }) => purpose));
    expect([...purposes].sort()).toEqual([
      'consent',
      'countersign',
      'credential',
      'passport',
      'revocation',
      'status_list',
      'witness',
    ]);
    const passport = (body.keys as { purpose: string; kid: string }[]).find(
      ({ purpose }) => purpose === 'passport',
    );
    expect(passport?.kid).toMatch(/^commerce-passport-\d{8}-[0-9a-f]{8}$/);
    expect(JSON.stringify(body)).not.toContain('"d"');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const about = await desk.call('GET', '/.well-known/arbiter-authority', undefined, null);
    expect(about.body).toEqual({
      origin: desk.origin,
      jwks_uri: `${desk.origin}/.well-known/jwks.json`,
      embedded: true,
      witness: {
        vkeys: [expect.stringMatching(/^0123456789abcdef\.authority\.internal\/witness\+/)],
        submission_prefix: `${desk.origin}/witness`,
      },
    });
  });

  it('refuses to start as another authority, or with other secrets', async () => {
    await expect(
      openDesk({ AUTHORITY_ORIGIN: 'https://another.authority.internal' }),
    ).rejects.toThrow(/give AUTHORITY_ORIGIN its first value/);
    await expect(
      openDesk({ AUTHORITY_KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }),
    ).rejects.toThrow(/KEY_ENCRYPTION_KEY is not the one/);
    await expect(openDesk({ AUTHORITY_SERVICE_TOKENS: 'arbiter=short' })).rejects.toThrow(
      /AUTHORITY_SERVICE_TOKENS is not usable \(13 characters, not shown\)/,
    );
  });
});
