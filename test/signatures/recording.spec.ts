import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED_HANDOFF, ABOVE_THE_PASSPORT } from '../../src/demo/purchases.js';
import { SHOP } from '../../src/demo/demo-world.js';
import { hasPython } from '../chain/verifiers.js';
import { arbiter } from '../cli/run.js';
import { agentKey, answering, directoryOf } from '../peers/directory-server.js';
import type { Storefront } from '../storefront/storefront.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { startTestService, type TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';
import {
  type ApiCall,
  entriesOfRequest,
  OTHER_KEYS,
  shopInMode,
  signedCall,
  type SignatureModeName,
} from './signed-shop.js';
import { send, type SigningAgent, startAgent } from './signing-agent.js';

/** A good signature stands in each entry of its request, in both modes; it changes nothing that is decided. */

const MODES = ['log', 'enforce'] as const;

let service: TestService;
let agent: SigningAgent;
const fronts = new Map<SignatureModeName, Storefront>();
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
  agent = await startAgent();
  agent.directories.on(OTHER_KEYS, answering(directoryOf(agentKey())));
  for (const mode of MODES) fronts.set(mode, await shopInMode(service, mode));
});
const frontOf = (mode: SignatureModeName): Storefront => {
  const front = fronts.get(mode);
  if (front === undefined) throw new Error(mode);
  return front;
};

let orders = 0;
const WRITES: Readonly<Record<string, () => ApiCall>> = {
  'a decision': () => ({ method: 'POST', path: '/v1/decisions', body: ALLOWED_HANDOFF }),
  'a payment': () => ({
    method: 'POST',
    path: '/v1/handoffs',
    idempotencyKey: `signed-${(orders += 1)}`,
    body: {
      ...{ merchant_id: SHOP, cart: ALLOWED_HANDOFF['cart'] },
      ...{ order_id: `signed-${orders}`, provider: 'sandbox' },
    },
  }),
  'a catalogue import': () => ({
    as: 'merchant_system',
    method: 'POST',
    path: '/v1/catalog/imports',
    body: {
      merchant_id: SHOP,
      products: [{ product_id: 'signed-tea', title: `tea ${(orders += 1)}` }],
      variants: [{ variant_id: 'signed-tea', product_id: 'signed-tea' }],
      prices: [],
      counts: [],
    },
  }),
  'a setting': () => ({
    as: 'tenant_admin',
    method: 'PUT',
    path: '/v1/signatures/settings',
    body: changedSetting('log'),
  }),
};
const cases = MODES.flatMap((mode) => Object.keys(WRITES).map((what) => [mode, what] as const));
/** What holds already is no entry: each names another agent beside the one that calls. */
const changedSetting = (mode: SignatureModeName) => ({
  mode,
  allowed_agents: [agent.url, `https://agent-${(orders += 1)}.example/`],
});
const writeOf = (mode: SignatureModeName, what: string): ApiCall => {
  const call = WRITES[what]?.();
  if (call === undefined) throw new Error(what);
  return what === 'a setting' ? { ...call, body: changedSetting(mode) } : call;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('a signature that verified', () => {
  it.each(cases)('%s: stands in each entry of %s', async (mode, what) => {
    const front = frontOf(mode);
    const answer = await signedCall(front, agent, writeOf(mode, what));
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
    const entries = await entriesOfRequest(front.shop.tenantId, answer);
    expect(entries.length).toBeGreaterThan(what === 'a payment' ? 1 : 0);
    for (const { signature } of entries)
      expect(signature).toEqual({
        agent: agent.url,
        coverage: 'full',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        keyid: agent.key.thumbprint,
        nonce_hash: expect.stringMatching(/^[\w-]{43}$/),
        profile: 'wba',
        tag: 'web-bot-auth',
      });
  });

  it.each(MODES)('%s: stands in the entry of a decision over A2A', async (mode) => {
    const front = frontOf(mode);
    const messageId = `signed-${(orders += 1)}`;
    const message = { messageId, role: 'ROLE_USER', parts: [{ data: ALLOWED_HANDOFF }] };
    const path = '/a2a/v1/message:send?A2A-Version=1.0';
    const answer = await signedCall(front, agent, { method: 'POST', path, body: { message } });
    expect(answer.body.task.status.state).toBe('TASK_STATE_COMPLETED');
    const entries = await entriesOfRequest(front.shop.tenantId, answer);
    expect(entries.map(({ signature }) => signature)).toEqual(
      entries.map((): unknown => expect.objectContaining({ agent: agent.url, coverage: 'full' })),
    );
    expect(entries.length).toBeGreaterThan(0);
  });

  it('records the digest of its nonce and not the nonce', async () => {
    const front = frontOf('log');
    const nonce = 'a-nonce-of-this-test';
    const { shop, host } = front;
    const sent = {
      ...{ method: 'PUT', path: '/v1/signatures/settings', host },
      headers: { authorization: `Bearer ${shop.apiKeys.tenant_admin}` },
      body: changedSetting('log'),
    };
    const answer = await send(service, { ...sent, headers: await agent.sign(sent, { nonce }) });
    const [entry] = await entriesOfRequest(shop.tenantId, answer);
    expect(entry?.signature).toMatchObject({ nonce_hash: sha256(nonce) });
    expect(JSON.stringify(entry)).not.toContain(nonce);
  });

  it('stands in the first entries of a tenant that a signed call makes', async () => {
    const host = new URL(service.baseUrl).host;
    const sent = {
      ...{ method: 'POST', path: '/v1/tenants', host },
      headers: { authorization: `Bearer ${service.platformAdminKey}` },
      body: { world: 'test', name: 'made by a signed call' },
    };
    // No tenant stands behind this host, and only test tenants may have agents on loopback: nothing verifies here.
    const answer = await send(service, { ...sent, headers: await agent.sign(sent) });
    expect(answer.status).toBe(201);
    const entries = await entriesOfRequest(answer.body.tenant.tenant_id, answer);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter((entry) => 'signature' in entry)).toEqual([]);
  });
});

describe.each(['unsigned', 'invalid', 'unverified'] as const)('a request that is %s', (signed) => {
  it.each(cases)('%s: leaves the entries of %s as they are', async (mode, what) => {
    const front = frontOf(mode);
    const answer = await signedCall(front, agent, writeOf(mode, what), signed);
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
    const entries = await entriesOfRequest(front.shop.tenantId, answer);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries)
      expect(Object.keys(entry)).toEqual([
        ...['actor', 'at', 'data', 'id', 'request_id', 'type', 'v'],
      ]);
  });
});

/** What is decided, without what is drawn anew each time. */
const decided = (text: string): unknown =>
  JSON.parse(
    text.replaceAll(/arbdec_[0-9a-f]{12}/g, 'arbdec').replaceAll(/"request_id":"[^"]*"/g, '"":0'),
  );

it.each([
  ['allowed', ALLOWED_HANDOFF],
  ['refused', ABOVE_THE_PASSPORT],
] as const)('a purchase that is %s is decided alike, whoever signs it', async (_name, body) => {
  const front = frontOf('log');
  const call: ApiCall = { method: 'POST', path: '/v1/decisions', body };
  const answers = [];
  const explained = [];
  for (const signed of ['unsigned', 'verified', 'invalid', 'unverified'] as const) {
    const answer = await signedCall(front, agent, call, signed);
    answers.push([answer.status, decided(answer.text)]);
    const [entry] = await entriesOfRequest(front.shop.tenantId, answer);
    explained.push(decided(JSON.stringify(entry?.data)));
  }
  for (const one of answers) expect(one).toEqual(answers[0]);
  for (const one of explained) expect(one).toEqual(explained[0]);
});

describe.each(MODES)('%s: the ledger with signatures', (mode) => {
  it('folds to the same tables', async () => {
    expect(await checkLedger(frontOf(mode).shop.tenantId)).toEqual(WHOLE);
  });

  it('is verified by both verifiers, and replayed', async () => {
    const { shop } = frontOf(mode);
    const exported = await shop.call('GET', '/v1/ledger/export', { as: 'tenant_admin' });
    expect(String(exported.body).includes(String.raw`\"signature\":{\"agent\":`)).toBe(true);
    const folder = temporaryDataFolder('arbiter-signed-ledger-');
    closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'ledger.jsonl');
    writeFileSync(file, exported.body as string);
    const verifiers = [
      [process.execPath, 'scripts/verify-ledger.mjs'],
      ...(hasPython() ? [['python3', 'scripts/verify_ledger.py']] : []),
    ];
    for (const [command = '', script = ''] of verifiers) {
      const { status, stdout } = spawnSync(command, [script, file], { encoding: 'utf8' });
      expect([script, status, stdout]).toEqual([script, 0, stdout]);
    }
    const { code, out, err } = await arbiter(['replay', file]);
    expect([code, out, err]).toEqual([0, out, err]);
  });
});
