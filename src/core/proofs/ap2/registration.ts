import { createHash } from 'node:crypto';
import { err, type InstantMs, ok, type Result } from '../../kernel/index.js';
import { fault, type ProofFault } from '../fault.js';
import { parseToken, type UncheckedJws } from '../jws.js';
import { MemberReader, type StatusRef } from '../members.js';
import { TOKEN_LIFE_SECONDS_MAX } from '../token-claims.js';

/** `typ` of the authority's word on a foreign object (decisions 3.9). */
export const REGISTRATION_TYP = 'registration+jwt';

/**
 * What gives a foreign object a place on a status list: its digest, its parent in the tree of mandates, and whose it is.
 * NOT yet verified: see {@link UncheckedJws}.
 */
export interface RegistrationClaims {
  readonly id: string;
  readonly issuer: string;
  readonly kid: string;
  readonly audiences: readonly string[];
  readonly tenantId: string;
  readonly sha256: string;
  readonly parentId: string | null;
  /** Null: the registration names none, and the object has to. */
  readonly subject: string | null;
  readonly agentId: string | null;
  readonly issuedAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  readonly status: StatusRef;
  readonly jws: UncheckedJws;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'jti',
  'iat',
  'exp',
  'tenant_id',
  'sha256',
  'parent',
  'sub',
  'agent_id',
  'status',
]);
const SHA256 = /^[0-9a-f]{64}$/;

/** The digest a registration names: of the exact text that was registered. */
export const registeredSha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

/** Reads a `registration+jwt`. Faults, in order: those of {@link parseToken}, then `shape` at the first claim that does not fit. */
export function parseRegistration(compact: string): Result<RegistrationClaims, ProofFault> {
  const jws = parseToken(compact, [REGISTRATION_TYP]);
  if (!jws.ok) return jws;
  const { kid } = jws.value.header;
  if (kid === null) return err(fault('shape', 'header.kid', 'a token names the key of its issuer'));
  const read = new MemberReader(jws.value.claims, 'registration.');
  read.only(MEMBERS);
  const issuedAtMs = read.seconds('iat');
  const expiresAtMs = read.seconds('exp');
  if (expiresAtMs <= issuedAtMs || expiresAtMs - issuedAtMs > TOKEN_LIFE_SECONDS_MAX * 1_000)
    read.fail('exp', `it ends after it was issued, at most ${TOKEN_LIFE_SECONDS_MAX} s later`);
  const sha256 = read.text('sha256');
  if (!SHA256.test(sha256)) read.fail('sha256', 'a digest is 64 lower-case hex digits');
  const claims = {
    id: read.id('jti'),
    issuer: read.text('iss'),
    kid,
    audiences: typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud'),
    tenantId: read.id('tenant_id'),
    sha256,
    parentId: read.has('parent') ? read.id('parent') : null,
    subject: read.optionalText('sub'),
    agentId: read.has('agent_id') ? read.id('agent_id') : null,
    issuedAtMs,
    expiresAtMs,
    status: read.status(),
    jws: jws.value,
  };
  return read.fault === null ? ok(claims) : err(read.fault);
}
