import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';
import { bind, claimsOf, mandate, plain, revoke, valueAt, type WireObject } from './forest.js';

/** Two processes of the authority, as far as the database can tell: each with a writer of its own. */
const desks = [await openDesk(), await openDesk()] as const;
const RUNS = 25;

const pause = (turns: number) =>
  (async () => {
    for (let turn = 0; turn < turns; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
  })();

describe('a child and the withdrawal of its parent at the same time', () => {
  it('is either refused, or falls with its parent; never VALID below INVALID', async () => {
    const tenantId = await desks[0].tenant();
    const outcomes = { refused: 0, fallen: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          children: fc.integer({ min: 1, max: 4 }),
          /** Turns of the event loop that each waits before it asks. */
          waits: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 5, maxLength: 5 }),
          askers: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 5, maxLength: 5 }),
          isDeep: fc.boolean(),
        }),
        async ({ children, waits, askers, isDeep }) => {
          const deskOf = (place: number) => desks[askers[place] === 1 ? 1 : 0];
          const slots = await desks[0].slots(tenantId, children + 2);
          const [rootSlot, middleSlot, ...rest] = slots as [
            WireObject['slot'],
            WireObject['slot'],
            ...WireObject['slot'][],
          ];
          const root = mandate(rootSlot);
          const middle = mandate(middleSlot, root.object_id);
          await bind(desks[0], tenantId, [root, middle]);
          const parent = isDeep ? middle : root;
          const born = rest.map((slot) => mandate(slot, parent.object_id));
          const [revoked, ...answers] = await Promise.all([
            pause(waits[0] ?? 0).then(() =>
              revoke(deskOf(0), tenantId, { kind: 'mandate', object_id: root.object_id }),
            ),
            ...born.map((child, index) =>
              pause(waits[index + 1] ?? 0).then(() => bind(deskOf(index + 1), tenantId, [child])),
            ),
          ]);
          expect(revoked.status).toBe(200);
          const named = new Set(
            (revoked.body.revocations as string[]).map((jws) => claimsOf(jws)['subject_id']),
          );
          for (const [index, child] of born.entries()) {
            const answer = answers[index];
            if (answer?.status === 200) {
              outcomes.fallen += 1;
              expect(await valueAt(desks[1], child.slot)).toBe(1);
              expect(named).toContain(child.object_id);
            } else {
              outcomes.refused += 1;
              expect(answer).toMatchObject({
                status: 422,
                body: { field: '/objects/0/mandate/parent_id' },
              });
              expect(await valueAt(desks[1], child.slot)).toBe(0);
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
    // Both orders were really met.
    expect(Math.min(outcomes.refused, outcomes.fallen)).toBeGreaterThan(0);
    expect(await desks[0].differences(tenantId)).toEqual([]);
  });

  it('holds for a consent and the passport that is to rest on it', async () => {
    const tenantId = await desks[0].tenant();
    for (let run = 0; run < RUNS; run += 1) {
      const [a, b] = (await desks[0].slots(tenantId, 2)) as [
        WireObject['slot'],
        WireObject['slot'],
      ];
      const consent = plain('consent', a);
      await bind(desks[0], tenantId, [consent]);
      const passport = plain('passport', b, consent.object_id);
      const [bound, revoked] = await Promise.all([
        pause(run % 5).then(() => bind(desks[run % 2 === 0 ? 0 : 1], tenantId, [passport])),
        pause(run % 7).then(() =>
          revoke(desks[run % 2 === 0 ? 1 : 0], tenantId, { slot: consent.slot }),
        ),
      ]);
      expect(revoked.status).toBe(200);
      expect([200, 422]).toContain(bound.status);
      expect(await valueAt(desks[0], passport.slot)).toBe(bound.status === 200 ? 1 : 0);
    }
    expect(await desks[0].differences(tenantId)).toEqual([]);
  });

  it('records one withdrawal when everybody asks for the same', async () => {
    const tenantId = await desks[0].tenant();
    const [slot] = (await desks[0].slots(tenantId, 1)) as [WireObject['slot']];
    const root = mandate(slot);
    await bind(desks[0], tenantId, [root]);
    const count = await desks[0].entryCount(tenantId);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        revoke(desks[index % 2 === 0 ? 0 : 1], tenantId, { slot: root.slot }),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await desks[0].entryCount(tenantId)).toBe(count + 1);
  });
});
