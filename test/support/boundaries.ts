import { expect, it } from 'vitest';
import { decidePurchase, type PurchaseCase } from '../../src/core/rules/index.js';
import { change, type PurchaseDraft } from './purchase-case.js';

export type Edit = (draft: PurchaseDraft) => void;
/** The last value that passes, the first that does not, and what is then said. */
export type Boundary = readonly [name: string, inside: Edit, outside: Edit, reason: string];

export function both(sound: () => PurchaseCase, boundaries: readonly Boundary[]) {
  it.each(boundaries)('%s', (_name, inside, outside, reason) => {
    expect(decidePurchase(change(sound(), inside)).reason).toBe(null);
    expect(decidePurchase(change(sound(), outside)).reason).toBe(reason);
  });
}

/** Sets a member through a function of the draft, at two values. */
const at =
  <Value>(put: (draft: PurchaseDraft, value: Value) => void, value: Value): Edit =>
  (draft) =>
    put(draft, value);

export const boundary = <Value>(
  name: string,
  put: (draft: PurchaseDraft, value: Value) => void,
  { inside, outside, reason }: { inside: Value; outside: Value; reason: string },
): Boundary => [name, at(put, inside), at(put, outside), reason];
