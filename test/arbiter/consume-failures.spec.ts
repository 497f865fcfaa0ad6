import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LedgerWriter, sessionOpener } from '../../src/base/ledger/index.js';
import type { DecisionId } from '../../src/core/kernel/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { type Fault, FaultyProxy } from '../ledger/faulty-proxy.js';
import { testDatabase } from '../support/database.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { type AuthorityScene, authorityScene, handoff, useOf } from './authority.js';
import { differencesOf } from './uses.js';

const house = testHouse();
let scene: AuthorityScene;
let proxy: FaultyProxy;
let writer: LedgerWriter;

beforeAll(async () => {
  scene = await authorityScene(house, 'live');
  proxy = await FaultyProxy.start(testDatabase().connectionString);
  writer = new LedgerWriter({
    openSession: sessionOpener({ connectionString: proxy.connectionString }),
    projections: PROJECTIONS,
    masterSecret: Buffer.alloc(32, 0x22),
    log: { error: () => undefined },
    limits: { flushers: 1, retryPauseMs: 5 },
  });
});
afterEach(() => (proxy.refusing = false));
afterAll(async () => {
  await writer.close();
  await proxy.close();
});

const COMMIT = /COMMIT\0/;
const cut: Fault = (connection) => connection.cut();
const cutAtAnswer =
  (answer: RegExp): Fault =>
  (connection, message) => {
    connection.cutAtAnswer = answer;
    connection.server.write(message);
  };

async function allowedNow(): Promise<DecisionId> {
  const decided = await scene.arbiterWith().decidePurchase(scene.context(), handoff(LIVE));
  return valueOf(decided).decisionId;
}
const LIVE = { world: 'live' } as const;

async function entriesAbout(decisionId: string): Promise<string[]> {
  const { rows } = await house.database.query<{ type: string }>(
    `SELECT body::json->>'type' AS type FROM entries
      WHERE tenant_id = $1 AND body LIKE '%' || $2 || '%' ORDER BY seq`,
    [scene.tenantId, decisionId],
  );
  return rows.map(({ type }) => type);
}

describe('a connection that is lost while an allow is used', () => {
  it.each<[string, RegExp, Fault]>([
    ['at BEGIN', /BEGIN/, cut],
    ['when what was loaded is not heard', /BEGIN/, cutAtAnswer(/lock_heads|clock_ms|tenant_id/)],
    ['before the entries are written', /insert_entries/, cut],
    ['between the entries and the use', /write_allow_uses/, cut],
    ['before COMMIT arrives (failed)', COMMIT, cut],
    ['after COMMIT was executed (failed but persisted)', COMMIT, cutAtAnswer(COMMIT)],
  ])('%s: used once, started once, and a repeat hears the same', async (when, match, fault) => {
    const arbiter = scene.arbiterWith({ writer });
    // Prepares every statement of a use on this connection.
    const first = await allowedNow();
    valueOf(await arbiter.consume(scene.context(), useOf(first)));
    const decisionId = await allowedNow();
    const use = useOf(decisionId);
    proxy.arm(match, fault);
    const used = valueOf(await arbiter.consume(scene.context(when), use));
    expect(proxy.isArmed).toBe(false);
    const again = valueOf(await arbiter.consume(scene.context(when), use));
    // Only one of them may hold the proof that a rail asks for.
    expect(again).toEqual({ ...used, consumed: null });
    expect(used.kind).toBe('used');
    expect(await entriesAbout(decisionId)).toEqual([
      'decision.recorded',
      'allow.countersigned',
      'allow.used',
      'payment.started',
    ]);
    const other = valueOf(await arbiter.consume(scene.context(), use));
    expect(other).toMatchObject({ refused: { reason: 'allow_already_used' } });
    expect(await differencesOf(scene)).toEqual([]);
  });
});

describe('a connection that is lost while an allow is countersigned', () => {
  it.each<[string, RegExp, Fault]>([
    ['before COMMIT arrives (failed)', COMMIT, cut],
    ['after COMMIT was executed (failed but persisted)', COMMIT, cutAtAnswer(COMMIT)],
  ])('%s: the answer is what the ledger says', async (_when, match, fault) => {
    const arbiter = scene.arbiterWith({ writer });
    const sign = scene.authority.signing();
    scene.authority.answer = (request) => {
      proxy.arm(match, fault);
      return sign(request);
    };
    const decided = valueOf(await arbiter.decidePurchase(scene.context(), handoff(LIVE)));
    scene.authority.answer = sign;
    expect(proxy.isArmed).toBe(false);
    const read = await arbiter.find(scene.tenantId, decided.decisionId);
    expect([decided.usable, read?.usable]).toEqual([true, true]);
  });
});
