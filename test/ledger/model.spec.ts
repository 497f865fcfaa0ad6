import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import {
  checkRebuild,
  type LedgerWriter,
  readRows,
  switchSealing,
} from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import {
  add,
  broken,
  contextOf,
  COUNTERS,
  newTenant,
  opening,
  RECEIPTS,
  TABLE_VALUE_MAX,
  TOY_PROJECTIONS,
  toyDatabase,
  toyWriter,
} from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;
let observer: pg.Client;

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer } = toyWriter(database.connectionString, { limits: { batchCommandsMax: 16 } }));
  observer = new pg.Client({ connectionString: database.connectionString });
  await observer.connect();
});
afterAll(() => Promise.all([writer.close(), observer.end()]));

type Step =
  | {
      readonly kind: 'add';
      readonly counter: string;
      readonly amount: number;
      readonly key: string | null;
    }
  | { readonly kind: 'same receipt' }
  | { readonly kind: 'too much for the table' }
  | { readonly kind: 'throw' }
  | { readonly kind: 'seal'; readonly kid: string | null };

const LIMIT = 40;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      counter: fc.constantFrom('a', 'b', '"\\,{}\u20b9 \u{1F600}'),
      amount: fc.integer({ min: 0, max: 12 }),
      key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: null }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'same receipt' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'too much for the table' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'throw' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('seal' as const),
      kid: fc.option(fc.constantFrom('k1', 'k2'), { nil: null }),
    }),
  },
);

/** What a tenant must look like, in the plainest words. */
class Model {
  seq = 0;
  kid: string | null = null;
  receipts = 0;
  hasSameReceipt = false;
  readonly counters = new Map<string, number>();
  readonly keys = new Map<string, { readonly hash: string; readonly seq: number }>();

  expected(one: Step): string {
    switch (one.kind) {
      case 'throw':
      case 'too much for the table':
        return 'internal';
      case 'same receipt':
        if (this.hasSameReceipt) return 'internal';
        this.hasSameReceipt = true;
        return this.added('a', 0);
      case 'seal':
        if (one.kid === this.kid) return 'conflict';
        this.kid = one.kid;
        this.seq += 1;
        return `seq ${this.seq}`;
      case 'add': {
        const hash = `${one.counter} ${one.amount}`;
        const known = one.key === null ? undefined : this.keys.get(one.key);
        if (known !== undefined)
          return known.hash === hash ? `seq ${known.seq}` : 'idempotency_conflict';
        if ((this.counters.get(one.counter) ?? 0) + one.amount > LIMIT) return 'conflict';
        const answer = this.added(one.counter, one.amount);
        if (one.key !== null) this.keys.set(one.key, { hash, seq: this.seq });
        return answer;
      }
    }
  }

  private added(counter: string, amount: number): string {
    this.counters.set(counter, (this.counters.get(counter) ?? 0) + amount);
    this.receipts += 1;
    this.seq += 1;
    return `seq ${this.seq}`;
  }
}

function commandOf(tenantId: `tnt_${string}`, one: Step) {
  switch (one.kind) {
    case 'throw':
      return broken(tenantId);
    case 'too much for the table':
      return add(tenantId, { counter: 'huge', amount: TABLE_VALUE_MAX + 1 });
    case 'same receipt':
      return add(tenantId, { counter: 'a', amount: 0, receipt: 'same' });
    case 'seal':
      return switchSealing(contextOf(tenantId), one.kid);
    case 'add':
      return add(tenantId, {
        counter: one.counter,
        amount: one.amount,
        limit: LIMIT,
        idempotency:
          one.key === null
            ? null
            : { scope: 's', key: one.key, requestHash: `${one.counter} ${one.amount}` },
      });
  }
}

const spelled = (result: Awaited<ReturnType<LedgerWriter['execute']>>): string =>
  result.ok ? `seq ${(result.value as { seq: number }).seq}` : result.error.code;

/** Bursts: the steps of one burst are sent together, so they share batches; no key twice in a burst. */
const bursts = fc.array(
  fc
    .array(step, { maxLength: 12 })
    .map((steps) =>
      steps.filter(
        (one, index) =>
          one.kind !== 'add' ||
          one.key === null ||
          !steps.slice(0, index).some((other) => other.kind === 'add' && other.key === one.key),
      ),
    ),
  { minLength: 1, maxLength: 5 },
);

describe('the writer against a plain model', () => {
  it('answers, rows and ledger are those of the model, however commands are batched over tenants', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bursts, { minLength: 1, maxLength: 4 }), async (plans) => {
        await Promise.all(
          plans.map(async (plan) => {
            const tenantId = newTenant();
            const model = new Model();
            await writer.open(opening(tenantId));
            for (const burst of plan) {
              const sent = burst.map((one) => writer.execute<unknown>(commandOf(tenantId, one)));
              const expected = burst.map((one) => model.expected(one));
              expect((await Promise.all(sent)).map(spelled)).toEqual(expected);
            }
            const counters = await readRows(database.pool, COUNTERS, { tenantId });
            expect(new Map(counters.map(({ counter, value }) => [counter, value]))).toEqual(
              model.counters,
            );
            expect(await readRows(database.pool, RECEIPTS, { tenantId })).toHaveLength(
              model.receipts,
            );
          }),
        );
      }),
      { numRuns: 40 },
    );
    const report = await checkRebuild(observer, 'all', {
      projections: TOY_PROJECTIONS,
      sealer: writer.sealer,
    });
    expect(report.differences).toEqual([]);
  });
});
