import {
  type Actor,
  type Codec,
  type EntryId,
  type InstantMs,
  invariant,
  type TenantId,
} from '../../core/kernel/index.js';

/** A kind of ledger entry: its name (`room.past_tense`) and the codec of its data. Names and shapes are forever. */
export interface EventType<Data> {
  readonly type: string;
  readonly data: Codec<Data>;
}

/** An event that a command decided on, not yet an entry. */
export interface LedgerEvent {
  readonly eventType: EventType<unknown>;
  readonly data: unknown;
}

// Which names mean what is one fact of the whole program: a stored entry is read by the codec its name was defined with.
const known = new Map<string, EventType<unknown>>();

const EVENT_NAME = /^[a-z][a-z_]*\.[a-z][a-z_]*$/;

export function defineEvent<Data>(type: string, data: Codec<Data>): EventType<Data> {
  invariant(EVENT_NAME.test(type), `an event is named room.past_tense, not ${type}`);
  invariant(!known.has(type), `the event ${type} is defined once`);
  const eventType: EventType<Data> = { type, data };
  known.set(type, eventType);
  return eventType;
}

/** The definition behind the `type` of a stored entry; undefined when no loaded room defines it. */
export const eventTypeNamed = (type: string): EventType<unknown> | undefined => known.get(type);

export const event = <Data>(eventType: EventType<Data>, data: Data): LedgerEvent => ({
  eventType,
  data,
});

/** Where and when an event became an entry; what projections may use beside its data. */
export interface EntryRef {
  readonly tenantId: TenantId;
  readonly seq: number;
  readonly id: EntryId;
  readonly atMs: InstantMs;
  readonly actor: Actor;
}

/** One durable entry. `prev`, `mac`, `link` and `kid` are null while the tenant's ledger is unsealed (decisions 2.5). */
export interface RecordedEntry extends EntryRef {
  readonly type: string;
  readonly requestId: string;
  readonly body: string;
  readonly data: unknown;
  readonly kid: string | null;
  readonly prev: string | null;
  readonly mac: string | null;
  readonly link: string | null;
}

/** The decoded data of the first entry of this type, or null. */
export function dataOf<Data>(
  entries: readonly RecordedEntry[],
  eventType: EventType<Data>,
): Data | null {
  const entry = entries.find((candidate) => candidate.type === eventType.type);
  return entry === undefined ? null : (entry.data as Data);
}
