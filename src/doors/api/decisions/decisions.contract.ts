import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { FLOWS, RULE_NAMES } from '../../../money/arbiter/index.js';
import { chosenId, instantInput, seqPage } from '../wire.js';
import {
  captureAnswer,
  decisionAnswer,
  decisionPage,
  decisionView,
  simulationAnswer,
} from './answer.schema.js';
import { CAPTURE_EXAMPLES, DECISION_EXAMPLES } from './examples.js';
import { captureRequest, decisionRequest } from './request.schema.js';

/** Decisions per page of a search. */
export const PAGE_SIZE_MAX = 200;
const PAGE_SIZE_DEFAULT = 50;

export const decisionId = z.string().regex(/^arbdec_[0-9a-f]{12}$/, 'arbdec_ and 12 hex digits');

export const askForDecision = route({
  method: 'POST',
  path: '/v1/decisions',
  summary: 'Allow or refuse a purchase or a refund',
  description:
    'Answers 200 with outcome allow or refuse: a refusal is an answer, not an error. agent_payment is judged by eight ' +
    'rules, handoff by two, refund by one. Every rule runs; the earliest that fails is named. The answer is sent after ' +
    'its ledger entry is durable. An agent asks without a discount (403 /cart/discount): no signed fact says what a ' +
    'merchant grants, so a discount counts only as the word of a merchant system, an operator or an administrator.',
  tag: 'decisions',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'optional',
  body: decisionRequest,
  examples: DECISION_EXAMPLES,
  success: { status: 200, body: decisionAnswer },
  problems: ['forbidden', 'not_found', 'idempotency_key_required'],
});

export const readDecision = route({
  method: 'GET',
  path: '/v1/decisions/{decision_id}',
  summary: 'One decision',
  description:
    'Administrators, operators and auditors see what the rules saw and what each found; agents and merchant systems see ' +
    'the short form of their own.',
  tag: 'decisions',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  params: z.strictObject({ decision_id: decisionId }),
  success: { status: 200, body: decisionView },
  problems: ['not_found'],
});

export const searchDecisions = route({
  method: 'GET',
  path: '/v1/decisions',
  summary: 'Search decisions, newest first',
  description:
    'Cursors are sequence numbers of the ledger: a page never changes because something newer was decided.',
  tag: 'decisions',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  query: z.strictObject({
    flow: z.enum(FLOWS).optional(),
    outcome: z.enum(['allow', 'refuse']).optional(),
    failing_rule: z.enum(RULE_NAMES).optional(),
    reason: z
      .string()
      .regex(/^[a-z0-9_:]{1,100}$/)
      .optional(),
    merchant_id: chosenId.optional(),
    agent_id: chosenId.optional(),
    from: instantInput.optional(),
    to: instantInput.optional(),
    ...seqPage({ sizeMax: PAGE_SIZE_MAX, sizeDefault: PAGE_SIZE_DEFAULT }),
  }),
  success: { status: 200, body: decisionPage },
  problems: [],
});

export const simulate = route({
  method: 'POST',
  path: '/v1/simulate',
  summary: 'The same rules, nothing written',
  description:
    'Judges by the same facts, counters and rules as a decision would and shows the whole trace. Not for agents: it would ' +
    "tell them a merchant's limits. A decision that a daily maximum would refuse first lets links lapse that are over; " +
    'a simulation writes nothing and leaves them counting.',
  tag: 'simulate',
  access: ['operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  body: decisionRequest,
  examples: DECISION_EXAMPLES,
  success: { status: 200, body: simulationAnswer },
  problems: ['not_found'],
});

export const reportCapture = route({
  method: 'POST',
  path: '/v1/captures',
  summary: 'Report captured money',
  description:
    "Counts against the merchant's day, the buyer's passport and intent, and is what refunds are measured by. A payment " +
    'that it names, by payment_id or by its decision_id, is paid from then on and stops counting as open. With neither it ' +
    'is money of the payment that its order is offered for, else of none until it is reported again with its payment. A ' +
    'decision whose allow nobody used is used up by it.',
  tag: 'captures',
  access: ['merchant_system', 'psp'],
  idempotency: 'required',
  body: captureRequest,
  examples: CAPTURE_EXAMPLES,
  success: { status: 201, body: captureAnswer },
  problems: ['conflict', 'not_found'],
});
