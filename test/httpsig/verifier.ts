import { verify } from 'node:crypto';
import {
  type CandidateOutcome,
  DEFAULT_VERIFICATION_SETTINGS,
  type HeaderLine,
  type HttpMessage,
  type HttpRequestMessage,
  type HttpResponseMessage,
  type KeySource,
  type NonceClaim,
  planVerification,
  type PublicSigningKey,
  readPublicJwk,
  settle,
  type SignatureCandidate,
  type SignatureReason,
  type SignatureVerdict,
  type VerificationContext,
  verifyCall,
} from '../../src/core/httpsig/index.js';

/** A message as the oracle files write it. */
export interface WrittenMessage {
  readonly kind?: 'request' | 'response';
  readonly method?: string;
  readonly scheme?: string;
  readonly authority?: string;
  readonly target?: string;
  readonly status?: number;
  readonly headers: readonly HeaderLine[];
  readonly body: string | null;
}

const bodyOf = ({ body }: WrittenMessage): Buffer | null =>
  body === null ? null : Buffer.from(body, 'utf8');

export function requestOf(written: WrittenMessage): HttpRequestMessage {
  const { method = 'GET', scheme = 'https', authority = '', target = '/', headers } = written;
  return { kind: 'request', method, scheme, authority, target, headers, body: bodyOf(written) };
}

export const responseOf = (
  written: WrittenMessage,
  request: HttpRequestMessage | null,
): HttpResponseMessage => ({
  kind: 'response',
  status: written.status ?? 200,
  headers: written.headers,
  body: bodyOf(written),
  request,
});

/** A response when the text says so, with the request that it answers. */
export const messageOf = (written: WrittenMessage, request?: WrittenMessage): HttpMessage =>
  written.kind === 'response'
    ? responseOf(written, request === undefined ? null : requestOf(request))
    : requestOf(written);

export interface KeySet {
  readonly keys: readonly unknown[];
}

/** What the oracle files call `config`. */
export interface WrittenConfig {
  readonly publicOrigins?: readonly string[];
  readonly skewSeconds?: number;
  readonly tapMaxWindowSeconds?: number;
  readonly wbaMaxWindowSeconds?: number;
  readonly maxAgeSeconds?: number;
  readonly tapKeys?: KeySet;
  readonly directories?: Readonly<Record<string, KeySet>>;
}

export function contextOf(
  config: WrittenConfig,
  nowSeconds: number,
  more: Partial<VerificationContext> = {},
): VerificationContext {
  return {
    nowSeconds,
    routeKind: 'read',
    profiles: ['tap', 'wba'],
    settings: {
      ...DEFAULT_VERIFICATION_SETTINGS,
      publicOrigins: config.publicOrigins ?? null,
      skewSeconds: config.skewSeconds ?? 60,
      tapMaxWindowSeconds: config.tapMaxWindowSeconds ?? 480,
      webBotAuthMaxWindowSeconds: config.wbaMaxWindowSeconds ?? 86_400,
      maxAgeSeconds: config.maxAgeSeconds ?? null,
    },
    ...more,
  };
}

export function publicKey(jwk: unknown): PublicSigningKey {
  const read = readPublicJwk(jwk, { allowTestKeys: true });
  if (!read.ok) throw new Error(`the key is refused: ${read.error}`);
  return read.value;
}

/** Answers of key sources from memory. */
export class KeysInMemory {
  readonly asked: string[] = [];

  constructor(private readonly config: WrittenConfig) {}

  find(source: KeySource, keyId: string): PublicSigningKey | SignatureReason {
    const set =
      source.kind === 'pinned' ? this.config.tapKeys : this.config.directories?.[source.url];
    this.asked.push(source.kind === 'pinned' ? 'pinned' : source.url);
    if (set === undefined) return 'key_source_unavailable';
    const keys = set.keys.map(publicKey);
    const isByKid = source.kind === 'pinned' || source.kind === 'ucp_profile';
    const found = keys.find(
      ({ kid, thumbprint }) => thumbprint === keyId || (isByKid && kid === keyId),
    );
    return found ?? 'key_not_found';
  }
}

/** Nonces in memory: claimed once each. */
export class NoncesInMemory {
  private readonly claimed = new Set<string>();

  claim({ profile, source, keyId, nonceHash }: NonceClaim): boolean {
    const key = JSON.stringify([profile, source, keyId, nonceHash]);
    if (this.claimed.has(key)) return false;
    this.claimed.add(key);
    return true;
  }
}

interface Stores {
  readonly keys: KeysInMemory;
  readonly nonces?: NoncesInMemory;
}

/** The whole verifier, as the service runs it, over stores in memory. */
export function judge(
  request: HttpRequestMessage,
  context: VerificationContext,
  { keys, nonces = new NoncesInMemory() }: Stores,
): SignatureVerdict {
  const plan = planVerification(request, context);
  if (plan.kind === 'ended') return plan.verdict;
  const claimed = new Map<string, boolean>();
  const outcomes = plan.candidates.map((candidate): CandidateOutcome => {
    const { label, nonceClaim } = candidate;
    const outcome = outcomeOf(candidate, keys);
    if (outcome !== 'verified' || nonceClaim === null) return { label, outcome };
    // Several labels may share one nonce.
    const name = JSON.stringify(nonceClaim);
    if (!claimed.has(name)) claimed.set(name, nonces.claim(nonceClaim));
    return { label, outcome: claimed.get(name) === true ? 'verified' : 'replayed' };
  });
  return settle(plan, outcomes);
}

function outcomeOf(candidate: SignatureCandidate, keys: KeysInMemory): CandidateOutcome['outcome'] {
  const key = keys.find(candidate.keySource, candidate.keyId);
  if (typeof key === 'string') return key;
  const call = verifyCall(candidate, key);
  if (!call.ok) return call.error;
  const { digest, data, key: options, signature } = call.value;
  return verify(digest, data, options, signature) ? 'verified' : 'bad_signature';
}
