import { createHash } from 'node:crypto';

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
.amount { font-size: 2rem; margin: 0.5rem 0; }
.note { color: #555; }
button { font: inherit; padding: 0.5rem 1.25rem; margin: 0 0.5rem 0.5rem 0; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Of a page for people: nothing is loaded, nothing runs, nobody frames it, and its form leads back here only. */
export const PLAIN_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

/** The whole page around `content`, which is HTML already; `title` is plain text. */
export const printPlainPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <title>${escapeHtml(title)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>${escapeHtml(title)}</h1>
    ${content}
  </body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
