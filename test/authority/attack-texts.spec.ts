import { afterAll, describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';
import { artifact, mandate, plain, sha256 } from './forest.js';

const desk = await openDesk();
const tenantId = await desk.tenant();
const base = `/v1/tenants/${tenantId}`;

afterAll(async () => {
  expect(await desk.differences(tenantId)).toEqual([]);
});

/** Texts that break databases, JSON printers, paths and prototypes. */
const TEXTS: readonly unknown[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffx',
  '\u202e\ufeff',
  '💥'.repeat(200),
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "'; DROP TABLE entries; --",
  '%00',
  '',
  ' ',
  'a|b|c',
  'x'.repeat(100_000),
  0,
  -1,
  1e308,
  2 ** 53,
  -(2 ** 63),
  1.5,
  true,
  null,
  [],
  [[]],
  {},
  { toString: 'x' },
  { $ne: 1 },
];

const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
const consentBody = {
  consent_id: null,
  merchant_id: 'shop-1',
  agent_id: 'agt_1',
  subject: 'buyer-1',
  scopes: ['commerce:browse'],
  state: 'granted',
  expires_at: '2036-01-01T00:00:00.000Z',
  max_amount: { amount: '10', currency: 'INR' },
  buyer_jwk: null,
};
const tree = {
  kind: 'intent',
  parent_id: null,
  subject: 'buyer-1',
  agent_id: 'agt_1',
  merchant_ids: ['shop-1'],
  cart_hash: null,
  cap: { amount: '10', currency: 'INR' },
  not_before: null,
  expires_at: '2036-01-01T00:00:00.000Z',
};
const question = {
  decision_id: 'dec_1',
  flow: 'handoff',
  cart_hash: sha256('c'),
  order_id: null,
  amount_minor: '10',
  currency: 'INR',
  merchant_id: 'shop-1',
  decided_at: '2026-11-30T00:00:00Z',
  expires_at: '2026-11-30T00:05:00Z',
  artifacts: [{ id: 'art_1', payload_hash: null, slot }],
};

const REQUESTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['/v1/tenants', { tenant_id: tenantId, world: 'test', test_clock_at: null }],
  [`${base}/clock`, { now: '2020-01-01T00:00:00Z' }],
  [`${base}/slots`, { count: 1 }],
  [`${base}/objects`, { objects: [artifact(slot)] }],
  [`${base}/objects`, { objects: [mandate(slot)] }],
  [`${base}/objects`, { objects: [plain('passport', slot, 'nobody')] }],
  [`${base}/artifacts`, { artifacts: [{ artifact_id: 'a', tenant_id: tenantId, status: {} }] }],
  [`${base}/consents`, consentBody],
  [`${base}/mandates`, { mandate_id: null, ...tree, payment: { rail: 'upi' }, buyer_jwk: {} }],
  [`${base}/registrations`, { sha256: sha256('r'), ...tree }],
  [
    `${base}/passports`,
    {
      consent_id: 'cns_x',
      passport_type: 'browse',
      scopes: ['commerce:browse'],
      max_amount: null,
      life_seconds: 60,
    },
  ],
  [
    `${base}/revocations`,
    {
      target: { kind: 'mandate', object_id: 'x' },
      status: 'revoked',
      reason_code: 'recall',
      revoked_by: 'merchant',
    },
  ],
  [
    `${base}/revocations`,
    { target: { slot }, status: 'valid', reason_code: 'recall', revoked_by: 'merchant' },
  ],
  [`${base}/countersignatures`, { requests: [question] }],
  ['/v1/keys/rotations', { purpose: 'witness', overlap_seconds: 1 }],
  [`/consents/${tenantId}/nobody/withdrawals`, { proof: 'a.b.c' }],
];

/** The body with every place in turn replaced by `value`, and every list made longer by it. */
function* variants(body: unknown, value: unknown): Generator<unknown> {
  yield value;
  if (Array.isArray(body)) {
    yield [...(body as unknown[]), value];
    for (const [index, one] of body.entries())
      for (const changed of variants(one, value)) yield body.with(index, changed);
  } else if (typeof body === 'object' && body !== null) {
    for (const [name, one] of Object.entries(body))
      for (const changed of variants(one, value)) yield { ...body, [name]: changed };
    yield { ...body, [typeof value === 'string' ? value.slice(0, 50) : 'extra']: value };
  }
}

describe('odd texts anywhere', () => {
  it.each(REQUESTS)('%s never breaks', { timeout: 240_000 }, async (path, body) => {
    const broken: string[] = [];
    const bodies = TEXTS.flatMap((value) => [...variants(body, value)]);
    for (let start = 0; start < bodies.length; start += 20)
      await Promise.all(
        bodies.slice(start, start + 20).map(async (one) => {
          const answer = await desk.call('POST', path, JSON.stringify(one), 'arbiter');
          if (answer.status >= 500)
            broken.push(
              `${answer.status} ${JSON.stringify(one).slice(0, 400)} ${answer.text.slice(0, 200)}`,
            );
        }),
      );
    expect(broken).toEqual([]);
  });

  it('as ids in paths', async () => {
    const broken: string[] = [];
    const odd = [
      '%00',
      '%',
      '%zz',
      '%ED%A0%80',
      '..',
      '%2e%2e',
      '..%2f..%2f',
      '%F0%9F%92%A5',
      '-1',
      '0',
      '1e9',
      '01',
      '+1',
      '1%20',
      '999999999',
      '9999999999',
      '1.0',
      'NaN',
      '1%00',
      '1;x',
      '１',
      'x'.repeat(5_000),
      '__proto__',
      '',
      '*',
      "1'--",
    ];
    const paths = odd.flatMap((one) => [
      `/status/${tenantId}/${one}`,
      `/status/${one}/1`,
      `/status/${tenantId}/1/${one}`,
      `/status/${tenantId}/1?${one}`,
      `/status//${tenantId}/${one}`,
      `/revocations/${tenantId}/${one}`,
      `/revocations/${one}/rev_1`,
      ...['consents', 'mandates', 'passports', 'registrations'].flatMap((kind) => [
        `${base}/${kind}/${one}`,
        `/v1/tenants/${one}/${kind}/x`,
      ]),
    ]);
    for (const path of paths) {
      const answer = await desk.call('GET', path);
      if (answer.status >= 500) broken.push(`${answer.status} ${path}`);
      else if (answer.status === 200 && !path.includes('?'))
        broken.push(`200 ${path.slice(0, 100)}`);
    }
    for (const one of odd) {
      const answer = await desk.call(
        'POST',
        `/consents/${tenantId}/${one}/withdrawals`,
        { proof: 'x' },
        null,
      );
      if (answer.status >= 500) broken.push(`${answer.status} withdrawal ${one}`);
    }
    expect(broken).toEqual([]);
  });
});
