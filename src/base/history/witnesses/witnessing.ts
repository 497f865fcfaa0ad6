import { mapOk, ok, type Problem, type Result, type TenantId } from '../../../core/kernel/index.js';
import { type CommandContext, readRow, type Writer } from '../../ledger/index.js';
import type { OutboundClient, Pool } from '../../platform/index.js';
import type { Alarms } from '../alarms.js';
import { listAlarms } from '../alarms.store.js';
import { HistoryBroken } from '../broken.js';
import type { LedgerCheckpoints } from '../checkpoints/checkpoints.js';
import { type CheckpointRow, checkpointOfSize } from '../checkpoints/checkpoints.store.js';
import type { StoredCheckpoint, Witnessing, WitnessRound, WitnessStanding } from '../ports.js';
import { readTree } from '../tree/trees.store.js';
import { type AskedWitness, askWitness } from './ask-witness.js';
import type { Witness, WitnessPanel } from './panel.js';
import type { Recalled } from './recall.js';
import { ledgerWitnessing, switchWitnessing } from './witnessing.ledger.js';
import {
  keepCosignature,
  keepFailure,
  listWitnessStates,
  unknownWitness,
  type WitnessState,
} from './witnesses.store.js';

/** Alarms of a ledger that are told at once. */
const ALARMS_TOLD_MAX = 100;
/** The longest pause after failures in a row, in milliseconds. */
export const RETRY_MS_MAX = 3_600_000;

type Told = WitnessRound['witnesses'][number];
type Answered = Omit<Told, 'name'> & Recalled;

/** One checkpoint and one witness that it is shown to. */
interface Meeting {
  readonly tenantId: TenantId;
  readonly row: CheckpointRow;
  readonly logKeys: readonly string[];
  readonly witness: Witness;
  readonly state: WitnessState;
}

export interface WitnessingParts {
  readonly pool: Pool;
  readonly writer: Writer;
  readonly outbound: OutboundClient;
  readonly checkpoints: LedgerCheckpoints;
  readonly panel: WitnessPanel;
  readonly alarms: Alarms;
  /** The pause after a first failure; doubled with each one more. */
  readonly intervalMs: number;
  /** For one answer of a witness. */
  readonly deadlineMs: number;
  /** Real time. */
  readonly nowMs: () => number;
}

/**
 * Has checkpoints cosigned. Nothing of it is on the way of a request: a witness that is away, slow, wrong or lying costs
 * cosignatures and is told, and commerce goes on.
 */
export class LedgerWitnessing implements Witnessing {
  constructor(private readonly parts: WitnessingParts) {}

  async isOn(tenantId: TenantId): Promise<boolean> {
    const row = await readRow(this.parts.pool, ledgerWitnessing, { tenantId, key: [] });
    return row?.isOn ?? false;
  }

  async switch(
    context: CommandContext,
    on: boolean,
  ): Promise<Result<{ readonly on: boolean }, Problem>> {
    if (on) {
      // The key's entry stands before the switch's, not somewhere behind it when the first round comes.
      const key = await this.parts.checkpoints.logKey(context.tenantId);
      if (!key.ok) return key;
    }
    return this.parts.writer.execute(switchWitnessing(context, on));
  }

  async standing(tenantId: TenantId): Promise<WitnessStanding> {
    const { pool, panel } = this.parts;
    const [isOn, states, tree, alarms] = await Promise.all([
      this.isOn(tenantId),
      listWitnessStates(pool, tenantId),
      readTree(pool, tenantId),
      listAlarms(pool, tenantId, ALARMS_TOLD_MAX),
    ]);
    const self = new Set(panel.selfNames);
    const names = new Set([
      ...panel.witnesses.map(({ name }) => name),
      ...states.map(({ witnessName }) => witnessName),
    ]);
    const witnesses = [...names].toSorted().map((name) => {
      const state = states.find(({ witnessName }) => witnessName === name) ?? unknownWitness(name);
      return { ...standingOf(state), isSelf: self.has(name) };
    });
    return { isOn, witnesses, brokenInvariant: tree?.brokenInvariant ?? null, alarms };
  }

  selfWitnesses(): Promise<readonly string[]> {
    return Promise.resolve(this.parts.panel.selfNames);
  }

  round(tenantId: TenantId): Promise<Result<WitnessRound, Problem>> {
    return this.runRound(tenantId, { patient: false });
  }

  /** As {@link round}; a `patient` one passes over witnesses that failed until their pause is over. */
  async runRound(
    tenantId: TenantId,
    { patient }: { readonly patient: boolean },
  ): Promise<Result<WitnessRound, Problem>> {
    const { checkpoints, pool } = this.parts;
    const made = await checkpoints.make(tenantId);
    if (!made.ok || made.value === null)
      return mapOk(made, () => ({ checkpoint: null, witnesses: [] }));
    const row = await checkpointOfSize(pool, tenantId, made.value.size);
    if (row === null) return ok({ checkpoint: made.value, witnesses: [] });
    const witnesses = await this.#meet(row, async (meeting) => {
      const { name } = meeting.witness;
      const passedOver = passOver(meeting, patient && this.#pauses(meeting.state));
      if (passedOver !== null) return { name, ...passedOver };
      const { outcome, detail } = await this.#ask(meeting);
      return { name, outcome, detail };
    });
    return ok({ checkpoint: await this.#printed(made.value), witnesses });
  }

  /** Shows every witness a stored checkpoint, those that cosigned it too, and keeps what they say. */
  remembered(newest: CheckpointRow): Promise<readonly Recalled[]> {
    return this.#meet(newest, (meeting) => this.#ask(meeting));
  }

  async #meet<Value>(
    row: CheckpointRow,
    each: (meeting: Meeting) => Promise<Value>,
  ): Promise<readonly Value[]> {
    const { checkpoints, pool, panel } = this.parts;
    const { tenantId } = row;
    const states = new Map(
      (await listWitnessStates(pool, tenantId)).map((state) => [state.witnessName, state]),
    );
    const logKeys = await checkpoints.logKeys(tenantId);
    return Promise.all(
      panel.witnesses.map((witness) => {
        const state = states.get(witness.name) ?? unknownWitness(witness.name);
        return each({ tenantId, row, logKeys, witness, state });
      }),
    );
  }

  async #printed(made: StoredCheckpoint): Promise<StoredCheckpoint> {
    return (await this.parts.checkpoints.ofSize(made.tenantId, made.size)) ?? made;
  }

  async #ask({ tenantId, row, logKeys, witness, state }: Meeting): Promise<Answered> {
    const { pool, outbound, deadlineMs, nowMs } = this.parts;
    try {
      const question = { tenantId, origin: originIn(row), witness, state };
      const asked = await askWitness({ pool, outbound, logKeys, deadlineMs, nowMs }, question, row);
      return await this.#note(asked, { tenantId, state });
    } catch (error) {
      if (!(error instanceof HistoryBroken)) throw error;
      await this.parts.alarms.raiseOwn(tenantId, error);
      const detail = `not asked: ${error.invariant} is broken here`;
      return { outcome: 'away', detail, isLater: false };
    }
  }

  /** An instant further ahead than any pause is of a clock that went back since. */
  #pauses({ nextTryAtMs }: WitnessState): boolean {
    const nowMs = this.parts.nowMs();
    return nextTryAtMs > nowMs && nextTryAtMs <= nowMs + RETRY_MS_MAX;
  }

  async #note(
    asked: AskedWitness,
    { tenantId, state }: { readonly tenantId: TenantId; readonly state: WitnessState },
  ): Promise<Answered> {
    const { pool, alarms, intervalMs, nowMs } = this.parts;
    const { witnessName: name } = state;
    const who = { tenantId, witnessName: name };
    if (asked.kind === 'cosigned') {
      for (const { key, line, timeSeconds } of asked.cosignatures)
        await keepCosignature(pool, who, { size: asked.size, keyId: key.keyId, line, timeSeconds });
      return { outcome: 'cosigned', detail: null, isLater: false };
    }
    const { detail } = asked;
    const disagreement = asked.kind === 'disagrees' ? asked.invariant : null;
    if (disagreement !== null && disagreement !== state.disagreement)
      await alarms.raise(tenantId, { invariant: disagreement, witnessName: name, detail });
    const atMs = nowMs();
    const pauseMs = Math.min(intervalMs * 2 ** Math.min(state.failureCount, 20), RETRY_MS_MAX);
    const nextTryAtMs = atMs + pauseMs;
    await keepFailure(pool, who, { failure: detail, disagreement, atMs, nextTryAtMs });
    return asked.kind === 'away'
      ? { outcome: 'away', detail, isLater: false }
      : { outcome: 'disagrees', detail, isLater: asked.isLater };
  }
}

/** What is told of a witness that is not asked; null = it is. */
function passOver({ row, witness, state }: Meeting, isPausing: boolean): Omit<Told, 'name'> | null {
  if (row.cosignatures.some(({ witnessName }) => witnessName === witness.name))
    return { outcome: 'known', detail: null };
  if (!isPausing) return null;
  return { outcome: state.disagreement === null ? 'away' : 'disagrees', detail: state.failure };
}

const standingOf = (state: WitnessState) => ({
  name: state.witnessName,
  size: state.size,
  lastCosignedAtMs: state.lastCosignedAtMs,
  failing:
    state.failingSinceMs === null || state.failure === null
      ? null
      : { sinceMs: state.failingSinceMs, reason: state.failure },
  disagreement: state.disagreement,
});

const originIn = ({ text }: CheckpointRow): string => text.slice(0, text.indexOf('\n'));
