import { createHash, timingSafeEqual } from 'node:crypto';
import { headerValue } from './fields.js';
import { LIMITS } from './limits.js';
import { type HttpMessage } from './message.js';
import { bytesOf, readDictionary } from './structured.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** The algorithms of RFC 9530 that are taken; md5, sha and the others prove nothing. */
export const DIGEST_ALGORITHMS = ['sha-256', 'sha-512'] as const;
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const digestOf = (body: Uint8Array, algorithm: DigestAlgorithm): Buffer =>
  createHash(algorithm.replace('-', '')).update(body).digest();

/** The value of Content-Digest for a body as it is transferred; sha-256 when left out. */
export const contentDigest = (
  body: Uint8Array,
  algorithms: readonly DigestAlgorithm[] = ['sha-256'],
): string =>
  algorithms.map((name) => `${name}=:${digestOf(body, name).toString('base64')}:`).join(', ');

const EMPTY = new Uint8Array();

/**
 * Whether the body is the one that Content-Digest speaks of: at least one known algorithm, and every known one matches;
 * unknown ones are ignored. Faults, in order: malformed_header, digest_missing (no known algorithm), digest_mismatch.
 * Not checked: whether a signature covers the field.
 */
export function checkContentDigest(message: HttpMessage): 'absent' | 'matches' | SignatureFault {
  const text = headerValue(message, 'content-digest');
  if (text === null) return 'absent';
  if (text.length > LIMITS.fieldCharacters)
    return fault('malformed_header', 'Content-Digest is too long.');
  const read = readDictionary(text, 'Content-Digest');
  if (!read.ok) return read.error;
  if (read.value.marks.repeatedKey !== null)
    return fault(
      'malformed_header',
      `Content-Digest holds ${quoted(read.value.marks.repeatedKey)} twice.`,
    );
  const body = message.body ?? EMPTY;
  let known = 0;
  for (const algorithm of DIGEST_ALGORITHMS) {
    const member = read.value.members.get(algorithm);
    if (member === undefined) continue;
    const stated = bytesOf(member);
    if (stated === null)
      return fault('malformed_header', `Content-Digest has no bytes for ${algorithm}.`);
    const computed = digestOf(body, algorithm);
    if (stated.length !== computed.length || !timingSafeEqual(stated, computed))
      return fault('digest_mismatch', `The ${algorithm} of the content is not the one stated.`);
    known += 1;
  }
  return known > 0
    ? 'matches'
    : fault('digest_missing', 'Content-Digest names neither sha-256 nor sha-512.');
}
