import { randomUUID } from 'node:crypto';
import { codec, err, ok, problem, type TenantId } from '../../src/core/kernel/index.js';
import {
  cell,
  column,
  type Command,
  type CommandContext,
  dataOf,
  defineEvent,
  defineProjection,
  documentWrite,
  event,
  type IdempotencyClaim,
  LedgerWriter,
  type LedgerLog,
  openLedger,
  type LedgerOpening,
  sessionOpener,
  when,
  type WriterLimits,
} from '../../src/base/ledger/index.js';
import { anyProjection } from '../../src/base/ledger/index.js';
import { SESSION_LIMITS, type SessionLimits } from '../../src/base/ledger/session.store.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';

/** A room small enough to be its own model: counters that are added to, a receipt for each addition, one grand total. */
export const added = defineEvent(
  'toy.added',
  codec.record({ counter: codec.text, amount: codec.integer, receipt: codec.text }),
);

export const COUNTERS = defineProjection<{ counter: string; value: number; additions: number }>({
  table: 'toy_counters',
  mode: 'update',
  key: ['counter'],
  columns: { counter: column.text, value: column.integer, additions: column.integer },
  on: [
    when(added, {
      keys: ({ counter }) => [[counter]],
      evolve: (row, { counter, amount }) => ({
        counter,
        value: (row?.value ?? 0) + amount,
        additions: (row?.additions ?? 0) + 1,
      }),
    }),
  ],
});

export const RECEIPTS = defineProjection<{ receipt: string; counter: string; amount: bigint }>({
  table: 'toy_receipts',
  mode: 'append',
  key: ['receipt'],
  columns: { receipt: column.text, counter: column.text, amount: column.amountMinor },
  on: [
    when(added, {
      keys: ({ receipt }) => [[receipt]],
      evolve: (_row, { receipt, counter, amount }) => ({
        receipt,
        counter,
        amount: BigInt(amount),
      }),
    }),
  ],
});

/** No command reads it: its row is loaded only once the events are known. */
export const TOTALS = defineProjection<{ name: string; value: number }>({
  table: 'toy_totals',
  mode: 'update',
  key: ['name'],
  columns: { name: column.text, value: column.integer },
  on: [
    when(added, {
      keys: () => [['all']],
      evolve: (row, { amount }) => ({ name: 'all', value: (row?.value ?? 0) + amount }),
    }),
  ],
});

export const TOY_PROJECTIONS = [COUNTERS, RECEIPTS, TOTALS].map((projection) =>
  anyProjection(projection as typeof COUNTERS),
);

/** Largest value that the table accepts; the command does not know it, so that the database has to refuse. */
export const TABLE_VALUE_MAX = 1_000_000;

const TOY_TABLES = `
  CREATE TABLE toy_counters (tenant_id text NOT NULL, counter text NOT NULL,
    value bigint NOT NULL CHECK (value <= ${TABLE_VALUE_MAX}), additions bigint NOT NULL,
    entry_seq bigint NOT NULL, tx_id xid8 NOT NULL, PRIMARY KEY (tenant_id, counter));
  CREATE TABLE toy_receipts (tenant_id text NOT NULL, receipt text NOT NULL, counter text NOT NULL,
    amount numeric(20, 0) NOT NULL, entry_seq bigint NOT NULL, tx_id xid8 NOT NULL,
    PRIMARY KEY (tenant_id, receipt));
  CREATE TABLE toy_totals (tenant_id text NOT NULL, name text NOT NULL, value bigint NOT NULL,
    entry_seq bigint NOT NULL, tx_id xid8 NOT NULL, PRIMARY KEY (tenant_id, name));
  SELECT arbiter_declare('toy_counters', 'projection'), arbiter_declare('toy_receipts', 'projection'),
    arbiter_declare('toy_totals', 'projection');`;

export async function createToyTables(database: Pick<TestDatabase, 'pool'>): Promise<void> {
  await database.pool.query(TOY_TABLES);
}

/** A migrated database of its own with the toy's tables. */
export async function toyDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase();
  await createToyTables(database);
  return database;
}

export const MASTER_SECRET = new Uint8Array(32).fill(42);

export class TestLog implements LedgerLog {
  readonly lines: { message: string; details: Readonly<Record<string, unknown>> }[] = [];
  error(message: string, details: Readonly<Record<string, unknown>>): void {
    this.lines.push({ message, details });
  }
}

export interface ToyWriterOptions {
  readonly limits?: Partial<WriterLimits>;
  readonly session?: Partial<SessionLimits>;
  /** Schemas to look functions and tables up in, for a database clock of the test's own. */
  readonly searchPath?: string;
}

export function toyWriter(
  connectionString: string,
  options: ToyWriterOptions = {},
): { writer: LedgerWriter; log: TestLog } {
  const log = new TestLog();
  const { limits = {}, session, searchPath } = options;
  const writer = new LedgerWriter({
    openSession: sessionOpener(
      {
        connectionString,
        ...(searchPath === undefined ? {} : { options: `-c search_path=${searchPath}` }),
      },
      { ...SESSION_LIMITS, ...session },
    ),
    projections: TOY_PROJECTIONS,
    masterSecret: MASTER_SECRET,
    log,
    limits,
  });
  return { writer, log };
}

export const newTenant = (): TenantId => `tnt_${randomUUID()}`;

export const contextOf = (
  tenantId: TenantId,
  idempotency: IdempotencyClaim | null = null,
): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'toy' },
  requestId: `req_${randomUUID()}`,
  idempotency,
});

export const opening = (
  tenantId: TenantId,
  how: Partial<LedgerOpening> = {},
): Command<{ seq: number }> => ({
  ...contextOf(tenantId),
  name: 'toy.open',
  reads: [],
  decide: () => ok({ events: [openLedger({ world: 'test', sealingKid: null, ...how })] }),
  answer: ([first]) => ({ seq: first?.seq ?? -1 }),
});

export interface Added {
  readonly seq: number;
  readonly atMs: number;
  readonly counter: string;
  readonly amount: number;
  readonly replayed: boolean;
}

export interface Addition {
  readonly counter?: string;
  readonly amount?: number;
  /** The command refuses to go above it. */
  readonly limit?: number;
  readonly receipt?: string;
  readonly idempotency?: IdempotencyClaim | null;
}

export function add(tenantId: TenantId, addition: Addition = {}): Command<Added> {
  const { counter = 'c', amount = 1, limit = Number.MAX_SAFE_INTEGER } = addition;
  const receipt = addition.receipt ?? randomUUID();
  return {
    ...contextOf(tenantId, addition.idempotency ?? null),
    name: 'toy.add',
    reads: [cell(COUNTERS, counter)],
    decide(view) {
      const value = view.get(COUNTERS, [counter])?.value ?? 0;
      return value + amount > limit
        ? err(problem('conflict', `${counter} holds ${value}`, { fix: 'Add less.' }))
        : ok({ events: [event(added, { counter, amount, receipt })] });
    },
    answer(entries, replayed) {
      const data = dataOf(entries, added);
      return {
        seq: entries[0]?.seq ?? -1,
        atMs: entries[0]?.atMs ?? -1,
        counter: data?.counter ?? '',
        amount: data?.amount ?? -1,
        replayed,
      };
    },
  };
}

/** A command whose own code breaks. */
export const broken = (tenantId: TenantId): Command<never> => ({
  ...contextOf(tenantId),
  name: 'toy.broken',
  reads: [],
  decide: () => {
    throw new Error('the toy broke');
  },
  answer: () => {
    throw new Error('never answered');
  },
});

/** A command that also stores a document. */
export function addWithDocument(tenantId: TenantId, text: string): Command<string> {
  const { sha256, write } = documentWrite(tenantId, {
    mediaType: 'text/plain',
    bytes: Buffer.from(text),
    erasable: true,
  });
  return {
    ...add(tenantId),
    decide: () =>
      ok({
        events: [event(added, { counter: 'documents', amount: 1, receipt: randomUUID() })],
        sideWrites: [write],
      }),
    answer: () => sha256,
  };
}
