import { createHash } from 'node:crypto';
import { type CanonicalValue, codec, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/** A tenant's log is witnessed from now on, or with other keys: these sign its checkpoints (C2SP signed-note vkeys). */
export const logRegistered = defineEvent(
  'authority.log_registered',
  codec.record({ origin: codec.text, vkeys: codec.list(codec.text) }),
);

/**
 * A checkpoint of the tenant's log was found to extend the one before and is cosigned, now and whenever it is sent
 * again. `note` is its text with those of its lines that keys of the log signed.
 */
export const checkpointCosigned = defineEvent(
  'authority.checkpoint_cosigned',
  codec.record({
    origin: codec.text,
    size: codec.integer,
    root: codec.text,
    note: codec.text,
  }),
);

export interface WitnessedLogRow {
  readonly origin: string;
  readonly originSha256: string;
  /** A list of texts. */
  readonly vkeys: CanonicalValue;
  /** Of the newest checkpoint that was cosigned; 0 before the first. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
  /** Null = none was cosigned yet. */
  readonly note: string | null;
}

/** Root of the tree without leaves: SHA-256 of nothing (RFC 6962 section 2.1). */
const EMPTY_ROOT_HEX = createHash('sha256').digest('hex');

export const originDigest = (origin: string): string =>
  createHash('sha256').update(origin, 'utf8').digest('hex');

export const witnessedLogs = defineProjection<WitnessedLogRow>({
  table: 'witnessed_logs',
  mode: 'update',
  key: [],
  columns: {
    origin: column.text,
    originSha256: column.text,
    vkeys: column.json,
    size: column.integer,
    root: column.text,
    note: column.nullable(column.text),
  },
  on: [
    when(logRegistered, {
      keys: () => [[]],
      evolve: (row, { origin, vkeys }) => ({
        ...(row ?? { size: 0, root: EMPTY_ROOT_HEX, note: null }),
        ...{ origin, originSha256: originDigest(origin), vkeys: [...vkeys] },
      }),
    }),
    when(checkpointCosigned, {
      keys: () => [[]],
      evolve(row, { size, root, note }) {
        invariant(row !== undefined, 'a log is registered before it is cosigned');
        return { ...row, size, root, note };
      },
    }),
  ],
});
