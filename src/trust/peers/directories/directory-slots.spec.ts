import { describe, expect, it } from 'vitest';
import type { DirectoryCopy } from './directory-copy.js';
import { DirectorySlot, DirectorySlots, SLOTS_MAX } from './directory-slots.js';

const slotWith = (copy: DirectoryCopy | null): DirectorySlot =>
  Object.assign(new DirectorySlot(), { copy });
const COPY = {} as DirectoryCopy;

describe('what is remembered of directories', () => {
  it('is bounded, and the least recently used goes first', () => {
    const slots = new DirectorySlots();
    for (let index = 0; index < SLOTS_MAX; index += 1) slots.keep(`good ${index}`, slotWith(COPY));
    expect(slots.use('good 0')).not.toBeNull();
    slots.keep('one more', slotWith(COPY));
    expect(slots.use('good 0')).not.toBeNull();
    expect(slots.use('good 1')).toBeNull();
    expect(slots.use('good 2')).not.toBeNull();
  });

  it('keeps every good copy, however many places without one are named', () => {
    const slots = new DirectorySlots();
    slots.keep('good', slotWith(COPY));
    for (let index = 0; index < 3 * SLOTS_MAX; index += 1)
      slots.keep(`bad ${index}`, slotWith(null));
    expect(slots.use('good')).not.toBeNull();
    expect(slots.use('bad 0')).toBeNull();
    expect(slots.use(`bad ${3 * SLOTS_MAX - 1}`)).not.toBeNull();
  });

  it('changes its list when a copy came', () => {
    const slots = new DirectorySlots();
    const slot = slotWith(null);
    slots.keep('a', slot);
    slot.copy = COPY;
    slots.keep('a', slot);
    for (let index = 0; index < SLOTS_MAX; index += 1) slots.keep(`bad ${index}`, slotWith(null));
    expect(slots.use('a')).toBe(slot);
    expect(slots.use('b')).toBeNull();
  });
});
