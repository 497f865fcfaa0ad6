import type { HealthCheck } from '../platform/index.js';
import type { LedgerWriter } from './writer.js';

/** A command that waits longer says that the writer is behind; it will be answered `unavailable` soon. */
export const WRITER_WAIT_HEALTHY_MS_MAX = 3_000;

/** Whether this process can make an answer durable now. */
export const writerCheck = (
  writer: Pick<LedgerWriter, 'isStopped' | 'oldestWaitMs' | 'canCommit'>,
): HealthCheck => ({
  name: 'writer',
  check: async () => {
    if (writer.isStopped) return { healthy: false, detail: 'the writer has stopped' };
    const waitMs = writer.oldestWaitMs;
    if (waitMs > WRITER_WAIT_HEALTHY_MS_MAX)
      return { healthy: false, detail: `a command has waited for ${Math.round(waitMs)} ms` };
    return (await writer.canCommit())
      ? { healthy: true }
      : { healthy: false, detail: 'a transaction cannot be committed' };
  },
});
