/**
 * A merchant's words for people and programs of others: on one line, without control characters and without those that
 * turn the direction of what stands beside them. The catalogue takes no such title over HTTP; what is printed does not rely on that.
 */
export const plainWords = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();

/** An image that a page may load: plain http or https, no credentials; anything else is dropped. */
export function safeImageUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  const isPlain = protocol === 'https:' || protocol === 'http:';
  return isPlain && username === '' && password === '' ? href : null;
}
