import { err, type InstantMs, type Money, ok, parseInstant, type Result } from '../kernel/index.js';
import type { ArtifactType } from '../rules/index.js';
import { PAYLOAD_MEMBERS, type PayloadMember } from './artifact-types.js';
import { fault, type ProofFault } from './fault.js';
import { MemberReader } from './members.js';

/** What of a payload the rules read; null where the type has no such thing. */
export interface ArtifactContent {
  readonly productId: string | null;
  readonly variantId: string | null;
  readonly productRefs: readonly string[] | null;
  readonly unitPrice: Money | null;
  /** The least quantity that the fact vouches for. */
  readonly quantityAvailable: number | null;
  readonly staleInventoryRefusal: boolean;
}

export interface ParsedPayload {
  readonly content: ArtifactContent;
  readonly beginsAtMs: InstantMs | null;
  readonly endsAtMs: InstantMs | null;
}

/**
 * Reads the payload of one type (facts/arbiter.md 2.8). Faults are `shape`, at the first member that does not fit:
 * required members, then what the type forbids (a protocol adapter that outlives what it refers to, offline
 * publishing, a mandate capability nobody verified at the provider, commitment evidence that claims execution).
 */
export function parseArtifactPayload(
  type: ArtifactType,
  { value, envelopeExpiresAtMs }: { value: unknown; envelopeExpiresAtMs: InstantMs },
): Result<ParsedPayload, ProofFault> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err(fault('shape', 'payload', 'the payload is an object'));
  const read = new MemberReader(value as Readonly<Record<string, unknown>>, 'payload.');
  for (const [member, kind] of Object.entries(PAYLOAD_MEMBERS[type]))
    needMember(read, member, kind);
  checkPolicy(read, type, envelopeExpiresAtMs);
  const parsed = contentOf(read, type);
  return read.fault === null ? ok(parsed) : err(read.fault);
}

function needMember(read: MemberReader, member: string, kind: PayloadMember): void {
  if (kind === 'any') {
    if (!read.has(member)) read.fail(member, 'it is missing');
  } else read[kind](member);
}

function checkPolicy(read: MemberReader, type: ArtifactType, envelopeExpiresAtMs: InstantMs): void {
  if (type === 'public_discovery' && read.flag('publish_offline_allowed'))
    read.fail('publish_offline_allowed', 'publishing is never allowed offline');
  if (type === 'mandate_capability' && !read.flag('provider_direct_verification_required'))
    read.fail('provider_direct_verification_required', 'the provider itself has to be asked');
  if (type === 'commitment_evidence' && read.texts('forbidden_execution_claims').length > 0)
    read.fail('forbidden_execution_claims', 'evidence of a commitment claims no execution');
  if (type !== 'protocol_adapter') return;
  for (const text of read.texts('referenced_artifact_expires_at')) {
    const expiresAtMs = parseInstant(text);
    if (expiresAtMs === null)
      read.fail('referenced_artifact_expires_at', 'RFC 3339 times are needed');
    else if (expiresAtMs < envelopeExpiresAtMs)
      read.fail('referenced_artifact_expires_at', 'an adapter never outlives what it refers to');
  }
}

const EMPTY: ArtifactContent = {
  productId: null,
  variantId: null,
  productRefs: null,
  unitPrice: null,
  quantityAvailable: null,
  staleInventoryRefusal: false,
};
const ALWAYS = { beginsAtMs: null, endsAtMs: null };

function contentOf(read: MemberReader, type: ArtifactType): ParsedPayload {
  switch (type) {
    case 'catalog_snapshot':
      return { ...ALWAYS, content: { ...EMPTY, productRefs: read.texts('product_refs') } };
    case 'price': {
      const unitPrice = {
        amountMinor: BigInt(read.count('amount_minor_units')),
        currency: read.currency('currency'),
      };
      return {
        content: { ...EMPTY, ...variantOf(read), unitPrice },
        beginsAtMs: null,
        endsAtMs: read.instant('price_valid_until'),
      };
    }
    case 'inventory':
      return {
        ...ALWAYS,
        content: {
          ...EMPTY,
          ...variantOf(read),
          quantityAvailable: quantityOf(read),
          staleInventoryRefusal: read.flag('stale_inventory_refusal'),
        },
      };
    case 'offer': {
      const beginsAtMs = read.instant('offer_valid_from');
      const endsAtMs = read.instant('offer_valid_until');
      return { content: { ...EMPTY, ...variantOf(read) }, beginsAtMs, endsAtMs };
    }
    case 'policy':
    case 'protocol_adapter':
    case 'merchant_capability':
    case 'seller_agent_capability':
    case 'public_discovery':
    case 'mandate_capability':
    case 'commitment_evidence':
      return { ...ALWAYS, content: EMPTY };
  }
}

const variantOf = (read: MemberReader) => ({
  productId: read.id('product_id'),
  variantId: read.id('variant_id'),
});

const BUCKET = /^(\d{1,15})(?:\+|-\d{1,15})?$/;

/**
 * `quantity_bucket` is a whole number, or a text `12`, `10+` (at least) or `1-5` (from, to): the lower end counts.
 * `availability_state: out_of_stock` is 0, and a text that says no number is null: nothing is vouched for.
 */
function quantityOf(read: MemberReader): number | null {
  if (read.text('availability_state') === 'out_of_stock') return 0;
  const bucket = read.raw('quantity_bucket');
  if (typeof bucket === 'number') return read.count('quantity_bucket');
  const [, least] = typeof bucket === 'string' ? (BUCKET.exec(bucket) ?? []) : [];
  return least === undefined ? null : Number(least);
}
