import { beforeAll, describe, expect, it } from 'vitest';
import { freshId, makeKey, type SigningPair } from '../support/issuer.js';
import {
  evidenceToken,
  mandateStateToken,
  noticeToken,
  type ProviderScene,
  providerScene,
  secondsOf,
} from '../support/rail-reports.js';
import { startTestService, type TestService } from '../support/service.js';
import { testHouse } from '../support/tenants.js';

type Json = Readonly<Record<string, unknown>>;
type Answer = { status: number; body: Json };

const KINDS = {
  'afa-evidence': evidenceToken,
  'pre-debit-notices': noticeToken,
  'payment-mandates': mandateStateToken,
} as const;
type Door = keyof typeof KINDS;
const DOORS = Object.keys(KINDS) as Door[];

const house = testHouse();
let service: TestService;
let other: TestService;
let scene: ProviderScene;
let adminKey: string;
const keys: Record<'psp' | 'merchant_system' | 'agent' | 'auditor' | 'bound', string> = {
  psp: '',
  merchant_system: '',
  agent: '',
  auditor: '',
  bound: '',
};
const wallet = makeKey('ES256');

async function call(
  name: string,
  { body, apiKey = adminKey, at = service }: { body?: object; apiKey?: string; at?: TestService },
): Promise<Answer> {
  const [method = 'GET', url = '/'] = name.split(' ');
  const response = await at.app.inject({
    method: method as 'GET' | 'POST',
    url,
    ...(body === undefined ? {} : { payload: body }),
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { status: response.statusCode, body: JSON.parse(response.body) as Json };
}

const report = (door: Door, token: unknown, options: { apiKey?: string; at?: TestService } = {}) =>
  call(`POST /v1/${door}`, { body: { token }, apiKey: keys.psp, ...options });

const addKey = async ({ kid, jwk }: SigningPair, role: string, issuer = scene.issuer) => {
  const body = { issuer, kid, role, jwk, not_before: '2020-01-01T00:00:00Z' };
  const added = await call('POST /v1/issuer-keys', { body });
  expect(added.status).toBe(201);
  return String(added.body['issuer_key_id']);
};

const entries = async (type: string): Promise<readonly string[]> => {
  const { rows } = await house.database.query<{ body: string }>(
    'SELECT body FROM entries WHERE tenant_id = $1 AND type = $2 ORDER BY seq',
    [scene.tenantId, type],
  );
  return rows.map(({ body }) => body);
};
const entryCount = async (): Promise<number> => {
  const { rows } = await house.database.query<{ count: string }>(
    'SELECT count(*) FROM entries WHERE tenant_id = $1',
    [scene.tenantId],
  );
  return Number(rows[0]?.count);
};

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService();
  const created = await call('POST /v1/tenants', {
    body: { world: 'test', name: 'Acme' },
    apiKey: service.platformAdminKey,
  });
  const made = created.body as { tenant: Json; admin_api_key: Json };
  adminKey = String(made.admin_api_key['api_key']);
  scene = providerScene({
    tenantId: String(made.tenant['tenant_id']),
    merchantId: 'shop-1',
    mandateRef: 'mnd_1',
    atMs: Math.floor(Date.now() / 1_000) * 1_000,
  });
  await addKey(scene.key, 'psp_evidence');
  await addKey(wallet, 'credential_issuer');
  const agent = await call('POST /v1/agents', { body: { name: 'agent' } });
  for (const merchantId of ['shop-1', 'shop-2'])
    await call('POST /v1/merchants', {
      body: { merchant_id: merchantId, name: 'A shop', country: 'IN' },
    });
  const keyOf = async (body: object) => {
    const answer = await call('POST /v1/api-keys', { body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return String(answer.body['api_key']);
  };
  for (const role of ['psp', 'merchant_system', 'auditor'] as const)
    keys[role] = await keyOf({ name: role, role });
  keys.agent = await keyOf({ name: 'agent', role: 'agent', agent_id: agent.body['agent_id'] });
  keys.bound = await keyOf({ name: 'bound', role: 'psp', merchant_ids: ['shop-2'] });
});

/** About a mandate of its own: no test meets another's versions. */
const tokenFor = (door: Door, claims: Json = {}, header: Json = {}, signer = scene): string =>
  KINDS[door](signer, {
    claims: { mandate_ref: freshId('mnd'), ...claims },
    header: header as never,
  });

describe.each(DOORS)('POST /v1/%s', (door) => {
  it('registers a report once, by its very bytes', async () => {
    const token = tokenFor(door);
    const first = await report(door, token);
    expect(first).toMatchObject({
      status: 201,
      body: { merchant_id: 'shop-1', issuer: scene.issuer, kid: scene.key.kid },
    });
    const before = await entryCount();
    expect(await report(door, token)).toEqual(first);
    expect(await report(door, token, { apiKey: keys.merchant_system, at: other })).toEqual(first);
    expect(await entryCount()).toBe(before);
  });

  it('refuses other bytes under the same id', async () => {
    const jti = freshId('rep');
    expect((await report(door, tokenFor(door, { jti }))).status).toBe(201);
    const again = await report(
      door,
      tokenFor(door, { jti, version: door === 'afa-evidence' ? undefined : 2 }),
    );
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(JSON.stringify(again.body)).toContain(jti);
  });

  it('registers once, whoever sends it at the same time through whichever process', async () => {
    const token = tokenFor(door, { payer_ref: freshId('payer') });
    const before = await entryCount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        report(door, token, { at: index % 2 === 0 ? service : other }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await entryCount()).toBe(before + 1);
  });

  it('is for providers, merchant systems and tenant administrators', async () => {
    for (const apiKey of [keys.psp, keys.merchant_system, adminKey])
      expect((await report(door, tokenFor(door), { apiKey })).status).toBe(201);
    for (const apiKey of [keys.agent, keys.auditor])
      expect((await report(door, tokenFor(door), { apiKey })).status).toBe(403);
  });

  it('lets a key speak of its own merchants only', async () => {
    const apiKey = keys.bound;
    expect((await report(door, tokenFor(door), { apiKey })).status).toBe(404);
    const own = tokenFor(door, { merchant_id: 'shop-2' });
    expect((await report(door, own, { apiKey })).status).toBe(201);
  });

  const now = secondsOf(Date.now());
  const stranger = (): ProviderScene => ({
    ...scene,
    key: { ...makeKey('ES256'), kid: scene.key.kid },
  });
  it.each<[string, () => string, string]>([
    ['garbage', () => 'x.y.z', 'shape'],
    ['another typ', () => tokenFor(door, {}, { typ: 'mandate+jwt' }), 'shape'],
    ['alg none', () => tokenFor(door, {}, { alg: 'none' }), 'algorithm'],
    ['HMAC', () => tokenFor(door, {}, { alg: 'HS256' }), 'algorithm'],
    ['jku', () => tokenFor(door, {}, { jku: 'https://evil.example' }), 'shape'],
    ['x5u', () => tokenFor(door, {}, { x5u: 'https://evil.example' }), 'shape'],
    ['a key of its own', () => tokenFor(door, {}, { jwk: scene.key.jwk }), 'shape'],
    ['no kid', () => tokenFor(door, {}, { kid: undefined }), 'shape'],
    ['an unknown claim', () => tokenFor(door, { max_amount: 1 }), 'shape'],
    ['a missing claim', () => tokenFor(door, { merchant_id: undefined }), 'shape'],
    ['NUL', () => tokenFor(door, { payer_ref: 'a\0b' }), 'shape'],
    ['an unknown kid', () => tokenFor(door, {}, { kid: 'unknown' }), 'issuer_key'],
    ['another issuer', () => tokenFor(door, { iss: 'https://evil.example' }), 'issuer_key'],
    [
      'a key of another role',
      () => tokenFor(door, {}, {}, { ...scene, key: wallet }),
      'issuer_key',
    ],
    ['another algorithm than the key has', () => tokenFor(door, {}, { alg: 'EdDSA' }), 'algorithm'],
    ['a wrong key', () => tokenFor(door, {}, {}, stranger()), 'signature'],
    ['another audience', () => tokenFor(door, { aud: 'somebody-else' }), 'binding'],
    ['another tenant', () => tokenFor(door, { tenant_id: 'tnt_other' }), 'binding'],
    [
      'an issue before the key',
      () => tokenFor(door, { iat: 1_000, exp: door === 'afa-evidence' ? 2_000 : undefined }),
      'issuer_key_state',
    ],
    [
      'an issue ahead',
      () =>
        tokenFor(door, {
          iat: now + 3_600,
          exp: door === 'afa-evidence' ? now + 7_200 : undefined,
        }),
      'not_before',
    ],
  ])('refuses %s', async (_name, token, check) => {
    const before = await entryCount();
    const answer = await report(door, token());
    expect(answer).toMatchObject({ status: 422, body: { code: 'unverifiable' } });
    expect(answer.body['detail']).toContain(`The check ${check} failed`);
    expect(await entryCount()).toBe(before);
  });

  it('refuses a token of another door', async () => {
    for (const kind of DOORS.filter((one) => one !== door))
      expect((await report(door, tokenFor(kind))).status).toBe(422);
  });

  it('names the first fault only, in the order of the checks', async () => {
    const all = {
      claims: {
        aud: 'x',
        tenant_id: 'tnt_other',
        iat: 1_000,
        exp: door === 'afa-evidence' ? 2_000 : undefined,
      },
    };
    const checkOf = async (token: string) =>
      /The check (\w+) failed/.exec(String((await report(door, token)).body['detail']))?.[1];
    const wrong = stranger();
    expect(
      await checkOf(tokenFor(door, { ...all.claims, extra: 1 }, { kid: 'unknown' }, wrong)),
    ).toBe('shape');
    expect(await checkOf(tokenFor(door, all.claims, { kid: 'unknown' }, wrong))).toBe('issuer_key');
    expect(await checkOf(tokenFor(door, all.claims, { alg: 'EdDSA' }, wrong))).toBe('algorithm');
    expect(await checkOf(tokenFor(door, all.claims, {}, wrong))).toBe('signature');
    expect(await checkOf(tokenFor(door, all.claims))).toBe('binding');
    const { iat, exp } = all.claims;
    expect(await checkOf(tokenFor(door, { iat, exp }))).toBe('issuer_key_state');
  });

  it.each<[string, unknown]>([
    ['no token', undefined],
    ['an empty one', ''],
    ['null', null],
    ['a number', 7],
    ['a list', []],
    ['an object', { token: 'x' }],
  ])('answers %s as bad input', async (_name, token) => {
    expect((await report(door, token)).status).toBe(400);
  });

  it('answers a token that is too long, or whose members are of every other kind, as unverifiable', async () => {
    expect((await report(door, 'x'.repeat(30_000))).status).toBe(422);
    const members = JSON.parse(
      Buffer.from(tokenFor(door).split('.')[1] ?? '', 'base64url').toString(),
    ) as Json;
    for (const member of Object.keys(members))
      for (const value of [{}, [], [[{}]], -1, 2 ** 52, true, '', 'x'.repeat(3_000)]) {
        const { status } = await report(door, tokenFor(door, { [member]: value }));
        expect([201, 422], `${member} ${JSON.stringify(value).slice(0, 20)}`).toContain(status);
      }
  });

  it('keeps what the provider calls payer, device and authentication out of the ledger', async () => {
    const secrets = ['payer', 'device', 'rrn'].map((word) => freshId(`secret-${word}`));
    const [payer, device, rrn] = secrets;
    const claims =
      door === 'afa-evidence'
        ? { payer_ref: payer, device_ref: device, provider_ref: rrn }
        : door === 'payment-mandates'
          ? { payer_ref: payer, registration_afa_ref: rrn }
          : { payer_ref: payer, payee_name: device, reason: rrn };
    const answer = await report(door, tokenFor(door, claims));
    expect(answer.body['payer_commitment']).toMatch(/^[0-9a-f]{64}$/);
    const { rows } = await house.database.query<{ body: string }>(
      'SELECT body FROM entries WHERE tenant_id = $1',
      [scene.tenantId],
    );
    for (const secret of secrets)
      expect(rows.some(({ body }) => body.includes(secret))).toBe(false);
    const { rows: held } = await house.database.query<{
      erasable: boolean;
      buyer_commitment: string;
    }>('SELECT erasable, buyer_commitment FROM documents WHERE tenant_id = $1 AND sha256 = $2', [
      scene.tenantId,
      answer.body['document_sha256'],
    ]);
    expect(held).toEqual([{ erasable: true, buyer_commitment: answer.body['payer_commitment'] }]);
  });
});

describe('evidence', () => {
  it('that has ended is not registered, nor one that would live too long', async () => {
    const iat = secondsOf(Date.now()) - 600;
    const ended = await report('afa-evidence', tokenFor('afa-evidence', { iat, exp: iat + 599 }));
    expect(ended.body['detail']).toContain('The check expiry failed');
    const long = tokenFor('afa-evidence', { iat, exp: iat + 259_201 });
    expect((await report('afa-evidence', long)).body['detail']).toContain('The check shape failed');
  });
});

describe.each(['pre-debit-notices', 'payment-mandates'] as const)('versions of %s', (door) => {
  const about = (ref: string, claims: Json): string =>
    door === 'payment-mandates'
      ? tokenFor(door, { mandate_ref: ref, ...claims })
      : tokenFor(door, { notice_ref: ref, mandate_ref: 'mnd_1', ...claims });
  const send = async (ref: string, claims: Json) => report(door, about(ref, claims));

  it('go on and never back: the conflict names the newer report', async () => {
    const ref = freshId('subject');
    const first = about(ref, { version: 5 });
    const known = await report(door, first);
    expect(known.status).toBe(201);
    for (const version of [0, 4, 5]) {
      const late = await send(ref, { version });
      expect(late.status).toBe(409);
      expect(late.body['detail']).toContain(String(known.body['report_id']));
    }
    expect((await send(ref, { version: 6 })).status).toBe(201);
    // The first report again is the first answer, and changes nothing.
    expect(await report(door, first)).toEqual(known);
  });

  it('in parallel: each version at most once, and the highest stands', async () => {
    const ref = freshId('subject');
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 1, 2, 3, 4, 5].map((version, index) =>
        report(door, about(ref, { version }), { at: index % 2 === 0 ? service : other }),
      ),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const taken = answers.flatMap(({ status, body }) =>
      status === 201 ? [Number(body['version'])] : [],
    );
    expect(new Set(taken).size).toBe(taken.length);
    const { rows } = await house.database.query<{ version: string }>(
      'SELECT version FROM current_rail_reports WHERE tenant_id = $1 AND subject_ref = $2',
      [scene.tenantId, ref],
    );
    expect(rows).toEqual([{ version: '5' }]);
  });

  it('keep their provider and payee', async () => {
    const ref = freshId('subject');
    expect((await send(ref, { version: 1 })).status).toBe(201);
    expect((await send(ref, { version: 2, merchant_id: 'shop-2' })).status).toBe(409);
    const rival = { ...scene, key: makeKey('EdDSA'), issuer: 'https://rival.example' };
    await addKey(rival.key, 'psp_evidence', rival.issuer);
    const token = KINDS[door](rival, {
      claims: {
        version: 3,
        mandate_ref: door === 'payment-mandates' ? ref : 'mnd_1',
        ...(door === 'payment-mandates' ? {} : { notice_ref: ref }),
      },
    });
    expect((await report(door, token)).status).toBe(409);
  });

  it.each(
    door === 'payment-mandates'
      ? [{ status: 'revoked' }, { status: 'completed' }, { status: 'rejected' }]
      : [{ opted_out_at: 1_700_000_000 }],
  )('end with %j', async (end) => {
    const ref = freshId('subject');
    expect((await send(ref, { version: 1, ...end })).status).toBe(201);
    expect((await send(ref, { version: 2 })).status).toBe(409);
    expect((await send(ref, { version: 2, ...end })).status).toBe(201);
  });

  it('hold by the database alone', async () => {
    const ref = freshId('subject');
    await send(ref, { version: 2 });
    const where = `tenant_id = '${scene.tenantId}' AND subject_ref = '${ref}'`;
    await expect(
      house.database.query(`UPDATE current_rail_reports SET version = 1 WHERE ${where}`, []),
    ).rejects.toThrow('does not follow');
  });
});

describe('the entries', () => {
  it('say what was reported', async () => {
    expect((await entries('afa_evidence.reported')).length).toBeGreaterThan(0);
    expect((await entries('pre_debit_notice.reported')).length).toBeGreaterThan(0);
    expect((await entries('payment_mandate.reported')).length).toBeGreaterThan(0);
  });
});
