import { createHash } from 'node:crypto';
import { type CommandContext, readRow } from '../base/ledger/index.js';
import { apiKeys, createApiKey, type NewApiKey } from '../base/tenants/index.js';
import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  type Result,
  type TenantId,
} from '../core/kernel/index.js';
import type { StatusRef } from '../core/proofs/index.js';
import type { LimitsDraft } from '../core/rules/index.js';
import type { IssuerKeyRole } from '../trust/peers/index.js';
import type { DemoRooms } from './demo-rooms.js';
import {
  artifactIdOf,
  CARD_TERMS,
  consentToken,
  CREDENTIAL_IDS,
  demoApiKey,
  type DemoFact,
  type DemoIssuerName,
  type DemoPlace,
  type DemoRole,
  factsOfMerchant,
  INTENT_CAP_MINOR,
  intentToken,
  ISSUERS,
  ISSUERS_SINCE_MS,
  PASSPORT_CAP_MINOR,
  passportToken,
  paymentToken,
  REVOKED_PRODUCT,
  SHOP,
  signedFact,
  STALL,
} from './demo-world.js';

/** One demo tenant. With a frozen clock its facts and tokens are seeded too, because they stay good there. */
export interface DemoTenantSpec {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly frozenAtMs: InstantMs | null;
  /** Whether its checkpoints go to witnesses (decisions 4.7). */
  readonly isWitnessed: boolean;
}

/** What a tour needs to know of a seeded tenant. */
export interface SeededTenant {
  readonly tenantId: TenantId;
  readonly agentId: string;
  readonly apiKeys: Readonly<Record<DemoRole, string>>;
  /** Reserved places on the status list for tokens that a tour signs itself. */
  readonly spareSlots: readonly StatusRef[];
}

/** INR 50,000.00 an order, 200,000.00 a day, 20 pieces; 10,000.00 and 5 pieces while the buyer is away. */
const SHOP_LIMITS: LimitsDraft = {
  currencies: [{ currency: 'INR', orderMaxMinor: 5_000_000n, dailyMaxMinor: 20_000_000n }],
  itemsMax: 20,
  notPresent: {
    currency: 'INR',
    orderMaxMinor: 1_000_000n,
    itemsMax: 5,
    dailyMaxMinor: 3_000_000n,
  },
};

/** INR 1,000.00 an order and a day; nothing while the buyer is away. */
const STALL_LIMITS: LimitsDraft = {
  currencies: [{ currency: 'INR', orderMaxMinor: 100_000n, dailyMaxMinor: 100_000n }],
  itemsMax: 5,
  notPresent: null,
};

const KEYS: readonly { readonly name: DemoIssuerName; readonly role: IssuerKeyRole }[] = [
  { name: 'facts', role: 'fact_issuer' },
  { name: 'credentials', role: 'credential_issuer' },
  { name: 'consent', role: 'consent' },
  { name: 'passport', role: 'passport' },
];

/**
 * Makes a demo tenant through the same commands as everybody's. Every step has an idempotency key of its own, so that
 * a second start, or one after a crash in the middle, finds what is there and adds the rest.
 * INVARIANT: demo tenants are of the test world; their keys and issuers are published.
 * Problems: those of the rooms; `unavailable` when the database does not answer.
 */
export async function seedDemoTenant(
  rooms: DemoRooms,
  spec: DemoTenantSpec,
): Promise<Result<SeededTenant, Problem>> {
  try {
    return ok(await new Seeding(rooms, spec).run());
  } catch (error) {
    if (error instanceof StepFailed) return err(error.problem);
    throw error;
  }
}

class StepFailed extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The value of a step; its problem ends the seeding. */
function need<Value>(result: Result<Value, Problem>): Value {
  if (!result.ok) throw new StepFailed(result.error);
  return result.value;
}

class Seeding {
  constructor(
    private readonly rooms: DemoRooms,
    private readonly spec: DemoTenantSpec,
  ) {}

  async run(): Promise<SeededTenant> {
    const { tenantId, frozenAtMs } = this.spec;
    const agentId = (await this.seededBefore()) ?? (await this.seed());
    const spareSlots = frozenAtMs === null ? [] : (await this.slots()).slice(-SPARE_SLOTS);
    return { tenantId, agentId, apiKeys: apiKeysOf(tenantId), spareSlots };
  }

  /** The agent of a tenant that was seeded to the end: the last step's key is there. */
  private async seededBefore(): Promise<string | null> {
    const { tenantId } = this.spec;
    const keyRow = (role: DemoRole) =>
      readRow(this.rooms.database, apiKeys, {
        tenantId,
        key: [demoApiKey(tenantId, role).apiKeyId],
      });
    const [last, agent] = await Promise.all([keyRow(LAST_KEY), keyRow('agent')]);
    return last === undefined ? null : (agent?.agentId ?? null);
  }

  private async seed(): Promise<string> {
    const { tenantId, frozenAtMs, isWitnessed } = this.spec;
    await this.tenant();
    const { agentId } = need(
      await this.rooms.agents.create(this.context('agent'), 'Demo shopping agent'),
    );
    // WHY one after another: the entries of the frozen tenant stand in the same order every time.
    await this.merchant(SHOP, SHOP_LIMITS);
    await this.merchant(STALL, STALL_LIMITS);
    for (const { name, role } of KEYS) await this.issuerKey(name, role);
    if (frozenAtMs !== null) await this.factsAndTokens({ tenantId, agentId, atMs: frozenAtMs });
    if (isWitnessed) need(await this.rooms.witnessing.switch(this.context('witnessing'), true));
    for (const role of ['agent', 'merchant_system', LAST_KEY] as const)
      await this.apiKey(role, agentId);
    return agentId;
  }

  private async tenant(): Promise<void> {
    const { tenantId, name, frozenAtMs } = this.spec;
    const created = await this.rooms.tenants.create(
      { actor: SEEDER, requestId: requestIdOf('tenant') },
      {
        tenantId,
        world: 'test',
        name,
        siblingTenantId: null,
        callerAssertedAllowed: false,
        sealing: true,
        adminKey: this.keyOf('tenant_admin', null),
        ...(frozenAtMs === null ? {} : { testClockAtMs: frozenAtMs, idSeed: tenantId }),
      },
    );
    // The id is taken: an earlier start made the tenant.
    if (!created.ok && created.error.code !== 'conflict') throw new StepFailed(created.error);
  }

  private async merchant(merchantId: string, limits: LimitsDraft): Promise<void> {
    const { merchants } = this.rooms;
    const draft = {
      merchantId,
      name: merchantId === SHOP ? 'Chai House' : 'Chai Stall',
      country: 'IN',
      rbiProfile: 'in-rbi-2026-04',
      rbiRails: null,
    } as const;
    need(await merchants.create(this.context(`merchant ${merchantId}`), draft));
    const reader = { tenantId: this.spec.tenantId, merchantIds: null };
    const context = this.context(`limits ${merchantId}`);
    need(await merchants.setLimits(context, reader, { merchantId, limits }));
  }

  private async apiKey(role: DemoRole, agentId: string): Promise<void> {
    const key = this.keyOf(role, role === 'agent' ? agentId : null);
    need(await this.rooms.writer.execute(createApiKey(this.context(`key ${role}`), key)));
  }

  private async issuerKey(name: DemoIssuerName, role: IssuerKeyRole): Promise<void> {
    const { issuer, kid, jwk } = ISSUERS[name];
    const added = { issuer, kid, role, jwk, types: [], notBeforeAtMs: ISSUERS_SINCE_MS };
    need(await this.rooms.issuerKeys.add(this.context(`issuer ${name}`), added));
  }

  private async factsAndTokens(place: DemoPlace): Promise<void> {
    const slots = [...(await this.slots())];
    const next = (): StatusRef => {
      const slot = slots.shift();
      invariant(slot !== undefined, 'enough places are reserved for the demo');
      return slot;
    };
    for (const fact of FACTS) await this.fact(fact, place, next());
    for (const merchantId of [SHOP, STALL]) await this.tokens(merchantId, place, next);
    const mistaken = { merchantId: SHOP, type: 'price', product: REVOKED_PRODUCT } as const;
    need(
      await this.rooms.revocations.change(this.context('revoke'), {
        target: { subjectId: artifactIdOf(mistaken) },
        status: 'revoked',
        reasonCode: 'price_error',
        scope: { merchantIds: null },
      }),
    );
  }

  private async fact(fact: DemoFact, place: DemoPlace, slot: StatusRef): Promise<void> {
    const context = this.context(`fact ${artifactIdOf(fact)}`);
    const envelope = signedFact(fact, { place, slot });
    need(await this.rooms.artifacts.register(context, { envelope, scope: { merchantIds: null } }));
  }

  private async tokens(merchantId: string, place: DemoPlace, next: () => StatusRef): Promise<void> {
    const ids = CREDENTIAL_IDS[merchantId === SHOP ? 'shop' : 'stall'];
    const credential = (id: string) => ({ id, merchantId, slot: next() });
    const intent = intentToken(credential(ids.intent), place, { capMinor: INTENT_CAP_MINOR });
    const payment = paymentToken(credential(ids.payment), place, CARD_TERMS);
    const consent = consentToken(credential(ids.consent), place);
    const passport = passportToken(credential(ids.passport), place, {
      consentId: ids.consent,
      capMinor: PASSPORT_CAP_MINOR,
    });
    for (const [step, kind, token] of [
      ['intent', 'mandate', intent],
      ['payment', 'mandate', payment],
      ['consent', 'consent', consent],
      ['passport', 'passport', passport],
    ] as const) {
      const context = this.context(`${step} ${merchantId}`);
      need(await this.rooms.credentials.register(context, { kind, token }));
    }
  }

  /** Reserved at the authority by the first start; every later one is answered with the same places. */
  private async slots(): Promise<readonly StatusRef[]> {
    return need(await this.rooms.slots.reserve(this.context('slots'), SLOTS));
  }

  private keyOf(role: DemoRole, agentId: string | null): NewApiKey {
    return {
      ...demoApiKey(this.spec.tenantId, role),
      name: `published demo key of the ${role}`,
      role,
      scopes: null,
      merchantIds: null,
      agentId,
      expiresAtMs: null,
      createdAtMs: this.spec.frozenAtMs ?? Date.now(),
    };
  }

  private context(step: string): CommandContext {
    return {
      tenantId: this.spec.tenantId,
      actor: SEEDER,
      requestId: requestIdOf(step),
      idempotency: { scope: 'demo seed', key: step, requestHash: SEED_VERSION },
    };
  }
}

const SEEDER = { role: 'system', id: 'demo-seed' } as const;
const SEED_VERSION = createHash('sha256').update('demo seed 1').digest('hex');
/** The key that is made last: when it is there, everything is. */
const LAST_KEY = 'auditor';

const FACTS = [...factsOfMerchant(SHOP), ...factsOfMerchant(STALL)];
/** Intent, payment, consent, passport. */
const SLOTS_PER_BUYER = 4;
const SPARE_SLOTS = 8;
const SLOTS = FACTS.length + 2 * SLOTS_PER_BUYER + SPARE_SLOTS;

const requestIdOf = (step: string): string => `demo-seed-${step.replaceAll(' ', '-')}`;

export const apiKeysOf = (tenantId: TenantId): SeededTenant['apiKeys'] => ({
  tenant_admin: demoApiKey(tenantId, 'tenant_admin').apiKey,
  agent: demoApiKey(tenantId, 'agent').apiKey,
  merchant_system: demoApiKey(tenantId, 'merchant_system').apiKey,
  auditor: demoApiKey(tenantId, 'auditor').apiKey,
});
