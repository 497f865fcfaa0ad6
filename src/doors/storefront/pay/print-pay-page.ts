import { escapeHtml, printPlainPage } from '../../../base/platform/index.js';
import { formatInstant, printMoney } from '../../../core/kernel/index.js';
import type { PayPageView } from '../../../money/rails/index.js';

const SAYINGS: Readonly<Record<PayPageView['state'], string>> = {
  open: 'This is a sandbox: no money moves. What you press is what the provider reports.',
  paid: 'Paid. Thank you.',
  failed: 'The payment failed.',
  canceled: 'The payment was canceled.',
  expired: 'This link has expired.',
};

const BUTTONS = `<form method="post">
      <button name="press" value="pay">Pay</button>
      <button name="press" value="fail">Let it fail</button>
      <button name="press" value="cancel">Cancel</button>
    </form>`;

const LATE_BUTTON = `<form method="post">
      <button name="press" value="pay">Pay all the same</button>
    </form>`;

/** The whole page. Every text of somebody else's is escaped; amounts are printed by the currency's own digits. */
export function printPayPage(view: PayPageView): string {
  const { merchantName, orderId, money, description, state, payable, returnUrl } = view;
  return printPlainPage(
    `Pay ${merchantName}`,
    [
      `<p class="amount">${printMoney(money)}</p>`,
      `<p>Order ${escapeHtml(orderId)}</p>`,
      description === null ? null : `<p>${escapeHtml(description)}</p>`,
      `<p role="status"><strong>${SAYINGS[state]}</strong></p>`,
      buttonsOf(state, payable),
      expiryOf(view),
      returnUrl === null || state === 'open' ? null : backLink(returnUrl),
    ]
      .filter((line) => line !== null)
      .join('\n    '),
  );
}

const buttonsOf = (state: PayPageView['state'], payable: boolean): string | null =>
  payable ? (state === 'open' ? BUTTONS : LATE_BUTTON) : null;

/** Nothing where nobody can pay any more, or has to. */
function expiryOf({ state, expiresAtMs, payable }: PayPageView): string | null {
  if (state === 'paid' || (state !== 'expired' && !payable)) return null;
  const saying = state === 'expired' ? 'It could be paid' : 'To be paid';
  return `<p class="note">${saying} until ${formatInstant(expiresAtMs)}.</p>`;
}

const backLink = (url: string): string =>
  `<p><a href="${escapeHtml(url)}" rel="noreferrer nofollow">Back to the shop</a></p>`;
