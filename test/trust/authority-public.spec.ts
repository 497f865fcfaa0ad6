import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import {
  compactVerify,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { AUTHORITY, type AuthorityPort, PublicAuthority } from '../../src/trust/authority/index.js';
import { PASSED_AT_ONCE_MAX } from '../../src/trust/authority/public-authority.js';
import { answered } from '../arbiter/money-books.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { cosignedAt, keyOf, send, testLog } from '../authority/test-log.js';
import { type AlteredAuthority, alteredAuthority } from '../support/altered-authority.js';
import { authorityOutbound, testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { valueOf } from '../support/tenants.js';

/** What the authority tells everybody, read through the arbiter's port by somebody who has no key and knows nobody. */

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const at = (path: string, init?: RequestInit, from = shop): Promise<Response> =>
  fetch(`${from.service.baseUrl}/authority${path}`, init);

const direct = (path: string): Promise<Response> =>
  fetch(`${testAuthority().address.transportOrigin()}${path}`);

async function problemOf(answer: Response) {
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  return { status: answer.status, ...((await answer.json()) as { code: string; field: string }) };
}

const keySet = async () =>
  createLocalJWKSet((await (await at('/.well-known/jwks.json')).json()) as JSONWebKeySet);

/** The path of the list below its origin. */
async function listPath(): Promise<string> {
  const asked = { as: 'tenant_admin', body: { count: 1 } } as const;
  const made = await shop.call('POST', '/v1/status-slots', asked);
  const [{ uri }] = answered<{ slots: [{ uri: string }] }>(made, 201).slots;
  return new URL(uri).pathname;
}

describe('a stranger', () => {
  it('reads the name and the keys, as the authority says them', async () => {
    for (const path of ['/.well-known/arbiter-authority', '/.well-known/jwks.json']) {
      const [through, own] = await Promise.all([at(path), direct(path)]);
      expect(through.status).toBe(200);
      expect(through.headers.get('content-type')).toContain('application/json');
      expect(await through.text()).toBe(await own.text());
    }
    const keys = await at('/.well-known/jwks.json');
    expect(keys.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('finds what was revoked on a list, and its record, both signed', async () => {
    const { origin } = testAuthority().address;
    const target = { artifact_type: 'price', merchant_id: SHOP, variant_id: PRODUCTS[1].variantId };
    const made = await shop.call('POST', '/v1/revocations', {
      ...{ as: 'tenant_admin', body: { ...target, reason_code: 'other' } },
    });
    const revoked = answered<{
      revocation_id: string;
      record_url: string;
      uri: string;
      idx: number;
    }>(made, 200);
    const { revocation_id: id, record_url: recordUrl, uri, idx } = revoked;

    const list = await at(new URL(uri).pathname);
    expect(list.status).toBe(200);
    expect(list.headers.get('content-type')).toBe('application/statuslist+jwt');
    expect(list.headers.get('cache-control')).toMatch(/^public, max-age=\d{1,2}$/);
    expect(list.headers.get('access-control-allow-origin')).toBe('*');
    const { payload } = await jwtVerify(await list.text(), await keySet(), {
      ...{ issuer: origin, subject: uri, typ: 'statuslist+jwt', algorithms: ['EdDSA'] },
      currentDate: new Date(FROZEN_AT_MS),
    });
    const { lst } = payload['status_list'] as { lst: string };
    const places = inflateSync(Buffer.from(lst, 'base64url'));
    expect(((places[idx >> 2] ?? 0) >> (2 * (idx & 3))) & 3).toBe(1);

    const path = `/revocations/${shop.tenantId}/${id}`;
    expect(recordUrl).toBe(`/authority${path}`);
    const record = await at(path);
    expect(record.headers.get('content-type')).toBe('application/jwt');
    expect(record.headers.get('cache-control')).toContain('immutable');
    const jws = await record.text();
    expect(jws).toBe(await (await direct(path)).text());
    const { payload: claims } = await compactVerify(jws, await keySet());
    expect(JSON.parse(Buffer.from(claims).toString('utf8'))).toMatchObject({
      ...{ iss: origin, jti: id, tenant_id: shop.tenantId, uri, idx, status: 'revoked' },
    });
  });

  it('finds the newest checkpoint of a log that was cosigned', async () => {
    const log = testLog();
    const port = shop.service.app.get<AuthorityPort>(AUTHORITY, { strict: false });
    valueOf(
      await port.registerLog(shop.tenantId, { origin: log.origin, vkeys: [log.key.vkey.text] }),
    );
    const path = `/witness/${log.originSha256}/checkpoint`;
    expect(await problemOf(await at(path))).toMatchObject({ status: 404, code: 'not_found' });
    const url = testAuthority().address.transportOrigin() ?? '';
    expect((await send({ url }, log.request(0, 3))).status).toBe(200);
    const note = await at(path);
    expect(note.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(note.headers.get('access-control-allow-origin')).toBe('*');
    const [text = '', lines = ''] = (await note.text()).split('\n\n');
    const { vkeys } = valueOf(await port.witness());
    const [own, cosignature = ''] = lines.split('\n');
    expect([`${text}\n`, own]).toEqual([log.text(3), log.key.line(log.text(3))]);
    cosignedAt(log.text(3), `${cosignature}\n`, vkeys.map(keyOf));
    expect(await problemOf(await at('/witness/x/checkpoint'))).toMatchObject({ status: 400 });
  });

  it('does not read again what it has', async () => {
    const path = await listPath();
    const first = await at(path);
    const etag = first.headers.get('etag') ?? '';
    const again = await at(path, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect(await again.text()).toBe('');
    for (const odd of ['"other"', '"ü"', `"${'x'.repeat(2_000)}"`]) {
      const whole = await at(path, { headers: { 'if-none-match': odd } });
      expect(whole.status).toBe(200);
    }
  });

  it('is told what does not exist', async () => {
    const { tenantId } = shop;
    for (const path of [
      `/status/${tenantId}/999`,
      `/status/tnt_nobody/1`,
      `/revocations/${tenantId}/rev_none`,
    ])
      expect(await problemOf(await at(path))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    ['/status/tnt_a%2F..%2F..%2Fv1/1', '{tenant_id}'],
    ['/status/tnt_a%3Fx=1/1', '{tenant_id}'],
    ['/status/%2e%2e/1', '{tenant_id}'],
    ['/status/tnt_a/1%2F..%2F..', '{number}'],
    ['/status/tnt_a/0', '{number}'],
    ['/revocations/tnt_a/rev_a%23b', '{revocation_id}'],
    ['/revocations/tnt_a/rev_%0d%0ax', '{revocation_id}'],
  ])('cannot lead elsewhere: %s', async (path, field) => {
    // WHY: fetch would resolve dots in a path itself, but not encoded slashes.
    const answer = await problemOf(await at(path));
    expect([400, 404]).toContain(answer.status);
    if (answer.status === 400) expect(answer.field).toBe(field);
  });
});

describe('a buyer', () => {
  const { subject, scopes } = { subject: 'buyer@example.org', scopes: ['commerce:catalog.read'] };

  async function consented(consentId: string) {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const authority = shop.service.app.get<AuthorityPort>(AUTHORITY, { strict: false });
    const { tenantId } = shop;
    valueOf(
      await authority.issueConsent(tenantId, {
        ...{ consentId, subject, scopes, merchantId: SHOP, agentId: 'agt_1', state: 'granted' },
        expiresAtMs: FROZEN_AT_MS + 86_400_000,
        buyerJwk: { ...(await exportJWK(publicKey)) },
      }),
    );
    const proof = await new SignJWT({ consent_id: consentId, tenant_id: tenantId })
      .setProtectedHeader({ alg: 'ES256', typ: 'consent-withdrawal+jwt' })
      .setIssuer(subject)
      .setAudience(authority.origin)
      .setJti(`proof-of-${consentId}`)
      .setIssuedAt()
      .sign(privateKey);
    return { path: `/consents/${tenantId}/${encodeURIComponent(consentId)}/withdrawals`, proof };
  }

  const post = (path: string, body: unknown) =>
    at(path, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    });

  it.each(['cns_plain', 'cns:odd/../a@b+c', 'c//d/.'])('takes back %s', async (consentId) => {
    const { path, proof } = await consented(consentId);
    const answer = await post(path, { proof });
    const body = (await answer.json()) as { revocations: [string] };
    expect(answer.status).toBe(200);
    const { payload } = await compactVerify(body.revocations[0], await keySet());
    expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toMatchObject({
      ...{ subject_kind: 'consent', subject_id: consentId, revoked_by: 'buyer' },
    });
    // Bytes for bytes, and harmless to repeat.
    expect(await (await post(path, { proof })).json()).toEqual(body);
  });

  it('is refused in the words of the authority', async () => {
    const { path, proof } = await consented('cns_kept');
    const other = await consented('cns_other');
    expect(await problemOf(await post(path, { proof: other.proof }))).toMatchObject({
      ...{ status: 422, code: 'unverifiable', field: '/proof' },
    });
    expect(await problemOf(await post(path, { proof: 1 }))).toMatchObject({ status: 400 });
    expect(await problemOf(await post(path, { proof, more: 1 }))).toMatchObject({ status: 400 });
    const unknown = path.replace('cns_kept', 'cns_unknown');
    expect(await problemOf(await post(unknown, { proof }))).toMatchObject({ status: 404 });
  });
});

describe('an authority that is not well', () => {
  let between: AlteredAuthority;
  let ill: Shop;
  beforeAll(async () => {
    between = await alteredAuthority();
    ill = await openShop(await startTestService({ ...between.settings }));
  });

  it.each<[string, AlteredAuthority['alter']]>([
    ['is away', () => null],
    ['breaks', (_path, answer) => ({ ...answer, status: 500 })],
    ['answers with a page', (_path, answer) => ({ ...answer, contentType: 'text/html' })],
    ['has nothing new for who had nothing', (_path, answer) => ({ ...answer, status: 304 })],
    ['answers 4xx without a problem', (_path, answer) => ({ ...answer, status: 404, body: 'no' })],
  ])('%s: 503', async (_what, alter) => {
    between.alter = alter;
    for (const path of ['/.well-known/jwks.json', `/status/${ill.tenantId}/1`])
      expect(await problemOf(await at(path, {}, ill))).toMatchObject({
        ...{ status: 503, code: 'unavailable' },
      });
  });
});

it(`is asked by ${PASSED_AT_ONCE_MAX} strangers at once at most`, async () => {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    held.push(response);
    if (held.length === PASSED_AT_ONCE_MAX) server.emit('full');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeAfterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = { ...testAuthority().address, transportOrigin: () => url };
  const authority = new PublicAuthority({ address, outbound: authorityOutbound({ address }) });
  const ask = () => authority.ask({ path: ['a'], mediaType: 'application/jwt' });
  const full = once(server, 'full');
  const under = Array.from({ length: PASSED_AT_ONCE_MAX }, ask);
  await full;
  expect(await ask()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  for (const response of held.splice(0))
    response.writeHead(200, { 'content-type': 'application/jwt' }).end('x');
  expect((await Promise.all(under)).every(({ ok }) => ok)).toBe(true);
  const next = ask();
  while (held.length === 0) await turn();
  held[0]?.writeHead(200, { 'content-type': 'application/jwt' }).end('x');
  expect(await next).toMatchObject({ ok: true });
});
