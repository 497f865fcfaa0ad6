import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DERIVED_HISTORY } from '../../src/base/history/index.js';
import { spanHashes } from '../../src/base/history/tree/subtree-hashes.js';
import { LedgerTrees } from '../../src/base/history/tree/tree.js';
import type { Queryable } from '../../src/base/platform/index.js';
import {
  consistencySpans,
  inclusionSpans,
  verifyConsistency,
  verifyInclusion,
} from '../../src/core/chain/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { madeUpLedger, treeOver } from './house.js';

let database: TestDatabase;
beforeAll(async () => {
  // Of its own: its ledgers are made up, and whoever reads all tenants must not meet them.
  database = await freshDatabase();
});

const treesOf = (pageEntries?: number) =>
  new LedgerTrees({
    pool: database.pool,
    originFor: (tenantId) => Promise.resolve(`ledgers.test/${tenantId}`),
    onBroken: () => Promise.resolve(),
    ...(pageEntries === undefined ? {} : { pageEntries }),
  });

const RUNS = { numRuns: 25 } as const;
/** Sealed or not, in runs: sealing is switched on and off. */
const ledgers = fc
  .array(fc.record({ sealed: fc.boolean(), count: fc.integer({ min: 1, max: 400 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((runs) => runs.flatMap(({ sealed, count }) => Array<boolean>(count).fill(sealed)));

/** Differences between the stored tree and one built again. */
async function differencesOf(tenantId: TenantId, links: readonly (string | null)[]) {
  const told: string[] = [];
  const check = DERIVED_HISTORY.check(database.pool, tenantId, ({ table, key, member }) =>
    told.push(`${table} ${key} ${member}`),
  );
  await check.entries(links.map((link, seq) => ({ seq, link })));
  await check.finish();
  return told;
}

describe('the tree beside the ledger', () => {
  it('is the one over the links of sealed entries, however often and by how many it is taken up', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.integer({ min: 1, max: 700 }), async (sealed, pageEntries) => {
        const { tenantId, links } = await madeUpLedger(database.pool, sealed);
        const expected = treeOver(links);
        const trees = [treesOf(pageEntries), treesOf(pageEntries + 13), treesOf()];
        const heads = await Promise.all(trees.map((tree) => tree.catchUp(tenantId)));
        const lastSeq = links.findLastIndex((link) => link !== null);
        const head = {
          size: expected.size,
          seq: lastSeq,
          link: lastSeq < 0 ? null : links[lastSeq],
        };
        expect(heads).toEqual([head, head, head]);
        expect(await differencesOf(tenantId, links)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('proves every entry in every tree, and every tree from every smaller one', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.infiniteStream(fc.nat()), async (sealed, numbers) => {
        const { tenantId, links } = await madeUpLedger(database.pool, sealed);
        const tree = treesOf();
        await tree.catchUp(tenantId);
        const { size, leaves, rootAt } = treeOver(links);
        const draw = (below: number): number => (numbers.next().value ?? 0) % below;
        let index = -1;
        for (const [seq, link] of links.entries()) {
          if (link !== null) index += 1;
          if (draw(size > 40 ? 40 : 1) !== 0) continue;
          expect(await tree.indexOf(tenantId, seq)).toBe(link === null ? null : index);
          if (link === null) {
            expect(await tree.inclusion(tenantId, seq, size)).toBeNull();
            continue;
          }
          const of = index + 1 + draw(size - index);
          const found = await tree.inclusion(tenantId, seq, of);
          expect(found?.index).toBe(index);
          const claim = {
            index: BigInt(index),
            size: BigInt(of),
            leafHash: leaves[index] ?? Buffer.alloc(0),
            proof: found?.proof ?? [],
            root: rootAt(of),
          };
          expect(verifyInclusion(claim)).toBe(true);
          if (index > 0) expect(await tree.inclusion(tenantId, seq, index)).toBeNull();
        }
        for (let times = 0; size > 0 && times < 10; times += 1) {
          const oldSize = 1 + draw(size);
          const newSize = oldSize + draw(size - oldSize + 1);
          const claim = {
            oldSize: BigInt(oldSize),
            newSize: BigInt(newSize),
            oldRoot: rootAt(oldSize),
            newRoot: rootAt(newSize),
            proof: (await tree.consistency(tenantId, oldSize, newSize)) ?? [],
          };
          expect(verifyConsistency(claim)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('goes on with a ledger that goes on, through pauses of sealing', async () => {
    const first = await madeUpLedger(database.pool, [true, true, false]);
    const { tenantId } = first;
    const trees = treesOf();
    expect(await trees.catchUp(tenantId)).toEqual({ size: 2, seq: 1, link: first.links[1] });
    const lastLink = first.links[1] ?? '';
    const later = await madeUpLedger(database.pool, [false, true, true], {
      ...{ tenantId, lastLink },
      afterSeq: 2,
    });
    expect(await trees.head(tenantId)).toMatchObject({ size: 2 });
    expect(await trees.catchUp(tenantId)).toEqual({ size: 4, seq: 5, link: later.links[2] });
    expect(await differencesOf(tenantId, [...first.links, ...later.links])).toEqual([]);
    expect(
      await Promise.all([0, 1, 2, 3, 4, 5].map((seq) => trees.indexOf(tenantId, seq))),
    ).toEqual([0, 1, null, null, 2, 3]);
    expect(await trees.indexOf(tenantId, 6)).toBeNull();
  });

  it('reads as far as it is asked to', async () => {
    const { tenantId } = await madeUpLedger(database.pool, Array<boolean>(30).fill(true));
    expect(await treesOf(10).catchUp(tenantId, 14)).toMatchObject({ size: 20, seq: 19 });
    expect(await treesOf(10).catchUp(tenantId, 14)).toMatchObject({ size: 20, seq: 19 });
    expect(await treesOf(10).catchUp(tenantId)).toMatchObject({ size: 30 });
  });

  it('has no leaf where nothing is sealed, and no name where there is no ledger', async () => {
    const { tenantId } = await madeUpLedger(database.pool, [false, false]);
    expect(await treesOf().catchUp(tenantId)).toEqual({ size: 0, seq: -1, link: null });
    expect(await treesOf().consistency(tenantId, 0, 0)).toBeNull();
    expect(await treesOf().originOf('tnt_nobody')).toBeNull();
    expect(await treesOf().catchUp('tnt_nobody')).toMatchObject({ size: 0 });
  });

  it('keeps the name it was given', async () => {
    const { tenantId } = await madeUpLedger(database.pool, [true]);
    expect(await treesOf().originOf(tenantId)).toBe(`ledgers.test/${tenantId}`);
    const renamed = new LedgerTrees({
      pool: database.pool,
      originFor: () => Promise.resolve('another'),
      onBroken: () => Promise.resolve(),
    });
    expect(await renamed.originOf(tenantId)).toBe(`ledgers.test/${tenantId}`);
  });

  it('reads two times 256 rows a level for a proof in a large ledger, and no more', async () => {
    const size = 66_000;
    const { tenantId, links } = await madeUpLedger(database.pool, Array<boolean>(size).fill(true));
    const tree = treesOf();
    await tree.catchUp(tenantId);
    const { leaves, rootAt } = treeOver(links);
    const root = rootAt(size);
    const reads: number[] = [];
    const counting: Queryable = {
      async query(text, values) {
        const answer = await database.pool.query(text, values as unknown[]);
        reads.push(answer.rows.length);
        return answer as never;
      },
    };
    for (const index of [0, 255, 256, 65_535, 65_536, 65_791, 65_999]) {
      reads.length = 0;
      const proof = await spanHashes(counting, tenantId, inclusionSpans(index, size));
      const leafHash = leaves[index] ?? Buffer.alloc(0);
      const claim = { index: BigInt(index), size: BigInt(size), leafHash, proof, root };
      expect(verifyInclusion(claim)).toBe(true);
      expect(reads.length).toBeLessThanOrEqual(3);
      expect(Math.max(...reads)).toBeLessThanOrEqual(512);
    }
    for (const oldSize of [1, 300, 65_536, 65_537, 65_999]) {
      reads.length = 0;
      const proof = await spanHashes(counting, tenantId, consistencySpans(oldSize, size));
      const sizes = { oldSize: BigInt(oldSize), newSize: BigInt(size) };
      const claim = { ...sizes, oldRoot: rootAt(oldSize), newRoot: root, proof };
      expect(verifyConsistency(claim)).toBe(true);
      expect(Math.max(...reads)).toBeLessThanOrEqual(512);
    }
  });
});
