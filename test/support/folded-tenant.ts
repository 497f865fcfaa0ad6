import type {
  AnyProjection,
  CellRef,
  CellView,
  Command,
  EntryRef,
  LedgerEvent,
  Projection,
  RecordedEntry,
} from '../../src/base/ledger/index.js';
import { anyProjection } from '../../src/base/ledger/index.js';
import type { Problem, Result } from '../../src/core/kernel/index.js';

type Key = readonly (string | number)[];
type Row = Record<string, unknown>;

/** The rows of one tenant as the writer would keep them, folded event by event, without a database. */
export class FoldedTenant implements CellView {
  private readonly rows = new Map<string, Row>();
  private seq = 0;
  /** Every entry, as it is recorded. */
  heard: (entry: RecordedEntry) => void = () => undefined;

  constructor(private readonly projections: readonly AnyProjection[]) {}

  /** A row that no event of the test creates. */
  with<Known extends object>(projection: Projection<Known>, key: Key, row: Partial<Known>): this {
    this.rows.set(nameOf(anyProjection(projection), key), { ...row });
    return this;
  }

  get<Known extends object>(projection: Projection<Known>, key: Key): Known | undefined {
    return this.rows.get(nameOf(anyProjection(projection), key)) as Known | undefined;
  }

  /** Every row of a table. */
  all<Known extends object>({ table }: Projection<Known>): readonly Known[] {
    return [...this.rows]
      .filter(([name]) => name.startsWith(`${table} `))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, row]) => row as Known);
  }

  append(events: readonly LedgerEvent[], atMs: number): readonly RecordedEntry[] {
    return events.map((event) => this.fold(event, atMs));
  }

  /** Decides on exactly the cells that the command names, then folds what it decided. */
  run<Answer>(command: Command<Answer>, atMs: number): Result<Answer, Problem> {
    const moment = { atMs, nextSeq: this.seq + 1, idSeed: null };
    const judged = command.decide(this.viewOf(command.reads), moment);
    if (!judged.ok) return judged;
    return { ok: true, value: command.answer(this.append(judged.value.events, atMs), false) };
  }

  viewOf(reads: readonly CellRef[]): CellView {
    const named = new Set(reads.map(({ projection, key }) => nameOf(projection, key)));
    return {
      get: (projection, key) => {
        const name = nameOf(anyProjection(projection), key);
        if (!named.has(name)) throw new Error(`${name} is not among the reads`);
        return this.get(projection, key);
      },
    };
  }

  private fold({ eventType, data }: LedgerEvent, atMs: number): RecordedEntry {
    this.seq += 1;
    const ref: EntryRef = {
      tenantId: 'tnt_1',
      seq: this.seq,
      id: 'ent_1',
      atMs,
      actor: { role: 'system', id: 'test' },
    };
    // As a stored entry is read: what the codec does not carry is not there.
    const stored = eventType.data.decode(
      JSON.parse(JSON.stringify(eventType.data.encode(data))),
      eventType.type,
    );
    const entry = { ...ref, type: eventType.type, data: stored } as unknown as RecordedEntry;
    for (const projection of this.projections) {
      for (const handler of projection.on) {
        if (handler.eventType.type !== eventType.type) continue;
        for (const key of handler.keys(stored, ref)) {
          const name = nameOf(projection, key);
          this.rows.set(name, handler.evolve(this.rows.get(name), stored, { entry: ref, key }));
        }
      }
    }
    this.heard(entry);
    return entry;
  }
}

const nameOf = ({ table }: AnyProjection, key: Key): string => `${table} ${JSON.stringify(key)}`;
