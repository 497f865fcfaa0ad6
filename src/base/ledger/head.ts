import {
  codec,
  type Decoded,
  type InstantMs,
  invariant,
  type TenantId,
  WORLDS,
  type World,
} from '../../core/kernel/index.js';
import { defineEvent, type RecordedEntry } from './event.js';

/** The form of entries this program writes; entry 0 states it. */
export const LEDGER_FORMAT = 'arbiter-ledger/1';

/**
 * The end of one tenant's ledger: a fold of its entries like any projection, kept in the row that is the tenant's lock.
 * `world` is null and `lastSeq` -1 before entry 0. `sealingKid` null = sealing is off; `lastLink` stays through a pause.
 */
export interface Head {
  readonly tenantId: TenantId;
  readonly world: World | null;
  readonly lastSeq: number;
  readonly lastAtMs: InstantMs | null;
  readonly lastLink: string | null;
  readonly sealingKid: string | null;
  readonly sealingSinceSeq: number | null;
  readonly testClockAtMs: InstantMs | null;
  readonly idSeed: string | null;
}

export const unopenedHead = (tenantId: TenantId): Head => ({
  tenantId,
  world: null,
  lastSeq: -1,
  lastAtMs: null,
  lastLink: null,
  sealingKid: null,
  sealingSinceSeq: null,
  testClockAtMs: null,
  idSeed: null,
});

const sealingState = codec.record({ on: codec.flag, kid: codec.nullable(codec.text) });

export const ledgerOpened = defineEvent(
  'ledger.opened',
  codec.record({
    format: codec.oneOf(LEDGER_FORMAT),
    world: codec.oneOf(...WORLDS),
    sealing: sealingState,
    testClockAtMs: codec.nullable(codec.instant),
    idSeed: codec.nullable(codec.text),
  }),
);

/** `entriesBefore` counts the entries in front of this one: at the first switch, those that are never sealed. */
export const sealingSwitched = defineEvent(
  'ledger.sealing_switched',
  codec.record({ on: codec.flag, kid: codec.nullable(codec.text), entriesBefore: codec.integer }),
);

export const clockMoved = defineEvent(
  'clock.moved',
  codec.record({ fromMs: codec.instant, toMs: codec.instant }),
);

type OpenedData = Decoded<typeof ledgerOpened.data>;

/** What an entry does to the head, seal excluded: the kid decides how the entry is sealed, and only then is its link known. */
export function evolveHead(
  head: Head,
  entry: Pick<RecordedEntry, 'seq' | 'atMs' | 'type' | 'data'>,
): Head {
  const moved: Head = { ...head, lastSeq: entry.seq, lastAtMs: entry.atMs };
  invariant(
    (entry.seq === 0) === (entry.type === ledgerOpened.type),
    'entry 0 and no other opens the ledger',
  );
  switch (entry.type) {
    case ledgerOpened.type: {
      const opened = entry.data as OpenedData;
      invariant(
        opened.testClockAtMs === null || opened.world === 'test',
        'only test tenants have a test clock',
      );
      return {
        ...moved,
        world: opened.world,
        idSeed: opened.idSeed,
        testClockAtMs: opened.testClockAtMs,
        ...sealedBy(head, entry.seq, opened.sealing),
      };
    }
    case sealingSwitched.type:
      return {
        ...moved,
        ...sealedBy(head, entry.seq, entry.data as Decoded<typeof sealingSwitched.data>),
      };
    case clockMoved.type: {
      const { toMs } = entry.data as Decoded<typeof clockMoved.data>;
      invariant(head.world === 'test', 'only test tenants have a test clock');
      invariant(toMs >= entry.atMs, 'a test clock never moves back');
      return { ...moved, testClockAtMs: toMs };
    }
    default:
      return moved;
  }
}

/** Changing the kid while sealing is on keeps `sealingSinceSeq`: the chain goes on under another key. */
function sealedBy(head: Head, seq: number, { on, kid }: { on: boolean; kid: string | null }) {
  invariant(on === (kid !== null), 'sealing is on exactly when a key is named');
  const sealingSinceSeq = on ? (head.sealingKid === null ? seq : head.sealingSinceSeq) : null;
  return { sealingKid: kid, sealingSinceSeq };
}

/** The key that seals an entry: the one it names, else the one in force; the entry that switches off is sealed last. */
export const sealingKidOf = (before: Head, after: Head): string | null =>
  after.sealingKid ?? before.sealingKid;

/**
 * The instant of the next entry of a tenant: never before its last one, on the tenant's test clock if it has one.
 * INVARIANT: a database clock that goes back repeats an instant, it never makes one smaller (decisions 2.3).
 */
export const instantAfter = (head: Head, databaseClockMs: InstantMs): InstantMs =>
  Math.max(head.lastAtMs ?? Number.MIN_SAFE_INTEGER, head.testClockAtMs ?? databaseClockMs);
