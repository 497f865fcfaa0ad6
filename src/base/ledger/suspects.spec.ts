import { expect, it } from 'vitest';
import { Suspects, SUSPECTS_MAX } from './suspects.js';

it('a suspect is one for a while, counted from the last time', () => {
  let nowMs = 0;
  const suspects = new Suspects(100, () => nowMs);
  suspects.add(['tnt_a']);
  nowMs = 60;
  suspects.add(['tnt_a']);
  nowMs = 159;
  expect([suspects.has('tnt_a'), suspects.has('tnt_b')]).toEqual([true, false]);
  nowMs = 160;
  expect(suspects.has('tnt_a')).toBe(false);
});

it('never more of them than the bound: the oldest is forgotten', () => {
  const suspects = new Suspects(100, () => 0);
  const ids = Array.from({ length: SUSPECTS_MAX + 1 }, (_, index) => `tnt_${index}` as const);
  for (const tenantId of ids) suspects.add([tenantId]);
  expect(ids.filter((tenantId) => !suspects.has(tenantId))).toEqual(['tnt_0']);
});
