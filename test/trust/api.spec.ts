import { beforeAll, describe, expect, it } from 'vitest';
import {
  mandateToken,
  makeKey,
  type Scene,
  signedEnvelope,
  type SigningPair,
} from '../support/issuer.js';
import { startTestService, type TestService } from '../support/service.js';

type Json = Readonly<Record<string, unknown>>;

let service: TestService;
let adminKey: string;
let scene: Scene;
const keys: Record<'facts' | 'mandates', SigningPair> = {
  facts: makeKey('ES256'),
  mandates: makeKey('EdDSA'),
};

async function call(
  name: string,
  body?: object,
  key = adminKey,
): Promise<{ status: number; body: Json }> {
  const [method = 'GET', url = '/'] = name.split(' ');
  const response = await service.app.inject({
    method: method as 'GET' | 'POST',
    url,
    ...(body === undefined ? {} : { payload: body }),
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: response.statusCode, body: JSON.parse(response.body) as Json };
}

const slot = async () => {
  const { body } = await call('POST /v1/status-slots', { count: 1 });
  const [{ uri, idx }] = body['slots'] as [{ uri: string; idx: number }];
  return { uri, index: idx };
};

beforeAll(async () => {
  service = await startTestService();
  const created = await call(
    'POST /v1/tenants',
    { world: 'test', name: 'Acme' },
    service.platformAdminKey,
  );
  const made = created.body as { tenant: Json; admin_api_key: Json };
  adminKey = String(made.admin_api_key['api_key']);
  scene = {
    tenantId: String(made.tenant['tenant_id']),
    merchantId: 'shop-1',
    agentId: 'agt_1',
    buyer: 'buyer@example.org',
    issuer: 'https://issuer.example',
    atMs: Math.floor(Date.now() / 1_000) * 1_000,
  };
  const { issuer } = scene;
  for (const [role, { kid, jwk }] of [
    ['fact_issuer', keys.facts],
    ['credential_issuer', keys.mandates],
  ] as const) {
    const added = await call('POST /v1/issuer-keys', {
      issuer,
      kid,
      role,
      jwk,
      not_before: '2020-01-01T00:00:00Z',
    });
    expect(added.status).toBe(201);
  }
});

describe('the trust routes', () => {
  it('register a mandate, show it, and revoke it', async () => {
    const token = mandateToken({ key: keys.mandates, scene, slot: await slot() });
    const registered = await call('POST /v1/mandates', { token });
    expect(registered).toMatchObject({
      status: 201,
      body: { kind: 'intent', status: { verdict: 'valid' } },
    });
    const id = String(registered.body['mandate_id']);
    const revoked = await call('POST /v1/revocations', {
      subject_id: id,
      reason_code: 'consent_withdrawn',
    });
    expect(revoked).toMatchObject({
      status: 200,
      body: { status: 'revoked', subject_id: id, cascaded_subject_ids: [] },
    });
    expect(await call(`GET /v1/mandates/${id}`)).toMatchObject({
      status: 200,
      body: { status: { verdict: 'revoked' } },
    });
    const again = await call('POST /v1/revocations', { subject_id: id, reason_code: 'other' });
    expect(again).toEqual(revoked);
  });

  it('register an artifact, list and show it', async () => {
    const artifact = signedEnvelope({ key: keys.facts, scene, slot: await slot() });
    const registered = await call('POST /v1/artifacts', { artifact });
    expect(registered).toMatchObject({
      status: 201,
      body: { artifact_type: 'price', variant_id: 'tea-100g' },
    });
    const id = String(registered.body['artifact_id']);
    expect(await call(`GET /v1/artifacts/${id}`)).toMatchObject({
      status: 200,
      body: { artifact, status: { verdict: 'valid' } },
    });
    const listed = await call('GET /v1/artifacts?merchant_id=shop-1&artifact_type=price&limit=1');
    expect(listed).toMatchObject({ status: 200, body: { items: [{ artifact_id: id }] } });
    const rest = await call(
      `GET /v1/artifacts?limit=1&cursor=${String(listed.body['next_cursor'])}`,
    );
    expect(rest.body).toEqual({ items: [], next_cursor: null });
  });

  it('name the first failing check and the field', async () => {
    const wrong = signedEnvelope({
      key: { ...makeKey('ES256'), kid: keys.facts.kid },
      scene,
      slot: await slot(),
    });
    const refused = await call('POST /v1/artifacts', { artifact: wrong });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('/artifact/signature');
    expect((await call('POST /v1/consents', { token: 'a.b.c' })).status).toBe(422);
    expect((await call('POST /v1/passports', { token: 'x'.repeat(30_000) })).status).toBe(422);
    expect((await call('POST /v1/passports', { token: '' })).status).toBe(400);
    expect((await call('POST /v1/artifacts', { artifact: [] })).status).toBe(400);
  });

  it('refuse half a target', async () => {
    for (const target of [{}, { uri: 'urn:x' }, { subject_id: 'a', idx: 1 }])
      expect((await call('POST /v1/revocations', { ...target, reason_code: 'other' })).status).toBe(
        400,
      );
    expect(
      (await call('POST /v1/revocations', { subject_id: 'mnd_none', reason_code: 'other' })).status,
    ).toBe(404);
    const far = { uri: 'urn:x', idx: 2 ** 31 - 1, reason_code: 'other' };
    expect((await call('POST /v1/revocations', far)).status).toBe(409);
  });

  it('change issuer keys', async () => {
    const { kid, jwk } = makeKey('EdDSA');
    const added = await call('POST /v1/issuer-keys', {
      issuer: scene.issuer,
      kid,
      role: 'passport',
      jwk,
    });
    const id = String(added.body['issuer_key_id']);
    expect(await call(`POST /v1/issuer-keys/${id}/retire`, {})).toMatchObject({
      status: 200,
      body: { kid },
    });
    expect((await call(`POST /v1/issuer-keys/${id}/retire`, {})).status).toBe(409);
    const since = { compromised_since: '2026-01-01T00:00:00Z' };
    expect(await call(`POST /v1/issuer-keys/${id}/compromise`, since)).toMatchObject({
      status: 200,
      body: { compromised_since: '2026-01-01T00:00:00.000Z' },
    });
    const listed = await call('GET /v1/issuer-keys');
    // Beside them stand the keys of the trust authority.
    const items = listed.body['items'] as readonly { issuer: string }[];
    expect(items.filter(({ issuer }) => issuer === scene.issuer)).toHaveLength(3);
  });

  it('are not for keys without the role', async () => {
    const made = await call('POST /v1/api-keys', { name: 'reader', role: 'auditor' });
    const auditor = String(made.body['api_key']);
    expect((await call('GET /v1/issuer-keys', undefined, auditor)).status).toBe(200);
    expect((await call('POST /v1/status-slots', { count: 1 }, auditor)).status).toBe(403);
    expect(
      (await call('POST /v1/revocations', { subject_id: 'a', reason_code: 'other' }, auditor))
        .status,
    ).toBe(403);
  });
});
