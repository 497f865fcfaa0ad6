import type { PaymentNews, RefundNews } from '../book/index.js';
import type { ChargeOutcome, IssueOutcome, RefundOutcome } from '../payments/index.js';

type Unknown = { readonly kind: 'unknown'; readonly detail: string };

/**
 * Asks a provider, and has an answer in time whatever its rail does: one that breaks its promise and throws, or stays
 * silent, is as unknown as a lost answer.
 */
export async function askRail<Outcome>(
  budgetMs: number,
  ask: (deadline: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | Unknown> {
  const deadline = AbortSignal.timeout(budgetMs);
  const over = new Promise<Unknown>((resolve) => {
    const late: Unknown = { kind: 'unknown', detail: 'no answer in time' };
    deadline.addEventListener('abort', () => resolve(late), { once: true });
  });
  try {
    return await Promise.race([ask(deadline), over]);
  } catch {
    return { kind: 'unknown', detail: 'the rail broke' };
  }
}

/** Null = nothing is known, so nothing is written: it stays `issuing` and counts (facts/arbiter.md C9). */
export function linkNews(outcome: IssueOutcome): PaymentNews | null {
  switch (outcome.kind) {
    case 'issued': {
      const { providerRef, url } = outcome;
      return { report: 'issued', source: 'rail', providerRef, url };
    }
    case 'rejected':
      return { report: 'rejected', source: 'rail', detail: outcome.detail };
    case 'unknown':
      return null;
  }
}

/**
 * As {@link linkNews}; captured money is no news but a capture. Taken on but not captured is `open`: never counted as
 * paid (facts/arbiter.md C7).
 */
export function chargeNews(
  outcome: Exclude<ChargeOutcome, { readonly kind: 'captured' }>,
): PaymentNews | null {
  switch (outcome.kind) {
    case 'accepted':
      return { report: 'issued', source: 'rail', providerRef: outcome.providerRef };
    case 'failed':
    case 'rejected':
      return { report: outcome.kind, source: 'rail', detail: outcome.detail };
    case 'unknown':
      return null;
  }
}

/** Null = not known: it stays `submitted`. So does one that was taken on; either counts as done (facts/arbiter.md I3). */
export function refundNews(outcome: RefundOutcome): RefundNews | null {
  switch (outcome.kind) {
    case 'done':
    case 'accepted':
      return { report: outcome.kind, source: 'rail', providerRef: outcome.providerRef };
    case 'failed':
      return { report: 'failed', source: 'rail', detail: outcome.detail };
    case 'unknown':
      return null;
  }
}
