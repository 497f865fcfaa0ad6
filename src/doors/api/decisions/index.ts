/** How a decision is asked for, printed and read: for doors that speak another protocol about the same decision. */
export type { DecisionAnswer, DecisionView } from './answer.schema.js';
export { askForDecision, decisionId } from './decisions.contract.js';
export { decide, type Desk, read as readDecision } from './decisions.use.js';
export { DECISION_EXAMPLES } from './examples.js';
export type { DecisionRequestBody } from './request.schema.js';
