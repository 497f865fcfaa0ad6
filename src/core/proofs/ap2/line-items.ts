/** Requirements of one constraint, and kinds of item in one cart. */
export const REQUIREMENTS_MAX = 100;
/** Items that all requirements of one constraint accept together. */
export const ACCEPTABLE_ITEMS_MAX = 2_000;

export interface ItemRequirement {
  readonly acceptableIds: readonly string[];
  readonly quantity: number;
}

export interface BoughtItem {
  readonly id: string;
  readonly quantity: number;
}

/**
 * Whether the bought items can be dealt out to the requirements so that each requirement is filled exactly and nothing is
 * left over (facts/protocols.md 4.3.2): the maximum flow from requirements to items equals both totals. First come, first
 * served would refuse carts that fit. INVARIANT: an empty list accepts nothing, so hiding entries never widens.
 */
export function fillsExactly(
  requirements: readonly ItemRequirement[],
  bought: readonly BoughtItem[],
): boolean {
  const total = (parts: readonly { readonly quantity: number }[]): number =>
    parts.reduce((sum, { quantity }) => sum + quantity, 0);
  const needed = total(requirements);
  return needed === total(bought) && maxFlow(requirements, bought) === needed;
}

/** What is given to whom: rows are requirements, columns items. Augments along shortest paths until none is left. */
function maxFlow(requirements: readonly ItemRequirement[], bought: readonly BoughtItem[]): number {
  const accepts = requirements.map(({ acceptableIds }) => {
    const ids = new Set(acceptableIds);
    return bought.flatMap(({ id }, item) => (ids.has(id) ? [item] : []));
  });
  const given = requirements.map(() => bought.map(() => 0));
  const open = requirements.map(({ quantity }) => quantity);
  const left = bought.map(({ quantity }) => quantity);
  let flow = 0;
  for (;;) {
    const path = shortestPath({ accepts, given, open, left });
    if (path === null) return flow;
    flow += push(path, { given, open, left });
  }
}

interface Network {
  /** Items that each requirement accepts. */
  readonly accepts: readonly (readonly number[])[];
  readonly given: number[][];
  /** What each requirement still needs, and what is left of each item. */
  readonly open: number[];
  readonly left: number[];
}

/** A requirement with need left, then in turn an item it accepts and a requirement that has some of that item. */
type Path = readonly { readonly requirement: number; readonly item: number }[];

function shortestPath({ accepts, given, open, left }: Network): Path | null {
  const cameTo = new Map<number, { readonly requirement: number; readonly item: number } | null>();
  const queue = open.flatMap((need, requirement) => (need > 0 ? [requirement] : []));
  for (const requirement of queue) cameTo.set(requirement, null);
  const seenItems = new Set<number>();
  for (const requirement of queue)
    for (const item of accepts[requirement] ?? []) {
      if (seenItems.has(item)) continue;
      seenItems.add(item);
      if ((left[item] ?? 0) > 0) return pathTo({ requirement, item }, cameTo);
      for (const [other, row] of given.entries())
        if ((row[item] ?? 0) > 0 && !cameTo.has(other)) {
          cameTo.set(other, { requirement, item });
          queue.push(other);
        }
    }
  return null;
}

function pathTo(
  last: { readonly requirement: number; readonly item: number },
  cameTo: ReadonlyMap<number, { readonly requirement: number; readonly item: number } | null>,
): Path {
  const path = [last];
  let before = cameTo.get(last.requirement) ?? null;
  while (before !== null) {
    path.unshift(before);
    before = cameTo.get(before.requirement) ?? null;
  }
  return path;
}

/** Moves as many pieces along the path as every step of it allows. */
function push(path: Path, { given, open, left }: Omit<Network, 'accepts'>): number {
  const [first] = path;
  const last = path.at(-1);
  if (first === undefined || last === undefined) return 0;
  const returned = path.slice(1).map((step, index) => ({
    requirement: step.requirement,
    item: path[index]?.item ?? 0,
  }));
  const moved = Math.min(
    open[first.requirement] ?? 0,
    left[last.item] ?? 0,
    ...returned.map(({ requirement, item }) => given[requirement]?.[item] ?? 0),
  );
  const change = (place: { readonly requirement: number; readonly item: number }, by: number) => {
    const row = given[place.requirement];
    if (row !== undefined) row[place.item] = (row[place.item] ?? 0) + by;
  };
  for (const step of path) change(step, moved);
  for (const place of returned) change(place, -moved);
  open[first.requirement] = (open[first.requirement] ?? 0) - moved;
  left[last.item] = (left[last.item] ?? 0) - moved;
  return moved;
}
