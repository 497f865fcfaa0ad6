import { createHash } from 'node:crypto';
import { parseStrictJson, type TenantId } from '../../../core/kernel/index.js';
import { type Artifact, parseArtifact, type StatusRef } from '../../../core/proofs/index.js';
import type { IssuerKey, SignatureChecker } from '../../peers/index.js';
import type { FactTerms } from '../artifact-fact.js';
import { lineageOf } from '../lineage-of.js';
import { bytesFinding } from '../verify-artifact.js';
import type { HeldArtifact } from './shop.store.js';

/** Envelopes whose good signature this process remembers, at about 1.5 KiB each; the least recently used goes first. */
export const VERIFIED_ENVELOPES_MAX = 20_000;

/** What is left of an envelope whose bytes were verified under one key: everything that is judged again at each use. */
export interface VerifiedEnvelope extends FactTerms {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly buyerAgentId: string | null;
  readonly issuer: string;
  readonly slot: StatusRef;
  readonly lineage: string;
}

/** A held artifact with the key that its row names. */
export interface SignedBy {
  readonly held: HeldArtifact;
  readonly key: IssuerKey;
}

type Reading = Promise<VerifiedEnvelope | null>;

/**
 * Envelopes of good signature, each verified once per process: remembered by tenant, SHA-256 of the bytes and thumbprint
 * of the key. Only what bytes and key decide for ever is remembered, and never that something is bad. Scope, key state,
 * times and status are none of its business (decisions 3.11).
 */
export class VerifiedEnvelopes {
  readonly #verified = new Map<string, VerifiedEnvelope>();
  readonly #underWay = new Map<string, Reading>();

  constructor(
    private readonly checker: SignatureChecker,
    private readonly rememberedMax = VERIFIED_ENVELOPES_MAX,
  ) {}

  /**
   * In the order asked; null = the bytes are missing, are not those of the row, or are not what the key signed.
   * `load` is called at most once, for the documents that nobody verified yet.
   */
  async read(
    tenantId: TenantId,
    signed: readonly SignedBy[],
    load: (documentSha256s: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<readonly (VerifiedEnvelope | null)[]> {
    const names = signed.map((one) => nameOf(tenantId, one));
    const known = names.map((name) => this.#recalled(name) ?? this.#underWay.get(name));
    const missing = signed.filter((_one, index) => known[index] === undefined);
    if (missing.length > 0) {
      const texts = load(missing.map(({ held }) => held.documentSha256));
      for (const one of missing) this.#begin(tenantId, one, texts);
    }
    return Promise.all(
      names.map((name, index) => known[index] ?? this.#underWay.get(name) ?? NOTHING),
    );
  }

  /** How many envelopes are remembered now. */
  get remembered(): number {
    return this.#verified.size;
  }

  #recalled(name: string): Reading | undefined {
    const known = this.#verified.get(name);
    if (known === undefined) return undefined;
    this.#verified.delete(name);
    this.#verified.set(name, known);
    return Promise.resolve(known);
  }

  #begin(tenantId: TenantId, one: SignedBy, texts: Promise<ReadonlyMap<string, string>>): void {
    const name = nameOf(tenantId, one);
    if (this.#underWay.has(name)) return;
    const reading = this.#verify(tenantId, one, texts);
    this.#underWay.set(name, reading);
    reading.then(
      (verified) => this.#end(name, verified),
      () => this.#end(name, null),
    );
  }

  #end(name: string, verified: VerifiedEnvelope | null): void {
    this.#underWay.delete(name);
    if (verified === null) return;
    this.#verified.set(name, verified);
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > this.rememberedMax && oldest !== undefined)
      this.#verified.delete(oldest);
  }

  async #verify(
    tenantId: TenantId,
    { held, key }: SignedBy,
    texts: Promise<ReadonlyMap<string, string>>,
  ): Promise<VerifiedEnvelope | null> {
    const text = (await texts).get(held.documentSha256);
    if (text === undefined || sha256Of(text) !== held.documentSha256) return null;
    const json = parseStrictJson(text);
    const parsed = json.ok ? parseArtifact(json.value) : null;
    if (parsed?.ok !== true || !isOfRow(parsed.value, held)) return null;
    const { checker } = this;
    const finding = await bytesFinding(parsed.value, { tenantId, key: key.key, checker });
    return finding === null ? verifiedOf(parsed.value) : null;
  }
}

const NOTHING: Reading = Promise.resolve(null);

const nameOf = (tenantId: TenantId, { held, key }: SignedBy): string =>
  `${tenantId} ${held.documentSha256} ${key.key.thumbprint}`;

const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const isOfRow = ({ id, issuer, issuerKeyId }: Artifact, held: HeldArtifact): boolean =>
  id === held.artifactId && issuer === held.issuer && issuerKeyId === held.issuerKid;

/** Without the texts, which nobody reads again. */
const verifiedOf = (artifact: Artifact): VerifiedEnvelope => ({
  id: artifact.id,
  type: artifact.type,
  tenantId: artifact.tenantId,
  merchantId: artifact.merchantId,
  buyerAgentId: artifact.buyerAgentId,
  issuer: artifact.issuer,
  statedPayloadHash: artifact.statedPayloadHash,
  issuedAtMs: artifact.issuedAtMs,
  notBeforeAtMs: artifact.notBeforeAtMs,
  expiresAtMs: artifact.expiresAtMs,
  sourceObservedAtMs: artifact.sourceObservedAtMs,
  productId: artifact.productId,
  variantId: artifact.variantId,
  productRefs: artifact.productRefs,
  unitPrice: artifact.unitPrice,
  quantityAvailable: artifact.quantityAvailable,
  staleInventoryRefusal: artifact.staleInventoryRefusal,
  slot: artifact.status,
  lineage: lineageOf(artifact),
});
