import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointRow } from '../checkpoints/checkpoints.store.js';
import { type Recalled, WitnessRecall } from './recall.js';

const rowOf = (size: number): CheckpointRow => ({
  ...{ tenantId: 'tnt_1', size, seq: size - 1, link: '', root: Buffer.alloc(32), text: '' },
  ...{ logLine: '', logKid: '', madeAtMs: 0, cosignatures: [] },
});
const AGREES: Recalled = { outcome: 'cosigned', isLater: false };
const AWAY: Recalled = { outcome: 'away', isLater: false };

let asked: number[];
let lines: string[];
let answers: readonly Recalled[];
let recall: WitnessRecall;
beforeEach(() => {
  [asked, lines, answers] = [[], [], [AGREES]];
  recall = new WitnessRecall({
    isOn: () => Promise.resolve(true),
    ask: ({ size }) => {
      asked.push(size);
      return Promise.resolve(answers);
    },
    log: { error: (message) => void lines.push(message) },
    ...{ intervalMs: 60_000, nowMs: () => 0 },
  });
});
const isAllowed = async (size: number | null): Promise<boolean> =>
  (await recall.before('tnt_1', size === null ? null : rowOf(size))).ok;

describe('WitnessRecall', () => {
  it('asks once, and again when what is stored falls behind what was signed', async () => {
    expect(await isAllowed(5)).toBe(true);
    recall.signed(rowOf(8));
    expect(await isAllowed(8)).toBe(true);
    expect(await isAllowed(9)).toBe(true);
    expect(asked).toEqual([5]);
    expect(await isAllowed(8)).toBe(true);
    expect(asked).toEqual([5, 8]);
    recall.signed(rowOf(12));
    expect(await isAllowed(11)).toBe(true);
    expect(asked).toEqual([5, 8, 11]);
  });

  it('asks nothing about a log that this process began', async () => {
    expect(await isAllowed(null)).toBe(true);
    recall.signed(rowOf(4));
    expect(await isAllowed(4)).toBe(true);
    expect(asked).toEqual([]);
  });

  it('says when all were away, not when there is nobody to ask', async () => {
    answers = [];
    expect(await isAllowed(5)).toBe(true);
    expect(lines).toEqual([]);
    recall.signed(rowOf(8));
    answers = [AWAY, AGREES];
    expect(await isAllowed(7)).toBe(true);
    expect(lines).toEqual([]);
    recall.signed(rowOf(9));
    answers = [AWAY, AWAY];
    expect(await isAllowed(8)).toBe(true);
    expect(lines).toHaveLength(1);
  });
});
