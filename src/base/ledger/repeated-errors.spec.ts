import { expect, it } from 'vitest';
import { REPEATED_ERROR_MS, withoutRepeats } from './repeated-errors.js';

it('writes the same error once a minute and says how often it was left out', () => {
  const written: unknown[] = [];
  let nowMs = 0;
  const log = withoutRepeats({ error: (...line) => written.push(line) }, () => nowMs);
  for (; nowMs < REPEATED_ERROR_MS; nowMs += 1_000) log.error('broke', { work: 'a' });
  expect(written).toEqual([['broke', { work: 'a' }]]);
  log.error('broke', { work: 'b' });
  log.error('broke', { work: 'a' });
  expect(written.slice(1)).toEqual([
    ['broke', { work: 'b' }],
    ['broke', { work: 'a', left_out: 59 }],
  ]);
});

it('remembers a bounded number of errors, so that ever new ones fill no memory', () => {
  const written: unknown[] = [];
  const log = withoutRepeats({ error: (line) => written.push(line) }, () => 0);
  for (let turn = 0; turn < 1_000; turn += 1) log.error(`broke ${turn}`, {});
  log.error('broke 999', {});
  log.error('broke 0', {});
  expect(written.slice(-2)).toEqual(['broke 999', 'broke 0']);
});
