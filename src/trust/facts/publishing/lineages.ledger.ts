import { codec, type Decoded, invariant } from '../../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../../base/ledger/index.js';

/** What is published from the catalogue: the five kinds of facts that every purchase needs (mission M16). */
export const PUBLISHED_TYPES = [
  'catalog_snapshot',
  'price',
  'inventory',
  'policy',
  'protocol_adapter',
] as const;
export type PublishedType = (typeof PUBLISHED_TYPES)[number];

/** Facts of one entry at most; with ids as long as they may be it stays below the longest entry. */
export const FACTS_PER_ENTRY_MAX = 200;

/** `subject`: a product for catalog_snapshot, a variant for price and inventory, the merchant itself for the others. */
const publishedFact = codec.record({
  artifactId: codec.text,
  artifactType: codec.oneOf(...PUBLISHED_TYPES),
  subject: codec.text,
  revision: codec.integer,
  payloadHash: codec.text,
  documentSha256: codec.text,
  issuedAtMs: codec.instant,
  expiresAtMs: codec.instant,
  listUri: codec.text,
  slotIndex: codec.integer,
  /** Of an inventory fact the pieces it vouches for. */
  quantity: codec.nullable(codec.integer),
});
export type PublishedFact = Decoded<typeof publishedFact>;

const publication = codec.record({
  merchantId: codec.text,
  issuer: codec.text,
  issuerKid: codec.text,
  facts: codec.list(publishedFact),
});
export type Publication = Decoded<typeof publication>;

/** Facts of subjects or source revisions that had none: each on a slot of its own, which it keeps. */
export const factsPublished = defineEvent('facts.published', publication);
/** The same facts again, signed anew: nothing changed but their times and, of stock, the count. */
export const factsRenewed = defineEvent('facts.renewed', publication);

/** The fact that stands for one subject. */
export interface LineageRow {
  readonly merchantId: string;
  readonly artifactType: PublishedType;
  readonly subject: string;
  readonly revision: number;
  readonly listUri: string;
  readonly slotIndex: number;
  readonly artifactId: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly quantity: number | null;
}

export const keyOfFact = (
  merchantId: string,
  { artifactType, subject }: Pick<PublishedFact, 'artifactType' | 'subject'>,
): readonly [string, string, string] => [merchantId, artifactType, subject];

/** The fact of an entry that this key names; an entry names a subject once. */
export function factNamed(
  { facts }: Publication,
  isIt: (fact: PublishedFact) => boolean,
): PublishedFact {
  const fact = facts.find(isIt);
  invariant(fact !== undefined, 'a published row comes from a fact of its entry');
  return fact;
}

const publishedType = column.text as import('../../../base/ledger/index.js').Column<PublishedType>;

const lineageHandler = {
  keys: ({ merchantId, facts }: Publication) => facts.map((fact) => keyOfFact(merchantId, fact)),
  evolve(
    _row: LineageRow | undefined,
    data: Publication,
    { key }: { readonly key: readonly (string | number)[] },
  ): LineageRow {
    const { artifactType, subject, ...fact } = factNamed(
      data,
      (one) => one.artifactType === key[1] && one.subject === key[2],
    );
    const { revision, listUri, slotIndex, artifactId, issuedAtMs, expiresAtMs, quantity } = fact;
    return {
      merchantId: data.merchantId,
      artifactType,
      subject,
      revision,
      listUri,
      slotIndex,
      artifactId,
      issuedAtMs,
      expiresAtMs,
      quantity,
    };
  },
};

export const factLineages = defineProjection<LineageRow>({
  table: 'fact_lineages',
  mode: 'update',
  key: ['merchantId', 'artifactType', 'subject'],
  columns: {
    merchantId: column.text,
    artifactType: publishedType,
    subject: column.text,
    revision: column.integer,
    listUri: column.text,
    slotIndex: column.integer,
    artifactId: column.text,
    issuedAtMs: column.integer,
    expiresAtMs: column.integer,
    quantity: column.nullable(column.integer),
  },
  on: [when(factsPublished, lineageHandler), when(factsRenewed, lineageHandler)],
});
