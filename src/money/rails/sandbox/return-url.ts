export const RETURN_URL_LENGTH_MAX = 2_048;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a pay page may link to it: https, or http to this machine; without user and password; at most
 * {@link RETURN_URL_LENGTH_MAX} characters, visible ASCII only. It is a link that a person presses, never a redirect.
 */
export function isReturnUrl(text: string): boolean {
  if (text.length > RETURN_URL_LENGTH_MAX || !/^https?:\/\/[\x21-\x7e]+$/.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname);
}
