import { beforeAll, describe, expect, it } from 'vitest';
import { WITNESSING, type Witnessing } from '../../src/base/history/index.js';
import { parseNote, parseVkey, type VerifierKey, verifyNote } from '../../src/core/chain/index.js';
import { demoRooms } from '../../src/demo/demo-rooms.js';
import { DEMO_TENANTS } from '../../src/demo/demo-tenants.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { testAuthority } from '../support/authority.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { startTestService, type TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

const WITNESS = `${TEST_AUTHORITY_ORIGIN.replace('https://', '')}/witness`;

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startTestService();
  shop = await openShop(service);
});

const keyOf = (text: string): VerifierKey => {
  const key = parseVkey(text);
  if (!key.ok) throw new Error(key.error);
  return key.value;
};
const witnessing = () => service.app.get<Witnessing>(WITNESSING, { strict: false });
const round = async (of: Shop = shop) => {
  const made = await witnessing().round(of.tenantId);
  if (!made.ok) throw new Error(made.error.detail);
  return made.value;
};

describe('the ledger of a tenant and the trust authority as its witness', () => {
  it('has no checkpoint and witnessing off at first', async () => {
    const read = await shop.call('GET', '/v1/ledger/witnessing', { as: 'auditor' });
    expect(read).toMatchObject({
      status: 200,
      body: {
        on: false,
        newest_checkpoint: null,
        broken_invariant: null,
        alarms: [],
        log_keys: [],
        witnesses: [{ name: WITNESS, self: false, size: 0, failing: null, disagreement: null }],
      },
    });
    const none = await shop.call('GET', '/v1/ledger/checkpoint', { as: 'auditor' });
    expect(none).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is witnessed when it is switched on, and the signed note is what strangers check', async () => {
    const switched = await shop.call('PUT', '/v1/ledger/witnessing', {
      as: 'tenant_admin',
      body: { on: true },
    });
    expect(switched).toMatchObject({ status: 200, body: { on: true } });
    expect(switched.body.log_keys).toHaveLength(1);
    const { checkpoint, witnesses } = await round();
    expect(witnesses).toEqual([{ name: WITNESS, outcome: 'cosigned', detail: null }]);
    const { body: note } = await shop.call('GET', '/v1/ledger/checkpoint', { as: 'tenant_admin' });
    expect(note).toBe(checkpoint?.note);
    const response = await fetch(
      `${testAuthority().settings['AUTHORITY_URL']}/.well-known/arbiter-authority`,
    );
    const published = (await response.json()) as {
      witness: { vkeys: readonly string[] };
    };
    const parsed = parseNote(note as string);
    if (!parsed.ok) throw new Error(parsed.error);
    const keys = [keyOf(switched.body.log_keys[0]), ...published.witness.vkeys.map(keyOf)];
    const verified = verifyNote(parsed.value, keys);
    expect(verified.ok && verified.value.verified).toEqual(keys);
    const read = await shop.call('GET', '/v1/ledger/witnessing', { as: 'auditor' });
    expect(read.body).toMatchObject({
      newest_checkpoint: { size: checkpoint?.size, cosigners: [WITNESS], quorum: true },
      witnesses: [{ name: WITNESS, size: checkpoint?.size, failing: null }],
    });
  });

  it('goes on through a rotation of the key that signs checkpoints', async () => {
    const rotated = await shop.call('POST', '/v1/signing-keys/checkpoint/rotate', {
      as: 'tenant_admin',
      body: { overlap_seconds: 700_000 },
    });
    expect(rotated.status).toBeLessThan(300);
    const { witnesses } = await round();
    expect(witnesses).toMatchObject([{ outcome: 'cosigned' }]);
    const read = await shop.call('GET', '/v1/ledger/witnessing', { as: 'auditor' });
    expect(read.body.log_keys).toHaveLength(2);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });

  it('is switched by its administrator only, and read by its auditor too', async () => {
    const body = { on: false };
    for (const as of ['agent', 'merchant_system', 'auditor'] as const)
      expect((await shop.call('PUT', '/v1/ledger/witnessing', { as, body })).status).toBe(403);
    for (const path of ['/v1/ledger/witnessing', '/v1/ledger/checkpoint'])
      for (const as of ['agent', 'merchant_system'] as const)
        expect((await shop.call('GET', path, { as })).status).toBe(403);
    expect(
      (await shop.call('PUT', '/v1/ledger/witnessing', { as: 'tenant_admin', body: { on: 'no' } }))
        .status,
    ).toBe(400);
  });

  it('says in readiness that both checks hold', async () => {
    const ready = (await (await fetch(`${service.baseUrl}/health/ready`)).json()) as {
      checks: { name: string; healthy: boolean; detail: string | null }[];
    };
    expect(ready.checks).toContainEqual(
      expect.objectContaining({ name: 'history', healthy: true }),
    );
    const history = ready.checks.find(({ name }) => name === 'history');
    expect(history?.detail).toMatch(/^chain_continues: last verified .* over \d+ entries/);
    expect(ready.checks.map(({ name }) => name)).toContain('witness');
  });
});

describe('the demo tenants', () => {
  it('are witnessed from their seed on', () => {
    expect(DEMO_TENANTS.map(({ isWitnessed }) => isWitnessed)).toEqual([true, true]);
    expect(demoRooms(service.app).witnessing).toBe(witnessing());
  });
});
