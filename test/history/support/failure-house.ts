import { createPool, type Pool } from '../../../src/base/platform/index.js';
import { LedgerExports, WitnessSources } from '../../../src/base/history/index.js';
import { type HistoryRoom, historyRoom } from '../../../src/base/history/history.module.js';
import type { WriterLimits } from '../../../src/base/ledger/index.js';
import type { SessionLimits } from '../../../src/base/ledger/session.store.js';
import { witnessSource } from '../../../src/trust/authority/authority-witness.js';
import type { AuthorityPort } from '../../../src/trust/authority/index.js';
import { authorityOutbound, authorityPort, type KnownAuthority } from '../../support/authority.js';
import { testHouse, type TestHouse } from '../../support/tenants.js';
import { LOG_NAME } from '../house.js';

/** The writer, the history and the export as one process has them, with the trust authority as its witness. */
export interface FailureHouse extends HistoryRoom {
  readonly pool: Pool;
  readonly house: TestHouse;
  readonly authority: AuthorityPort;
  readonly exports: LedgerExports;
  /** What the history logged. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export interface FailureHouseOptions {
  readonly connectionString: string;
  readonly authority: Pick<KnownAuthority, 'address'>;
  readonly limits?: Partial<WriterLimits>;
  readonly session?: Partial<SessionLimits>;
  /** Null = drawn for the database. */
  readonly logName?: string | null;
}

export function openFailureHouse(options: FailureHouseOptions): FailureHouse {
  const { connectionString, authority: known, limits = {}, session = {} } = options;
  const { logName = LOG_NAME } = options;
  const pool = createPool({ connectionString, maxConnections: 4 });
  const house = testHouse({
    ...{ database: { pool, connectionString }, quiet: true, limits, session },
  });
  const nowMs = () => house.clock.nowMs;
  const authority = authorityPort(house, known, nowMs);
  const sources = new WitnessSources();
  sources.register(witnessSource(authority));
  const log: string[] = [];
  const { writer, signingKeys } = house;
  const room = historyRoom({
    config: { ledgerLogName: logName, witnessPolicy: null, witnessingIntervalSeconds: 60 },
    ...{ pool, writer, signingKeys, sources, nowMs },
    outbound: authorityOutbound(known),
    log: { error: (message) => void log.push(message) },
  });
  const { checkpoints, witnessing } = room;
  const exports = new LedgerExports({
    ...{ database: pool, writer, checkpoints, witnessing },
    log: { error: (message) => void log.push(message) },
  });
  return {
    ...{ ...room, pool, house, authority, exports, log },
    async close() {
      await room.rounds.stop();
      await writer.close();
      await pool.end();
    },
  };
}
