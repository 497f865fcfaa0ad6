import { type HttpSignatureAlgorithm } from './algorithms.js';
import { type CoveredList } from './covered-list.js';
import { type HttpMessage, type HttpRequestMessage } from './message.js';
import { type VerificationSettings } from './settings.js';
import { type SignatureParameters } from './signature-input.js';
import { fault, quoted, type SignatureFault, type SignatureProfile } from './vocabulary.js';

const REGISTERED: readonly HttpSignatureAlgorithm[] = [
  'ed25519',
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-pss-sha512',
];
const WITH_RSA: ReadonlySet<HttpSignatureAlgorithm> = new Set(REGISTERED);
const WITH_SHA256: ReadonlySet<HttpSignatureAlgorithm> = new Set([...REGISTERED, 'rsa-pss-sha256']);
const WITHOUT_RSA: ReadonlySet<HttpSignatureAlgorithm> = new Set(
  REGISTERED.filter((name) => !name.startsWith('rsa')),
);

/** UCP knows elliptic curves only; the unregistered RSA algorithm is for TAP and behind a setting. */
export function allowedAlgorithms(
  profile: SignatureProfile,
  { tapRsaPssSha256 }: VerificationSettings,
): ReadonlySet<HttpSignatureAlgorithm> {
  if (profile === 'ucp') return WITHOUT_RSA;
  return profile === 'tap' && tapRsaPssSha256 ? WITH_SHA256 : WITH_RSA;
}

const TAP_NAMES: Readonly<Record<string, HttpSignatureAlgorithm>> = { ps256: 'rsa-pss-sha256' };

/** The algorithm behind a parameter `alg`. TAP's own examples write `Ed25519` and `PS256`. */
export function algorithmNamed(alg: string, profile: SignatureProfile): string {
  if (profile !== 'tap') return alg;
  const name = alg.toLowerCase();
  return Object.hasOwn(TAP_NAMES, name) ? (TAP_NAMES[name] ?? name) : name;
}

/** `alg` may be left out; when it is sent, the profile has to know it. Fault: algorithm_not_allowed. */
export function algFault(
  { alg }: SignatureParameters,
  profile: SignatureProfile,
  settings: VerificationSettings,
): SignatureFault | null {
  if (alg === null) return null;
  const names: ReadonlySet<string> = allowedAlgorithms(profile, settings);
  return names.has(algorithmNamed(alg, profile))
    ? null
    : fault('algorithm_not_allowed', `The algorithm ${quoted(alg)} is not taken here.`);
}

/** Fault: missing_parameter, for the first that is not there. */
export function parameterFault(
  parameters: SignatureParameters,
  required: readonly (keyof SignatureParameters)[],
): SignatureFault | null {
  const missing = required.find((name) => parameters[name] === null);
  return missing === undefined
    ? null
    : fault('missing_parameter', `The parameter ${missing} is missing.`);
}

export interface TimeLimits {
  readonly nowSeconds: number;
  readonly skewSeconds: number;
  /** Between `created` and `expires`. */
  readonly windowSeconds: number | null;
  /** Between `created` and now. */
  readonly maxAgeSeconds: number | null;
}

/**
 * Age and window of a signature (facts/signatures.md 1.10); the skew widens every limit but the window, which is about
 * two times of one clock. Faults, in order: window_too_long, not_yet_valid, expired (also when it ends before it begins).
 */
export function timeFault(
  { created, expires }: SignatureParameters,
  { nowSeconds, skewSeconds, windowSeconds, maxAgeSeconds }: TimeLimits,
): SignatureFault | null {
  // Who does not say when it was created made it now at the latest.
  const earliest = created ?? nowSeconds + skewSeconds;
  if (expires !== null) {
    if (created !== null && expires <= created)
      return fault('expired', 'It expires no later than it was created.');
    if (windowSeconds !== null && expires - earliest > windowSeconds)
      return fault(
        'window_too_long',
        `More than ${windowSeconds} s lie between created and expires.`,
      );
  }
  if (created !== null && created > nowSeconds + skewSeconds)
    return fault('not_yet_valid', `It was created ${created - nowSeconds} s in the future.`);
  if (expires !== null && expires <= nowSeconds - skewSeconds)
    return fault('expired', `It expired ${nowSeconds - expires} s ago.`);
  if (
    created !== null &&
    maxAgeSeconds !== null &&
    nowSeconds - created > maxAgeSeconds + skewSeconds
  )
    return fault('expired', `It was created ${nowSeconds - created} s ago.`);
  return null;
}

export const covers = ({ identities }: CoveredList, name: string): boolean =>
  identities.has(`"${name}"`);

/** Fault: missing_component, for the first that is not covered. */
export function componentFault(
  covered: CoveredList,
  required: readonly string[],
): SignatureFault | null {
  const missing = required.find((name) => !covers(covered, name));
  return missing === undefined
    ? null
    : fault('missing_component', `${quoted(missing)} has to be covered.`);
}

export const hasBody = ({ body }: HttpMessage): boolean => body !== null && body.length > 0;

/**
 * What is lacking to `full` coverage (decisions 6.1): `@method`, `@path` or `@target-uri`, `@query` when there is a query
 * (`@target-uri` holds it), `content-digest` when there is a body. Null: nothing.
 */
export function fullCoverageFault(
  request: HttpRequestMessage,
  covered: CoveredList,
): SignatureFault | null {
  const coversUri = covers(covered, '@target-uri');
  const required = ['@method'];
  if (!coversUri) required.push('@path');
  if (!coversUri && request.target.includes('?')) required.push('@query');
  const missing = componentFault(covered, required);
  if (missing !== null) return missing;
  return hasBody(request) && !covers(covered, 'content-digest')
    ? fault('digest_missing', 'The request has content: "content-digest" has to be covered.')
    : null;
}
