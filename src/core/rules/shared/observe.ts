import type { InstantMs } from '../../kernel/index.js';
import type { Failure, Observation } from '../decision.js';

/** What a rule looked at, beside its limit. The values stay raw; they are printed only when somebody reads. */
export const amount = (
  name: string,
  observed: bigint | null,
  limit: bigint | null,
): Observation => ({ name, kind: 'amount', observed, limit });

export const instant = (
  name: string,
  observed: InstantMs | null,
  limit: InstantMs | null,
): Observation => ({ name, kind: 'instant', observed, limit });

export const age = (name: string, observed: number | null, limit: number | null): Observation => ({
  name,
  kind: 'age_ms',
  observed,
  limit,
});

export const count = (
  name: string,
  observed: number | null,
  limit: number | null,
): Observation => ({ name, kind: 'count', observed, limit });

export const text = (
  name: string,
  observed: string | null,
  limit: string | null = null,
): Observation => ({ name, kind: 'text', observed, limit });

/** A failure without parameter; `notBeforeMs` only where waiting until then helps. */
export const because = <Code extends string>(
  code: Code,
  notBeforeMs: InstantMs | null = null,
): Failure<Code> => ({ code, artifactType: null, notBeforeMs });
