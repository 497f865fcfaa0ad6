import type { CanonicalValue } from '../kernel/index.js';

/** One place where two values say something different. Null where there is nothing, too. */
export interface Difference {
  /** A JSON pointer. */
  readonly at: string;
  readonly recorded: CanonicalValue;
  readonly judged: CanonicalValue;
}

/** Every leaf in which the two differ, members in the order of their names. */
export function differencesOf(
  recorded: CanonicalValue,
  judged: CanonicalValue,
  at = '',
): readonly Difference[] {
  const [left, right] = [childrenOf(recorded), childrenOf(judged)];
  if (left === null || right === null || left.isList !== right.isList)
    return recorded === judged ? [] : [{ at, recorded, judged }];
  const names = new Set([...left.children.keys(), ...right.children.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [left.children.get(name), right.children.get(name)];
    const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return one === undefined || other === undefined
      ? [{ at: place, recorded: one ?? null, judged: other ?? null }]
      : differencesOf(one, other, place);
  });
}

interface Children {
  readonly isList: boolean;
  readonly children: ReadonlyMap<string, CanonicalValue>;
}

const childrenOf = (value: CanonicalValue): Children | null =>
  typeof value === 'object' && value !== null
    ? { isList: Array.isArray(value), children: new Map(Object.entries(value)) }
    : null;
