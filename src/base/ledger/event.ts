import type { Actor, Codec, EntryId, InstantMs, TenantId } from '../../core/kernel/index.js';

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

export const defineEvent = <Data>(type: string, data: Codec<Data>): EventType<Data> => ({
  type,
  data,
});

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
