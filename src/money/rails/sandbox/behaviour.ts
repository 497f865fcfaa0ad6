/**
 * How the sandbox answers one kind of call.
 *
 * ok                does it and says so
 * reject            says no and does nothing (422)
 * fail              breaks before it did anything (500)
 * fail_but_persist  does it, then breaks (500)
 * slow              does it, answers after {@link SLOW_ANSWER_MS}: nobody waits that long
 * lose_answer       does it, and the connection breaks before the answer
 */
const TROUBLES = ['ok', 'reject', 'fail', 'fail_but_persist', 'slow', 'lose_answer'] as const;

export const ISSUE_BEHAVIOURS = TROUBLES;
/** `decline`: the bank says no. `later`: taken on, done at the next sweep. `later_decline`: taken on, then declined. */
export const MONEY_BEHAVIOURS = [...TROUBLES, 'decline', 'later', 'later_decline'] as const;
export const LOOK_UP_BEHAVIOURS = ['ok', 'fail', 'slow', 'lose_answer'] as const;
/** How often each webhook is delivered. `twice`: a duplicate on purpose. `never`: every one is lost. */
export const WEBHOOK_BEHAVIOURS = ['once', 'twice', 'never'] as const;
/** Whether a link that was canceled or is past its time can still be paid, as at providers that never let one end. */
export const LATE_PAYMENT_BEHAVIOURS = ['refused', 'taken'] as const;

export interface Behaviour {
  readonly issue: (typeof ISSUE_BEHAVIOURS)[number];
  readonly charge: (typeof MONEY_BEHAVIOURS)[number];
  readonly refund: (typeof MONEY_BEHAVIOURS)[number];
  readonly lookUp: (typeof LOOK_UP_BEHAVIOURS)[number];
  readonly webhooks: (typeof WEBHOOK_BEHAVIOURS)[number];
  readonly latePayments: (typeof LATE_PAYMENT_BEHAVIOURS)[number];
}

export const GOOD_BEHAVIOUR: Behaviour = {
  issue: 'ok',
  charge: 'ok',
  refund: 'ok',
  lookUp: 'ok',
  webhooks: 'once',
  latePayments: 'refused',
};

export const SLOW_ANSWER_MS = 60_000;

export type Trouble = (typeof TROUBLES)[number];

/** The trouble around the work; what kind of work it is, is not the trouble's matter. */
export const troubleOf = (behaviour: (typeof MONEY_BEHAVIOURS)[number]): Trouble =>
  TROUBLES.find((trouble) => trouble === behaviour) ?? 'ok';

export const COPIES: Readonly<Record<Behaviour['webhooks'], number>> = {
  once: 1,
  twice: 2,
  never: 0,
};
