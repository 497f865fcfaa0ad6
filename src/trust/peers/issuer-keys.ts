import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { type JwkFault, parsePublicJwk } from '../../core/proofs/index.js';
import type { ArtifactType } from '../../core/rules/index.js';
import type { CommandContext, Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { IssuerKey } from './issuer-key.js';
import {
  addIssuerKey,
  compromiseIssuerKey,
  followPublishedKeys,
  type KeyEnd,
  NOTHING_NEW,
  type PublishedKeys,
  retireIssuerKey,
} from './issuer-keys.commands.js';
import { type IssuerKeyRole } from './issuer-keys.ledger.js';
import {
  findIssuerKeys,
  findKeysByKid,
  findKeysOfIssuer,
  listIssuerKeys,
} from './issuer-keys.store.js';

const WHY_NOT: Readonly<Record<JwkFault, string>> = {
  not_an_object: 'it is no object',
  private_member: 'it has private members: this key is no secret any more, make another',
  key_type_unsupported: 'only EC P-256 (ES256) and OKP Ed25519 (EdDSA) are verified',
  algorithm_contradicts_key: 'its alg does not belong to its curve',
  coordinate_malformed: 'a coordinate is 32 bytes in base64url without padding',
  point_not_on_curve: 'its point does not lie on the curve',
  small_order: 'its point has a small order or no canonical form: anybody could sign under it',
};

/** The keys of issuers a tenant believes (decisions 3.10); changed by tenant administrators, each change an entry. */
export class IssuerKeys {
  constructor(private readonly dependencies: { database: Queryable; writer: Writer }) {}

  /** Problems, in order: validation_failed `/jwk`, `/types` (only a fact_issuer has types), conflict, unavailable. */
  async add(
    context: CommandContext,
    added: {
      readonly issuer: string;
      readonly kid: string;
      readonly role: IssuerKeyRole;
      readonly jwk: unknown;
      readonly types: readonly ArtifactType[];
      readonly notBeforeAtMs: InstantMs | null;
    },
  ): Promise<Result<IssuerKey, Problem>> {
    const key = parsePublicJwk(added.jwk);
    if (!key.ok) return err(unusable(WHY_NOT[key.error]));
    if (added.types.length > 0 && added.role !== 'fact_issuer') return err(typesWithoutFacts);
    const stored = await this.dependencies.writer.execute(
      addIssuerKey(context, { ...added, key: key.value }),
    );
    return this.#read(context.tenantId, stored);
  }

  /** Problems as {@link retireIssuerKey}, then unavailable. */
  async retire(context: CommandContext, end: KeyEnd): Promise<Result<IssuerKey, Problem>> {
    const stored = await this.dependencies.writer.execute(retireIssuerKey(context, end));
    return this.#read(context.tenantId, stored);
  }

  /** Problems as {@link compromiseIssuerKey}, then unavailable. */
  async compromise(context: CommandContext, end: KeyEnd): Promise<Result<IssuerKey, Problem>> {
    const stored = await this.dependencies.writer.execute(compromiseIssuerKey(context, end));
    return this.#read(context.tenantId, stored);
  }

  /**
   * Takes over the keys that an issuer publishes, see {@link followPublishedKeys}: one command, and none when nothing
   * changed. Problem: unavailable (an unusable key among them, a name that got another key, no database).
   */
  async follow(
    context: CommandContext,
    {
      issuer,
      keys,
    }: {
      readonly issuer: string;
      readonly keys: readonly {
        readonly kid: string;
        readonly role: IssuerKeyRole;
        readonly jwk: unknown;
      }[];
    },
  ): Promise<Result<null, Problem>> {
    const usable: PublishedKeys['keys'][number][] = [];
    for (const { kid, role, jwk } of keys) {
      const key = parsePublicJwk(jwk);
      if (!key.ok) return err(publishedUnusable(issuer, kid, WHY_NOT[key.error]));
      usable.push({ kid, role, key: key.value });
    }
    const known = await findKeysOfIssuer(this.dependencies.database, context.tenantId, issuer);
    const knownIds = known.filter(({ retiredAtMs }) => retiredAtMs === null).map(({ id }) => id);
    const followed = await this.dependencies.writer.execute(
      followPublishedKeys(context, { issuer, keys: usable, knownIds }),
    );
    return !followed.ok && followed.error === NOTHING_NEW ? ok(null) : followed;
  }

  list(tenantId: TenantId): Promise<readonly IssuerKey[]> {
    return listIssuerKeys(this.dependencies.database, tenantId);
  }

  /** Every key of one issuer, retired ones included. */
  ofIssuer(tenantId: TenantId, issuer: string): Promise<readonly IssuerKey[]> {
    return findKeysOfIssuer(this.dependencies.database, tenantId, issuer);
  }

  /** Keys by their ids (see issuerKeyIdOf); unknown ones are absent. */
  find(
    tenantId: TenantId,
    issuerKeyIds: readonly string[],
  ): Promise<ReadonlyMap<string, IssuerKey>> {
    return findIssuerKeys(this.dependencies.database, tenantId, issuerKeyIds);
  }

  /** Keys of any issuer by their kid, for signed objects that name no issuer; unknown kids are absent. */
  findByKid(
    tenantId: TenantId,
    kids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly IssuerKey[]>> {
    return findKeysByKid(this.dependencies.database, tenantId, kids);
  }

  async #read(
    tenantId: TenantId,
    stored: Result<string, Problem>,
  ): Promise<Result<IssuerKey, Problem>> {
    if (!stored.ok) return stored;
    const key = (await this.find(tenantId, [stored.value])).get(stored.value);
    invariant(key !== undefined, 'a key that was written is found');
    return ok(key);
  }
}

const unusable = (why: string): Problem =>
  problem('validation_failed', `This is no usable public key: ${why}.`, {
    fix: 'Send the public JWK of an ES256 (P-256) or EdDSA (Ed25519) key.',
    field: '/jwk',
  });

const publishedUnusable = (issuer: string, kid: string, why: string): Problem =>
  problem(
    'unavailable',
    `The issuer ${issuer} publishes the key ${kid}, which is unusable: ${why}.`,
    {
      fix: 'The operator of the issuer repairs its key set.',
      retryAfterSeconds: 60,
    },
  );

const typesWithoutFacts = problem(
  'validation_failed',
  'Only a fact_issuer signs artifacts, so only it is limited to types of them.',
  { fix: 'Leave types out, or choose the role fact_issuer.', field: '/types' },
);
