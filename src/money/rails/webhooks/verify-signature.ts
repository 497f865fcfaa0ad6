import { Webhook } from 'standardwebhooks';

/** Each header as it arrived; undefined or a list = not sent once. */
export type SignatureHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
/** What of a signature header is looked at, in characters: room for ten signatures. */
const SIGNATURE_LENGTH_MAX = 1_000;

/**
 * The message id of a body that one of these secrets signed within the last or next 300 seconds of real time
 * (Standard Webhooks 1.0, HMAC-SHA256, compared in constant time); null = nobody who may.
 */
export function signedMessageId(
  body: Buffer,
  headers: SignatureHeaders,
  secrets: readonly string[],
): string | null {
  const [id, timestamp, signature] = NAMES.map((name) => headers[name]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string')
    return null;
  // The scheme signs text: bytes that are no UTF-8 would be verified as other bytes than they are.
  const text = body.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(body);
  if (!isText || !/^\d{1,12}$/.test(timestamp) || signature.length > SIGNATURE_LENGTH_MAX)
    return null;
  const sent = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  return secrets.some((secret) => isSignedWith(secret, text, sent)) ? id : null;
}

function isSignedWith(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
