import { randomBytes } from 'node:crypto';
import { type BeforeApplicationShutdown, Global, Inject, Logger, Module } from '@nestjs/common';
import type { TenantId } from '../../core/kernel/index.js';
import { SIGNING_KEYS, type SigningKeys } from '../keys/index.js';
import { DUE_WORKS, type DueWorks, withoutRepeats, WRITER, type Writer } from '../ledger/index.js';
import {
  CONFIG,
  type Config,
  DATABASE,
  HEALTH,
  type HealthCheck,
  type HealthRegistry,
  OUTBOUND,
  type OutboundClient,
  type Pool,
} from '../platform/index.js';
import { Alarms, historyCheck, witnessCheck } from './alarms.js';
import { LedgerCheckpoints } from './checkpoints/checkpoints.js';
import { LogKeys } from './checkpoints/log-keys.js';
import { HeldInvariants } from './held.js';
import { keepLogName } from './log-name.store.js';
import { CHECKPOINTS, LEDGER_TREE, WITNESSING } from './ports.js';
import { LedgerTrees } from './tree/tree.js';
import { WITNESS_DEADLINE_MS } from './witnesses/add-checkpoint.js';
import { WitnessPanel } from './witnesses/panel.js';
import { WitnessRecall } from './witnesses/recall.js';
import { RoundWork } from './witnesses/round-work.js';
import { WITNESS_SOURCES, WitnessSources } from './witnesses/sources.js';
import { LedgerWitnessing } from './witnesses/witnessing.js';

/** Everything that is made of what the room is handed. */
export interface HistoryParts {
  readonly config: Pick<Config, 'ledgerLogName' | 'witnessPolicy' | 'witnessingIntervalSeconds'>;
  readonly pool: Pool;
  readonly writer: Writer;
  readonly signingKeys: SigningKeys;
  readonly outbound: OutboundClient;
  readonly sources: WitnessSources;
  readonly log: { error(message: string, details: Readonly<Record<string, unknown>>): void };
  /** {@link WITNESS_DEADLINE_MS} when left out. */
  readonly witnessDeadlineMs?: number;
  /** Real time. */
  readonly nowMs: () => number;
}

export interface HistoryRoom {
  readonly trees: LedgerTrees;
  readonly checkpoints: LedgerCheckpoints;
  readonly witnessing: LedgerWitnessing;
  readonly rounds: RoundWork;
  /** What readiness says of the history. */
  readonly checks: readonly HealthCheck[];
}

export function historyRoom(parts: HistoryParts): HistoryRoom {
  const { config, pool, writer, signingKeys, outbound, sources, log, nowMs } = parts;
  const intervalMs = config.witnessingIntervalSeconds * 1000;
  const alarms = new Alarms({ database: pool, log, nowMs });
  const panel = new WitnessPanel(config.witnessPolicy, sources);
  const onBroken: Alarms['raiseOwn'] = (tenantId, broken) => alarms.raiseOwn(tenantId, broken);
  const held = new HeldInvariants(nowMs);
  const onHeld: HeldInvariants['held'] = (invariant, count) => held.held(invariant, count);
  const trees = new LedgerTrees({ pool, originFor: originFrom(config, pool), onBroken, onHeld });
  const recall = new WitnessRecall({
    isOn: (tenantId) => witnessing.isOn(tenantId),
    ask: (newest) => witnessing.remembered(newest),
    ...{ log, intervalMs, nowMs },
  });
  const checkpoints = new LedgerCheckpoints({
    ...{ pool, trees, onBroken, onHeld, recall, nowMs },
    logKeys: new LogKeys(signingKeys),
    isQuorum: (cosignatures) => panel.isQuorum(cosignatures),
  });
  const witnessing: LedgerWitnessing = new LedgerWitnessing({
    ...{ pool, writer, outbound, checkpoints, panel, alarms, intervalMs, nowMs },
    deadlineMs: parts.witnessDeadlineMs ?? WITNESS_DEADLINE_MS,
  });
  const rounds = new RoundWork({ pool, witnessing, intervalMs, log, nowMs });
  const checks = [historyCheck(pool, held), witnessCheck(pool)];
  return { trees, checkpoints, witnessing, rounds, checks };
}

/** INVARIANT: an origin is never used by two logs: the name is drawn once for a database, and a tenant is in one database. */
const originFrom =
  ({ ledgerLogName }: HistoryParts['config'], pool: Pool) =>
  async (tenantId: TenantId): Promise<string> => {
    const draft = `${randomBytes(8).toString('hex')}.ledger.internal`;
    return `${ledgerLogName ?? (await keepLogName(pool, draft))}/${tenantId}`;
  };

const ROOM = Symbol('HistoryRoom');

type Wiring = [Config, Pool, Writer, SigningKeys, OutboundClient, WitnessSources];

const part = (provide: symbol, name: keyof HistoryRoom) => ({
  provide,
  inject: [ROOM],
  useFactory: (room: HistoryRoom) => room[name],
});

/** Wiring: the ports, the rounds as due work, and what readiness says of the history. */
@Global()
@Module({
  providers: [
    { provide: WITNESS_SOURCES, useFactory: () => new WitnessSources() },
    {
      provide: ROOM,
      inject: [CONFIG, DATABASE, WRITER, SIGNING_KEYS, OUTBOUND, WITNESS_SOURCES],
      useFactory: (...[config, pool, writer, signingKeys, outbound, sources]: Wiring) =>
        historyRoom({
          ...{ config, pool, writer, signingKeys, outbound, sources },
          log: withoutRepeats(new Logger('history'), Date.now),
          nowMs: Date.now,
        }),
    },
    part(LEDGER_TREE, 'trees'),
    part(CHECKPOINTS, 'checkpoints'),
    part(WITNESSING, 'witnessing'),
  ],
  exports: [LEDGER_TREE, CHECKPOINTS, WITNESSING, WITNESS_SOURCES],
})
export class HistoryModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(ROOM) private readonly room: HistoryRoom,
    @Inject(DUE_WORKS) dueWorks: DueWorks,
    @Inject(HEALTH) health: HealthRegistry,
  ) {
    dueWorks.register(room.rounds);
    for (const check of room.checks) health.add(check);
  }

  /** After the tick has ended and before the writer closes. */
  beforeApplicationShutdown(): Promise<void> {
    return this.room.rounds.stop();
  }
}
