import { err, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier, readComponent } from './component.js';
import { repeatedComponent } from './signature-base.js';
import { type Item } from './structured.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** The components that one signature covers, and what is asked of them for each message. */
export interface CoveredList {
  readonly components: readonly ComponentIdentifier[];
  /** A requirement is met by the bare identifier only, never by one with parameters. */
  readonly identities: ReadonlySet<string>;
  /** Canonical texts, in order. */
  readonly texts: readonly string[];
}

export const NOTHING_COVERED: CoveredList = { components: [], identities: new Set(), texts: [] };

/** By the list that was read: the plain reader gives the same list for the same text. */
const known = new WeakMap<readonly Item[], Result<CoveredList, SignatureFault>>();

/** Faults, of the first item at fault: those of {@link readComponent}; then duplicate_component. */
export function readCoveredList(items: readonly Item[]): Result<CoveredList, SignatureFault> {
  const before = known.get(items);
  if (before !== undefined) return before;
  const list = read(items);
  known.set(items, list);
  return list;
}

function read(items: readonly Item[]): Result<CoveredList, SignatureFault> {
  const components: ComponentIdentifier[] = [];
  for (const item of items) {
    const component = readComponent(item);
    if (!component.ok) return component;
    components.push(component.value);
  }
  const repeated = repeatedComponent(components);
  if (repeated !== null)
    return err(fault('duplicate_component', `${quoted(repeated.text)} is covered twice.`));
  return ok({
    components,
    identities: new Set(components.map(({ identity }) => identity)),
    texts: components.map(({ text }) => text),
  });
}
