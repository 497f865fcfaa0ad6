import {
  type CandidateOutcome,
  type FailedLabel,
  type SignatureCandidate,
  type SignatureVerdict,
  type VerificationPlan,
} from './candidate.js';
import { type SignatureReason, statusOfReason } from './vocabulary.js';

const NOTHING: SignatureVerdict = {
  status: 'unsigned',
  reason: null,
  note: null,
  profile: null,
  label: null,
  keyId: null,
  keySource: null,
  agent: null,
  agentForm: null,
  tag: null,
  createdSeconds: null,
  expiresSeconds: null,
  nonceHash: null,
  coverage: null,
  covered: [],
};

/** The message asks for no judgement: it holds no signature of a known profile. */
export const unsigned = (note: string | null): SignatureVerdict => ({ ...NOTHING, note });

/** A verdict about the whole message, before any label could be told apart. */
export const refused = (reason: SignatureReason, note: string): SignatureVerdict => ({
  ...NOTHING,
  status: statusOfReason(reason),
  reason,
  note,
});

export const verdictOfFailed = ({ fault, ...label }: FailedLabel): SignatureVerdict => ({
  ...refused(fault.reason, fault.detail),
  ...label,
});

function verdictOf(
  candidate: SignatureCandidate,
  outcome: CandidateOutcome['outcome'],
): SignatureVerdict {
  const isGood = outcome === 'verified';
  return {
    status: isGood ? 'verified' : statusOfReason(outcome),
    reason: isGood ? null : outcome,
    note: null,
    profile: candidate.profile,
    label: candidate.label,
    keyId: candidate.keyId,
    keySource: candidate.keySource,
    agent: candidate.agent,
    agentForm: candidate.agentForm,
    tag: candidate.tag,
    createdSeconds: candidate.createdSeconds,
    expiresSeconds: candidate.expiresSeconds,
    nonceHash: candidate.nonceClaim?.nonceHash ?? null,
    coverage: candidate.coverage,
    covered: candidate.covered,
  };
}

/**
 * One verdict for the message (facts/signatures.md 1.7): one verified candidate is enough, whatever the others are, and
 * the verdict speaks of that one alone; full coverage goes before identity, then the order of the header. Without a
 * verified one: the first that could not be decided, else the first invalid one.
 * A candidate without an outcome counts as `verifier_error`.
 * Not checked: nonces. The caller claims the nonce of every candidate that verified, each once, before it says `verified`:
 * one left unclaimed would let the same request in again under that label.
 */
export function settle(
  plan: Extract<VerificationPlan, { kind: 'candidates' }>,
  outcomes: readonly CandidateOutcome[],
): SignatureVerdict {
  const verdicts = plan.candidates.map((candidate) => {
    const ended = outcomes.find(({ label }) => label === candidate.label);
    return verdictOf(candidate, ended?.outcome ?? 'verifier_error');
  });
  verdicts.push(...plan.failed.map(verdictOfFailed));
  const good = verdicts.filter(({ status }) => status === 'verified');
  return (
    good.find(({ coverage }) => coverage === 'full') ??
    good[0] ??
    verdicts.find(({ status }) => status === 'unverified') ??
    verdicts[0] ??
    NOTHING
  );
}

/** Ends a plan at once when no label is left to try. */
export function planned(
  candidates: readonly SignatureCandidate[],
  failed: readonly FailedLabel[],
): VerificationPlan {
  const plan = { kind: 'candidates', candidates, failed } as const;
  return candidates.length > 0 ? plan : { kind: 'ended', verdict: settle(plan, []) };
}
