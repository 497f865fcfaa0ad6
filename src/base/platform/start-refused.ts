/**
 * The process cannot start as it was asked to. The message is one line for the operator: it names the setting, what is
 * wrong with it and the fix, and holds no secret. `main` and `cli` print it without a stack and exit with 1.
 */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Text of an unknown thrown value, on one line. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();

/** Code of a system or database error (`ENOENT`, `28P01`), or null. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
