import { randomUUID } from 'node:crypto';
import { cellsOutsideLock, type CommandContext, type Writer } from '../../src/base/ledger/index.js';
import type { DecisionId, World } from '../../src/core/kernel/index.js';
import { COUNTERSIGNATURE_TYP } from '../../src/core/proofs/index.js';
import { REQUIRED_ARTIFACT_TYPES } from '../../src/core/rules/index.js';
import {
  Arbiter,
  checkCart,
  type Countersigner,
  type CountersignOutcome,
  type CountersignRequest,
  type PurchaseAsk,
  type RefundAsk,
} from '../../src/money/arbiter/index.js';
import { Book } from '../../src/money/book/index.js';
import { LapseWork } from '../../src/money/book/lapse.js';
import { commitBuyers } from '../../src/trust/buyer-authority/index.js';
import type { ArtifactResolver } from '../../src/trust/facts/index.js';
import type { StatusChecker } from '../../src/trust/status/index.js';
import { StoredRailResolver } from '../../src/trust/rail-evidence/index.js';
import {
  type JsonObject,
  makeKey,
  signedEnvelope,
  type SigningPair,
  signToken,
  type TokenOptions,
} from '../support/issuer.js';
import { type TestHouse, valueOf } from '../support/tenants.js';
import { type TrustScene, trustScene } from '../support/trust.js';

export const AUTHORITY = 'https://authority.example';

/** The authority as another party: signs what it is asked, or whatever a test makes of it. */
export class TestAuthority implements Countersigner {
  readonly isOn = true;
  readonly asked: CountersignRequest[] = [];
  answer: (request: CountersignRequest) => Promise<CountersignOutcome>;

  constructor(readonly key: SigningPair = makeKey('ES256')) {
    this.answer = this.signing();
  }

  async countersign(requests: readonly CountersignRequest[]) {
    this.asked.push(...requests);
    return Promise.all(requests.map((request) => this.answer(request)));
  }

  /** Answers with a token that is good but for what is changed here. */
  signing(
    change: (request: CountersignRequest) => TokenOptions & {
      readonly key?: SigningPair;
      readonly typ?: string;
      readonly tamper?: (jws: string) => string;
    } = () => ({}),
  ): TestAuthority['answer'] {
    return (request) => {
      const {
        key = this.key,
        typ = COUNTERSIGNATURE_TYP,
        claims,
        header,
        tamper,
      } = change(request);
      const jws = signToken(key, { typ, header, claims: { ...claimsOf(request), ...claims } });
      return Promise.resolve({ kind: 'signed', jws: tamper?.(jws) ?? jws });
    };
  }
}

const seconds = (atMs: number): number => Math.floor(atMs / 1_000);

const claimsOf = (request: CountersignRequest): JsonObject => ({
  iss: AUTHORITY,
  aud: request.tenantId,
  jti: randomUUID(),
  iat: seconds(request.decidedAtMs),
  exp: seconds(request.expiresAtMs),
  decision_id: request.decisionId,
  flow: request.flow,
  cart_hash: request.cartHash ?? undefined,
  order_id: request.orderId ?? undefined,
  amount_minor: request.amountMinor.toString(),
  currency: request.currency,
});

export interface AuthorityScene extends TrustScene {
  readonly authority: TestAuthority;
  readonly book: Book;
  arbiterWith(parts?: {
    writer?: Writer;
    countersigner?: Countersigner;
    statuses?: StatusChecker;
    artifacts?: ArtifactResolver;
  }): Arbiter;
  /** As the merchant's system, with an idempotency key when one is given. */
  context(key?: string): CommandContext;
}

const MERCHANT = 'shop-1';

/** A tenant whose merchant can sell tea, and whose authority's key is registered. */
export async function authorityScene(house: TestHouse, world: World): Promise<AuthorityScene> {
  const scene = await trustScene(house, { world });
  const { rooms, tenant, tenantId } = scene;
  const context: AuthorityScene['context'] = (key) =>
    tenant.context(
      key === undefined ? undefined : { scope: 'test', key, requestHash: `hash of ${key}` },
    );
  const merchant = { merchantId: MERCHANT, name: 'Tea', country: 'IN', rbiRails: null };
  valueOf(await house.rooms.merchants.create(context(), { ...merchant, rbiProfile: null }));
  valueOf(
    await house.rooms.merchants.setLimits(context(), tenant.admin, {
      merchantId: MERCHANT,
      limits: {
        currencies: [{ currency: 'INR', orderMaxMinor: 1_000_000n, dailyMaxMinor: null }],
        itemsMax: 20,
        notPresent: null,
      },
    }),
  );
  for (const type of REQUIRED_ARTIFACT_TYPES) {
    const slot = await scene.slot();
    const envelope = signedEnvelope({ key: scene.keys.facts, scene, slot }, { type });
    const registered = { envelope, scope: { merchantIds: null } };
    valueOf(await rooms.artifacts.register(context(), registered));
  }
  const authority = new TestAuthority();
  await trust(scene, authority.key, 'countersign');
  const { database, writer } = house;
  const lapse = new LapseWork({ database, writer });
  const book = new Book({ database, writer, lapse });
  const { issuerKeys, checker } = rooms;
  return {
    ...scene,
    authority,
    book,
    context,
    arbiterWith: (parts = {}) =>
      new Arbiter({
        writer: parts.writer ?? writer,
        database,
        outsideLock: (id, reads) => cellsOutsideLock(database, id, reads),
        book,
        statuses: parts.statuses ?? rooms.statuses,
        switches: { agentExecutedPaymentEnabled: false },
        confirming: {
          countersigner: parts.countersigner ?? authority,
          trust: { issuerKeys, checker },
        },
        sources: {
          authority: rooms.authority,
          artifacts: parts.artifacts ?? rooms.facts,
          rail: new StoredRailResolver({ database, issuerKeys, checker }),
          async commitBuyer(_tenantId, reference) {
            const found = (await commitBuyers(database, tenantId, [reference])).get(reference);
            if (found === undefined) throw new Error('no commitment');
            return found;
          },
        },
      }),
  };
}

/** Registers a key of the authority's, or of somebody else, for a role. */
export async function trust(
  { rooms, tenant }: TrustScene,
  { kid, jwk }: SigningPair,
  role: 'countersign' | 'fact_issuer',
): Promise<string> {
  const added = { issuer: AUTHORITY, kid, role, jwk, types: [], notBeforeAtMs: 0 };
  return valueOf(await rooms.issuerKeys.add(tenant.context(), added)).id;
}

const inr = (amountMinor: bigint) => ({ amountMinor, currency: 'INR' });

function teaOf(quantity: number) {
  const line = { productId: 'tea', variantId: 'tea-100g', quantity, unitPrice: inr(2_099n) };
  const cart = checkCart({
    currency: 'INR',
    lines: [line],
    discount: null,
    tax: null,
    shipping: null,
    total: inr(2_099n * BigInt(quantity)),
    fulfilmentChoice: null,
  });
  if (!cart.ok) throw new Error(cart.error.detail);
  return cart.value;
}

export const TEA = teaOf(1);

export const handoff = ({ world }: { readonly world: World }): PurchaseAsk => ({
  flow: 'handoff',
  world,
  merchantId: MERCHANT,
  agentId: null,
  cart: TEA,
  authority: null,
  artifacts: [],
  buyerReference: null,
});

export const refund = (world: World, orderId: string, amountMinor: bigint): RefundAsk => ({
  world,
  merchantId: MERCHANT,
  orderId: orderId,
  amountMinor,
  currency: 'INR',
});

let orders = 0;
/** Uses an allow for an order of its own: the cart of {@link handoff}, or a refund of the order given. */
export const useOf = (decisionId: DecisionId, orderId: string | null = null) => ({
  decisionId,
  subject:
    orderId === null
      ? ({ kind: 'purchase', cart: TEA } as const)
      : ({ kind: 'refund', amount: null } as const),
  target: { orderId: orderId ?? `order-${(orders += 1)}`, provider: 'merchant' },
  mayUse: () => true,
});
