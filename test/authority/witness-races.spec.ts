import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';
import { cosignedAt, openLog, register, send, testLog, witnessKeys } from './test-log.js';

/** Two processes of the authority on one database, as far as that can tell: each with a writer of its own. */
const desks = [await openDesk(), await openDesk()] as const;
const [desk] = desks;
const either = (turn: number) => desks[turn % 2 === 0 ? 0 : 1];
const RUNS = 30;

describe('from one old size, whoever asks at once', () => {
  it('one checkpoint wins and the others learn its size', async () => {
    const log = await openLog(desk);
    let size = 0;
    for (let round = 0; round < 20; round += 1) {
      const asked = [1, 2, 3, 4].map((step) => size + step);
      const answers = await Promise.all(
        asked.map((next, turn) => send(either(turn), log.request(size, next))),
      );
      const won = asked.filter((_next, turn) => answers[turn]?.status === 200);
      expect(won).toHaveLength(1);
      size = won[0] ?? 0;
      for (const { status, type, text } of answers)
        if (status !== 200)
          expect([status, type, text]).toEqual([409, 'text/x.tlog.size', `${size}\n`]);
    }
    expect(await desk.differences(log.tenantId)).toEqual([]);
  });

  it('of two histories one is cosigned, and the other never', async () => {
    for (let round = 0; round < 15; round += 1) {
      const log = await openLog(desk);
      const fork = testLog({ origin: log.origin, key: log.key, forkAt: 2 });
      await send(desk, log.request(0, 2));
      const [one, two] = await Promise.all([
        send(either(round), log.request(2, 5)),
        send(either(round + 1), fork.request(2, 5)),
      ]);
      expect([one.status, two.status].sort()).toEqual([200, 409]);
      const [lost, won] = one.status === 200 ? [fork, log] : [log, fork];
      expect((await send(either(round), lost.request(5, 5))).status).toBe(422);
      expect((await send(either(round), lost.request(5, 9))).status).toBe(422);
      expect((await send(either(round), won.request(5, 5))).status).toBe(200);
    }
  });

  it('whatever comes in whatever order, later cosignatures are of larger trees and all of one history', async () => {
    const keys = await witnessKeys(desk);
    const step = fc.record({
      old: fc.nat(6),
      size: fc.nat(6),
      isFork: fc.boolean(),
      at: fc.nat(1),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 4 }),
        async (bursts) => {
          const log = await openLog(desk);
          const fork = testLog({ origin: log.origin, key: log.key, forkAt: 1 });
          const seen: { size: number; root: string; atSeconds: number }[] = [];
          for (const burst of bursts) {
            const answers = await Promise.all(
              burst.map(async ({ old, size, isFork, at }) => {
                const tree = isFork ? fork : log;
                const answer = await send(either(at), tree.request(old, size));
                expect([200, 400, 409, 422]).toContain(answer.status);
                if (answer.status !== 200) return [];
                const atSeconds = cosignedAt(tree.text(size), answer.text, keys);
                return [{ size, root: Buffer.from(tree.rootAt(size)).toString('hex'), atSeconds }];
              }),
            );
            seen.push(...answers.flat());
          }
          const bySize = [...seen].sort((left, right) => left.size - right.size);
          for (const [index, { size, root, atSeconds }] of bySize.entries()) {
            const before = bySize[index - 1];
            if (before?.size === size) expect(root).toBe(before.root);
            else if (before !== undefined)
              expect(atSeconds).toBeGreaterThanOrEqual(before.atSeconds);
            // All of the first history or all of the other, from the leaf on in which they differ.
            if (size > 1)
              expect(
                [log, fork].map((tree) => Buffer.from(tree.rootAt(size)).toString('hex')),
              ).toContain(root);
          }
          const large = bySize.filter(({ size }) => size > 1);
          const ofLog = large.filter(
            ({ size, root }) => Buffer.from(log.rootAt(size)).toString('hex') === root,
          );
          expect([0, large.length]).toContain(ofLog.length);
          expect(await desk.differences(log.tenantId)).toEqual([]);
        },
      ),
      { seed: 20_261_130, numRuns: RUNS },
    );
  });
});

describe('keys that change while checkpoints come', () => {
  it('a checkpoint counts by the keys of one moment: never by none', async () => {
    for (let round = 0; round < 10; round += 1) {
      const log = await openLog(desk);
      const next = testLog({ origin: log.origin });
      const [sent, replaced] = await Promise.all([
        send(either(round), log.request(0, 3)),
        register(either(round + 1), log.tenantId, {
          origin: log.origin,
          vkeys: [next.key.vkey.text],
        }),
      ]);
      expect(replaced.status).toBe(200);
      expect([200, 403]).toContain(sent.status);
      expect((await send(either(round), log.request(sent.status === 200 ? 3 : 0, 4))).status).toBe(
        403,
      );
    }
  });
});
