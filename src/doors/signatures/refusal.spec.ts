import { describe, expect, it } from 'vitest';
import {
  INVALID_REASONS,
  refusedVerdict,
  type SignatureReason,
  unsignedVerdict,
  UNVERIFIED_REASONS,
} from '../../core/httpsig/index.js';
import { PROBLEMS, SIGNATURE_PROBLEMS } from '../../core/kernel/index.js';
import { ADVICE } from './advice.js';
import { refusalCodeOf, refusalOf } from './refusal.js';

const REASONS: readonly SignatureReason[] = [...INVALID_REASONS, ...UNVERIFIED_REASONS];
const verdictOf = (reason: SignatureReason) => refusedVerdict(reason, 'why');

describe('the word of a refusal', () => {
  it('is 503 where we cannot tell, and 401 for everything that a signer can mend', () => {
    const undecided = REASONS.filter(
      (reason) => PROBLEMS[refusalCodeOf(verdictOf(reason))].status === 503,
    );
    expect(undecided).toEqual([
      'key_pending',
      'busy',
      'replay_state_unavailable',
      'verifier_error',
    ]);
    const others = REASONS.filter((reason) => !undecided.includes(reason));
    for (const reason of others)
      expect(PROBLEMS[refusalCodeOf(verdictOf(reason))].status).toBe(401);
  });

  it('is one of those that the contracts list, and each of those is a word of some reason', () => {
    const words = new Set(REASONS.map((reason) => refusalCodeOf(verdictOf(reason))));
    words.add(refusalCodeOf(unsignedVerdict(null)));
    expect([...words].sort()).toEqual([...SIGNATURE_PROBLEMS].sort());
  });

  it('does not tell the reason to a stranger', () => {
    const texts = INVALID_REASONS.filter(
      (reason) => refusalCodeOf(verdictOf(reason)) === 'signature_invalid',
    ).map((reason) => JSON.stringify(refusalOf(verdictOf(reason))));
    expect(new Set(texts).size).toBe(1);
  });

  it.each(REASONS)('%s is told with a text and a fix', (reason) => {
    const { detail, fix, retryAfterSeconds } = refusalOf(verdictOf(reason));
    expect(Math.min(detail.length, fix.length, ADVICE[reason].length)).toBeGreaterThan(10);
    const isUndecided = refusalCodeOf(verdictOf(reason)) === 'signature_undecided';
    expect(retryAfterSeconds).toBe(isUndecided ? 2 : undefined);
  });
});
