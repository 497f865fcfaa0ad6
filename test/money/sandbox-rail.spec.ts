import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess, type ProviderTransport } from '../../src/money/rails/provider-call.js';
import { createTestTenant, testHouse } from '../support/tenants.js';
import { RAIL_CONTRACT, type RailBench } from './rail-contract.js';
import { overHttp, sandboxBench, sandboxProvider, type Spoil } from './sandbox-bench.js';

const house = testHouse();
const provider = sandboxProvider(house);

describe.each([
  ['in this process', () => Promise.resolve(inProcess(provider))],
  ['over HTTP', () => overHttp(provider)],
])('the sandbox %s keeps the contract of rails', (_place, open) => {
  let transport: ProviderTransport;
  beforeAll(async () => {
    transport = await open();
  });
  it.each(RAIL_CONTRACT)('%s', async (_name, check) => check(await sandboxBench(house, transport)));
});

const withBody =
  (change: (body: Record<string, unknown>) => Record<string, unknown>): Spoil =>
  (reply) => ({
    ...reply,
    text: JSON.stringify(change(JSON.parse(reply.text) as Record<string, unknown>)),
  });

/** Each of them breaks promises: the contract has to notice. */
const LIARS: readonly (readonly [string, Spoil])[] = [
  [
    'names another amount',
    withBody((body) => ({ ...body, amount: { amount: '1', currency: 'INR' } })),
  ],
  ['names another reference', withBody((body) => ({ ...body, reference: 'pay_000000000000' }))],
  ['says yes to everything', (reply) => ({ ...reply, status: 200 })],
  ['says no to everything', (reply) => ({ ...reply, status: 422 })],
  ['says no where it broke', (reply) => (reply.status === 500 ? { ...reply, status: 400 } : reply)],
  ['is a page that nobody knows', () => ({ status: 404, text: '<h1>404</h1>' })],
  [
    'forgets what it has',
    (reply, { method }) =>
      method === 'GET' ? { status: 404, text: '{"error":"no_such_reference"}' } : reply,
  ],
  ['links to a script', withBody((body) => ({ ...body, url: 'javascript:alert(1)' }))],
  ['is paid without a capture', withBody((body) => ({ ...body, captures: [] }))],
  ['cuts every connection', () => 'cut'],
];

describe('the contract bites', () => {
  it.each(LIARS)('a provider that %s does not pass', async (_name, spoil) => {
    const transport = await overHttp(provider, spoil);
    const broken: string[] = [];
    for (const [name, check] of RAIL_CONTRACT) {
      const bench: RailBench = await sandboxBench(house, transport);
      await check(bench).catch(() => broken.push(name));
    }
    expect(broken).not.toEqual([]);
  });
});

describe('the sandbox', () => {
  it('is for the test world: a live tenant is rejected and nothing is written', async () => {
    const bench = await sandboxBench(house, inProcess(provider));
    const { tenantId } = await createTestTenant(house, { world: 'live' });
    const live = { ...bench, tenantId };
    const issued = RAIL_CONTRACT[0]?.[1](live);
    await expect(issued).rejects.toThrow('rejected');
    const { rows } = await house.database.query(
      'SELECT 1 FROM sandbox_payments WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no members', '{}'],
    [
      'a float',
      '{"reference":"pay_1","merchant_id":"m","order_id":"o","amount":{"amount":1.5,"currency":"INR"}}',
    ],
    [
      'a return_url that runs',
      JSON.stringify({
        reference: 'pay_000000000001',
        merchant_id: 'm',
        order_id: 'o',
        amount: { amount: '1', currency: 'INR' },
        expires_at_ms: 1,
        description: null,
        return_url: 'javascript:alert(1)',
      }),
    ],
  ])('refuses an order of %s', async (_name, body) => {
    const { tenantId } = await sandboxBench(house, inProcess(provider));
    for (const path of ['/links', '/charges', '/refunds']) {
      const reply = await provider.handle({ account: tenantId, method: 'POST', path, body });
      expect(reply.status).toBe(400);
    }
  });
});
