import type { TenantId } from '../../core/kernel/index.js';
import type { ProofFault, TokenKind } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type IssuerKeys, type SignatureChecker, withinDeadline } from '../peers/index.js';
import { type AuthorityEvidence, EVIDENCE_MANDATES_MAX } from './contract.js';
import { findMandateChains, findTokens, type StoredToken } from './credentials.store.js';
import { readToken, type ReadToken, verifyToken } from './verify-token.js';

/** A token with the verifier's finding; `fault` null = verified. */
export interface Checked<Kind extends TokenKind> {
  readonly read: ReadToken<Kind>;
  readonly knownSinceMs: number | null;
  readonly fault: ProofFault | null;
}

/** One thing that was named: checked, unreadable, or not to be had. */
export type Named<Kind extends TokenKind> =
  | { readonly state: 'checked'; readonly token: Checked<Kind> }
  | { readonly state: 'unreadable'; readonly compact: string; readonly fault: ProofFault }
  | { readonly state: 'unknown' | 'unavailable'; readonly ref: string };

export interface Gathered {
  readonly mandates: readonly Named<'mandate'>[];
  readonly consent: Named<'consent'> | null;
  readonly passport: Named<'passport'> | null;
  /** Everything a mandate may have as an ancestor, by id: registered mandates first, then those of the same request. */
  readonly ancestors: ReadonlyMap<string, Checked<'mandate'>>;
}

export interface EvidenceSources {
  readonly database: Queryable;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
}

interface Asked {
  readonly tenantId: TenantId;
  readonly evidence: AuthorityEvidence;
  readonly atMs: number;
  readonly deadline: AbortSignal;
}

/** A token in compact form, not an id: ids may hold points, but never three parts of a signed header. */
const isToken = (named: string): boolean => named.split('~', 1)[0]?.split('.').length === 3;

type Loaded<Kind extends TokenKind> =
  | { readonly read: ReadToken<Kind>; readonly knownSinceMs: number | null }
  | Exclude<Named<Kind>, { state: 'checked' }>;

/** Loads, reads and verifies everything that was named, in two round trips to the database. */
export async function gatherEvidence(
  { database, issuerKeys, checker }: EvidenceSources,
  { tenantId, evidence, atMs, deadline }: Asked,
): Promise<Gathered> {
  const named = evidence.mandates.slice(0, EVIDENCE_MANDATES_MAX);
  const inlineParents = named.filter(isToken).flatMap((compact) => {
    const read = readToken('mandate', compact);
    return read.ok && read.value.claims.parentId !== null ? [read.value.claims.parentId] : [];
  });
  const load = (kind: 'consent' | 'passport', ref: string | null) =>
    ref === null || isToken(ref)
      ? Promise.resolve(NONE)
      : withinDeadline(deadline, () => findTokens(database, tenantId, { kind, ids: [ref] }));
  const [chains, consents, passports] = await Promise.all([
    withinDeadline(deadline, () =>
      findMandateChains(database, tenantId, [
        ...named.filter((one) => !isToken(one)),
        ...inlineParents,
      ]),
    ),
    load('consent', evidence.consent),
    load('passport', evidence.passport),
  ]);
  const loaded = {
    mandates: named.map((one) => loadedToken('mandate', one, chains)),
    consent: evidence.consent === null ? null : loadedToken('consent', evidence.consent, consents),
    passport:
      evidence.passport === null ? null : loadedToken('passport', evidence.passport, passports),
    ancestors: [...(chains?.values() ?? [])].map((stored) =>
      loadedToken('mandate', stored.id, chains),
    ),
  };
  const everything = [...loaded.mandates, ...loaded.ancestors, loaded.consent, loaded.passport];
  const keyIds = everything.flatMap((one) =>
    one !== null && 'read' in one ? [one.read.issuerKeyId] : [],
  );
  const keys = await withinDeadline(deadline, () => issuerKeys.find(tenantId, keyIds));
  const check = async <Kind extends TokenKind>(one: Loaded<Kind>): Promise<Named<Kind>> => {
    if (!('read' in one)) return one;
    const { read, knownSinceMs } = one;
    if (keys === null) return { state: 'unavailable', ref: read.claims.id };
    const issuerKey = keys.get(read.issuerKeyId);
    const fault = await verifyToken(read, { tenantId, issuerKey, checker, knownSinceMs, atMs });
    return { state: 'checked', token: { read, knownSinceMs, fault } };
  };
  const [mandates, ancestors, consent, passport] = await Promise.all([
    Promise.all(loaded.mandates.map(check)),
    Promise.all(loaded.ancestors.map(check)),
    loaded.consent === null ? null : check(loaded.consent),
    loaded.passport === null ? null : check(loaded.passport),
  ]);
  return { mandates, consent, passport, ancestors: byId([...mandates, ...ancestors]) };
}

const NONE: ReadonlyMap<string, StoredToken> = new Map();

function loadedToken<Kind extends TokenKind>(
  kind: Kind,
  named: string,
  stored: ReadonlyMap<string, StoredToken> | null,
): Loaded<Kind> {
  const found = isToken(named) ? null : (stored?.get(named) ?? undefined);
  if (found === undefined)
    return { state: stored === null ? 'unavailable' : 'unknown', ref: named };
  const compact = found === null ? named : found.token;
  // An erased token cannot be verified any more; it counts as never registered.
  if (compact === null) return { state: 'unknown', ref: named };
  const read = readToken(kind, compact);
  if (!read.ok) return { state: 'unreadable', compact, fault: read.error };
  return { read: read.value, knownSinceMs: found?.registeredAtMs ?? null };
}

/** Later entries win, and registered mandates come last: nobody replaces a registered ancestor by sending a token. */
function byId(all: readonly Named<'mandate'>[]): ReadonlyMap<string, Checked<'mandate'>> {
  const tokens = all.flatMap((one) => (one.state === 'checked' ? [one.token] : []));
  return new Map(tokens.map((token) => [token.read.claims.id, token]));
}
