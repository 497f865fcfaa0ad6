import {
  type CanonicalValue,
  invariant,
  parseInstant,
  type Actor,
  type EntryId,
  type TenantId,
} from '../../core/kernel/index.js';
import { eventTypeNamed, type RecordedEntry } from './event.js';
import type { Statement } from './session.store.js';

const COLUMNS = 'tenant_id, seq, entry_id, type, at_ms, body, kid, prev, mac, link';

export function insertEntries(entries: readonly RecordedEntry[]): Statement {
  const column = <Name extends keyof RecordedEntry>(name: Name) => entries.map((one) => one[name]);
  return {
    name: 'insert_entries',
    text: `INSERT INTO entries (${COLUMNS}) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[],
      $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])`,
    values: [
      column('tenantId'),
      column('seq'),
      column('id'),
      column('type'),
      column('atMs'),
      column('body'),
      column('kid'),
      column('prev'),
      column('mac'),
      column('link'),
    ],
  };
}

/** A run of entries by place: `count` of them from `firstSeq` on. */
export interface EntryRun {
  readonly tenantId: TenantId;
  readonly firstSeq: number;
  readonly count: number;
}

/** Entries of a run in order; fewer when the ledger ends before. */
export const selectRun = ({ tenantId, firstSeq, count }: EntryRun): Statement => ({
  name: 'select_run',
  text: `SELECT ${COLUMNS}, tx_id::text AS tx_id FROM entries
    WHERE tenant_id = $1 AND seq >= $2::bigint AND seq < $2::bigint + $3::bigint ORDER BY seq`,
  values: [tenantId, firstSeq, count],
});

/** The next page of a tenant's ledger behind a seq, whatever the numbers in it are. */
export const selectAfter = (tenantId: TenantId, afterSeq: number, limit: number): Statement => ({
  text: `SELECT ${COLUMNS}, tx_id::text AS tx_id FROM entries
    WHERE tenant_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${limit}`,
  values: [tenantId, afterSeq],
});

/** One stored entry, its body not yet read. */
export interface StoredEntry {
  readonly tenantId: TenantId;
  readonly seq: number;
  readonly id: EntryId;
  readonly txId: string;
  readonly type: string;
  readonly atMs: number;
  readonly body: string;
  readonly kid: string | null;
  readonly prev: string | null;
  readonly mac: string | null;
  readonly link: string | null;
}

export const storedEntryOf = (stored: Readonly<Record<string, unknown>>): StoredEntry => ({
  tenantId: stored['tenant_id'] as TenantId,
  seq: Number(stored['seq']),
  id: stored['entry_id'] as EntryId,
  txId: stored['tx_id'] as string,
  type: stored['type'] as string,
  atMs: Number(stored['at_ms']),
  body: stored['body'] as string,
  kid: stored['kid'] as string | null,
  prev: stored['prev'] as string | null,
  mac: stored['mac'] as string | null,
  link: stored['link'] as string | null,
});

/** Reads the body. Throws (broken invariant) when the index columns are not what the body says or no room knows the type. */
export function recordedEntryOf(stored: StoredEntry): RecordedEntry {
  const body = JSON.parse(stored.body) as {
    readonly id: EntryId;
    readonly type: string;
    readonly at: string;
    readonly actor: Actor;
    readonly request_id: string;
    readonly data: CanonicalValue;
    readonly v: number;
  };
  invariant(body.v === 1, 'an entry body is of version 1');
  invariant(
    body.id === stored.id && body.type === stored.type && parseInstant(body.at) === stored.atMs,
    `columns and body of entry ${stored.seq} say the same`,
  );
  const eventType = eventTypeNamed(body.type);
  invariant(eventType !== undefined, `a loaded room defines the event ${body.type}`);
  const { tenantId, seq, id, type, atMs, kid, prev, mac, link } = stored;
  return {
    tenantId,
    seq,
    id,
    type,
    atMs,
    body: stored.body,
    kid,
    prev,
    mac,
    link,
    actor: body.actor,
    requestId: body.request_id,
    data: eventType.data.decode(body.data, body.type),
  };
}

/** Fixes what a lost COMMIT left: this entry, written by that transaction, or not. */
export const selectWitness = (witness: {
  readonly tenantId: TenantId;
  readonly seq: number;
  readonly entryId: string;
  readonly txId: string;
}): Statement => ({
  text: `SELECT 1 AS found FROM entries WHERE tenant_id = $1 AND seq = $2 AND entry_id = $3 AND tx_id = $4::xid8`,
  values: [witness.tenantId, witness.seq, witness.entryId, witness.txId],
});
