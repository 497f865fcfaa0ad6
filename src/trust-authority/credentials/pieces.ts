import { z } from 'zod';
import {
  type CanonicalValue,
  err,
  formatInstant,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { parsePublicJwk, type ProofFault, type PublicJwk } from '../../core/proofs/index.js';
import { chosenId, slotRef, tenantId } from '../wire.js';
import type { Claims, Issuance } from './claims.js';
import type { CredentialView } from './read.js';
import type { CredentialKind } from './terms.js';

/** Pieces of wire form that consents, mandates, passports and registrations share. */

/** Longest name of a buyer, in characters. */
const SUBJECT_LENGTH_MAX = 512;
const SCOPES_MAX = 64;

export const subject = z.string().min(1).max(SUBJECT_LENGTH_MAX);

export const scopes = z
  .array(chosenId)
  .max(SCOPES_MAX)
  .refine((names) => new Set(names).size === names.length, 'Each scope once.');

/** Read by {@link readBuyerKey}: members beside those of a public key are left out. */
export const buyerJwk = z.record(z.string(), z.unknown());

export const credentialParams = z.strictObject({ tenant_id: tenantId, id: chosenId });

export const moneyView = z.strictObject({ amount: z.string(), currency: z.string() });

/** What every view says beside its own members. */
export const commonView = {
  sha256: z.string(),
  issued_at: z.string(),
  expires_at: z.string().nullable(),
  slot: slotRef,
  revocation_id: z.string().nullable(),
  token: z.string().nullable().meta({ description: 'Null when its bytes were erased.' }),
};

export const printCommon = ({ row, issuedAt, slot, revocationId, token }: CredentialView) => ({
  sha256: row.sha256,
  issued_at: issuedAt,
  expires_at: row.expiresAtMs === null ? null : formatInstant(row.expiresAtMs),
  slot,
  revocation_id: revocationId,
  token,
});

/** Texts of a JSON list of ours. */
export const textsOf = (stored: CanonicalValue): string[] =>
  Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : [];

/** A buyer's public key as the authority keeps it. Problem: validation_failed. */
export function readBuyerKey(
  jwk: Readonly<Record<string, unknown>> | null,
): Result<PublicJwk | null, Problem> {
  if (jwk === null) return ok(null);
  const parsed = parsePublicJwk(jwk);
  return parsed.ok
    ? ok(parsed.value.jwk)
    : err(
        problem('validation_failed', `This is no usable public key: ${parsed.error}.`, {
          fix: 'Send the public JWK of a P-256 or Ed25519 key of the buyer.',
          field: '/buyer_jwk',
        }),
      );
}

/** Where the claims of a token stand in the requests that ask for one. */
const FIELD_OF: Readonly<Record<string, string>> = {
  sub: 'subject',
  exp: 'expires_at',
  nbf: 'not_before',
  parent: 'parent_id',
  cnf: 'buyer_jwk',
};

const pointerOf = (member: string): string => {
  const [first = '', ...rest] = member.split('.');
  return `/${[FIELD_OF[first] ?? first, ...(first === 'cnf' ? [] : rest)].join('/')}`;
};

/**
 * What is wrong with terms, at the field of the request that says it: 400 when no token of this form can be (`shape`),
 * 422 when what it would rest on does not allow it.
 */
export const termsProblem = ({ check, member, detail }: ProofFault): Problem =>
  problem(check === 'shape' ? 'validation_failed' : 'unverifiable', `${capital(detail)}.`, {
    fix: check === 'shape' ? 'Correct the field.' : 'Stay within what the credential rests on.',
    field: member === null ? null : pointerOf(member),
  });

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A problem of binding, at the field of the request that the object was made of. */
export function ofRequest(kind: CredentialKind, found: Problem): Problem {
  if (found.field === null) return found;
  const field = found.field
    .replace(/^\/mandate\/(?:mandate_)?/, '/')
    .replace('/subject_commitment', '/subject')
    .replace('/object_id', kind === 'registration' ? '/sha256' : `/${kind}_id`);
  return { ...found, field };
}

/**
 * Whether the parser that relying parties read tokens with would read these claims; null = it would. Its life against the
 * clock is not looked at: that is judged under the lock, where a repeat is known first.
 */
export function formFault<Grant extends { readonly expiresAtMs: InstantMs }>(
  { tenantId, objectId, issuedAtMs }: Named,
  grant: Grant,
  { claims, parse }: TokenForm<Grant>,
): Problem | null {
  const before = Math.max(0, Math.min(issuedAtMs, grant.expiresAtMs - 1_000));
  const slot = { uri: 'https://authority.internal/status', index: 0 };
  const issuance = { issuer: slot.uri, tenantId, id: objectId, issuedAtMs: before, slot };
  const parsed = parse(claims(issuance, grant));
  return parsed.ok ? null : termsProblem(parsed.error);
}

interface Named {
  readonly tenantId: string;
  readonly objectId: string;
  readonly issuedAtMs: InstantMs;
}

/** How claims of a kind are made, and how they are read by who relies on them. */
export interface TokenForm<Grant> {
  readonly claims: (issuance: Issuance, grant: Grant) => Claims;
  readonly parse: (claims: Claims) => Result<unknown, ProofFault>;
}

export const endsTooEarly: Problem = problem(
  'validation_failed',
  'The credential would have ended before it was issued.',
  { fix: 'Name an instant at least a second ahead.', field: '/expires_at' },
);
