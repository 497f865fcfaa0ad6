import type { InstantMs, ReasonOf, TenantId } from '../../../core/kernel/index.js';
import { type ArtifactFact, artifactFault } from '../../../core/rules/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import { type IssuerKeys, issuerKeyIdOf, type SignatureChecker } from '../../peers/index.js';
import { type StatusChecker, unavailableStatus } from '../../status/index.js';
import { artifactFactOf } from '../artifact-fact.js';
import { trustFinding } from '../verify-artifact.js';
import { findEnvelopes, type HeldArtifact } from './shop.store.js';
import { VerifiedEnvelopes, type VerifiedEnvelope } from './verified-envelopes.js';

export interface ShopJudging {
  readonly tenantId: TenantId;
  readonly atMs: InstantMs;
}

/** `fault` null = the rules would count it; `lasting` is what they would say at the instant of its issue: never a question of age. */
export interface JudgedArtifact {
  readonly fact: ArtifactFact;
  readonly fault: ReasonOf<'facts_valid'> | null;
  readonly lasting: ReasonOf<'facts_valid'> | null;
}

/**
 * Judges many artifacts at once, as the rules would in a purchase of any agent: signatures once per process, everything
 * else at every call. Three statements at most, beside what fetching a status list takes.
 */
export class ShopJudge {
  readonly #envelopes: VerifiedEnvelopes;

  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly issuerKeys: Pick<IssuerKeys, 'find'>;
      readonly checker: SignatureChecker;
      readonly statuses: StatusChecker;
    },
  ) {
    this.#envelopes = new VerifiedEnvelopes(dependencies.checker);
  }

  /**
   * By artifact id. What is unreadable or not well signed is absent: it does not count. Status lists are waited for as long as fetching
   * one may take: with a deadline, a slow moment of ours would show an empty shop. Rejects when the database does not answer.
   */
  async judge(
    judging: ShopJudging,
    held: readonly HeldArtifact[],
  ): Promise<ReadonlyMap<string, JudgedArtifact>> {
    const { tenantId, atMs } = judging;
    const verified = await this.#verified(judging, held);
    const questions = verified.map(({ slot, lineage, issuer }) => ({ ...slot, lineage, issuer }));
    const { statuses } = this.dependencies;
    const answers = await statuses.check(tenantId, questions, { atMs });
    return new Map(
      verified.map((envelope, index) => {
        const status = answers[index] ?? unavailableStatus(envelope.slot);
        const fact = artifactFactOf(envelope, { verdict: 'valid', status });
        const fault = artifactFault(fact, atMs);
        const lasting = artifactFault(fact, atMs, envelope.issuedAtMs);
        return [envelope.id, { fact, fault, lasting }];
      }),
    );
  }

  /** Those whose signature is good under a key that the tenant believes now. */
  async #verified(
    { tenantId, atMs }: ShopJudging,
    held: readonly HeldArtifact[],
  ): Promise<readonly VerifiedEnvelope[]> {
    const { database, issuerKeys } = this.dependencies;
    const keyIds = [...new Set(held.map(keyIdOf))];
    const keys = await issuerKeys.find(tenantId, keyIds);
    const signed = held.flatMap((one) => {
      const key = keys.get(keyIdOf(one));
      return key === undefined ? [] : [{ held: one, key }];
    });
    const load = (sha256s: readonly string[]) => findEnvelopes(database, tenantId, sha256s);
    const envelopes = await this.#envelopes.read(tenantId, signed, load);
    return signed.flatMap(({ held: { merchantId, registeredAtMs }, key }, index) => {
      const envelope = envelopes[index] ?? null;
      if (envelope === null) return [];
      const finding = trustFinding(envelope, {
        scope: { tenantId, purchase: { merchantId, agentId: null } },
        trust: { issuerKey: key, knownSinceMs: registeredAtMs, atMs },
      });
      return finding === null ? [envelope] : [];
    });
  }
}

const keyIdOf = ({ issuer, issuerKid }: HeldArtifact): string => issuerKeyIdOf(issuer, issuerKid);
