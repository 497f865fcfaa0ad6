/**
 * A promise of our own code that did not hold. Nothing a caller sends may raise it: the transaction rolls back,
 * the answer is a 500 without detail, and somebody is paged.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** The only way out of `core/` other than a value. `message` names what had to be true. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
