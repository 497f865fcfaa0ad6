import { OUTBOUND_URL_CHARACTERS_MAX } from './guarded-url.js';

/** A scheme, two slashes and a host at once: no form that a browser repairs, and no user name, be it an empty one. */
const PLAIN_FORM = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i;

/**
 * Reads a web address that somebody registers. What is stored and shown is its `href`, so that everybody who reads it
 * later reads the same. Null = refused: a form that parsers repair (`https:host`, backslashes, spaces, control
 * characters), a user name, or longer than OUTBOUND_URL_CHARACTERS_MAX in either form. Not checked: where it leads.
 */
export function readWebUrl(text: string): URL | null {
  if (/[\s\\\p{Cc}]/u.test(text) || !PLAIN_FORM.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const longest = Math.max(text.length, url.href.length);
  return longest > OUTBOUND_URL_CHARACTERS_MAX ? null : url;
}
