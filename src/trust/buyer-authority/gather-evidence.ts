import { createHash } from 'node:crypto';
import { isChosenId, type TenantId } from '../../core/kernel/index.js';
import { fault, type ProofFault, type TokenKind } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type IssuerKeys, type SignatureChecker, withinDeadline } from '../peers/index.js';
import { findErased } from './buyers.store.js';
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

/**
 * A token in compact form, not an id: ids may hold points too, but a signature alone is longer than half of one, and no
 * token as a whole is as short as an id may be.
 */
const isToken = (named: string): boolean =>
  !isChosenId(named) && named.split('~', 1)[0]?.split('.').length === 3;

/** What was named, before anything was looked up. `id` names what is registered, for an inline token by its `jti`. */
type Reference<Kind extends TokenKind> =
  | { readonly id: string; readonly inline: ReadToken<Kind> | null }
  | { readonly state: 'unreadable'; readonly compact: string; readonly fault: ProofFault };

function referenceOf<Kind extends TokenKind>(kind: Kind, named: string): Reference<Kind> {
  if (!isToken(named)) return { id: named, inline: null };
  const read = readToken(kind, named);
  return read.ok
    ? { id: read.value.claims.id, inline: read.value }
    : { state: 'unreadable', compact: named, fault: read.error };
}

const idsOf = (references: readonly (Reference<TokenKind> | null)[]): readonly string[] =>
  references.flatMap((one) => (one !== null && 'id' in one ? [one.id] : []));

type Loaded<Kind extends TokenKind> =
  | { readonly read: ReadToken<Kind>; readonly knownSinceMs: number | null }
  | Exclude<Named<Kind>, { state: 'checked' }>;

/** What the database holds; null = it was not asked in time. `erased`: digests of tokens that were erased. */
interface Held {
  readonly stored: ReadonlyMap<string, StoredToken> | null;
  readonly erased: ReadonlySet<string> | null;
}

/** Loads, reads and verifies everything that was named, in two round trips to the database. */
export async function gatherEvidence(
  { database, issuerKeys, checker }: EvidenceSources,
  { tenantId, evidence, atMs, deadline }: Asked,
): Promise<Gathered> {
  const named = {
    mandates: evidence.mandates
      .slice(0, EVIDENCE_MANDATES_MAX)
      .map((one) => referenceOf('mandate', one)),
    consent: evidence.consent === null ? null : referenceOf('consent', evidence.consent),
    passport: evidence.passport === null ? null : referenceOf('passport', evidence.passport),
  };
  const inlineParents = named.mandates.flatMap((one) =>
    'id' in one && one.inline !== null && one.inline.claims.parentId !== null
      ? [one.inline.claims.parentId]
      : [],
  );
  const load = (kind: 'consent' | 'passport', ids: readonly string[]) =>
    withinDeadline(deadline, () => findTokens(database, tenantId, { kind, ids }));
  const inlineDigests = [...named.mandates, named.consent, named.passport].flatMap((one) =>
    one !== null && 'id' in one && one.inline !== null ? [digestOf(one.inline.compact)] : [],
  );
  const [chains, consents, passports, erased] = await Promise.all([
    withinDeadline(deadline, () =>
      findMandateChains(database, tenantId, [...idsOf(named.mandates), ...inlineParents]),
    ),
    load('consent', idsOf([named.consent])),
    load('passport', idsOf([named.passport])),
    withinDeadline(deadline, () => findErased(database, tenantId, inlineDigests)),
  ]);
  const loaded = {
    mandates: named.mandates.map((one) => loadedToken('mandate', one, { stored: chains, erased })),
    consent:
      named.consent === null
        ? null
        : loadedToken('consent', named.consent, { stored: consents, erased }),
    passport:
      named.passport === null
        ? null
        : loadedToken('passport', named.passport, { stored: passports, erased }),
    ancestors: [...(chains?.values() ?? [])].map(({ id }) =>
      loadedToken('mandate', { id, inline: null }, { stored: chains, erased }),
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
    const trust = { tenantId, issuerKey, checker, knownSinceMs, atMs };
    const token = { read, knownSinceMs, fault: await verifyToken(read, trust) };
    return { state: 'checked', token };
  };
  const [mandates, ancestors, consent, passport] = await Promise.all([
    Promise.all(loaded.mandates.map(check)),
    Promise.all(loaded.ancestors.map(check)),
    loaded.consent === null ? null : check(loaded.consent),
    loaded.passport === null ? null : check(loaded.passport),
  ]);
  return { mandates, consent, passport, ancestors: byId([...mandates, ...ancestors]) };
}

function loadedToken<Kind extends TokenKind>(
  kind: Kind,
  reference: Reference<Kind>,
  { stored, erased }: Held,
): Loaded<Kind> {
  if ('state' in reference) return reference;
  const { id, inline } = reference;
  if (stored === null || erased === null) return { state: 'unavailable', ref: id };
  const held = stored.get(id);
  if (inline !== null) {
    const { compact } = inline;
    // An erased token counts as never registered, also when somebody kept it and sends it again.
    if (erased.has(digestOf(compact))) return { state: 'unknown', ref: id };
    // INVARIANT: an id that is registered names one token: no second one escapes what was withdrawn under it.
    if (held !== undefined && !isHeld(held, compact))
      return { state: 'unreadable', compact, fault: ID_TAKEN };
    return { read: inline, knownSinceMs: null };
  }
  // An erased token cannot be verified any more; it counts as never registered.
  if (held === undefined || held.token === null) return { state: 'unknown', ref: id };
  const read = readToken(kind, held.token);
  if (!read.ok) return { state: 'unreadable', compact: held.token, fault: read.error };
  return { read: read.value, knownSinceMs: held.registeredAtMs };
}

const ID_TAKEN = fault('binding', 'jti', 'this id is registered here for another token');

/** The same token of the issuer; the buyer's key binding behind it may be another, or have come later. */
const isHeld = ({ token, documentSha256 }: StoredToken, compact: string): boolean =>
  token === null ? digestOf(compact) === documentSha256 : issuerPart(token) === issuerPart(compact);

const digestOf = (compact: string): string =>
  createHash('sha256').update(compact, 'utf8').digest('hex');

const issuerPart = (compact: string): string | undefined => compact.split('~', 1)[0];

/** Later entries win, and registered mandates come last: nobody replaces a registered ancestor by sending a token. */
function byId(all: readonly Named<'mandate'>[]): ReadonlyMap<string, Checked<'mandate'>> {
  const tokens = all.flatMap((one) => (one.state === 'checked' ? [one.token] : []));
  return new Map(tokens.map((token) => [token.read.claims.id, token]));
}
