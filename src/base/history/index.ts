export * from './ports.js';
export * from './export/index.js';
export { HistoryModule } from './history.module.js';
export { DERIVED_HISTORY } from './tree/tree-check.js';
export { ledgerWitnessing } from './witnesses/witnessing.ledger.js';
export {
  WITNESS_SOURCES,
  type WitnessPlace,
  type WitnessSource,
  WitnessSources,
} from './witnesses/sources.js';
