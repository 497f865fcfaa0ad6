import { verify, type VerifyKeyObjectInput } from 'node:crypto';
import {
  checkContentDigest,
  DEFAULT_VERIFICATION_SETTINGS,
  type HttpResponseMessage,
  type LabelledSignature,
  PRIMITIVES,
  readSignatures,
  signatureBase,
} from '../../../core/httpsig/index.js';
import type { DirectoryPlace } from './directory-place.js';
import type { DirectoryAnswer } from './fetch-directory.js';
import type { KeySet } from './key-set.js';

/** Whether a directory's answer is signed by keys that it lists (facts/signatures.md 3.3). Told, never required. */
export type DirectoryProof = 'valid' | 'invalid' | 'absent';

export interface ProofFinding {
  readonly proof: DirectoryProof;
  /** When the first of the good signatures ends; null: none says. */
  readonly expiresSeconds: number | null;
}

export const DIRECTORY_TAG = 'http-message-signatures-directory';
const MUST_COVER = ['"@authority";req', '"content-digest"'];
const { skewSeconds: SKEW_SECONDS } = DEFAULT_VERIFICATION_SETTINGS;

export interface ProofContext {
  readonly place: DirectoryPlace;
  readonly keys: KeySet;
  readonly nowSeconds: number;
}

/**
 * Judges every signature of the answer that has the directory's tag: it covers the asked authority and the content, its
 * times are there and now, and a key of this very directory made it. `valid`: all of them are; `invalid`: one is not, or
 * the headers cannot be read; `absent`: there is none.
 */
export async function directoryProof(
  answer: DirectoryAnswer,
  context: ProofContext,
): Promise<ProofFinding> {
  const message = messageOf(answer, context.place);
  const read = readSignatures(message);
  if (!read.ok) return { proof: 'invalid', expiresSeconds: null };
  const tagged = read.value.filter(
    ({ parameters, isTagUnreadable }) => parameters.tag === DIRECTORY_TAG || isTagUnreadable,
  );
  if (tagged.length === 0) return { proof: 'absent', expiresSeconds: null };
  const isGood = checkContentDigest(message) === 'matches';
  const good = await Promise.all(tagged.map((one) => isProof(message, one, context)));
  if (!isGood || good.includes(false)) return { proof: 'invalid', expiresSeconds: null };
  const ends = tagged.map(({ parameters }) => parameters.expires ?? 0);
  return { proof: 'valid', expiresSeconds: Math.min(...ends) };
}

function messageOf({ headers, body }: DirectoryAnswer, place: DirectoryPlace): HttpResponseMessage {
  const { protocol, host, pathname, search } = new URL(place.href);
  return {
    kind: 'response',
    status: 200,
    headers: Object.entries(headers),
    body,
    request: {
      kind: 'request',
      method: 'GET',
      scheme: protocol.slice(0, -1),
      authority: host,
      target: `${pathname}${search}`,
      headers: [['host', host]],
      body: null,
    },
  };
}

async function isProof(
  message: HttpResponseMessage,
  signature: LabelledSignature,
  { keys, nowSeconds }: ProofContext,
): Promise<boolean> {
  const { components, parameters } = signature;
  const { created, expires, keyid, alg } = parameters;
  if (signature.fault !== null || keyid === null || created === null || expires === null)
    return false;
  if (created > nowSeconds + SKEW_SECONDS || expires <= nowSeconds - SKEW_SECONDS) return false;
  if (!MUST_COVER.every((text) => components.some((one) => one.text === text))) return false;
  const key = keys.find(keyid, 'thumbprint')?.key;
  const algorithm = key?.algorithms.find((name) => alg === null || alg === name);
  if (key === undefined || algorithm === undefined) return false;
  const base = signatureBase(message, signature);
  if (!base.ok) return false;
  const { digest, options } = PRIMITIVES[algorithm];
  const signed = { key: { key: key.key, ...options }, signature: signature.signature };
  return isSignedBy(digest, { ...signed, data: Buffer.from(base.value, 'ascii') });
}

interface Signed {
  readonly key: VerifyKeyObjectInput;
  readonly data: Buffer;
  readonly signature: Buffer;
}

const isSignedBy = (digest: string | null, { key, data, signature }: Signed): Promise<boolean> =>
  new Promise((resolve) => {
    verify(digest, data, key, signature, (error, isValid) => resolve(error === null && isValid));
  });
