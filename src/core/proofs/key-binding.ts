import { createHash } from 'node:crypto';
import { err, type InstantMs, ok, type Result } from '../kernel/index.js';
import { fault, type ProofFault } from './fault.js';
import { parseToken, type UncheckedJws } from './jws.js';
import { MemberReader } from './members.js';

/** A mandate as it travels: the issuer's token, and, when the buyer was there, the buyer's key binding behind `~`. */
export interface MandateParts {
  readonly token: string;
  readonly binding: string | null;
}

/** `<mandate+jwt>` or `<mandate+jwt>~<kb+jwt>` (the SD-JWT+KB form of RFC 9901 section 4 without disclosures). */
export function splitMandate(compact: string): Result<MandateParts, ProofFault> {
  const [token, binding, ...rest] = compact.split('~');
  if (token === undefined || rest.length > 0 || binding === '')
    return err(fault('shape', null, 'a mandate is <mandate+jwt> or <mandate+jwt>~<kb+jwt>'));
  return ok({ token, binding: binding ?? null });
}

export interface UncheckedKeyBinding {
  readonly jws: UncheckedJws;
  readonly issuedAtMs: InstantMs;
  readonly audiences: readonly string[];
}

const BINDING_MEMBERS: ReadonlySet<string> = new Set(['iat', 'aud', 'sd_hash', 'nonce']);

/** `sd_hash`: base64url SHA-256 of the ASCII bytes of `<mandate+jwt>~` (RFC 9901 section 4.3.1). */
export const keyBindingHash = (token: string): string =>
  createHash('sha256').update(`${token}~`, 'utf8').digest('base64url');

/**
 * Reads the buyer's key binding of a mandate. Faults, in order: those of {@link parseToken} with typ `kb+jwt`; shape
 * (claims), signature `sd_hash` (it binds another token). Not checked: the signature under `cnf.jwk`, and the audience.
 */
export function parseKeyBinding(
  binding: string,
  token: string,
): Result<UncheckedKeyBinding, ProofFault> {
  const jws = parseToken(binding, ['kb+jwt']);
  if (!jws.ok) return jws;
  const read = new MemberReader(jws.value.claims, 'key_binding.');
  read.only(BINDING_MEMBERS);
  const issuedAtMs = read.seconds('iat');
  const audiences = typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud');
  const hash = read.text('sd_hash');
  if (read.fault !== null) return err(read.fault);
  if (hash !== keyBindingHash(token))
    return err(
      fault('signature', 'key_binding.sd_hash', 'the key binding is bound to another token'),
    );
  return ok({ jws: jws.value, issuedAtMs, audiences });
}
