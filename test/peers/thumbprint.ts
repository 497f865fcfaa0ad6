import { createHash } from 'node:crypto';

/** RFC 7638 and RFC 8037 of an Ed25519 key, written out independently of the program. */
export const thumbprintOf = ({ x }: Readonly<Record<string, unknown>>): string =>
  createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${String(x)}"}`)
    .digest('base64url');
