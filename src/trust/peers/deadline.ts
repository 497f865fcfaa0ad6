import { InvariantError } from '../../core/kernel/index.js';

/**
 * The value of some work, or null when the time is over before it is there or the database or peer behind it failed:
 * what cannot be looked up is data (`unavailable`), never an exception. Broken invariants still throw.
 * The work itself is not stopped; nobody waits for it.
 */
export async function withinDeadline<Value>(
  deadline: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | null> {
  if (deadline.aborted) return null;
  let giveUp = (): void => undefined;
  const over = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
    deadline.addEventListener('abort', giveUp, { once: true });
  });
  const answered = work().catch((error: unknown) => {
    if (error instanceof InvariantError && !deadline.aborted) throw error;
    return null;
  });
  try {
    return await Promise.race([answered, over]);
  } finally {
    deadline.removeEventListener('abort', giveUp);
  }
}
