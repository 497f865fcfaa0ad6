import { type ProblemCode, PROBLEMS } from '../../../core/kernel/index.js';

interface Advice {
  readonly happened: string;
  readonly fix: string;
}

/** What stands on the page of each problem code. A code without a page does not compile. */
const ADVICE: Readonly<Record<ProblemCode, Advice>> = {
  request_malformed: {
    happened:
      'The request could not be read at all: broken JSON or HTTP, a body that is not UTF-8, a member named `__proto__`, or more headers, parameters or nesting than the service reads. Nothing was looked at further and nothing was recorded.',
    fix: 'Send well-formed HTTP/1.1 with one JSON value as the body. `detail` names what was found.',
  },
  validation_failed: {
    happened:
      'The request was read, but a member is missing, unknown, of another type or outside its range. Nothing was recorded.',
    fix: '`field` points at the first wrong member and `errors` at up to twenty. Members that the route does not know are refused on purpose: a misspelt limit must not be ignored. `/openapi.json` has the form of every route.',
  },
  idempotency_key_required: {
    happened:
      'The route moves money, so a repeat has to be told from a second purchase; no `Idempotency-Key` was sent.',
    fix: 'Choose a key (1 to 255 visible ASCII characters) per intended action, and send the same key with every repeat of it.',
  },
  unauthenticated: {
    happened:
      'No API key was sent, or the one sent is unknown, revoked or expired. The three are not told apart.',
    fix: 'Send `Authorization: Bearer ak_...`. After a rotation use the new key; the old one works until its overlap ends.',
  },
  signature_missing: {
    happened:
      'The shop answers this route to signed requests only (its mode is `enforce`), and the request carried no signature of a kind that is known: HTTP Message Signatures (RFC 9421) as Web Bot Auth or Visa TAP.',
    fix: 'Sign what `Accept-Signature` of the answer names. `docs/signatures.md` shows how, `POST /v1/signature-check` says how a request of yours is judged. Public pages and `/.well-known/*` never need a signature.',
  },
  signature_invalid: {
    happened:
      'The request is signed, but the signature is not good: it covers too little, is too old, was used before, or does not fit the request as it arrived.',
    fix: 'Send the same request, signed the same way, to `POST /v1/signature-check`: it names the reason and shows the text that was verified beside the one you signed. Sign every request anew, with a new nonce.',
  },
  key_not_found: {
    happened:
      'No key that may be used was found for the signature: the directory that it names does not list the key, may not be asked, or the shop does not take this agent.',
    fix: 'Publish the key at the URL that Signature-Agent names, by https, under its thumbprint (RFC 7638). Ask the shop whether it has a list of agents.',
  },
  digest_mismatch: {
    happened:
      'The body that arrived is not the one whose digest was signed, or it was signed without one.',
    fix: 'Compute Content-Digest (RFC 9530) over the exact bytes of the body, cover it, and let nothing rewrite the body on its way.',
  },
  algorithm_unsupported: {
    happened: 'The signature, or its key, is of an algorithm that is not taken here.',
    fix: 'Use `ed25519`, `ecdsa-p256-sha256`, `ecdsa-p384-sha384` or `rsa-pss-sha512`.',
  },
  arbiter_refused: {
    happened:
      'The commerce arbiter refused, so no money moves. This is an answer, not a failure: `failing_rule` and `reason` say why, and the entry stands in the ledger under `decision_id`.',
    fix: 'Read `required_config` and the page that `reason_page` names, change what they say, and ask for a new decision.',
  },
  forbidden: {
    happened:
      'The key is valid, but its role, its merchants or its agent do not cover this request.',
    fix: 'Use a key of one of the roles that `detail` names. `GET /v1/access` lists the roles of every route.',
  },
  not_found: {
    happened:
      'There is no such route, or nothing of this name in the tenant of the key. What belongs to another tenant is answered the same way.',
    fix: 'Check the identifier, and that the key belongs to the tenant and world in which it was made.',
  },
  method_not_allowed: {
    happened: 'The path exists, but not with this method.',
    fix: 'Use a method of the `Allow` header.',
  },
  conflict: {
    happened: 'The request contradicts what is already recorded. Nothing was changed.',
    fix: 'Read the current state and send a request that fits it. `detail` names what stands in the way.',
  },
  idempotency_conflict: {
    happened:
      'This `Idempotency-Key` was used by the same caller on the same route with another request.',
    fix: 'Take a new key for a new action. To repeat the first one, send exactly the same path, query and body.',
  },
  idempotency_in_flight: {
    happened: 'The first request with this `Idempotency-Key` has not been answered yet.',
    fix: 'Wait as long as `Retry-After` says and send the same request again: it gets the first answer.',
  },
  payload_too_large: {
    happened: 'The body is larger than the service reads. It was not parsed.',
    fix: 'Send less. A cart holds at most 100 lines.',
  },
  unsupported_media_type: {
    happened: 'The body is not declared as JSON.',
    fix: 'Send `Content-Type: application/json`.',
  },
  misdirected_request: {
    happened: 'The request came in under a host name that belongs to no tenant.',
    fix: 'Use the origin that the tenant registered.',
  },
  unverifiable: {
    happened:
      'A signed object in the request is not what it says: its form, issuer, algorithm, signature, times or status do not hold. It was not registered.',
    fix: '`detail` names the first check that failed. Have the issuer sign the object again.',
  },
  rate_limited: {
    happened:
      'The key, or the address when no valid key was sent, used up its requests of this minute.',
    fix: 'Wait as long as `Retry-After` says. The operator sets the limit with `RATE_LIMIT_PER_MINUTE`.',
  },
  internal: {
    happened:
      'Something of ours broke. Nothing was recorded, or the record was rolled back whole. Details stand in the log only.',
    fix: 'Repeat the request with the same `Idempotency-Key`. If it fails again, give the `request_id` to the operator.',
  },
  unavailable: {
    happened:
      'The answer could not be made durable now: the database does not answer, the queue is full, or the process is stopping. Nothing was recorded.',
    fix: 'Repeat the request after `Retry-After`, with the same `Idempotency-Key`.',
  },
  signature_undecided: {
    happened:
      'The request is signed, and whether well could not be found out now: the key directory is still being asked, the store of used nonces is away, or too many directories are being asked. The route answers only what is proved, so nothing was done.',
    fix: 'Wait as long as `Retry-After` says, sign the request anew and send it again. If it goes on, see that your key directory answers within 2 seconds.',
  },
  outcome_unknown: {
    happened:
      'The connection to the database broke at the commit and the outcome could not be read back in time. The change may or may not stand.',
    fix: 'Repeat the request with the same `Idempotency-Key`: it gets the recorded answer, or is done once. Do not take a new key.',
  },
};

export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

const RETRY_WORDS = {
  never: 'No: the same request always ends the same way.',
  after_pause: 'Yes, after the pause that `Retry-After` names.',
  after_change: 'Only after it was changed.',
} as const;

export function printProblemPage(code: ProblemCode): string {
  const { status, title, retry } = PROBLEMS[code];
  return [
    `# ${code}`,
    '',
    `${title}. HTTP status ${status}.`,
    '',
    '## What happened',
    '',
    ADVICE[code].happened,
    '',
    '## How to fix it',
    '',
    ADVICE[code].fix,
    '',
    '## May the same request be repeated?',
    '',
    RETRY_WORDS[retry],
    '',
  ].join('\n');
}
