import { NO_SHA256, once, refusals, SHA256, type TableCases } from './shape.js';

const HASH = String.raw`\x${'00'.repeat(32)}`;
const SHORT_HASH = String.raw`\x00`;

/** Nothing in the table is ever changed or taken away. */
const kept = (table: string, statement: string) => ({
  [`${table}_kept`]: refusals(
    [statement, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`],
    new RegExp(` of ${table} is refused`),
  ),
});

/** A tree of one leaf. */
const ONE_LEAF = { size: 1, next_seq: 1, last_seq: 0, last_link: SHA256, peaks: HASH };

export const HISTORY_TABLES: Readonly<Record<string, TableCases>> = {
  ledger_log_name: {
    isProjection: false,
    guards: {
      ...once('ledger_log_name_pkey'),
      ledger_log_name_is_the_one_check: { insert: { is_the_one: false } },
      ledger_log_name_name_check: { insert: { name: 'https://x' } },
      ...kept('ledger_log_name', `UPDATE ledger_log_name SET name = 'y'`),
    },
  },
  ledger_trees: {
    isProjection: false,
    guards: {
      ...once('ledger_trees_pkey'),
      ledger_trees_size_check: {
        insert: {
          size: -1,
          last_seq: 0,
          next_seq: 1,
          last_link: SHA256,
          peaks: String.raw`\x${'00'.repeat(32 * 64)}`,
        },
      },
      ledger_trees_last_link_check: { insert: { ...ONE_LEAF, last_link: NO_SHA256 } },
      ledger_trees_read: [
        { insert: { ...ONE_LEAF, next_seq: 0 } },
        { insert: { ...ONE_LEAF, size: 2 } },
      ],
      ledger_trees_empty: [
        { insert: { next_seq: 1, last_seq: 0 } },
        { insert: { last_link: SHA256 } },
        { insert: { ...ONE_LEAF, last_link: null } },
      ],
      ledger_trees_peaks: [
        { insert: { peaks: HASH } },
        { insert: { ...ONE_LEAF, peaks: SHORT_HASH } },
      ],
      ledger_trees_grow: refusals(
        [
          `UPDATE ledger_trees SET tenant_id = 'y'`,
          `UPDATE ledger_trees SET origin = 'y'`,
          `UPDATE ledger_trees SET size = 0, next_seq = 1, last_seq = 0`,
          `UPDATE ledger_trees SET next_seq = 0`,
          `UPDATE ledger_trees SET last_seq = -1`,
        ],
        /the tree of x only grows/,
        ONE_LEAF,
      ),
      ledger_trees_kept: refusals(
        ['DELETE FROM ledger_trees', 'TRUNCATE ledger_trees'],
        / of ledger_trees is refused/,
      ),
    },
  },
  tree_nodes: {
    isProjection: false,
    base: { level: 8, hash: HASH },
    guards: {
      ...once('tree_nodes_pkey'),
      tree_nodes_level_check: [{ insert: { level: 0 } }, { insert: { level: 7 } }],
      tree_nodes_node_index_check: { insert: { node_index: -1 } },
      tree_nodes_hash_check: { insert: { hash: SHORT_HASH } },
      ...kept('tree_nodes', 'UPDATE tree_nodes SET level = 16'),
    },
  },
  tree_runs: {
    isProjection: false,
    guards: {
      tree_runs_pkey: { again: { first_seq: 1 } },
      tree_runs_seq: { again: { first_index: -1 } },
      tree_runs_first_index_check: { insert: { first_index: -1 } },
      tree_runs_behind: { insert: { first_index: 1 } },
      ...kept('tree_runs', 'UPDATE tree_runs SET first_seq = 1'),
    },
  },
  ledger_checkpoints: {
    isProjection: false,
    base: { size: 1, link: SHA256, root: HASH },
    guards: {
      ledger_checkpoints_pkey: { again: { seq: 1 } },
      ledger_checkpoints_seq: { again: { size: 2 } },
      ledger_checkpoints_size_check: { insert: { size: 0 } },
      ledger_checkpoints_link_check: { insert: { link: NO_SHA256 } },
      ledger_checkpoints_root_check: { insert: { root: SHORT_HASH } },
      ledger_checkpoints_made_at_ms_check: { insert: { made_at_ms: -1 } },
      ledger_checkpoints_entry: { insert: { seq: 1 } },
      ...kept('ledger_checkpoints', `UPDATE ledger_checkpoints SET note_text = 'y'`),
    },
  },
  checkpoint_cosignatures: {
    isProjection: false,
    base: { size: 1, key_id: '00000000', cosigned_at_s: 1 },
    after: ['ledger_checkpoints'],
    guards: {
      ...once('checkpoint_cosignatures_pkey'),
      checkpoint_cosignatures_key_id_check: { insert: { key_id: 'G0000000' } },
      checkpoint_cosignatures_cosigned_at_s_check: { insert: { cosigned_at_s: 0 } },
      checkpoint_cosignatures_of: { insert: { size: 2 } },
      ...kept('checkpoint_cosignatures', `UPDATE checkpoint_cosignatures SET line = 'y'`),
    },
  },
  witness_states: {
    isProjection: false,
    guards: {
      ...once('witness_states_pkey'),
      witness_states_size_check: { insert: { size: -1, last_cosigned_at_ms: 1 } },
      witness_states_failure_count_check: {
        insert: { failure_count: -1, failing_since_ms: 1, failure: 'x' },
      },
      witness_states_cosigned: [{ insert: { size: 1 } }, { insert: { last_cosigned_at_ms: 1 } }],
      witness_states_failing: [
        { insert: { failure_count: 1, failure: 'x' } },
        { insert: { failure_count: 1, failing_since_ms: 1 } },
        { insert: { failing_since_ms: 1 } },
      ],
      witness_states_disagreeing: { insert: { disagreement: 'x' } },
    },
  },
  witness_rounds: { isProjection: false, guards: once('witness_rounds_pkey') },
  ledger_alarms: {
    isProjection: false,
    guards: {
      ...once('ledger_alarms_pkey'),
      ...kept('ledger_alarms', `UPDATE ledger_alarms SET detail = 'y'`),
    },
  },
  ledger_witnessing: { guards: once('ledger_witnessing_pkey') },
};
