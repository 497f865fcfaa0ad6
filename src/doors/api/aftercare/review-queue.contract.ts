import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { FLOWS, type QueuedRefusal, RULE_NAMES } from '../../../money/arbiter/index.js';
import {
  chosenId,
  instantInput,
  instantOutput,
  moneyOutput,
  printAmount,
  seqPage,
} from '../wire.js';

const queuedView = z.strictObject({
  decision_id: z.string(),
  flow: z.enum(FLOWS),
  failing_rule: z.enum(RULE_NAMES),
  reason: z.string(),
  merchant_id: z.string(),
  agent_id: z.string().nullable(),
  order_id: z.string().nullable(),
  amount: moneyOutput,
  decided_at: instantOutput,
  seq: z.int(),
});

export const printQueued = (one: QueuedRefusal): z.input<typeof queuedView> => ({
  decision_id: one.decisionId,
  flow: one.flow as (typeof FLOWS)[number],
  failing_rule: one.failingRule as (typeof RULE_NAMES)[number],
  reason: one.reason,
  merchant_id: one.merchantId,
  agent_id: one.agentId,
  order_id: one.orderId,
  amount: printAmount(one.amountMinor, one.currency),
  decided_at: formatInstant(one.decidedAtMs),
  seq: one.seq,
});

export const readReviewQueue = route({
  method: 'GET',
  path: '/v1/review-queue',
  summary: 'Copies of refusals, newest first',
  description:
    'Refusals of merchants that chose copy_refusals_to_review_queue, copied after they were durable. Nothing waits for ' +
    'anybody to look here, and nothing done here changes a decision. Cursors are sequence numbers of the ledger.',
  tag: 'review-queue',
  access: ['operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  query: z.strictObject({
    merchant_id: chosenId.optional(),
    reason: z
      .string()
      .regex(/^[a-z0-9_:]{1,100}$/)
      .optional(),
    since: instantInput.optional(),
    ...seqPage({ sizeMax: PAGE_SIZE_MAX, sizeDefault: PAGE_SIZE_DEFAULT }),
  }),
  success: {
    status: 200,
    body: z.strictObject({ items: z.array(queuedView), next_cursor: z.string().nullable() }),
  },
  problems: [],
});
