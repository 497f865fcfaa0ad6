import { webhookOf } from '../../base/outbox/index.js';
import { amountOf } from '../../core/rules/index.js';
import { decisionRecorded } from './decision.events.js';

/** Every decision, for whoever subscribes to it. What the rules saw stays in the ledger: GET /v1/decisions/{id}. */
export const decisionWebhooks = webhookOf(decisionRecorded, (recorded) => {
  const { decision, judged } = recorded;
  const { currency, amountMinor } = amountOf(judged);
  return {
    type: decision.outcome === 'allow' ? 'decision.allowed' : 'decision.refused',
    merchantId: recorded.merchantId,
    data: {
      decision_id: recorded.decisionId,
      flow: decision.flow,
      merchant_id: recorded.merchantId,
      agent_id: recorded.agentId,
      order_id: recorded.orderId,
      failing_rule: decision.failingRule,
      reason: decision.reason,
      amount: { amount: amountMinor.toString(), currency },
      dry_run: recorded.dryRun,
      usable: recorded.usable,
    },
  };
});
