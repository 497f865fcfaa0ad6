export { JobsModule } from './jobs.module.js';
export { QUEUE_SCHEMA } from './queue-pool.store.js';
