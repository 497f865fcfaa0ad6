import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Checkpoints, CHECKPOINTS } from '../../src/base/history/index.js';
import { parseNote, parseVkey } from '../../src/core/chain/index.js';
import {
  type Receipt,
  readIssuerKey,
  readReceipt,
  type ReadReceipt,
  verifyReceipt,
} from '../../src/core/proofs/index.js';
import { RECEIPT_WAIT_MS } from '../../src/money/arbiter/receipts.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import type { TestService } from '../support/service.js';
import { startWitness, type TestWitness } from './witness.js';

let folder: string;
let service: TestService;
let witness: TestWitness;

beforeAll(async () => {
  folder = temporaryDataFolder('arbiter-receipts-');
  witness = await startWitness();
  const policy = join(folder, 'policy');
  writeFileSync(policy, `witness one ${witness.key.text} ${witness.url}\nquorum one\n`);
  service = await startTestService({
    WITNESS_POLICY_FILE: policy,
    ALLOW_LOOPBACK_PEERS: 'true',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const price = (amount: string) => ({ amount, currency: 'INR' });
const TEA = {
  flow: 'handoff',
  merchant_id: 'chai-house',
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: 'masala-chai',
        variant_id: 'masala-chai-250g',
        quantity: 2,
        unit_price: price('45900'),
      },
    ],
    total: price('91800'),
  },
};
const FLASK = {
  ...TEA,
  cart: {
    ...TEA.cart,
    lines: [
      {
        product_id: 'flask',
        variant_id: 'flask-500ml',
        quantity: 1,
        unit_price: price('129900'),
      },
    ],
    total: price('129900'),
  },
};

async function decided(shop: Shop, body: object = TEA): Promise<Answer['body']> {
  const answer = await shop.ask(body);
  expect(answer.status).toBe(200);
  return answer.body;
}

const receiptOf = (shop: Shop, id: string, as: Parameters<Shop['call']>[2] = {}) =>
  shop.call('GET', `/v1/decisions/${id}/receipt`, as);

async function keysOf(shop: Shop) {
  const { body } = await shop.call('GET', '/v1/signing-keys', { as: 'auditor' });
  const listed = (body as { keys: { jwk: unknown; state: string }[] }).keys;
  const set = { keys: listed.filter(({ state }) => state !== 'ended').map(({ jwk }) => jwk) };
  return { set, keys: set.keys.flatMap((jwk) => readIssuerKey(jwk) ?? []) };
}

const opened = (receipt: Receipt): ReadReceipt => {
  const read = readReceipt(JSON.stringify(receipt));
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

/** Judged by one who knows the issuer's keys, and the witness's if it is asked for. */
async function faultOf(shop: Shop, receipt: Receipt, witnessed: boolean) {
  return verifyReceipt(opened(receipt), {
    issuerKeys: (await keysOf(shop)).keys,
    witnessKeys: witnessed ? [witness.key] : null,
    witnessQuorum: 1,
    expectedTenant: shop.tenantId,
    requireWitnessed: witnessed,
  }).fault;
}

const logKeysOf = (shop: Shop): Promise<readonly string[]> =>
  service.app.get<Checkpoints>(CHECKPOINTS).logKeys(shop.tenantId);

async function switchWitnessing(shop: Shop): Promise<void> {
  const answer = await shop.call('PUT', '/v1/ledger/witnessing', {
    as: 'tenant_admin',
    body: { on: true },
  });
  expect(answer.status).toBe(200);
  await service.app.get<Checkpoints>(CHECKPOINTS).logKey(shop.tenantId);
  const vkeys = (await logKeysOf(shop)).flatMap((text) => {
    const vkey = parseVkey(text);
    return vkey.ok ? [vkey.value] : [];
  });
  for (const { name } of vkeys) witness.trusted.set(name, vkeys);
}

describe('GET /v1/decisions/{id}/receipt', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(service);
  });

  it.each([
    ['allowed', TEA, { outcome: 'allow', reason: null, failing_rule: null }],
    [
      'refused',
      FLASK,
      { outcome: 'refuse', reason: 'artifact_revoked:price', failing_rule: 'handoff_facts_valid' },
    ],
  ] as const)('of an %s purchase states what the answer said', async (_, body, expected) => {
    const decision = await decided(shop, body);
    const answer = await receiptOf(shop, decision.decision_id, { as: 'auditor' });
    expect(answer.status).toBe(200);
    const receipt = answer.body as Receipt;
    const { claims } = opened(receipt);
    for (const name of [
      'flow',
      'merchant_id',
      'agent_id',
      'order_id',
      'amount',
      'decided_at',
      'ruleset',
      'dry_run',
      'usable',
      'usable_reason',
    ] as const)
      expect([name, claims[name]]).toEqual([name, decision[name]]);
    expect(claims).toMatchObject({
      ...expected,
      sub: decision.decision_id,
      tenant_id: shop.tenantId,
      world: 'test',
      witnessed: false,
      self_witnesses: [],
    });
    expect(claims.allow?.expires_at).toBe(decision.allow?.expires_at);
    expect(receipt).toMatchObject({ format: 'arbiter-receipt', version: 1, witnessed: false });
    expect(await faultOf(shop, receipt, false)).toBeNull();
  });

  it('agents and merchant systems get it without the entry, and nothing to try bodies with', async () => {
    const { decision_id: id } = await decided(shop);
    for (const as of ['agent', 'merchant_system'] as const) {
      const answer = await receiptOf(shop, id, { as });
      expect([as, answer.status, answer.body.entry]).toEqual([as, 200, null]);
      const { claims, token } = opened(answer.body as Receipt);
      expect(claims.entry).toMatchObject({ mac: null, body_sha256: null });
      expect(JSON.stringify(token.claims)).not.toContain('counters');
      expect(await faultOf(shop, answer.body as Receipt, false)).toBeNull();
    }
    for (const as of ['tenant_admin', 'auditor'] as const) {
      const { body } = await receiptOf(shop, id, { as });
      expect(body.entry.body).toContain(id);
    }
  });

  it('is read by whoever may read the decision, and by nobody else', async () => {
    const { decision_id: id } = await decided(shop);
    const stranger = await openShop(service);
    expect((await receiptOf(stranger, id)).status).toBe(404);
    expect((await receiptOf(stranger, id, { as: 'tenant_admin' })).status).toBe(404);
    expect((await receiptOf(shop, 'arbdec_000000000000')).status).toBe(404);
    expect((await receiptOf(shop, 'arbdec_x')).status).toBe(400);
    const created = await shop.call('POST', '/v1/agents', {
      as: 'tenant_admin',
      body: { name: 'another' },
    });
    const key = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'another', role: 'agent', agent_id: created.body.agent_id },
    });
    const another = await receiptOf(shop, id, { apiKey: key.body.api_key as string });
    expect([key.status, another.status]).toEqual([201, 404]);
  });

  it('adds no entry, but for the keys of the first', async () => {
    const { decision_id: id } = await decided(shop);
    await receiptOf(shop, id);
    const before = await shop.entryCount();
    await Promise.all(Array.from({ length: 5 }, () => receiptOf(shop, id, { as: 'auditor' })));
    expect(await shop.entryCount()).toBe(before);
  });

  it('is refused for an entry that is not sealed, saying how to seal', async () => {
    const other = await openShop(service);
    const off = { as: 'tenant_admin', body: { on: false } } as const;
    expect((await other.call('PUT', '/v1/ledger/sealing', off)).status).toBe(200);
    const { decision_id: id } = await decided(other);
    const { status, body } = await receiptOf(other, id);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.fix).toContain('PUT /v1/ledger/sealing');
  });

  it('is signed by the key of the time, and shows only checkpoints whose key counts', async () => {
    const other = await openShop(service);
    const { decision_id: id } = await decided(other);
    const first = (await receiptOf(other, id, { as: 'auditor' })).body as Receipt;
    for (const purpose of ['receipt', 'checkpoint'])
      await other.call('POST', `/v1/signing-keys/${purpose}/rotate`, {
        as: 'tenant_admin',
        body: {},
      });
    // Both still count, for as long as they overlap.
    expect(await faultOf(other, first, false)).toBeNull();
    const old = first.issuer_jwk.kid;
    await other.call('POST', '/v1/signing-keys/receipt/retire', {
      as: 'tenant_admin',
      body: { kid: old },
    });
    expect((await faultOf(other, first, false))?.code).toBe('key_untrusted');
    const { body } = await other.call('GET', '/v1/signing-keys', { as: 'auditor' });
    const replaced = (body.keys as { purpose: string; state: string; jwk: { kid: string } }[]).find(
      ({ purpose, state }) => purpose === 'checkpoint' && state === 'verifying',
    );
    await other.call('POST', '/v1/signing-keys/checkpoint/retire', {
      as: 'tenant_admin',
      body: { kid: replaced?.jwk.kid },
    });
    const again = (await receiptOf(other, id, { as: 'auditor' })).body as Receipt;
    expect(opened(again).claims.log_key).not.toBe(opened(first).claims.log_key);
    expect(await logKeysOf(other)).toEqual([opened(again).claims.log_key]);
    expect(await faultOf(other, again, false)).toBeNull();
  });

  it('is refused when the only checkpoint over it is by a key that was ended', async () => {
    const other = await openShop(service);
    const { decision_id: id } = await decided(other);
    expect((await receiptOf(other, id)).status).toBe(200);
    const admin = (method: string, path: string, body: object) =>
      other.call(method, path, { as: 'tenant_admin', body });
    await admin('PUT', '/v1/ledger/sealing', { on: false });
    // A checkpoint over everything that is sealed, then a key that is ended where nothing is sealed any more.
    expect((await receiptOf(other, id)).status).toBe(200);
    const listed = await other.call('GET', '/v1/signing-keys', { as: 'auditor' });
    const old = (listed.body.keys as { purpose: string; jwk: { kid: string } }[]).find(
      ({ purpose }) => purpose === 'checkpoint',
    );
    await service.app.get<Checkpoints>(CHECKPOINTS).make(other.tenantId);
    await admin('POST', '/v1/signing-keys/checkpoint/rotate', {});
    await admin('POST', '/v1/signing-keys/checkpoint/retire', { kid: old?.jwk.kid });
    const { status, body } = await receiptOf(other, id);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.detail).toContain('key of the checkpoint');
    await admin('PUT', '/v1/ledger/sealing', { on: true });
    const again = await receiptOf(other, id, { as: 'auditor' });
    expect(again.status).toBe(200);
    expect(await faultOf(other, again.body as Receipt, false)).toBeNull();
  });
});

describe('with witnesses', () => {
  it('is cosigned at the first ask, and then shown again', async () => {
    const shop = await openShop(service);
    await switchWitnessing(shop);
    const { decision_id: id } = await decided(shop);
    // The keys of the first receipts are entries: they would be news for the witness.
    await receiptOf(shop, id);
    const told = witness.told.length;
    const { status, body } = await receiptOf(shop, id, { as: 'auditor' });
    expect(status).toBe(200);
    expect(witness.told.length).toBe(told);
    const receipt = body as Receipt;
    expect(receipt.witnessed).toBe(true);
    expect(await faultOf(shop, receipt, true)).toBeNull();
    const names = opened(receipt).note.signatures.map(({ name }) => name);
    expect(names).toEqual([opened(receipt).claims.iss, witness.name]);
    expect(parseNote(opened(receipt).proof.checkpoint).ok).toBe(true);
  });

  it('is one round for all who ask at once, and covers the newest of them', async () => {
    const shop = await openShop(service);
    await switchWitnessing(shop);
    await receiptOf(shop, (await decided(shop)).decision_id);
    const told = witness.told.length;
    const decisions = await Promise.all(Array.from({ length: 4 }, () => decided(shop)));
    const answers = await Promise.all(
      decisions.map(({ decision_id: id }) => receiptOf(shop, id as string, { as: 'auditor' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { body } of answers) expect(await faultOf(shop, body as Receipt, true)).toBeNull();
    expect(witness.told.length - told).toBeLessThanOrEqual(2);
  });

  it.each<readonly [string, TestWitness['misbehave']]>([
    ['that is silent', () => ({ status: 200, silent: true })],
    ['that fails', () => ({ status: 500 })],
    ['that signs something else', ({ line }) => ({ status: 200, body: `${line(1, 'x\n')}\n` })],
  ])(
    'a witness %s brings a 503 in time, nothing half, and later a receipt',
    async (_, misbehave) => {
      const shop = await openShop(service);
      await switchWitnessing(shop);
      const { decision_id: id } = await decided(shop);
      witness.misbehave = misbehave;
      const began = performance.now();
      const answer = await fetch(`${service.baseUrl}/v1/decisions/${id}/receipt`, {
        headers: { authorization: `Bearer ${shop.apiKeys.agent}` },
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(performance.now() - began).toBeLessThan(RECEIPT_WAIT_MS + 5_000);
      expect(await answer.json()).toMatchObject({ code: 'unavailable' });
      witness.misbehave = null;
      let again = await receiptOf(shop, id as string);
      // A round that waits for the silent witness may still run.
      for (let tries = 0; again.status === 503 && tries < 20; tries += 1)
        again = await receiptOf(shop, id as string);
      expect(again.status).toBe(200);
      expect(await faultOf(shop, again.body as Receipt, true)).toBeNull();
    },
  );

  it('is checked by the program that others run, without this service', async () => {
    const shop = await openShop(service);
    await switchWitnessing(shop);
    const { decision_id: id } = await decided(shop);
    const { body } = await receiptOf(shop, id, { as: 'tenant_admin' });
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const program = new URL('../../scripts/verify-receipt.mjs', import.meta.url).pathname;
    const words = [
      file('receipt.json', JSON.stringify(body)),
      ...['--issuer-keys', file('jwks.json', JSON.stringify((await keysOf(shop)).set))],
      ...['--witness-keys', file('witnesses', witness.key.text)],
      ...['--expected-tenant', shop.tenantId, '--require-witnessed', '--json'],
    ];
    const ended = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env: {} });
    expect(ended.stderr).toBe('');
    expect([ended.status, JSON.parse(ended.stdout)]).toMatchObject([
      0,
      {
        result: 'verified',
        decision_id: id,
        issuer: 'given',
        witnesses: [{ name: witness.name, self: false }],
      },
    ]);
  });
});

describe('under a policy of two witnesses', () => {
  it('a checkpoint that one of them cosigned is not enough', async () => {
    const second = await startWitness();
    const policy = join(folder, 'two');
    const lines = [witness, second].map(
      ({ key, url }, place) => `witness w${place} ${key.text} ${url}`,
    );
    writeFileSync(policy, `${lines.join('\n')}\ngroup both all w0 w1\nquorum both\n`);
    const strict = await startTestService({
      WITNESS_POLICY_FILE: policy,
      ALLOW_LOOPBACK_PEERS: 'true',
    });
    const shop = await openShop(strict);
    await switchWitnessing(shop);
    const { decision_id: id } = await decided(shop);
    // The second does not know this ledger yet.
    expect((await receiptOf(shop, id)).status).toBe(503);
    for (const [origin, keys] of witness.trusted) second.trusted.set(origin, keys);
    const { status, body } = await receiptOf(shop, id, { as: 'auditor' });
    expect(status).toBe(200);
    expect(opened(body as Receipt).note.signatures.length).toBe(3);
    expect(await faultOf(shop, body as Receipt, true)).toBeNull();
  });
});
