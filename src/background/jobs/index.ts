export { JobsModule } from './jobs.module.js';
