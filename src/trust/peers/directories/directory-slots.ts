import type { DirectoryCopy } from './directory-copy.js';
import type { DirectoryFault } from './fetch-directory.js';

/** Directories with a copy, and those without, that are remembered. */
export const SLOTS_MAX = 1_000;

/** What is known of one directory. */
export class DirectorySlot {
  copy: DirectoryCopy | null = null;
  /** When it was asked last, on the clock that never steps back. */
  askedAtMs: number | null = null;
  /** How the last asking failed; null: it did not. */
  fault: DirectoryFault | null = null;
  /** After a failure it is left alone until then. */
  askAgainFromMs = 0;
  /** The asking under way: every request that needs it waits for this one. */
  pending: Promise<void> | null = null;
}

/**
 * The least recently used go first. Directories without a copy have a list of their own: whoever names a thousand places
 * that answer nothing drives out no good copy.
 */
export class DirectorySlots {
  readonly #withCopy = new Map<string, DirectorySlot>();
  readonly #without = new Map<string, DirectorySlot>();

  /** The slot of this name, from now on the most recently used; null: nothing is known of it. */
  use(name: string): DirectorySlot | null {
    const slot = this.#withCopy.get(name) ?? this.#without.get(name) ?? null;
    if (slot !== null) this.keep(name, slot);
    return slot;
  }

  /** Remembers it. */
  keep(name: string, slot: DirectorySlot): void {
    this.#withCopy.delete(name);
    this.#without.delete(name);
    const slots = slot.copy === null ? this.#without : this.#withCopy;
    slots.set(name, slot);
    const [oldest] = slots.keys();
    if (slots.size > SLOTS_MAX && oldest !== undefined) slots.delete(oldest);
  }
}
