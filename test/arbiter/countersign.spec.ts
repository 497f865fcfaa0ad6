import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Writer } from '../../src/base/ledger/index.js';
import {
  AuthorityCountersigner,
  type Countersigner,
  type CountersignOutcome,
  type CountersignRequest,
} from '../../src/money/arbiter/index.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { artifactIdOf, FROZEN_AT_MS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { authorityPort } from '../support/authority.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { makeKey, type SigningPair, type TokenOptions } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import {
  AUTHORITY,
  type AuthorityScene,
  authorityScene,
  handoff,
  refund,
  trust,
  useOf,
} from './authority.js';
import { openShop, type Shop, startTestService } from './shop.js';
import { allowed, consume, differencesOf, entriesOf, inr, moveClock } from './uses.js';

const house = testHouse();
let live: AuthorityScene;
const stranger = makeKey('ES256');
const factKey = makeKey('EdDSA');

beforeAll(async () => {
  live = await authorityScene(house, 'live');
  await trust(live, factKey, 'fact_issuer');
});

afterEach(() => vi.restoreAllMocks());

const LIVE = { world: 'live' } as const;
const entryTypes = async ({ tenantId }: AuthorityScene): Promise<string[]> => {
  const { rows } = await house.database.query<{ type: string }>(
    `SELECT body::json->>'type' AS type FROM entries WHERE tenant_id = $1 ORDER BY seq`,
    [tenantId],
  );
  return rows.map(({ type }) => type);
};

type Change = TokenOptions & {
  readonly key?: SigningPair;
  readonly typ?: string;
  readonly tamper?: (jws: string) => string;
};

const reheaded = (jws: string, header: object): string => {
  const [, payload = '', signature = ''] = jws.split('.');
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.');
};
const seconds = (atMs: number): number => Math.floor(atMs / 1000);

const WRONG: Readonly<Record<string, (request: CountersignRequest) => Change>> = {
  'another decision': () => ({ claims: { decision_id: 'arbdec_000000000000' } }),
  'another cart': () => ({ claims: { cart_hash: 'a'.repeat(64) } }),
  'no cart': () => ({ claims: { cart_hash: undefined } }),
  'an order besides': () => ({ claims: { order_id: 'order-1' } }),
  'another amount': () => ({ claims: { amount_minor: '2100' } }),
  'an amount that is no text': () => ({ claims: { amount_minor: 2099 } }),
  'another currency': () => ({ claims: { currency: 'USD' } }),
  'another flow': () => ({ claims: { flow: 'agent_payment' } }),
  'another tenant': () => ({ claims: { aud: 'tnt_other' } }),
  'a longer life than the allow': ({ expiresAtMs }) => ({
    claims: { exp: seconds(expiresAtMs) + 1 },
  }),
  'an end in the past': ({ decidedAtMs }) => ({ claims: { exp: seconds(decidedAtMs) } }),
  'an issue ahead': ({ decidedAtMs }) => ({ claims: { iat: seconds(decidedAtMs) + 32 } }),
  'a claim nobody knows': () => ({ claims: { force: 'yes' } }),
  'no end': () => ({ claims: { exp: undefined } }),
  'another issuer': () => ({ claims: { iss: 'https://elsewhere.example' } }),
  'a key nobody registered': () => ({ key: stranger }),
  'a key of another role': () => ({ key: factKey }),
  'a stranger’s signature under the authority’s kid': () => ({
    key: stranger,
    header: { kid: live.authority.key.kid },
  }),
  'another type of token': () => ({ typ: 'mandate+jwt' }),
  'no key': () => ({ header: { kid: undefined } }),
  'a key by address': () => ({ header: { jku: 'https://authority.example/keys' } }),
  'a certificate by address': () => ({ header: { x5u: 'https://authority.example/x5u' } }),
  'alg none': () => ({
    tamper: (jws) => reheaded(jws, { alg: 'none', typ: 'arbiter-countersignature+jwt', kid: 'k' }),
  }),
  'a header that names another algorithm than the key’s': () => ({ header: { alg: 'EdDSA' } }),
  'a changed signature': () => ({ tamper: (jws) => `${jws.slice(0, -6)}AAAAAA` }),
  'no token': () => ({ tamper: () => 'yes' }),
};

describe('an allow of the live world', () => {
  it('is usable with its countersignature, then and when it is read again', async () => {
    const arbiter = live.arbiterWith();
    live.authority.answer = live.authority.signing();
    const decided = valueOf(await arbiter.decidePurchase(live.context(), handoff(LIVE)));
    expect(decided).toMatchObject({ usable: true, usableReason: null });
    expect(live.authority.asked.at(-1)).toMatchObject({
      decisionId: decided.decisionId,
      flow: 'handoff',
      orderId: null,
      artifacts: expect.arrayContaining([
        {
          id: expect.any(String),
          payloadHash: expect.any(String),
          slot: { uri: expect.any(String), index: expect.any(Number) },
        },
      ]),
    });
    const read = await arbiter.find(live.tenantId, decided.decisionId);
    expect(read).toMatchObject({ usable: true, usableReason: null });
    const [found] = await arbiter.search(live.tenantId, {
      filter: {},
      page: { beforeSeq: null, limit: 1 },
    });
    expect(found).toMatchObject({ decisionId: decided.decisionId, usable: true });
    const used = valueOf(await arbiter.consume(live.context(), useOf(decided.decisionId)));
    expect(used.kind).toBe('used');
  });

  it.each(Object.entries(WRONG))('is not usable with %s', async (_name, change) => {
    const arbiter = live.arbiterWith();
    live.authority.answer = live.authority.signing(change);
    const before = (await entryTypes(live)).length;
    const decided = valueOf(await arbiter.decidePurchase(live.context(), handoff(LIVE)));
    expect(decided).toMatchObject({
      decision: { outcome: 'allow' },
      usable: false,
      usableReason: 'grantex_countersignature_missing',
    });
    expect((await entryTypes(live)).slice(before)).toEqual(['decision.recorded']);
    const used = valueOf(await arbiter.consume(live.context(), useOf(decided.decisionId)));
    expect(used).toMatchObject({
      kind: 'use_refused',
      decisionId: decided.decisionId,
      refused: { failingRule: 'allow_use', reason: 'grantex_countersignature_missing' },
    });
  });

  it.each<[string, () => ReturnType<AuthorityScene['authority']['answer']>]>([
    ['refuses', () => Promise.resolve({ kind: 'refused', detail: 'no' })],
    ['cannot be reached', () => Promise.resolve({ kind: 'unavailable', detail: 'no' })],
    ['breaks its promise', () => Promise.reject(new Error('broken'))],
    ['does not answer in time', () => new Promise(() => undefined)],
  ])('is not usable, and can never be made so, when the authority %s', async (name, answer) => {
    const arbiter = live.arbiterWith();
    live.authority.answer = answer;
    const key = `later ${name}`;
    const first = valueOf(await arbiter.decidePurchase(live.context(key), handoff(LIVE)));
    expect(first.usable).toBe(false);
    live.authority.answer = live.authority.signing();
    const asked = live.authority.asked.length;
    const again = valueOf(await arbiter.decidePurchase(live.context(key), handoff(LIVE)));
    expect(again).toEqual(first);
    expect(live.authority.asked).toHaveLength(asked);
  });

  it('stays unusable when the process dies between decision and countersignature', async () => {
    live.authority.answer = live.authority.signing();
    const dying: Writer = {
      open: (command) => house.writer.open(command),
      execute: (command) =>
        command.name === 'allow.countersign'
          ? Promise.reject(new Error('the process is gone'))
          : house.writer.execute(command),
    };
    const context = live.context('dies');
    await expect(
      live.arbiterWith({ writer: dying }).decidePurchase(context, handoff(LIVE)),
    ).rejects.toThrow('the process is gone');
    const arbiter = live.arbiterWith();
    const again = valueOf(await arbiter.decidePurchase(live.context('dies'), handoff(LIVE)));
    expect(again.usable).toBe(false);
    const used = valueOf(await arbiter.consume(live.context(), useOf(again.decisionId)));
    expect(used).toMatchObject({ refused: { reason: 'grantex_countersignature_missing' } });
  });

  it('a repeat of the request has the usable answer again, and asks nobody', async () => {
    const arbiter = live.arbiterWith();
    live.authority.answer = live.authority.signing();
    const first = valueOf(await arbiter.decidePurchase(live.context('same'), handoff(LIVE)));
    const asked = live.authority.asked.length;
    expect(valueOf(await arbiter.decidePurchase(live.context('same'), handoff(LIVE)))).toEqual(
      first,
    );
    expect(live.authority.asked).toHaveLength(asked);
  });

  it('folds again to the same tables', async () => {
    expect(await differencesOf(live)).toEqual([]);
  });
});

describe('a countersignature that is there', () => {
  it.each(['live', 'test'] as const)(
    'in the %s world stops counting with its key',
    async (world) => {
      const scene = await authorityScene(house, world);
      const arbiter = scene.arbiterWith();
      const { decisionId } = valueOf(
        await arbiter.decidePurchase(scene.context(), handoff({ world })),
      );
      const [key] = (await scene.rooms.issuerKeys.list(scene.tenantId)).filter(
        ({ role, issuer }) => role === 'countersign' && issuer === AUTHORITY,
      );
      const compromised = { issuerKeyId: String(key?.id), atMs: scene.atMs - 60_000 };
      valueOf(await scene.rooms.issuerKeys.compromise(scene.context(), compromised));
      const used = valueOf(await arbiter.consume(scene.context(), useOf(decisionId)));
      expect(used).toMatchObject({
        kind: 'use_refused',
        refused: { failingRule: 'allow_use', reason: 'grantex_countersignature_invalid' },
      });
    },
  );

  it('in the test world is not needed', async () => {
    const scene = await authorityScene(house, 'test');
    scene.authority.answer = () => Promise.resolve({ kind: 'refused', detail: 'no' });
    const arbiter = scene.arbiterWith();
    const decided = valueOf(
      await arbiter.decidePurchase(scene.context(), handoff({ world: 'test' })),
    );
    expect(decided.usable).toBe(true);
    const used = valueOf(await arbiter.consume(scene.context(), useOf(decided.decisionId)));
    expect(used.kind).toBe('used');
  });
});

describe('a refund of the live world', () => {
  it('counts as refunded from its countersignature on, and is used once', async () => {
    const scene = await authorityScene(house, 'live');
    const arbiter = scene.arbiterWith();
    await capture(scene, 'order', 1_000n);
    const ask = refund('live', 'order', 600n);
    const first = valueOf(await arbiter.decideRefund(scene.context(), ask));
    expect(first.usable).toBe(true);
    expect(scene.authority.asked.at(-1)).toMatchObject({
      flow: 'refund',
      orderId: 'order',
      cartHash: null,
      amountMinor: 600n,
      artifacts: [],
    });
    const second = valueOf(await arbiter.decideRefund(scene.context(), ask));
    expect(second.decision.reason).toBe('refund_exceeds_captured');
    const used = valueOf(await arbiter.consume(scene.context(), useOf(first.decisionId, 'order')));
    expect(used.kind).toBe('used');
  });

  it('of several asked at once only those that fit become usable', async () => {
    const scene = await authorityScene(house, 'live');
    const arbiter = scene.arbiterWith();
    await capture(scene, 'order', 1_000n);
    const reported = vi.spyOn(console, 'error');
    // The authority answers when all of them are decided.
    let all: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => (all = resolve));
    const sign = scene.authority.signing();
    scene.authority.answer = async (request) => {
      if (scene.authority.asked.length === 5) all();
      await decided;
      return sign(request);
    };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        arbiter.decideRefund(scene.context(), refund('live', 'order', 400n)),
      ),
    );
    const usable = answers.map((answer) => valueOf(answer).usable);
    expect(usable.filter(Boolean)).toHaveLength(2);
    // The others are refused, not stopped by the order's own invariant, which the writer would report.
    expect(reported).not.toHaveBeenCalled();
    expect(await differencesOf(scene)).toEqual([]);
  });
});

async function capture(scene: AuthorityScene, orderId: string, amountMinor: bigint): Promise<void> {
  const capture = {
    captureId: orderId,
    merchantId: scene.merchantId,
    orderId,
    amountMinor,
    currency: 'INR',
    authority: null,
  };
  valueOf(await scene.book.recordCapture(scene.context(), capture, null));
}

describe('COUNTERSIGNER=authority', () => {
  it('countersigns, to the last millisecond, and stops counting with the authority’s key', async () => {
    const service = await startTestService({ COUNTERSIGNER: 'authority' });
    const shop = await openShop(service);
    const { cart } = ALLOWED_HANDOFF;
    // Not on a whole second: the token's own end is a part of a second before the allow's.
    await moveClock(shop, FROZEN_AT_MS + 789);
    const [one, two] = [await allowed(shop, ALLOWED_HANDOFF), await allowed(shop, ALLOWED_HANDOFF)];
    const entries = await entriesOf(shop, ['allow.countersigned']);
    expect(entries.map(({ data }) => [data['decision_id'], data['issuer']])).toEqual([
      [one, TEST_AUTHORITY_ORIGIN],
      [two, TEST_AUTHORITY_ORIGIN],
    ]);
    await moveClock(shop, FROZEN_AT_MS + 789 + 600_000);
    expect((await consume(shop, one, { cart })).status).toBe(200);
    const path = `/v1/issuer-keys/${await countersignKeyOf(shop)}/compromise`;
    const since = { compromised_since: new Date(FROZEN_AT_MS).toISOString() };
    expect((await shop.call('POST', path, { as: 'tenant_admin', body: since })).status).toBe(200);
    const refused = await consume(shop, two, { cart });
    expect([refused.status, refused.body.reason]).toEqual([
      403,
      'grantex_countersignature_invalid',
    ]);
    expect(await differencesOf(shop)).toEqual([]);
  });

  it('does not countersign what the authority withdrew a moment before', async () => {
    const service = await startTestService({ COUNTERSIGNER: 'authority' });
    const shop = await openShop(service);
    await allowed(shop, ALLOWED_HANDOFF);
    // Another party's act: this service neither wrote it down nor has a newer copy of the list.
    const objectId = artifactIdOf({ merchantId: SHOP, type: 'price', product: PRODUCTS[0] });
    valueOf(
      await authorityPort(house).revoke(shop.tenantId, {
        target: { kind: 'artifact', objectId },
        status: 'revoked',
        reasonCode: 'recall',
        revokedBy: 'operator',
      }),
    );
    const before = await entriesOf(shop, ['allow.countersigned']);
    const later = await allowed(shop, ALLOWED_HANDOFF);
    expect(await entriesOf(shop, ['allow.countersigned'])).toHaveLength(before.length);
    expect(later).toMatch(/^arbdec_/);
  });

  it('makes the allow of a live tenant usable', async () => {
    const service = await startTestService({ COUNTERSIGNER: 'authority' });
    const shop = await openShop(service);
    let calls = 0;
    const as = (apiKey: string, path: string, body: object) =>
      shop.call('POST', path, { apiKey, body, idempotencyKey: `k${(calls += 1)}` });
    const created = await as(service.platformAdminKey, '/v1/tenants', { world: 'live', name: 'L' });
    const adminKey = String(created.body.admin_api_key.api_key);
    await as(adminKey, '/v1/merchants', { merchant_id: 'm', name: 'M', country: 'IN' });
    const key = await as(adminKey, '/v1/api-keys', { name: 'k', role: 'merchant_system' });
    const order = { merchant_id: 'm', order_id: 'o', amount: inr(1000) };
    const shopKey = String(key.body.api_key);
    await as(shopKey, '/v1/captures', { capture_id: 'c', ...order });
    const { body } = await as(shopKey, '/v1/decisions', { flow: 'refund', ...order });
    expect([body.outcome, body.usable]).toEqual(['allow', true]);
    const path = `/v1/decisions/${body.decision_id}/consume`;
    const used = await as(shopKey, path, { order_id: 'o', provider: 'merchant' });
    expect(used.status).toBe(200);
  });

  it.each([
    ['an embedded authority is not even asked about a live tenant', 'live', false, 'refused'],
    ['unless that is said loudly', 'live', true, 'signed'],
    ['about a test tenant it is', 'test', false, 'signed'],
  ] as const)('%s', async (_name, world, signsForLive, kind) => {
    const scene = await authorityScene(house, world);
    const authority = authorityPort(house);
    const own = new AuthorityCountersigner({ authority, signsForLive });
    const outcomes: CountersignOutcome[] = [];
    const countersigner: Countersigner = {
      isOn: true,
      async countersign(requests, deadline) {
        const answers = await own.countersign(requests, deadline);
        outcomes.push(...answers);
        return answers;
      },
    };
    const arbiter = scene.arbiterWith({ countersigner });
    const decided = valueOf(await arbiter.decidePurchase(scene.context(), handoff({ world })));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind]);
    expect(decided.usable).toBe(world === 'test' || kind === 'signed');
  });
});

async function countersignKeyOf(shop: Shop): Promise<string> {
  const { body } = await shop.call('GET', '/v1/issuer-keys', { as: 'tenant_admin' });
  const keys = body.items as readonly Record<'issuer_key_id' | 'role', string>[];
  return String(keys.find(({ role }) => role === 'countersign')?.issuer_key_id);
}
