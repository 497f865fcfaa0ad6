import { describe, expect, it } from 'vitest';
import { WRITER_WAIT_HEALTHY_MS_MAX, writerCheck } from './writer-check.js';

const sound = { isStopped: false, oldestWaitMs: 0, canCommit: () => Promise.resolve(true) };

describe('the check of the writer', () => {
  it('is healthy when it commits and nobody waits long', async () => {
    const waiting = { ...sound, oldestWaitMs: WRITER_WAIT_HEALTHY_MS_MAX };
    expect(await writerCheck(waiting).check()).toEqual({ healthy: true });
  });

  it.each([
    ['has stopped', { isStopped: true }, 'the writer has stopped'],
    [
      'lets a command wait',
      { oldestWaitMs: WRITER_WAIT_HEALTHY_MS_MAX + 0.6 },
      'a command has waited for 3001 ms',
    ],
    [
      'cannot commit',
      { canCommit: () => Promise.resolve(false) },
      'a transaction cannot be committed',
    ],
  ])('fails when it %s', async (_how, change, detail) => {
    const finding = await writerCheck({ ...sound, ...change }).check();
    expect(finding).toEqual({ healthy: false, detail });
  });
});
