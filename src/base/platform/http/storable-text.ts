/**
 * The place of the first text in a parsed body that neither the ledger nor PostgreSQL can hold: one with a lone
 * surrogate (it has no UTF-8) or with NUL. A JSON pointer; null when there is none. Member names count too.
 * Depth is bounded before the body is parsed.
 */
export function unstorableText(value: unknown, pointer = ''): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : pointer;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return pointer;
    const found = unstorableText(member, `${pointer}/${name}`);
    if (found !== null) return found;
  }
  return null;
}

const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);
const LONE_SURROGATE = /\p{Surrogate}/u;
