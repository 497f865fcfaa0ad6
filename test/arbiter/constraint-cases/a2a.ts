import { once, refusals, type TableCases } from './shape.js';

const A_LONG_NAME = 'x'.repeat(256);

export const A2A_TABLES: Readonly<Record<string, TableCases>> = {
  a2a_tasks: {
    isProjection: false,
    base: { state: 'completed' },
    guards: {
      ...once('a2a_tasks_pkey'),
      a2a_tasks_context_id_check: { insert: { context_id: A_LONG_NAME } },
      a2a_tasks_state_check: { insert: { state: 'working' } },
      a2a_tasks_task_check: { insert: { task: 'x'.repeat(65_537) } },
      a2a_tasks_final: refusals(
        [`UPDATE a2a_tasks SET state = 'rejected'`, 'TRUNCATE a2a_tasks CASCADE'],
        / of a2a_tasks is refused/,
      ),
    },
  },
  a2a_push_configs: {
    isProjection: false,
    base: { wire_version: '1.0', kek_id: null, wrapped: null, status: 'pending' },
    after: ['a2a_tasks'],
    guards: {
      ...once('a2a_push_configs_pkey'),
      a2a_push_configs_config_id_check: { insert: { config_id: A_LONG_NAME } },
      a2a_push_configs_wire_version_check: { insert: { wire_version: '2.0' } },
      a2a_push_configs_status_check: { insert: { status: 'maybe' } },
      a2a_push_configs_task: { insert: { task_id: 'other' } },
      a2a_push_configs_wrapped: { insert: { kek_id: 'k' } },
    },
  },
};
