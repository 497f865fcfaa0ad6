import { describe, expect, it } from 'vitest';
import type { StatusFact } from '../../core/rules/index.js';
import type { CellView } from '../../base/ledger/index.js';
import { statusFloors } from './status-floors.ledger.js';
import { statusSlots, type StatusSlotRow } from './status-slots.ledger.js';
import { statusUnderLock } from './status-under-lock.js';

const AT_MS = Date.UTC(2026, 10, 30, 9, 30);
const slot = { uri: 'https://authority.example/status/tnt_1/1', index: 7 };

interface Known {
  readonly row?: Partial<StatusSlotRow>;
  readonly floor?: number;
}

const viewOf = ({ row, floor }: Known): CellView => ({
  get: ((projection: unknown) => {
    if (projection === statusSlots) return row;
    return projection === statusFloors && floor !== undefined
      ? { listUri: slot.uri, minVersion: floor }
      : undefined;
  }) as CellView['get'],
});

const looked = (
  verdict: StatusFact['verdict'],
  listVersion: number | null = verdict === 'unavailable' ? null : 5,
): StatusFact => ({
  verdict,
  listUri: slot.uri,
  index: slot.index,
  listIssuedAtMs: verdict === 'unavailable' ? null : AT_MS,
  listVersion,
  fault: null,
});

const judge = (known: Known, said: StatusFact, lineage: string | null = 'mandate|m1') =>
  statusUnderLock(viewOf(known), { ...slot, lineage }, said);

describe('what our own row says', () => {
  it.each<[string, Known['row'] | undefined, string | null, string]>([
    ['its own slot', { value: 0, lineage: 'mandate|m1' }, 'mandate|m1', 'valid'],
    ['a slot nobody registered for', { value: 0, lineage: null }, 'mandate|m1', 'valid'],
    ['a slot that only the list knows', undefined, 'mandate|m1', 'valid'],
    ['a revoked one', { value: 1, lineage: 'mandate|m1' }, 'mandate|m1', 'revoked'],
    ['a suspended one', { value: 2, lineage: null }, 'mandate|m1', 'suspended'],
    ['that of another', { value: 0, lineage: 'mandate|m2' }, 'mandate|m1', 'unavailable'],
    ['a revoked one of another', { value: 1, lineage: 'mandate|m2' }, 'mandate|m1', 'unavailable'],
    ['a place whose owner was known before', { value: 1, lineage: 'price|p' }, null, 'revoked'],
  ])('%s', (_name, row, lineage, verdict) => {
    expect(judge(row === undefined ? {} : { row }, looked('valid'), lineage).verdict).toBe(verdict);
  });
});

describe('what the list said before the lock', () => {
  it.each(['revoked', 'suspended', 'unavailable'] as const)(
    'stays %s, whatever our row says',
    (verdict) => {
      const said = looked(verdict);
      expect(judge({ row: { value: 0, lineage: null } }, said)).toEqual(said);
    },
  );

  it('revoked by the list and suspended here is revoked', () => {
    const said = looked('revoked');
    expect(judge({ row: { value: 2, lineage: null } }, said)).toEqual(said);
  });

  it('a dead list does not hide what was withdrawn here', () => {
    const status = judge({ row: { value: 1, lineage: null } }, looked('unavailable'));
    expect(status).toMatchObject({ verdict: 'revoked', fault: null });
  });
});

describe('floors', () => {
  it.each<[string, number, StatusFact, string]>([
    ['a copy at the floor counts', 5, looked('valid', 5), 'valid'],
    ['a copy above it counts', 4, looked('valid', 5), 'valid'],
    ['one below does not', 6, looked('valid', 5), 'unavailable'],
    ['one without a version is below every floor', 0, looked('valid', null), 'unavailable'],
    ['suspended refuses already', 6, looked('suspended', 5), 'suspended'],
    ['revoked is final', 6, looked('revoked', 5), 'revoked'],
  ])('%s', (_name, floor, said, verdict) => {
    expect(judge({ floor }, said).verdict).toBe(verdict);
    if (verdict === 'unavailable') expect(judge({ floor }, said).fault).toBe('status_below_floor');
  });
});
