import { setTimeout } from 'node:timers/promises';
import { checkRebuild, type LedgerWriter, WRITER } from '../base/ledger/index.js';
import { DATABASE, type Pool } from '../base/platform/index.js';
import { PROJECTIONS } from '../projections.js';
import { type RunningService, startService } from '../service.js';
import { DEMO_TENANTS } from './demo-tenants.js';
import { demoRooms } from './demo-rooms.js';
import { HttpCaller } from './http-caller.js';
import { ALLOWED_HANDOFF } from './purchases.js';
import { seedDemoTenant, type SeededTenant } from './seed.js';
import { moneyChapter } from './tour-money.js';
import {
  allowedPurchaseStep,
  moneySteps,
  takeStep,
  type TourResult,
  tourSteps,
  type TourStep,
} from './tour.js';

export interface DemoOptions {
  /** An empty folder of the demo's own. */
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** Runs the tour; 0 = every step was as expected. Throws when the service does not start. */
export async function runDemo({ dataFolder, say }: DemoOptions): Promise<number> {
  say('Starting a service of its own on an embedded PostgreSQL in a temporary folder ...');
  const service = await startService({
    environment: {
      PORT: '0',
      DATA_DIR: dataFolder,
      SEED_DEMO: 'on',
      AGENT_EXECUTED_PAYMENT_ENABLED: 'true',
      LOG_LEVEL: 'error',
    },
  });
  try {
    say(
      `It listens on ${service.baseUrl}; both switches of agent-executed payment are this demo's own.`,
    );
    return await takeTour(service, say);
  } finally {
    await service.stop();
  }
}

/**
 * The tour through a running service that has just seeded its demo tenants, both switches of agent-executed payment its
 * own, JOBS on. 0 = every step was as expected.
 */
export async function takeTour(service: RunningService, say: DemoOptions['say']): Promise<number> {
  const tour = new Tour(service, say);
  await tour.run(await seeded(service));
  say(`demo: ${tour.passed} passed, ${tour.failed} failed`);
  return tour.failed === 0 ? 0 : 1;
}

/** The frozen demo tenant, as the start of the service has seeded it. */
async function seeded(service: RunningService): Promise<SeededTenant> {
  const [frozen] = DEMO_TENANTS;
  if (frozen === undefined) throw new Error('there is a frozen demo tenant');
  const tenant = await seedDemoTenant(demoRooms(service.app), frozen);
  if (!tenant.ok) throw new Error(tenant.error.detail);
  return tenant.value;
}

/** How long a webhook may be on its way: one tick is a second. */
const PATIENCE_MS = 30_000;
const ASK_AGAIN_MS = 100;

class Tour {
  passed = 0;
  failed = 0;

  constructor(
    private readonly service: RunningService,
    private readonly say: (line: string) => void,
  ) {}

  async run(tenant: SeededTenant): Promise<void> {
    const caller = new HttpCaller(this.service.baseUrl, tenant);
    for (const step of tourSteps(tenant)) await this.take(caller, step);
    const allowed = await this.take(caller, allowedPurchaseStep(tenant));
    const decisionId = String(allowed.answer.body['decision_id']);
    for (const step of moneySteps(decisionId)) await this.take(caller, step);
    await this.simulation(caller, tenant.agentId);
    await moneyChapter({
      take: (step) => this.take(caller, step),
      takeOnceTrue: (step) => this.takeOnceTrue(caller, step),
    });
    await this.ledger(tenant);
  }

  private async take(caller: HttpCaller, step: TourStep): Promise<TourResult> {
    return this.told(await takeStep(caller, step));
  }

  /** Asks until it is as expected: what a webhook changes comes a tick later. */
  private async takeOnceTrue(caller: HttpCaller, step: TourStep): Promise<TourResult> {
    const lastAtMs = performance.now() + PATIENCE_MS;
    let result = await takeStep(caller, step);
    while (result.missed.length > 0 && performance.now() < lastAtMs) {
      await setTimeout(ASK_AGAIN_MS);
      result = await takeStep(caller, step);
    }
    return this.told(result);
  }

  private told(result: TourResult): TourResult {
    const { step } = result;
    this.tell(step.title, result.missed, result.answer.body);
    return result;
  }

  /** The same rules, nothing written: the ledger ends where it ended before. */
  private async simulation(caller: HttpCaller, agentId: string): Promise<void> {
    const head = () => caller.send({ method: 'GET', path: '/v1/ledger/head', as: 'tenant_admin' });
    const before = await head();
    const body = { ...ALLOWED_HANDOFF, agent_id: agentId };
    const simulated = await takeStep(caller, {
      title: 'simulated',
      ask: { path: '/v1/simulate', as: 'tenant_admin', body },
      status: 200,
      expected: { simulated: true, outcome: 'allow' },
    });
    const after = await head();
    const grown =
      before.body['seq'] === after.body['seq'] ? [] : ['the ledger grew by a simulation'];
    const { outcome, trace } = simulated.answer.body;
    this.tell('simulated: the same rules, nothing written', [...simulated.missed, ...grown], {
      outcome,
      trace,
    });
  }

  /** Folds the ledger again, checks every link and mac, and compares every table with it. */
  private async ledger(tenant: SeededTenant): Promise<void> {
    const { app } = this.service;
    const connection = await app.get<Pool>(DATABASE, { strict: false }).connect();
    try {
      const report = await checkRebuild(connection, tenant.tenantId, {
        projections: PROJECTIONS,
        sealer: app.get<LedgerWriter>(WRITER, { strict: false }).sealer,
      });
      const { entryCount, rowCount, differenceCount } = report;
      const missed = report.differences.map((found) => JSON.stringify(found));
      this.tell('the ledger is whole and every table is what it folds to', missed, {
        entries: entryCount,
        rows: rowCount,
        differences: differenceCount,
      });
    } finally {
      connection.release();
    }
  }

  private tell(title: string, missed: readonly string[], body: unknown): void {
    if (missed.length === 0) this.passed += 1;
    else this.failed += 1;
    const mark = missed.length === 0 ? 'ok  ' : 'FAIL';
    this.say(`${mark} ${this.passed + this.failed}. ${title}`);
    for (const line of missed) this.say(`       ${line}`);
    this.say(indented(JSON.stringify(body, null, 2)));
  }
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `     ${line}`)
    .join('\n');
