import { z } from 'zod';
import { UNUSABLE_REASONS } from '../../../core/rules/index.js';
import { FLOWS, RULE_NAMES } from '../../../money/arbiter/index.js';
import { instantOutput, moneyOutput } from '../wire.js';

const reasonPage = z.string().meta({
  format: 'uri-reference',
  description:
    'What the reason means and what to do: a page of this service, relative unless it knows its public address.',
  example: '/docs/reasons/passport_amount_cap/passport_amount_cap_exceeded',
});

const common = {
  flow: z.enum(FLOWS),
  merchant_id: z.string(),
  agent_id: z.string().nullable(),
  order_id: z.string().nullable(),
  amount: moneyOutput,
  decided_at: instantOutput,
  ruleset: z.string(),
  dry_run: z.boolean(),
  usable: z.boolean(),
  usable_reason: z.enum(UNUSABLE_REASONS).nullable(),
  usable_action: z.string().nullable().meta({
    description:
      'What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null.',
  }),
};

const allowed = z.strictObject({
  outcome: z.literal('allow'),
  decision_id: z.string(),
  ...common,
  allow: z
    .strictObject({
      decision_id: z.string(),
      cart_hash: z.string().nullable(),
      expires_at: instantOutput,
      single_use: z.literal(true),
    })
    .nullable(),
});

/** The mission's six fields first, exactly; further fields may be added, none renamed (facts/arbiter.md N1). */
const refused = z.strictObject({
  code: z.literal('arbiter_refused'),
  failing_rule: z.enum(RULE_NAMES),
  reason: z.string(),
  decision_id: z.string(),
  action: z.string(),
  required_config: z.string(),
  reason_page: reasonPage,
  not_before: instantOutput.nullable(),
  outcome: z.literal('refuse'),
  ...common,
});

/** What a rule looked at, as it stands in the ledger entry. */
const traceLine = z.strictObject({
  rule: z.enum(RULE_NAMES),
  failure: z
    .strictObject({
      code: z.string(),
      artifact_type: z.string().nullable(),
      not_before: instantOutput.nullable(),
    })
    .nullable(),
  observations: z.array(
    z.strictObject({
      kind: z.enum(['amount', 'instant', 'age_ms', 'count', 'text']),
      name: z.string(),
      observed: z.union([z.string(), z.number()]).nullable(),
      limit: z.union([z.string(), z.number()]).nullable(),
    }),
  ),
  notes: z.array(z.string()),
});

const explanation = {
  judged: z
    .looseObject({ kind: z.enum(['purchase', 'refund']) })
    .meta({ description: 'Facts and counters exactly as the rules saw them.' }),
  trace: z.array(traceLine),
};

const entry = z.strictObject({
  entry_id: z.string(),
  seq: z.int(),
  link: z.string().nullable(),
});

export const decisionAnswer = z.discriminatedUnion('outcome', [allowed, refused]);
export type DecisionAnswer = z.infer<typeof decisionAnswer>;

/** The short form for agents and merchant systems, the long one for administrators, operators and auditors. */
export const decisionView = z.union([
  allowed,
  refused,
  allowed.extend({ ...explanation, entry }),
  refused.extend({ ...explanation, entry }),
]);
export type DecisionView = z.infer<typeof decisionView>;

const decisionSummary = z.strictObject({
  decision_id: z.string(),
  flow: z.string(),
  outcome: z.string(),
  failing_rule: z.string().nullable(),
  reason: z.string().nullable(),
  merchant_id: z.string(),
  agent_id: z.string().nullable(),
  order_id: z.string().nullable(),
  amount: moneyOutput,
  decided_at: instantOutput,
  dry_run: z.boolean(),
  usable: z.boolean(),
  seq: z.int(),
});
export type DecisionSummary = z.infer<typeof decisionSummary>;

export const decisionPage = z.strictObject({
  items: z.array(decisionSummary),
  next_cursor: z.string().nullable(),
});
export type DecisionPage = z.infer<typeof decisionPage>;

/** As a decision, without an id: nothing was written and nothing can be used. */
export const simulationAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('allow'),
    simulated: z.literal(true),
    ...common,
    ...explanation,
  }),
  z.strictObject({
    failing_rule: z.enum(RULE_NAMES),
    reason: z.string(),
    action: z.string(),
    required_config: z.string(),
    reason_page: reasonPage,
    not_before: instantOutput.nullable(),
    outcome: z.literal('refuse'),
    simulated: z.literal(true),
    ...common,
    ...explanation,
  }),
]);
export type SimulationAnswer = z.infer<typeof simulationAnswer>;

export const captureAnswer = z.strictObject({
  capture_id: z.string(),
  merchant_id: z.string(),
  order_id: z.string(),
  amount: moneyOutput,
  decision_id: z.string().nullable(),
  payment_id: z.string().nullable(),
  confirmed_at: instantOutput,
});
export type CaptureAnswer = z.infer<typeof captureAnswer>;
