import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../core/kernel/index.js';
import { type BatchBounds, FairQueue } from './fair-queue.js';

const id = (name: string): TenantId => `tnt_${name}`;

function queueOf(lengths: Readonly<Record<string, number>>): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [name, count] of Object.entries(lengths))
    for (let index = 0; index < count; index += 1) queue.push(id(name), `${name}${index}`);
  return queue;
}

const bounds = (change: Partial<BatchBounds> = {}): BatchBounds => ({
  tenantsMax: 3,
  itemsMax: 6,
  isAlone: () => false,
  mayServeAlone: true,
  ...change,
});

describe('the fair queue', () => {
  it('gives every tenant of a batch its share, then the room that is left, in order', () => {
    const queue = queueOf({ a: 9, b: 1, c: 2, d: 1 });
    expect(queue.take(bounds()).items).toEqual(['a0', 'a1', 'a2', 'b0', 'c0', 'c1']);
    expect(queue.take(bounds()).items).toEqual(['d0']);
    expect(queue.take(bounds()).items).toEqual([]);
    queue.release([id('a'), id('b'), id('c')]);
    expect(queue.take(bounds()).items).toEqual(['a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
  });

  it('never has a tenant in two batches, and puts it at the end of the line', () => {
    const queue = queueOf({ a: 1, b: 1 });
    queue.take(bounds({ tenantsMax: 1 }));
    queue.push(id('a'), 'a1');
    expect(queue.take(bounds()).items).toEqual(['b0']);
    queue.push(id('c'), 'c0');
    queue.release([id('a')]);
    expect(queue.take(bounds()).items).toEqual(['c0', 'a1']);
    expect(queue.isIdle).toBe(false);
    queue.release([id('a'), id('b'), id('c')]);
    expect(queue.isIdle).toBe(true);
  });

  it('serves a tenant that shares no batch in its turn and by itself', () => {
    const isAlone = (tenantId: TenantId) => tenantId === id('b');
    const queue = queueOf({ a: 1, b: 2, c: 1 });
    expect(queue.take(bounds({ isAlone }))).toMatchObject({ items: ['a0', 'c0'], isAlone: false });
    expect(queue.take(bounds({ isAlone }))).toMatchObject({ items: ['b0', 'b1'], isAlone: true });
  });

  it('passes over such a tenant while enough flushers work for its like', () => {
    const isAlone = (tenantId: TenantId) => tenantId !== id('c');
    const queue = queueOf({ a: 1, b: 1, c: 1 });
    expect(queue.take(bounds({ isAlone })).items).toEqual(['a0']);
    expect(queue.take(bounds({ isAlone, mayServeAlone: false })).items).toEqual(['c0']);
    expect(queue.take(bounds({ isAlone, mayServeAlone: false })).items).toEqual([]);
    expect(queue.take(bounds({ isAlone })).items).toEqual(['b0']);
  });
});
