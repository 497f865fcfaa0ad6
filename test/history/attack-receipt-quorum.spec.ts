import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Checkpoints,
  CHECKPOINTS,
  type Witnessing,
  WITNESSING,
} from '../../src/base/history/index.js';
import { parseVkey } from '../../src/core/chain/index.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import type { TestService } from '../support/service.js';
import { startWitness, type TestWitness } from './witness.js';

let folder: string;
let service: TestService;
let honest: TestWitness;
let other: TestWitness;

beforeAll(async () => {
  folder = temporaryDataFolder('arbiter-receipts-');
  [honest, other] = [await startWitness(), await startWitness()];
  const policy = join(folder, 'policy');
  writeFileSync(
    policy,
    [
      `witness one ${honest.key.text} ${honest.url}`,
      `witness two ${other.key.text} ${other.url}`,
      'group both all one two',
      'quorum both',
      '',
    ].join('\n'),
  );
  service = await startTestService({ WITNESS_POLICY_FILE: policy, ALLOW_LOOPBACK_PEERS: 'true' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function switchWitnessing(shop: Shop): Promise<void> {
  const { status } = await shop.call('PUT', '/v1/ledger/witnessing', {
    ...{ as: 'tenant_admin', body: { on: true } },
  });
  expect(status).toBe(200);
  const checkpoints = service.app.get<Checkpoints>(CHECKPOINTS);
  await checkpoints.logKey(shop.tenantId);
  const vkeys = (await checkpoints.logKeys(shop.tenantId))
    .map(parseVkey)
    .flatMap((vkey) => (vkey.ok ? [vkey.value] : []));
  for (const { name } of vkeys) for (const { trusted } of [honest, other]) trusted.set(name, vkeys);
}

const price = (amount: string) => ({ amount, currency: 'INR' });
async function decided(shop: Shop): Promise<string> {
  const [product, unit] = ['masala-chai', 'masala-chai-250g'];
  const { body } = await shop.ask({
    ...{ flow: 'handoff', merchant_id: 'chai-house' },
    cart: {
      currency: 'INR',
      lines: [{ product_id: product, variant_id: unit, quantity: 1, unit_price: price('45900') }],
      total: price('45900'),
    },
  });
  return body.decision_id as string;
}

const statusOf = async (shop: Shop, id: string): Promise<number> =>
  (await shop.call('GET', `/v1/decisions/${id}/receipt`, { as: 'auditor' })).status;

it('a witness that stops cosigning takes no receipt away that there was', async () => {
  const shop = await openShop(service);
  await switchWitnessing(shop);
  const early = await decided(shop);
  expect(await statusOf(shop, early)).toBe(200);
  other.misbehave = () => ({ status: 500 });
  const witnessing = service.app.get<Witnessing>(WITNESSING);
  let late = '';
  for (let round = 0; round < 40; round += 1) {
    late = await decided(shop);
    await witnessing.round(shop.tenantId);
  }
  expect(await statusOf(shop, early)).toBe(200);
  expect(await statusOf(shop, late)).toBe(503);
  other.misbehave = null;
  expect(await statusOf(shop, late)).toBe(200);
});
