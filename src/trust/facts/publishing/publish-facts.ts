import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../../core/kernel/index.js';
import type { StatusRef } from '../../../core/proofs/index.js';
import type { StatusFact } from '../../../core/rules/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  documentWrite,
  event,
} from '../../../base/ledger/index.js';
import { issuerKeyIdOf, issuerKeyOf, issuerKeys, keyStateFault } from '../../peers/index.js';
import {
  bindFreeSlots,
  floorCells,
  isFreeSlot,
  slotCell,
  statusUnderLock,
} from '../../status/index.js';
import { type FactSource, lineageOfSource, type SignedFact, tenantIssuer } from './envelope.js';
import {
  factLineages,
  factsPublished,
  factsRenewed,
  type PublishedFact,
} from './lineages.ledger.js';
import { needOf, sourceOf, sourceReads, stateOf } from './sources.js';

/** A fact that was signed before the lock and is to stand from now on. */
export interface PreparedFact {
  readonly source: FactSource;
  readonly artifactId: string;
  readonly slot: StatusRef;
  readonly issuedAtMs: InstantMs;
  readonly signed: SignedFact;
  /** What was said about the slot of a fact that stands already; null = the slot was reserved for this one. */
  readonly looked: StatusFact | null;
}

export interface PreparedBatch {
  readonly merchantId: string;
  readonly issuerKid: string;
  readonly facts: readonly PreparedFact[];
}

/** Which of the prepared facts stand now, and which slots were reserved for nothing. */
export interface PublishedBatch {
  readonly published: number;
  readonly renewed: number;
  readonly artifactIds: ReadonlySet<string>;
}

/**
 * Lets prepared facts stand. Each is judged again under the lock, and left out without a word where it no longer fits:
 * the record has another revision, price or count by now; somebody else published or renewed it meanwhile; its slot is
 * not free, or is withdrawn, or its list was overtaken by a revoke.
 * INVARIANT: a withdrawn lineage is never renewed, however the revoke and the renewal race.
 * INVARIANT: of any number of processes one renews within half a life.
 * Problem: conflict (the tenant's own fact key is retired or compromised: nothing signed with it counts).
 */
export function publishFacts(
  context: CommandContext,
  { merchantId, issuerKid, facts }: PreparedBatch,
): Command<PublishedBatch> {
  const issuer = tenantIssuer(context.tenantId);
  const issuerKeyId = issuerKeyIdOf(issuer, issuerKid);
  return {
    ...context,
    name: 'facts.publish',
    reads: [
      cell(issuerKeys, issuerKeyId),
      ...floorCells(facts.map(({ slot }) => slot.uri)),
      ...facts.flatMap((fact) => readsOf(merchantId, fact)),
    ],
    decide(view, { atMs }) {
      const key = view.get(issuerKeys, [issuerKeyId]);
      invariant(key !== undefined, 'a fact key is registered before it signs');
      const good = facts.filter((fact) => isGood(view, { merchantId, fact, atMs }));
      if (good.length === 0) return ok({ events: [] });
      const issuedAtMs = Math.max(...good.map((fact) => fact.issuedAtMs));
      const state = keyStateFault(issuerKeyOf(key), { issuedAtMs, knownSinceMs: null, atMs });
      if (state !== null) return err(keyUnusable(issuerKid));
      const opened = good.filter(({ looked }) => looked === null);
      const renewed = good.filter(({ looked }) => looked !== null);
      const publicationOf = (some: readonly PreparedFact[]) => ({
        merchantId,
        issuer,
        issuerKid,
        facts: some.map(publishedFactOf),
      });
      const slots = opened.map(({ source, slot }) => ({
        slot,
        lineage: lineageOfSource(merchantId, source),
      }));
      return ok({
        events: [
          ...bindFreeSlots(merchantId, slots),
          ...(opened.length === 0 ? [] : [event(factsPublished, publicationOf(opened))]),
          ...(renewed.length === 0 ? [] : [event(factsRenewed, publicationOf(renewed))]),
        ],
        sideWrites: good.map(({ signed }) => documentOf(context, signed.envelopeText)),
      });
    },
    answer(entries) {
      const recorded = (type: string): readonly PublishedFact[] =>
        entries.flatMap((entry) =>
          entry.type === type ? (entry.data as { facts: readonly PublishedFact[] }).facts : [],
        );
      const published = recorded(factsPublished.type);
      const renewed = recorded(factsRenewed.type);
      return {
        published: published.length,
        renewed: renewed.length,
        artifactIds: new Set([...published, ...renewed].map(({ artifactId }) => artifactId)),
      };
    },
  };
}

const placeOf = ({ content, subject }: FactSource) => ({ type: content.type, subject });

const readsOf = (merchantId: string, { source, slot }: PreparedFact) => [
  ...sourceReads(merchantId, placeOf(source)),
  cell(factLineages, merchantId, source.content.type, source.subject),
  slotCell(slot),
];

function isGood(
  view: CellView,
  { merchantId, fact, atMs }: { merchantId: string; fact: PreparedFact; atMs: InstantMs },
): boolean {
  const { source, slot, looked, issuedAtMs, signed } = fact;
  const place = placeOf(source);
  const current = sourceOf(view, merchantId, place);
  if (current === null || !isSameSource(current, source)) return false;
  if (issuedAtMs > atMs || signed.expiresAtMs <= atMs) return false;
  const standing = view.get(factLineages, [merchantId, place.type, place.subject]);
  if (standing !== undefined && standing.issuedAtMs > issuedAtMs) return false;
  const need = needOf(stateOf(current), standing, atMs);
  if (looked === null) return need === 'open' && isFreeSlot(view, slot);
  if (standing?.listUri !== slot.uri || standing.slotIndex !== slot.index) return false;
  const isDue =
    need === 'now' || need === 'later' || standing.quantity !== stateOf(source).quantity;
  const lineage = lineageOfSource(merchantId, source);
  return isDue && statusUnderLock(view, { ...slot, lineage }, looked).verdict === 'valid';
}

/** A count may have moved on since it was signed: it is a look at its instant, and rule 5 reads the stock itself too. */
function isSameSource(left: FactSource, right: FactSource): boolean {
  if (left.revision !== right.revision || left.content.type !== right.content.type) return false;
  const { content } = left;
  if (content.type === 'price' && right.content.type === 'price')
    return (
      content.amountMinor === right.content.amountMinor &&
      content.currency === right.content.currency &&
      content.productId === right.content.productId
    );
  // All else that a fact says of these types never changes without a new revision.
  return true;
}

const publishedFactOf = (fact: PreparedFact): PublishedFact => ({
  artifactId: fact.artifactId,
  artifactType: fact.source.content.type,
  subject: fact.source.subject,
  revision: fact.source.revision,
  payloadHash: fact.signed.payloadHash,
  documentSha256: fact.signed.documentSha256,
  issuedAtMs: fact.issuedAtMs,
  expiresAtMs: fact.signed.expiresAtMs,
  listUri: fact.slot.uri,
  slotIndex: fact.slot.index,
  quantity: stateOf(fact.source).quantity,
});

const documentOf = ({ tenantId }: CommandContext, envelopeText: string) =>
  documentWrite(tenantId, {
    mediaType: 'application/json',
    bytes: Buffer.from(envelopeText, 'utf8'),
    erasable: false,
  }).write;

const keyUnusable = (kid: string): Problem =>
  problem(
    'conflict',
    `The key ${kid}, which signs this tenant's facts, is retired or compromised.`,
    {
      fix: 'A tenant administrator rotates the signing key of the purpose fact; POST /v1/signing-keys.',
    },
  );
