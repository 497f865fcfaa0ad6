import { ProblemException } from '../../base/platform/index.js';
import { type Problem, problem, type ProblemCode } from '../../core/kernel/index.js';
import {
  acceptSignature,
  type SignatureReason,
  type SignatureVerdict,
  type WantedSignature,
} from '../../core/httpsig/index.js';

/**
 * Reasons for which we are to blame: the same request, signed anew, may be answered (decisions 6.2). A directory that does
 * not answer is its agent's to mend.
 */
const UNDECIDED: ReadonlySet<SignatureReason> = new Set([
  'key_pending',
  'busy',
  'replay_state_unavailable',
  'verifier_error',
]);

const CODE_OF_REASON: Readonly<Partial<Record<SignatureReason, ProblemCode>>> = {
  digest_missing: 'digest_mismatch',
  digest_mismatch: 'digest_mismatch',
  algorithm_not_allowed: 'algorithm_unsupported',
  algorithm_mismatch: 'algorithm_unsupported',
};

/** Longest wait that an agent is asked for before it signs anew, in seconds. */
const RETRY_AFTER_SECONDS = 2;

/**
 * The word for the wire (UCP's, facts/signatures.md 6): coarse on purpose, so that nobody learns by trying how a
 * signature is judged; `POST /v1/signature-check` tells the reason to who has a key.
 */
export function refusalCodeOf({ status, reason }: SignatureVerdict): ProblemCode {
  if (status === 'unsigned' || reason === null) return 'signature_missing';
  if (UNDECIDED.has(reason)) return 'signature_undecided';
  return CODE_OF_REASON[reason] ?? (status === 'invalid' ? 'signature_invalid' : 'key_not_found');
}

const TEXTS: Readonly<Partial<Record<ProblemCode, readonly [detail: string, fix: string]>>> = {
  signature_missing: [
    'This route answers signed requests only.',
    'Sign the request as Accept-Signature says (RFC 9421).',
  ],
  signature_invalid: [
    'The signature of this request is not good.',
    'Send the same request to POST /v1/signature-check to read why, and sign anew.',
  ],
  key_not_found: [
    'No key that may be used was found for the signature.',
    'Publish the key under the URL in Signature-Agent, and name it by its thumbprint.',
  ],
  digest_mismatch: [
    'The signature does not cover the digest of the body that arrived.',
    'Cover Content-Digest of the exact bytes of the body (RFC 9530).',
  ],
  algorithm_unsupported: [
    'The signature is of an algorithm that is not taken here.',
    'Use ed25519, ecdsa-p256-sha256, ecdsa-p384-sha384 or rsa-pss-sha512.',
  ],
  signature_undecided: [
    'The signature of this request could not be judged now.',
    'Sign the request anew after the pause.',
  ],
};

export function refusalOf(verdict: SignatureVerdict): Problem {
  const code = refusalCodeOf(verdict);
  const [detail, fix] = TEXTS[code] ?? ['', ''];
  const pause = code === 'signature_undecided' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {};
  return problem(code, detail, { fix, field: ':signature', ...pause });
}

/** The answer of a route that is enforced to a request that is not proved: 401, or 503 where we cannot tell. */
export function refuse(verdict: SignatureVerdict, wanted: WantedSignature): ProblemException {
  return new ProblemException(refusalOf(verdict), {
    headers: {
      'accept-signature': acceptSignature(wanted),
      // RFC 9110 section 15.5.2 wants a challenge; no registered scheme means this.
      'www-authenticate': 'HTTP-Message-Signatures',
    },
  });
}
