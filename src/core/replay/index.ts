export {
  Backtest,
  type BacktestReport,
  type Flip,
  type FlipSum,
  type ReasonSum,
} from './backtest.js';
export { readCandidate } from './candidate.js';
export { type ExportedEntry, ExportReader } from './export-reader.js';
export { type DifferentDecision, Replay, type ReplayReport } from './replay.js';
