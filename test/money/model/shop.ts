import { randomUUID } from 'node:crypto';
import {
  cellsOutsideLock,
  type CommandContext,
  LedgerWriter,
  moveClock,
  sessionOpener,
  type Writer,
} from '../../../src/base/ledger/index.js';
import type { Queryable } from '../../../src/base/platform/index.js';
import { tenantsRoom } from '../../../src/base/tenants/index.js';
import type { AgentId, Problem, Result, TenantId } from '../../../src/core/kernel/index.js';
import type { LimitsDraft } from '../../../src/core/rules/index.js';
import { Arbiter, NO_COUNTERSIGNER, Payer } from '../../../src/money/arbiter/index.js';
import { LAPSE_FIRST } from '../../../src/money/arbiter/decide.js';
import { Book } from '../../../src/money/book/index.js';
import { LapseWork } from '../../../src/money/book/lapse.js';
import { RailDirectory } from '../../../src/money/rails/rail-directory.js';
import { PROJECTIONS } from '../../../src/projections.js';
import { Stock } from '../../../src/trust/facts/index.js';
import { IssuerKeys, SignatureChecker } from '../../../src/trust/peers/index.js';
import { testDatabase } from '../../support/database.js';
import {
  createTestTenant,
  type TestHouse,
  type TestTenant,
  valueOf,
} from '../../support/tenants.js';
import { FreshFacts, VARIANTS } from './facts.js';
import { ScriptedRail } from './rail.js';
import type { Stage } from './stage.js';
import { type Limits, type MerchantName, MERCHANTS, type Plan } from './steps.js';

/** The master secret of `startTestService`: what one wrote, another reads. */
const MASTER_SECRET = Buffer.alloc(32, 0x22);
const NEVER_MS = 3_600_000;

export const openWriter = (): LedgerWriter =>
  new LedgerWriter({
    openSession: sessionOpener({ connectionString: testDatabase().connectionString }),
    projections: PROJECTIONS,
    masterSecret: MASTER_SECRET,
    // A command that breaks an invariant is answered `internal`, which no step may be.
    log: { error: () => undefined },
    limits: { flushers: 1 },
  });

/** A command that the lock refused with a problem: such an answer leaves no entry. `seq`: the next entry's. */
export interface Judged {
  readonly seq: number;
  readonly atMs: number;
  readonly command: string;
  readonly code: string;
  readonly field: string | null;
  /** It was put off until what is over has lapsed. */
  readonly lapsesFirst: boolean;
  /** What the worker was about. */
  readonly about: About | null;
}

type Place = Pick<Judged, 'seq' | 'atMs'>;

export interface About {
  /** Empty: not known yet. */
  readonly decisionId: string;
  readonly merchant: MerchantName;
  readonly orderId: string;
}

/** A tenant of one run. */
export interface ModelShop {
  readonly tenant: TestTenant;
  readonly tenantId: TenantId;
  readonly agentId: AgentId;
  readonly facts: FreshFacts;
  readonly openedAtMs: number;
}

const MIDNIGHT_MS = Date.UTC(2026, 11, 1);

export const limitsOf = (limits: Limits): LimitsDraft => {
  const { orderMaxMinor, dailyMaxMinor, itemsMax } = limits;
  const away = { orderMaxMinor: limits.awayOrderMaxMinor, dailyMaxMinor: limits.awayDailyMaxMinor };
  return {
    currencies: [
      { currency: 'INR', orderMaxMinor, dailyMaxMinor },
      { currency: 'USD', orderMaxMinor: 400n, dailyMaxMinor: 500n },
    ],
    itemsMax,
    notPresent: { currency: 'INR', itemsMax, ...away },
  };
};

const TRADE = { name: 'a merchant', country: 'IN', rbiProfile: null, rbiRails: null } as const;

/** Opened before the workers come: nothing of it waits for a turn. */
export async function openModelShop(house: TestHouse, plan: Plan): Promise<ModelShop> {
  const openedAtMs = MIDNIGHT_MS - plan.beforeMidnightMs;
  const tenant = await createTestTenant(house, {
    testClockAtMs: openedAtMs,
    // Ids follow from the place in the ledger: a run with the same seed names everything alike.
    idSeed: 'model',
    sealing: false,
  });
  const { tenantId } = tenant;
  const { writer, database, rooms } = house;
  const stock = new Stock({ database, writer });
  const need = async (steps: readonly Promise<Result<unknown, Problem>>[]) =>
    (await Promise.all(steps)).forEach(valueOf);
  const [agent] = await Promise.all([
    rooms.agents.create(tenant.context(), 'an agent'),
    need(
      MERCHANTS.map((merchantId) =>
        rooms.merchants.create(tenant.context(), { merchantId, ...TRADE }),
      ),
    ),
  ]);
  // Nobody looks at a list here: the facts say what it said.
  const slot = { uri: `https://lists.example/status/${tenantId}/1`, index: 7 };
  const { agentId } = valueOf(agent);
  const limits = limitsOf(plan.limits);
  await need(
    MERCHANTS.flatMap((merchantId) => [
      rooms.merchants.setLimits(tenant.context(), tenant.admin, { merchantId, limits }),
      rooms.merchants.switchAgentPayment(tenant.context(), tenant.admin, {
        merchantId,
        enabled: true,
      }),
    ]),
  );
  const kept = { merchantId: 'shop', variantId: VARIANTS.INR, onHand: plan.stock ?? 0 };
  if (plan.stock !== null) valueOf(await stock.set(tenant.context(), tenant.admin, kept));
  return { tenant, tenantId, agentId, facts: new FreshFacts(slot, plan.caps), openedAtMs };
}

/** Everything one worker does its work with: the real rooms on a writer of its own, as in a process of its own. */
export class Counter {
  readonly rail: ScriptedRail;
  readonly book: Book;
  readonly arbiter: Arbiter;
  readonly payer: Payer;
  readonly lapse: LapseWork;
  /** What the step under way is about. */
  about: About | null = null;
  readonly #writer: Writer;
  readonly #database: Queryable;

  constructor(
    readonly name: string,
    private readonly parts: {
      readonly shop: ModelShop;
      readonly stage: Stage;
      readonly writer: LedgerWriter;
      readonly judged: Judged[];
      readonly calls: string[];
    },
  ) {
    const { shop, stage, calls } = parts;
    const { pool } = testDatabase();
    const database = { query: stage.passing(`${name} reads`, pool.query.bind(pool)) } as Queryable;
    const writer = this.passingWriter();
    this.#writer = writer;
    this.#database = database;
    this.lapse = new LapseWork({ database, writer });
    this.book = new Book({ database, writer, lapse: this.lapse });
    this.rail = new ScriptedRail(stage, name, calls);
    const issuerKeys = new IssuerKeys({ database, writer });
    this.arbiter = new Arbiter({
      writer,
      database,
      outsideLock: stage.passing(`${name} looks`, (tenantId, reads) =>
        cellsOutsideLock(pool, tenantId, reads),
      ),
      sources: shop.facts,
      statuses: shop.facts.statuses,
      book: this.book,
      switches: { agentExecutedPaymentEnabled: true },
      confirming: {
        countersigner: NO_COUNTERSIGNER,
        trust: { issuerKeys, checker: new SignatureChecker() },
      },
    });
    this.payer = new Payer({
      arbiter: this.arbiter,
      book: this.book,
      rails: new RailDirectory({ links: [this.rail], charges: [this.rail], refunds: [this.rail] }),
      agentExecutedPaymentEnabled: true,
      // How long the scheduler lets it wait is nobody's concern.
      railBudgetMs: NEVER_MS,
    });
  }

  /** `key`: the idempotency key of money that moves. */
  context(key: string | null = null): CommandContext {
    const { tenantId } = this.parts.shop;
    return {
      tenantId,
      actor: { role: 'merchant_system', id: 'key_model' },
      requestId: randomUUID(),
      idempotency: key === null ? null : { scope: `${tenantId} model`, key, requestHash: key },
    };
  }

  moveClock(toMs: number) {
    return this.#writer.execute(moveClock(this.context(), toMs));
  }

  setLimits(merchantId: MerchantName, limits: Limits) {
    const { merchants } = tenantsRoom({
      config: { platformAdminKey: '', ledgerSealingDefault: false, publicBaseUrl: null },
      database: this.#database,
      writer: this.#writer,
      outsideLock: () => Promise.resolve(null),
      nowMs: () => 0,
    });
    const set = { merchantId, limits: limitsOf(limits) };
    return merchants.setLimits(this.context(), this.parts.shop.tenant.admin, set);
  }

  setStock(merchantId: MerchantName, onHand: number) {
    const stock = new Stock({ database: this.#database, writer: this.#writer });
    const wanted = { merchantId, variantId: VARIANTS.INR, onHand };
    return stock.set(this.context(), this.parts.shop.tenant.admin, wanted);
  }

  /** The worker's own writer; every command waits for its turn, and refusals of the lock are noted with their place. */
  private passingWriter(): Writer {
    const { stage, writer, judged } = this.parts;
    const passing: Pick<Writer, 'execute'> = {
      execute: (command) =>
        stage.pass(`${this.name} ${command.name}`, async () => {
          let place: Place | null = null;
          const result = await writer.execute({
            ...command,
            decide(view, moment) {
              place = { seq: moment.nextSeq, atMs: moment.atMs };
              return command.decide(view, moment);
            },
          });
          if (!result.ok && place !== null) {
            const { code, field = null } = result.error;
            const { about } = this;
            const lapsesFirst = result.error === LAPSE_FIRST;
            const refused = { command: command.name, code, field, lapsesFirst, about };
            judged.push({ ...(place as Place), ...refused });
          }
          return result;
        }),
    };
    return passing as Writer;
  }
}
