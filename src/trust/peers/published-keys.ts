/**
 * RFC 7638 thumbprints of the demo issuers' keys. Their private halves follow from a published seed, so anybody can sign
 * with them: they may vouch for something in the test world only. A test compares the list with the demo's issuers.
 */
export const PUBLISHED_KEY_THUMBPRINTS: ReadonlySet<string> = new Set([
  '8RTzmxC6ozF-BDJsSdaGTgvc3oXDJgcsggfIbPBdcZc',
  '2x5q4iqxcrr6fZzM-THu2mvcqVbJo0buLTDtGWMgse0',
  'ea655agzAFVWhr2g5nKWjwcHhnIWYH-3NTw9-RLFg8Y',
  'oty8guufTw6GEe8em31b3OfGDPSAcWpuWb2kkrLJoLc',
]);
