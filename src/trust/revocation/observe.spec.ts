import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FoldedTenant } from '../../../test/support/folded-tenant.js';
import { anyProjection, type CommandContext, event } from '../../base/ledger/index.js';
import type { Revoked, VerifiedRecord } from '../authority/index.js';
import { slotStatusOf, statusFloorRaised, statusFloors, statusSlots } from '../status/index.js';
import { RECORDS_PER_ENTRY_MAX, revocationObservations } from './observations.ledger.js';
import { observe } from './observe.js';

const AT_MS = Date.UTC(2026, 10, 30, 9, 30);
const LIST = 'https://authority.example/status/tnt_1/1';
const context: CommandContext = {
  tenantId: 'tnt_1',
  actor: { role: 'operator', id: 'key_1' },
  requestId: 'req_1',
  idempotency: null,
};

const tenant = () =>
  new FoldedTenant([
    anyProjection(statusSlots),
    anyProjection(statusFloors),
    anyProjection(revocationObservations),
  ]);

/** A change of one slot, numbered by the version of the list that shows it first. */
const record = (
  index: number,
  version: number,
  { status, ...rest }: Partial<VerifiedRecord> & Pick<VerifiedRecord, 'status'>,
): VerifiedRecord => ({
  jws: `jws-${index}-${version}`,
  kid: 'kid-1',
  revocationId: `rev_${index}_${version}`,
  slot: { uri: LIST, index },
  listVersion: version,
  status,
  reasonCode: 'recall',
  subjectId: `m${index}`,
  subjectKind: 'mandate',
  artifactType: null,
  effectiveAtMs: AT_MS,
  revokedBy: 'operator',
  cause: 'direct',
  rootRevocationId: null,
  rootSubjectId: null,
  ...rest,
});

const answerOf = (version: number, ...records: VerifiedRecord[]): Revoked => ({
  records,
  lists: [{ uri: LIST, version }],
});

const stateOf = (rows: FoldedTenant) => ({
  slots: rows.all(statusSlots).map((row) => ({ ...row, changedAtMs: 0 })),
  floors: rows.all(statusFloors),
  observed: rows.all(revocationObservations),
});

describe('what an answer of the authority leaves', () => {
  it('a floor, a status with its cause and root, and the digest of every record', () => {
    const rows = tenant();
    const root = { rootRevocationId: 'rev_1_4', rootSubjectId: 'm1', cause: 'cascade' } as const;
    const answer = answerOf(
      4,
      record(1, 4, { status: 'revoked' }),
      record(2, 4, { status: 'revoked', ...root }),
    );
    expect(rows.run(observe(context, answer), AT_MS)).toEqual({ ok: true, value: 'rev_1_4' });
    expect(rows.all(statusFloors)).toEqual([{ listUri: LIST, minVersion: 4 }]);
    expect(rows.all(statusSlots)).toMatchObject([
      { slotIndex: 1, value: 1, revocationId: 'rev_1_4', rootSubjectId: null, changedVersion: 4 },
      { slotIndex: 2, value: 1, revocationId: 'rev_2_4', rootSubjectId: 'm1', changedVersion: 4 },
    ]);
    expect(rows.all(revocationObservations)).toMatchObject([
      { revocationId: 'rev_1_4', cause: 'direct', position: 0 },
      { revocationId: 'rev_2_4', cause: 'cascade', rootRevocationId: 'rev_1_4', position: 1 },
    ]);
    const [first] = rows.all(revocationObservations);
    expect(first?.recordSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('nothing, the second time', () => {
    const rows = tenant();
    const answer = answerOf(4, record(1, 4, { status: 'revoked' }));
    rows.run(observe(context, answer), AT_MS);
    const before = stateOf(rows);
    let entries = 0;
    rows.heard = () => (entries += 1);
    expect(rows.run(observe(context, answer), AT_MS)).toEqual({ ok: true, value: 'rev_1_4' });
    expect(entries).toBe(0);
    expect(stateOf(rows)).toEqual(before);
  });

  it('takes a whole tree of 2,000 in one command', () => {
    const rows = tenant();
    const all = Array.from({ length: 2_000 }, (_, index) =>
      record(index, 4, { status: 'revoked' }),
    );
    const types: string[] = [];
    rows.heard = ({ type }) => types.push(type);
    rows.run(observe(context, answerOf(4, ...all)), AT_MS);
    expect(rows.all(revocationObservations)).toHaveLength(2_000);
    expect(types.filter((type) => type === 'revocation.observed')).toHaveLength(
      2_000 / RECORDS_PER_ENTRY_MAX,
    );
    expect(types.length).toBeLessThanOrEqual(2_048);
  });

  it('INVALID, whatever the authority says later', () => {
    const rows = tenant();
    rows.run(observe(context, answerOf(1, record(1, 1, { status: 'revoked' }))), AT_MS);
    rows.run(observe(context, answerOf(2, record(1, 2, { status: 'valid' }))), AT_MS);
    expect(rows.all(statusSlots)).toMatchObject([{ value: 1, revocationId: 'rev_1_1' }]);
    expect(rows.all(revocationObservations)).toHaveLength(2);
  });

  it('a reason of a later form of records is kept, and counts as other here', () => {
    const rows = tenant();
    rows.run(
      observe(context, answerOf(1, record(1, 1, { status: 'revoked', reasonCode: 'whim' }))),
      AT_MS,
    );
    expect(rows.all(statusSlots)[0]?.reasonCode).toBe('other');
    expect(rows.all(revocationObservations)[0]?.reasonCode).toBe('whim');
  });
});

describe('answers that arrive late', () => {
  it('a floor never comes down, by its entries alone either', () => {
    const folded = tenant();
    for (const version of [9, 7])
      folded.append([event(statusFloorRaised, { listUri: LIST, version })], AT_MS);
    expect(folded.all(statusFloors)).toEqual([{ listUri: LIST, minVersion: 9 }]);
    const rows = tenant();
    rows.run(observe(context, answerOf(9, record(1, 9, { status: 'suspended' }))), AT_MS);
    rows.run(observe(context, answerOf(7, record(2, 7, { status: 'suspended' }))), AT_MS);
    expect(rows.all(statusFloors)).toEqual([{ listUri: LIST, minVersion: 9 }]);
  });

  /** What the authority does: INVALID is final, everything else moves, and every change has a version of its own. */
  const histories = fc
    .array(
      fc.record({
        index: fc.integer({ min: 0, max: 2 }),
        status: fc.constantFrom('valid', 'suspended', 'revoked'),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((steps) => {
      const stands = new Map<number, string>();
      const answers: Revoked[] = [];
      for (const { index, status } of steps) {
        if (stands.get(index) === 'revoked' || stands.get(index) === status) continue;
        stands.set(index, status);
        const version = answers.length + 1;
        answers.push(answerOf(version, record(index, version, { status })));
      }
      return { answers, stands };
    });

  it('leave the same rows in whatever order, however often each is written down', () => {
    fc.assert(
      fc.property(
        histories,
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
        ({ answers, stands }, draws) => {
          const inOrder = tenant();
          for (const answer of answers) inOrder.run(observe(context, answer), AT_MS);
          const shuffled = tenant();
          const deliveries = [...answers, ...answers].map((answer, place) => ({
            answer,
            draw: draws[place % draws.length] ?? 0,
          }));
          for (const { answer } of deliveries.toSorted((left, right) => left.draw - right.draw))
            shuffled.run(observe(context, answer), AT_MS);
          expect(stateOf(shuffled)).toEqual(stateOf(inOrder));
          for (const row of inOrder.all(statusSlots))
            expect(slotStatusOf(row)).toBe(stands.get(row.slotIndex));
        },
      ),
      { numRuns: 300 },
    );
  });
});
