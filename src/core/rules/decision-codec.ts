import {
  AGENT_PAYMENT_RULES,
  type Codec,
  codec,
  findReason,
  HANDOFF_RULES,
  invariant,
  REFUND_RULES,
} from '../kernel/index.js';
import type { Decision, Failure, Observation, RuleResult } from './decision.js';
import { PURCHASE_FLOWS } from './facts.js';

/**
 * How decisions stand in the ledger: amounts as decimal strings of minor units, instants in RFC 3339, ages in
 * milliseconds. Decoding is strict: a text that a decision could not have written is a broken invariant.
 */
const between = <Value>(value: Codec<Value>) =>
  codec.record({
    name: codec.text,
    observed: codec.nullable(value),
    limit: codec.nullable(value),
  });

const SUM_MINOR = /^(?:0|-?[1-9]\d{0,37})$/;

/** Sums that a rule compared with a cap: they may have more digits than any single amount. */
const sumMinor: Codec<bigint> = {
  encode: (value) => value.toString(),
  decode(value, path) {
    invariant(
      typeof value === 'string' && SUM_MINOR.test(value),
      `${path} is a decimal string of minor units`,
    );
    return BigInt(value);
  },
};

const observation: Codec<Observation> = codec.variant({
  amount: between(sumMinor),
  instant: between(codec.instant),
  age_ms: between(codec.integer),
  count: between(codec.integer),
  text: between(codec.text),
});

/** `notBeforeMs` is printed as an instant, so its wire name carries no unit. */
const storedFailure = codec.record({
  code: codec.text,
  artifactType: codec.nullable(codec.text),
  not_before: codec.nullable(codec.instant),
});

const failure: Codec<Failure> = {
  encode: ({ code, artifactType, notBeforeMs }) =>
    storedFailure.encode({ code, artifactType, not_before: notBeforeMs }),
  decode(value, path) {
    const { code, artifactType, not_before } = storedFailure.decode(value, path);
    return { code, artifactType, notBeforeMs: not_before };
  },
};

const ruleName = codec.oneOf(...AGENT_PAYMENT_RULES, ...HANDOFF_RULES, ...REFUND_RULES);

const storedResult = codec.record({
  rule: ruleName,
  failure: codec.nullable(failure),
  observations: codec.list(observation),
  notes: codec.list(codec.text),
});

const ruleResult: Codec<RuleResult> = {
  encode: (result) => storedResult.encode(result),
  decode(value, path) {
    const result = storedResult.decode(value, path);
    // Reasons are never taken out of the catalogue, so every entry ever written stays readable.
    invariant(
      result.failure === null || findReason(result.rule, result.failure.code) !== null,
      `${path}.failure.code is a reason of ${result.rule}`,
    );
    return result as RuleResult;
  },
};

/** One line per rule: what it observed, beside which limit, and why it failed. */
export const traceCodec: Codec<readonly RuleResult[]> = codec.list(ruleResult);

const storedDecision = codec.record({
  flow: codec.oneOf(...PURCHASE_FLOWS, 'refund'),
  ruleset: codec.text,
  outcome: codec.oneOf('allow', 'refuse'),
  failingRule: codec.nullable(ruleName),
  reason: codec.nullable(codec.text),
  not_before: codec.nullable(codec.instant),
  trace: traceCodec,
});

export const decisionCodec: Codec<Decision> = {
  encode: ({ notBeforeMs, ...decision }) =>
    storedDecision.encode({ ...decision, not_before: notBeforeMs }),
  decode(value, path) {
    const { not_before, ...decision } = storedDecision.decode(value, path);
    return { ...decision, notBeforeMs: not_before };
  },
};
