import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import {
  fault,
  lineageFault,
  MANDATE_DEPTH_MAX,
  type MandateClaims,
  MANDATE_KINDS,
  type MandateTerms,
  passportLifeFault,
  type PassportClaims,
  type ProofFault,
  type TokenKind,
} from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX } from '../../core/rules/index.js';
import {
  type CellRef,
  type CellView,
  cell,
  type Command,
  type CommandContext,
  documentWrite,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { issuerKeyOf, issuerKeys, keyStateFault, unverifiable } from '../peers/index.js';
import {
  bindSlot,
  type SeenPlace,
  slotCell,
  slotMerchants,
  slotStatusOf,
  statusSlots,
} from '../status/index.js';
import { anyErased, BUYER_CHANGED, buyerClash, erasedBuyerCells } from './buyers.ledger.js';
import type { CommittedBuyer } from './buyers.store.js';
import {
  consentRegistered,
  consents,
  type MandateRow,
  mandateRegistered,
  mandates,
  passportRegistered,
  passports,
} from './credentials.ledger.js';
import { keyBindingAhead, type ReadToken } from './verify-token.js';

/** Mandates of one tree: what one revoke has to walk stays bounded. */
export const MANDATE_TREE_MAX = 2_000;

/** What the command needs beside the token: the buyer's commitment, and for a child the ids above it, nearest first. */
export interface Registration<Kind extends TokenKind> {
  readonly token: ReadToken<Kind>;
  readonly buyer: CommittedBuyer;
  readonly ancestorIds: readonly string[];
  readonly ancestorSlots: readonly { readonly uri: string; readonly index: number }[];
  readonly place: SeenPlace;
  /** Of the ancestors those on lists of other authorities, which said just now that they are valid. */
  readonly validElsewhere: ReadonlySet<string>;
}

const PROJECTION_OF = { mandate: mandates, consent: consents, passport: passports } as const;

/**
 * The command that holds one token whose form, issuer and signature were found good. Under the lock it judges what may
 * have changed since. Problems, in order: conflict (the id names another token), {@link BUYER_CHANGED}, unverifiable: key state, times (a
 * token that begins later may be registered now; one that has ended, or was issued ahead, may not), lineage, status.
 */
export function registerCredential<Kind extends TokenKind>(
  context: CommandContext,
  registration: Registration<Kind>,
): Command<string> {
  const { token, ancestorIds, ancestorSlots, buyer } = registration;
  const { id, status } = token.claims;
  const { sha256, write } = documentWrite(context.tenantId, {
    mediaType: 'application/jwt',
    bytes: Buffer.from(token.compact, 'utf8'),
    erasable: true,
    buyerCommitment: buyer.commitment,
  });
  return {
    ...context,
    name: `${token.kind}.register`,
    clash: buyerClash(BUYER_CHANGED),
    reads: [
      cell(issuerKeys, token.issuerKeyId),
      ownCell(token.kind, id),
      slotCell(status),
      ...erasedBuyerCells([buyer.commitment]),
      ...ancestorIds.map((ancestorId) => cell(mandates, ancestorId)),
      ...ancestorSlots.map(slotCell),
    ],
    decide(view, { atMs }) {
      if (isTaken(view, token)) return err(idTaken(id));
      if (anyErased(view, [buyer.commitment])) return err(BUYER_CHANGED);
      const outdated = stateFault(view, token, atMs);
      if (outdated !== null) return err(unverifiable('/token', outdated));
      const registered = registeredEvent(view, registration, sha256);
      if (!registered.ok) return registered;
      const bound = bindSlot(view, {
        slot: status,
        place: registration.place,
        lineage: token.slot.lineage,
        merchantIds: merchantsOf(token.claims),
      });
      if (!bound.ok) return err(unverifiable('/token', bound.error));
      return ok({
        events: [...bound.value, registered.value],
        sideWrites: buyer.write === null ? [write] : [write, buyer.write],
      });
    },
    answer: () => id,
  };
}

function ownCell(kind: TokenKind, id: string): CellRef {
  switch (kind) {
    case 'mandate':
      return cell(PROJECTION_OF.mandate, id);
    case 'consent':
      return cell(PROJECTION_OF.consent, id);
    case 'passport':
      return cell(PROJECTION_OF.passport, id);
  }
}

function isTaken(view: CellView, { kind, claims }: ReadToken<TokenKind>): boolean {
  switch (kind) {
    case 'mandate':
      return view.get(mandates, [claims.id]) !== undefined;
    case 'consent':
      return view.get(consents, [claims.id]) !== undefined;
    case 'passport':
      return view.get(passports, [claims.id]) !== undefined;
  }
}

/** The merchants a token names; `*` stands for any. */
export const merchantsOf = (
  claims: { readonly merchantIds: readonly string[] } | { readonly merchantId: string },
): readonly string[] => ('merchantIds' in claims ? claims.merchantIds : [claims.merchantId]);

function stateFault(
  view: CellView,
  { kind, claims, issuerKeyId, keyBinding }: ReadToken<TokenKind>,
  atMs: InstantMs,
): ProofFault | null {
  const row = view.get(issuerKeys, [issuerKeyId]);
  invariant(row !== undefined, 'the key that verified the token is never removed');
  const { issuedAtMs, expiresAtMs } = claims;
  const state = keyStateFault(issuerKeyOf(row), { issuedAtMs, knownSinceMs: null, atMs });
  if (state !== null) return state;
  if (issuedAtMs > atMs + ISSUED_AHEAD_MS_MAX)
    return fault('not_before', 'iat', 'the token says that it was issued in the future');
  const ahead = keyBindingAhead(keyBinding, atMs);
  if (ahead !== null) return ahead;
  if (atMs >= expiresAtMs) return fault('expiry', 'exp', 'the token has ended');
  return kind === 'passport' ? passportLifeFault(claims as PassportClaims) : null;
}

function registeredEvent(
  view: CellView,
  {
    token,
    buyer: { commitment },
    ancestorIds,
    validElsewhere,
  }: Omit<Registration<TokenKind>, 'ancestorSlots' | 'place'>,
  documentSha256: string,
): Result<LedgerEvent, Problem> {
  const { claims, kid } = token;
  const common = {
    issuer: claims.issuer,
    issuerKid: kid,
    documentSha256,
    agentId: claims.agentId,
    buyerCommitment: commitment,
    issuedAtMs: claims.issuedAtMs,
    notBeforeAtMs: claims.notBeforeAtMs,
    expiresAtMs: claims.expiresAtMs,
    listUri: claims.status.uri,
    slotIndex: claims.status.index,
  };
  if ('state' in claims) {
    const { id: consentId, merchantId, state, scopes } = claims;
    return ok(event(consentRegistered, { ...common, consentId, merchantId, state, scopes }));
  }
  if ('passportType' in claims) {
    const {
      id: passportId,
      merchantId,
      passportType,
      consentId,
      scopes,
      capMinor,
      currency,
    } = claims;
    const own = { passportId, merchantId, passportType, consentId, scopes, capMinor, currency };
    return ok(event(passportRegistered, { ...common, ...own }));
  }
  const place = placeOf(view, { claims, commitment, ancestorIds, validElsewhere });
  if (!place.ok) return place;
  const { id: mandateId, kind, parentId, merchantIds, cartHash, cap } = claims;
  const own = { mandateId, kind, parentId, merchantIds, cartHash, cap };
  const buyerKeyBound = token.keyBinding !== null;
  const umn = claims.payment?.umn ?? null;
  return ok(event(mandateRegistered, { ...common, ...own, ...place.value, buyerKeyBound, umn }));
}

/** Where a mandate stands in its tree. The whole chain above it is read again under the lock that a revoke takes too. */
function placeOf(
  view: CellView,
  {
    claims,
    commitment,
    ancestorIds,
    validElsewhere,
  }: Pick<Registration<'mandate'>, 'ancestorIds' | 'validElsewhere'> & {
    readonly claims: MandateClaims;
    readonly commitment: string;
  },
): Result<{ readonly rootId: string; readonly depth: number }, Problem> {
  const { parentId } = claims;
  if (parentId === null) return ok({ rootId: claims.id, depth: 1 });
  const refuse = (detail: string, member = 'parent') =>
    err(unverifiable('/token', fault('lineage', member, detail)));
  const parent = view.get(mandates, [parentId]);
  if (parent === undefined) return refuse('the parent is not registered here');
  const child = { ...claims, buyer: commitment };
  const beyond = lineageFault(child, termsOfRow(parent));
  if (beyond !== null) return err(unverifiable('/token', beyond));
  if (parent.depth >= MANDATE_DEPTH_MAX)
    return refuse(`a mandate tree has at most ${MANDATE_DEPTH_MAX} levels`);
  const root = view.get(mandates, [parent.rootId]);
  invariant(root !== undefined, 'the ancestors of a child reach up to its root');
  if (root.treeSize >= MANDATE_TREE_MAX)
    return refuse(`a mandate tree has at most ${MANDATE_TREE_MAX} mandates`);
  for (const ancestorId of ancestorIds) {
    const row = view.get(mandates, [ancestorId]);
    const slot = row && view.get(statusSlots, [row.listUri, row.slotIndex]);
    const isValid =
      slot === undefined ? validElsewhere.has(ancestorId) : slotStatusOf(slot) === 'valid';
    if (!isValid)
      return err(
        unverifiable(
          '/token',
          fault('status', 'parent', `the ancestor ${ancestorId} is not valid`),
        ),
      );
  }
  return ok({ rootId: parent.rootId, depth: parent.depth + 1 });
}

function termsOfRow(row: MandateRow): MandateTerms {
  const kind = MANDATE_KINDS.find((one) => one === row.kind);
  invariant(kind !== undefined, 'a registered mandate has a kind of the closed list');
  return {
    kind,
    buyer: row.buyerCommitment,
    agentId: row.agentId,
    merchantIds: slotMerchants(row.merchantIds),
    cartHash: row.cartHash,
    cap: { amountMinor: row.capMinor, currency: row.currency },
    notBeforeAtMs: row.notBeforeAtMs,
    expiresAtMs: row.expiresAtMs,
  };
}

const idTaken = (id: string): Problem =>
  problem('conflict', `The id ${id} names another token.`, {
    fix: 'Have the issuer give every token a jti of its own.',
    field: '/token',
  });
