import { describe, expect, it } from 'vitest';
import { DUE_ROUNDS_MAX, DUE_ROWS_MAX, type DueScope, DueWorks } from './due-works.js';

function works() {
  const logged: unknown[] = [];
  return { logged, works: new DueWorks({ error: (...line) => logged.push(line) }) };
}

describe('DueWorks', () => {
  it('asks each room in its turn until nothing is left', async () => {
    const { works: all } = works();
    const asked: string[] = [];
    const room = (name: string, counts: number[]) => ({
      name,
      sweepDue: ({ tenantId, limit }: DueScope) => {
        asked.push(`${name} ${tenantId ?? 'all'} ${limit}`);
        return Promise.resolve(counts.shift() ?? 0);
      },
    });
    all.register(room('a', [DUE_ROWS_MAX, 3]));
    all.register(room('b', []));
    expect(await all.sweep('tnt_1')).toEqual([
      { name: 'a', handled: 103, failed: false },
      { name: 'b', handled: 0, failed: false },
    ]);
    expect(asked).toEqual(['a tnt_1 100', 'a tnt_1 100', 'a tnt_1 100', 'b tnt_1 100']);
  });

  it('does not let one room keep the others waiting for ever, nor by failing', async () => {
    const { works: all, logged } = works();
    all.register({ name: 'endless', sweepDue: () => Promise.resolve(1) });
    all.register({ name: 'broken', sweepDue: () => Promise.reject(new Error('no')) });
    all.register({ name: 'last', sweepDue: () => Promise.resolve(0) });
    expect(await all.sweep(null)).toEqual([
      { name: 'endless', handled: DUE_ROUNDS_MAX, failed: false },
      { name: 'broken', handled: 0, failed: true },
      { name: 'last', handled: 0, failed: false },
    ]);
    expect(logged).toHaveLength(1);
  });

  it('ends after the call under way when it is stopped', async () => {
    const { works: all } = works();
    let calls = 0;
    all.register({
      name: 'endless',
      sweepDue: () => {
        calls += 1;
        all.stop();
        return Promise.resolve(1);
      },
    });
    all.register({ name: 'later', sweepDue: () => Promise.resolve((calls += 1)) });
    await all.sweep(null);
    expect(calls).toBe(1);
  });
});
