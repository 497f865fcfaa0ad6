import type {
  Actor,
  CallerSignature,
  InstantMs,
  Problem,
  Result,
  TenantId,
  World,
} from '../../core/kernel/index.js';
import type { LedgerEvent, RecordedEntry } from './event.js';
import { type AnyProjection, anyProjection, type Projection } from './projection.js';

/** Names one cell: a row of a projection. `key` holds the values of the projection's key columns, in their order. */
export interface CellRef {
  readonly projection: AnyProjection;
  readonly key: readonly (string | number)[];
}

export const cell = <Row extends object>(
  projection: Projection<Row>,
  ...key: readonly (string | number)[]
): CellRef => ({ projection: anyProjection(projection), key });

/** The state a command may read: exactly the cells it named in `reads`, as its predecessors in the batch left them. */
export interface CellView {
  get<Row extends object>(
    projection: Projection<Row>,
    key: readonly (string | number)[],
  ): Row | undefined;
}

/**
 * The instant and place of the decision, read under the tenant's lock (decisions 2.3).
 * `idSeed` is set for tenants with reproducible ids (the frozen demo tenant): derive ids from it and `nextSeq`.
 */
export interface Moment {
  readonly atMs: InstantMs;
  readonly nextSeq: number;
  readonly idSeed: string | null;
}

/** What the writer really hands to `decide`: the ledger's own commands also ask for the state of the head. */
export interface LedgerMoment extends Moment {
  /** Null only for the command that opens the ledger. */
  readonly world: World | null;
  /** Names the key that seals the tenant's entries; null while sealing is off. */
  readonly sealingKid: string | null;
}

/** A row of a table that is not a projection, written in the same transaction: a document, a commitment, a wrapped key. */
export interface SideWrite {
  readonly table: SideTable;
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * Companion table that is only ever added to. A row that is there already is left as it is. With `key`, only a row of the
 * same key is: one that differs and breaks a constraint is a clash, and the command ends with what it says in `clash`.
 */
export interface SideTable {
  readonly table: string;
  readonly columns: Readonly<Record<string, 'text' | 'bytea' | 'bigint' | 'boolean'>>;
  readonly key?: readonly string[];
}

/**
 * Personal data that may be taken away: whole rows, or the content of rows that stay and name the entry that erased
 * them. The database holds the rest: only what is marked erasable goes, and only with an entry of the same transaction.
 */
export interface ErasableTable {
  readonly table: 'buyer_references' | 'documents';
  /** The column that says whose the rows are. */
  readonly by: string;
  readonly takes: 'rows' | 'content';
}

/** Takes away every row of the tenant whose `by` column is `key`, also one written earlier in the same batch. */
export interface SideErasure {
  readonly table: ErasableTable;
  readonly key: string;
}

export interface Judged {
  readonly events: readonly LedgerEvent[];
  readonly sideWrites?: readonly SideWrite[];
  readonly sideErasures?: readonly SideErasure[];
}

/** What it means for a command that a side table holds a row against which its own cannot stand: nothing was written. */
export interface Clash {
  readonly constraint: string;
  readonly problem: Problem;
}

/**
 * Same caller, route and key: the first answer again, for a day. `requestHash` covers method, route, principal and raw
 * body (decisions 2.10). Of a command of the program itself (actor `system`) the first answer is repeated for ever.
 */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
}

/**
 * One change of one tenant, judged under that tenant's lock and durable before it is answered.
 *
 * `decide` is pure and may run more than once (a batch that fails is run again command by command). It returns the
 * events to append, or a problem: then nothing is written. `answer` renders the caller's answer from the recorded
 * entries alone, so that a repeat under the same idempotency key renders the same; `replayed` tells it so.
 */
export interface Command<Answer> {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly actor: Actor;
  readonly requestId: string;
  /** Of the request, when it verified: recorded in every entry of the command, read by none of its rules. */
  readonly signature?: CallerSignature | null | undefined;
  readonly idempotency: IdempotencyClaim | null;
  readonly reads: readonly CellRef[];
  readonly clash?: Clash;
  decide(view: CellView, moment: Moment): Result<Judged, Problem>;
  answer(entries: readonly RecordedEntry[], replayed: boolean): Answer;
}

/**
 * The only way in which anything is changed.
 * Problems of its own, in order: not_found (no such tenant), idempotency_in_flight, unavailable (queue full or no
 * database; nothing was written), idempotency_conflict, the command's own, outcome_unknown (the connection broke at the
 * commit and the database could not be asked again in time: repeat under the same key).
 */
export interface Writer {
  execute<Answer>(command: Command<Answer>): Promise<Result<Answer, Problem>>;
  /** Creates the tenant's head and runs its first command, whose first event must be `ledger.opened`. */
  open<Answer>(command: Command<Answer>): Promise<Result<Answer, Problem>>;
}

export const WRITER = Symbol('Writer');
