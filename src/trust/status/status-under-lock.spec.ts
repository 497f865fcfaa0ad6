import { expect, it } from 'vitest';
import type { CellView } from '../../base/ledger/index.js';
import { statusUnderLock } from './status-checker.js';
import type { StatusSlotRow } from './status-slots.ledger.js';

const AT_MS = Date.UTC(2026, 10, 30, 9, 30);
const slot = { uri: 'urn:arbiter:status-list:tnt_1:1', index: 7 };

const viewOf = (row: Partial<StatusSlotRow> | undefined): CellView => ({
  get: () => row as never,
});

it.each<[string, Partial<StatusSlotRow> | undefined, string | null, string]>([
  ['its own slot', { value: 0, lineage: 'mandate|m1' }, 'mandate|m1', 'valid'],
  [
    'a slot that nobody registered an object for',
    { value: 0, lineage: null },
    'mandate|m1',
    'valid',
  ],
  ['a revoked one', { value: 1, lineage: 'mandate|m1' }, 'mandate|m1', 'revoked'],
  ['a suspended one', { value: 2, lineage: null }, 'mandate|m1', 'suspended'],
  ['the slot of another object', { value: 0, lineage: 'mandate|m2' }, 'mandate|m1', 'unavailable'],
  ['a revoked slot of another', { value: 1, lineage: 'mandate|m2' }, 'mandate|m1', 'unavailable'],
  ['a place whose owner was known before', { value: 1, lineage: 'price|p' }, null, 'revoked'],
  ['a place that was never reserved', undefined, null, 'unavailable'],
])('%s', (_name, row, lineage, verdict) => {
  const status = statusUnderLock(viewOf(row), { ...slot, lineage }, AT_MS);
  expect(status).toEqual({
    verdict,
    listUri: slot.uri,
    index: 7,
    listIssuedAtMs: verdict === 'unavailable' ? null : AT_MS,
  });
});
