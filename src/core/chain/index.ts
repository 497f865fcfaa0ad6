export * from './entry-bytes.js';
export * from './verify-chain.js';
