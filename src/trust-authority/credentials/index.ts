export * from './claims.js';
export * from './credentials.store.js';
export * from './issue.js';
export * from './pieces.js';
export * from './read.js';
export * from './subjects.js';
export * from './terms.js';
export * from './tokens.js';
