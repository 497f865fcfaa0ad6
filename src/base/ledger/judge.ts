import { createHash } from 'node:crypto';
import { entryBodyText } from '../../core/chain/index.js';
import {
  type EntryId,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { Cells, Evolution } from './cells.js';
import type { Command, SideWrite } from './command.js';
import type { LedgerEvent, RecordedEntry } from './event.js';
import { evolveHead, type Head, instantAfter, ledgerOpened, sealingKidOf } from './head.js';
import {
  type ClaimName,
  claimTextOf,
  type IdempotencyRecord,
  isRepeatOf,
  type NewIdempotencyRecord,
  storedHashOf,
} from './idempotency.store.js';
import type { EntryRun } from './entries.store.js';
import type { Registry } from './registry.js';
import type { Sealer } from './sealer.js';
import type { NamedErasure } from './side-table.store.js';

/** Longest body of one entry, in UTF-16 units. */
export const ENTRY_BODY_LENGTH_MAX = 262_144;
/** Most events of one command: a whole tree of 2,000 mandates falls in one. */
export const COMMAND_EVENTS_MAX = 2_048;

/** A command on its way through the writer. */
export interface Task {
  readonly command: Command<unknown>;
  readonly opening: boolean;
  readonly claim: ClaimName | null;
}

/** How a command ends if the batch commits. A replay is answered from the entries of the first time. */
export type Verdict =
  | { readonly kind: 'judged'; readonly result: Result<unknown, Problem> }
  | { readonly kind: 'replay'; readonly run: EntryRun };

export interface JudgeTools {
  readonly registry: Registry;
  readonly sealer: Sealer;
  readonly newEntryId: () => EntryId;
}

/** The state a batch was loaded with, and what its commands made of it so far. Nothing here touches the database. */
export class BatchJudgement {
  readonly entries: RecordedEntry[] = [];
  readonly claims: NewIdempotencyRecord[] = [];
  readonly sideWrites: SideWrite[] = [];
  readonly erasures: NamedErasure[] = [];
  /** Changes of rows that no command of the batch reads: they are loaded and evolved after all commands are judged. */
  readonly deferred: Evolution[] = [];
  readonly #changedHeads = new Set<TenantId>();

  constructor(
    private readonly tools: JudgeTools,
    private readonly loaded: {
      readonly heads: Map<TenantId, Head>;
      readonly claims: ReadonlyMap<string, IdempotencyRecord>;
      readonly clockMs: InstantMs;
    },
    readonly cells: Cells,
  ) {}

  get changedHeads(): readonly Head[] {
    return [...this.#changedHeads].sort().map((tenantId) => this.headOf(tenantId));
  }

  /** Judges the next command. Throws when it breaks an invariant: then the whole batch is void. */
  judge(task: Task): Verdict {
    const { command, claim } = task;
    const head = this.loaded.heads.get(command.tenantId);
    if (head === undefined || (head.lastSeq < 0 && !task.opening)) return refused(NO_SUCH_TENANT);
    const record = claim === null ? undefined : this.loaded.claims.get(claimTextOf(claim));
    if (record !== undefined) return replayOf(record, command);
    if (task.opening && head.lastSeq >= 0) return refused(OPENED_ALREADY);
    const moment = {
      atMs: instantAfter(head, this.loaded.clockMs),
      nextSeq: head.lastSeq + 1,
      idSeed: head.idSeed,
      world: head.world,
      sealingKid: head.sealingKid,
    };
    const judged = command.decide(this.cells.viewOf(command.tenantId, command.reads), moment);
    if (!judged.ok) return refused(judged.error);
    const { events, sideWrites = [], sideErasures = [] } = judged.value;
    invariant(
      events.length > 0 || sideWrites.length + sideErasures.length === 0,
      'every change has an entry',
    );
    invariant(
      events.length <= COMMAND_EVENTS_MAX,
      `a command has at most ${COMMAND_EVENTS_MAX} events`,
    );
    const atMs = openingInstant(events, moment);
    const entries = events.map((event) => this.append(event, { command, atMs }));
    this.sideWrites.push(...sideWrites);
    const named = { tenantId: command.tenantId, entrySeq: moment.nextSeq };
    this.erasures.push(...sideErasures.map((erasure) => ({ ...erasure, ...named })));
    if (claim !== null && command.idempotency !== null) {
      this.claims.push({
        ...claim,
        requestHash: storedHashOf(command.idempotency),
        firstSeq: moment.nextSeq,
        entryCount: entries.length,
        isKept: command.actor.role === 'system',
      });
    }
    return { kind: 'judged', result: ok(command.answer(entries, false)) };
  }

  private append(
    { eventType, data: value }: LedgerEvent,
    { command, atMs }: { command: Command<unknown>; atMs: InstantMs },
  ): RecordedEntry {
    const before = this.headOf(command.tenantId);
    const { tenantId, actor, requestId, signature } = command;
    const { type } = eventType;
    const seq = before.lastSeq + 1;
    // What is folded now is what a later reader of the bytes will fold: decoded from the encoded form.
    const encoded = eventType.data.encode(value);
    const data = eventType.data.decode(encoded, type);
    const after = evolveHead(before, { seq, atMs, type, data });
    const id = after.idSeed === null ? this.tools.newEntryId() : seededEntryId(after.idSeed, seq);
    const body = entryBodyText({ id, type, atMs, actor, requestId, data: encoded, signature });
    invariant(body.length <= ENTRY_BODY_LENGTH_MAX, `the body of ${type} is not too long`);
    invariant(atMs >= (before.lastAtMs ?? atMs), 'entries never go back in time');
    const kid = sealingKidOf(before, after);
    const seal =
      kid === null
        ? { kid, prev: null, mac: null, link: null }
        : this.tools.sealer.seal({ tenantId, seq, kid, body }, before.lastLink);
    const entry: RecordedEntry = {
      tenantId,
      seq,
      id,
      atMs,
      actor,
      type,
      requestId,
      body,
      data,
      ...seal,
    };
    this.loaded.heads.set(tenantId, { ...after, lastLink: seal.link ?? before.lastLink });
    this.#changedHeads.add(tenantId);
    this.entries.push(entry);
    this.project(entry);
    return entry;
  }

  private project(entry: RecordedEntry): void {
    for (const projector of this.tools.registry.projectorsOf(entry.type)) {
      for (const key of projector.handler.keys(entry.data, entry)) {
        const evolution = { projector, entry, tenantId: entry.tenantId, key };
        const { projection } = projector;
        if (projection.mode === 'append' || this.cells.has(projection, evolution)) {
          this.cells.evolve(evolution);
        } else {
          // No command of this batch reads this row, else it would be loaded; so nobody sees it before the end.
          this.deferred.push(evolution);
        }
      }
    }
  }

  private headOf(tenantId: TenantId): Head {
    const head = this.loaded.heads.get(tenantId);
    invariant(head !== undefined, 'the head of a judged tenant is loaded');
    return head;
  }
}

const NO_SUCH_TENANT = problem('not_found', 'There is no tenant with this id.', {
  fix: 'Check the tenant id.',
});
const OPENED_ALREADY = problem('conflict', 'A tenant with this id exists already.', {
  fix: 'Choose another tenant id.',
});
const OTHER_REQUEST = problem(
  'idempotency_conflict',
  'This Idempotency-Key was used with another request.',
  { fix: 'Repeat the first request unchanged, or choose a new key.', field: ':Idempotency-Key' },
);

const refused = (error: Problem): Verdict => ({ kind: 'judged', result: err(error) });

function replayOf(record: IdempotencyRecord, command: Command<unknown>): Verdict {
  const { idempotency } = command;
  if (idempotency === null || !isRepeatOf(record, idempotency)) return refused(OTHER_REQUEST);
  const { tenantId, firstSeq, entryCount } = record;
  return { kind: 'replay', run: { tenantId, firstSeq, count: entryCount } };
}

/** A ledger that opens with a test clock begins at that clock's instant. */
function openingInstant(
  events: readonly LedgerEvent[],
  moment: { readonly atMs: InstantMs; readonly nextSeq: number },
): InstantMs {
  const [first] = events;
  if (moment.nextSeq > 0 || first?.eventType.type !== ledgerOpened.type) return moment.atMs;
  const opened = first.data as { readonly testClockAtMs: InstantMs | null };
  return opened.testClockAtMs ?? moment.atMs;
}

const seededEntryId = (idSeed: string, seq: number): EntryId =>
  `ent_${createHash('sha256').update(`${idSeed}\nentry\n${seq}`).digest('hex').slice(0, 32)}`;
