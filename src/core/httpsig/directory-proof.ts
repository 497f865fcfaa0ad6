import { verify } from 'node:crypto';
import { checkContentDigest } from './content-digest.js';
import { type HttpResponseMessage } from './message.js';
import { covers, parameterFault, timeFault } from './policy.js';
import { type PublicSigningKey } from './public-key.js';
import { DEFAULT_VERIFICATION_SETTINGS } from './settings.js';
import { signatureBase } from './signature-base.js';
import { type LabelledSignature, readSignatures } from './signature-input.js';
import { verifyCall } from './verify-call.js';

export const DIRECTORY_TAG = 'http-message-signatures-directory';

export interface DirectoryAnswer {
  /** With the request that it answers: the proof is for the host that was asked. */
  readonly response: HttpResponseMessage;
  /** The keys that the directory holds. */
  readonly keys: readonly PublicSigningKey[];
  readonly nowSeconds: number;
}

/**
 * Whether a directory proves that it holds the keys it publishes (facts/signatures.md 3.3): every signature with the tag
 * of directories covers `"@authority";req` and `content-digest`, is in its time, and verifies with its key of the set.
 * `absent`: there is none. Synchronous, for the background; never a condition of trust.
 */
export function directoryProof(answer: DirectoryAnswer): 'valid' | 'invalid' | 'absent' {
  const read = readSignatures(answer.response);
  if (!read.ok) return 'invalid';
  const proofs = read.value.filter(({ parameters }) => parameters.tag === DIRECTORY_TAG);
  if (proofs.length === 0) return 'absent';
  if (checkContentDigest(answer.response) !== 'matches') return 'invalid';
  return proofs.every((proof) => isProof(proof, answer)) ? 'valid' : 'invalid';
}

function isProof(
  signature: LabelledSignature,
  { response, keys, nowSeconds }: DirectoryAnswer,
): boolean {
  const { parameters, identities } = signature;
  if (signature.fault !== null || !covers(signature, 'content-digest')) return false;
  if (!identities.has('"@authority";req')) return false;
  if (parameterFault(parameters, ['created', 'expires', 'keyid']) !== null) return false;
  const settings = DEFAULT_VERIFICATION_SETTINGS;
  const { skewSeconds } = settings;
  const limits = { nowSeconds, skewSeconds, windowSeconds: null, maxAgeSeconds: null };
  if (timeFault(parameters, limits) !== null) return false;
  const key = keys.find(({ thumbprint }) => thumbprint === parameters.keyid);
  const base = signatureBase(response, signature);
  if (key === undefined || !base.ok) return false;
  const call = verifyCall(
    {
      profile: 'wba',
      keyId: key.thumbprint,
      alg: parameters.alg,
      base: Buffer.from(base.value, 'latin1'),
      signature: signature.signature,
      nowSeconds,
      settings,
    },
    key,
  );
  if (!call.ok) return false;
  const { digest, data, key: options, signature: bytes } = call.value;
  return verify(digest, data, options, bytes);
}
