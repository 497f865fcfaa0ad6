export * from './events.js';
export * from './projections.js';
export * from './withdrawals.js';
export * from './witnessed-logs.js';
