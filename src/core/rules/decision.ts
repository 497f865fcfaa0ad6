import type { ReasonOf, RuleName } from '../kernel/index.js';
import type { Flow } from './facts.js';

/** One thing a rule looked at beside what it compared it with. Raw values: they are printed only when somebody reads. */
export type Observation =
  | {
      readonly name: string;
      readonly kind: 'amount';
      readonly observed: bigint | null;
      readonly limit: bigint | null;
    }
  | {
      readonly name: string;
      readonly kind: 'instant';
      readonly observed: number | null;
      readonly limit: number | null;
    }
  | {
      readonly name: string;
      readonly kind: 'age_ms';
      readonly observed: number | null;
      readonly limit: number | null;
    }
  | {
      readonly name: string;
      readonly kind: 'count';
      readonly observed: number | null;
      readonly limit: number | null;
    }
  | {
      readonly name: string;
      readonly kind: 'text';
      readonly observed: string | null;
      readonly limit: string | null;
    };

/** Why one rule failed: a code of the reason catalogue, the artifact type where the code has one, and, where waiting helps, until when. */
export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly artifactType: string | null;
  readonly notBeforeMs: number | null;
}

/** One rule's answer with what it saw. `notes` explain a pass (for example why no AFA was needed); they decide nothing. */
export interface RuleResult<Rule extends RuleName = RuleName> {
  readonly rule: Rule;
  readonly failure: Failure<ReasonOf<Rule>> | null;
  readonly observations: readonly Observation[];
  readonly notes: readonly string[];
}

/**
 * Allow or refuse; there is no third value. `failingRule` and `reason` name the first failure in the order of the
 * rules; `trace` holds every rule's result, because every rule always runs (mission M13, facts/arbiter.md E3).
 * `reason` is the code, followed by `:<artifact_type>` where the code has that parameter.
 */
export interface Decision {
  readonly flow: Flow;
  readonly ruleset: string;
  readonly outcome: 'allow' | 'refuse';
  readonly failingRule: RuleName | null;
  readonly reason: string | null;
  readonly notBeforeMs: number | null;
  readonly trace: readonly RuleResult[];
}
