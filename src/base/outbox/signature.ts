import { createHmac, randomBytes } from 'node:crypto';

/** Random bytes of a signing secret; Standard Webhooks asks for 24 to 64. */
export const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

export const drawSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As a receiver configures it. */
export const printSecret = (secret: Buffer): string =>
  `${SECRET_PREFIX}${secret.toString('base64')}`;

export interface SignedMessage {
  readonly messageId: string;
  /** When this try began, on the real clock: receivers refuse what is older than a few minutes. */
  readonly atMs: number;
  readonly payload: string;
}

const secondsOf = ({ atMs }: SignedMessage): string => String(Math.floor(atMs / 1000));

/** What both kinds of signature cover (Standard Webhooks 1.0): id, timestamp in seconds and the exact body. */
export const signedContent = (message: SignedMessage): Buffer =>
  Buffer.from(`${message.messageId}.${secondsOf(message)}.${message.payload}`);

/**
 * The headers of a Standard Webhooks request. `v1` = HMAC-SHA256, one per secret that is live, the newest first: during
 * a rotation a receiver verifies with either. `v1a` = Ed25519 by the tenant's `webhook` key, whose public part stands in
 * its key set (/.well-known/jwks.json): for receivers that hold no secret.
 */
export function webhookHeaders(
  message: SignedMessage,
  { secrets, ed25519 }: { readonly secrets: readonly Buffer[]; readonly ed25519: Buffer },
): Record<string, string> {
  const content = signedContent(message);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': message.messageId,
    'webhook-timestamp': secondsOf(message),
    'webhook-signature': [...signatures, `v1a,${ed25519.toString('base64')}`].join(' '),
  };
}
