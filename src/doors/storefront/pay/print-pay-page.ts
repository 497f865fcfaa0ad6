import { createHash } from 'node:crypto';
import { formatInstant, printMoney } from '../../../core/kernel/index.js';
import type { PayPageView } from '../../../money/rails/index.js';

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
.amount { font-size: 2rem; margin: 0.5rem 0; }
.note { color: #555; }
button { font: inherit; padding: 0.5rem 1.25rem; margin: 0 0.5rem 0.5rem 0; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, nothing runs, nobody frames it, and its form leads back here only. */
export const PAY_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

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
  const title = `Pay ${escaped(merchantName)}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>${title}</h1>
    <p class="amount">${printMoney(money)}</p>
    <p>Order ${escaped(orderId)}</p>${description === null ? '' : `\n    <p>${escaped(description)}</p>`}
    <p role="status"><strong>${SAYINGS[state]}</strong></p>
    ${buttonsOf(state, payable)}
    <p class="note">${expiry(view)}</p>${returnUrl === null || state === 'open' ? '' : backLink(returnUrl)}
  </body>
</html>
`;
}

const buttonsOf = (state: PayPageView['state'], payable: boolean): string =>
  payable ? (state === 'open' ? BUTTONS : LATE_BUTTON) : '';

const expiry = ({ state, expiresAtMs }: PayPageView): string =>
  `${state === 'expired' ? 'It could be paid' : 'To be paid'} until ${formatInstant(expiresAtMs)}.`;

const backLink = (url: string): string =>
  `\n    <p><a href="${escaped(url)}" rel="noreferrer nofollow">Back to the shop</a></p>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
