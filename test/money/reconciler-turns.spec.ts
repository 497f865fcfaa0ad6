import { beforeAll, expect, it } from 'vitest';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { Book } from '../../src/money/book/index.js';
import type { LookUpOutcome, RailPayment } from '../../src/money/payments/index.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import {
  Reconciler,
  UNDER_WAY_PER_TENANT_MAX,
} from '../../src/money/rails/reconcile/reconciler.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { started } from './paying.js';

let service: TestService;
beforeAll(async () => {
  // Its own ticker would ask as well: here each question is asked by the reconciler under test.
  service = await startTestService({ JOBS: 'off' });
});

/** A provider that answers one tenant only when it is released, and tells who was asked about. */
class SlowFor implements ProviderInquiry {
  readonly provider = 'sandbox';
  readonly asked: RailPayment[] = [];
  release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  constructor(private readonly slow: Shop) {}

  async lookUp(payment: RailPayment): Promise<LookUpOutcome> {
    this.asked.push(payment);
    if (payment.tenantId === this.slow.tenantId) await this.#released;
    return { kind: 'unknown', detail: 'busy' };
  }
  /** Payments of the tenant, however often each was asked about. */
  countOf({ tenantId }: Shop): number {
    const own = this.asked.filter((payment) => payment.tenantId === tenantId);
    return new Set(own.map(({ paymentId }) => paymentId)).size;
  }
  readonly cancelLink: ProviderInquiry['cancelLink'] = () => this.never();
  readonly settlePayment: ProviderInquiry['settlePayment'] = () => this.never();
  readonly lookUpRefund: ProviderInquiry['lookUpRefund'] = () => this.never();
  readonly settleRefund: ProviderInquiry['settleRefund'] = () => this.never();
  private never(): Promise<never> {
    return Promise.reject(new Error('nobody asks for this'));
  }
}

function reconcilerOf(inquiry: ProviderInquiry): Reconciler {
  const database = testDatabase().pool;
  const lapse = { lapseDue: () => Promise.resolve(0) };
  return new Reconciler({
    database,
    book: new Book({ database, writer: service.app.get<Writer>(WRITER), lapse }),
    inquiries: [inquiry],
    log: { error: (line: string, details?: unknown) => console.error(line, details) },
    times: { askAfterMs: 0 },
  });
}

async function answersOf({ tenantId }: Shop): Promise<readonly (string | null)[]> {
  const { rows } = await testDatabase().pool.query<{ last_answer: string | null }>(
    'SELECT last_answer FROM rail_questions WHERE tenant_id = $1',
    [tenantId],
  );
  return rows.map((row) => row.last_answer);
}

const EVERYBODY = { tenantId: null, limit: 100 } as const;

it('a provider that is slow for one tenant holds up neither the sweep nor other tenants', async () => {
  const [slow, other] = [await openShop(service), await openShop(service)];
  for (let made = 0; made <= UNDER_WAY_PER_TENANT_MAX; made += 1) await started(slow);
  const provider = new SlowFor(slow);
  const reconciler = reconcilerOf(provider);
  await reconciler.sweepDue(EVERYBODY);
  await started(other);
  await reconciler.sweepDue(EVERYBODY);
  await reconciler.idle(other.tenantId);
  expect([provider.countOf(slow), provider.countOf(other)]).toEqual([UNDER_WAY_PER_TENANT_MAX, 1]);

  // A sweep of one tenant has all of its answers, also those that were under way.
  let isSwept = false;
  const own = reconciler
    .sweepDue({ tenantId: slow.tenantId, limit: 100 })
    .then(() => (isSwept = true));
  await reconciler.sweepDue({ tenantId: other.tenantId, limit: 100 });
  expect(isSwept).toBe(false);
  provider.release();
  await own;
  expect(provider.countOf(slow)).toBe(UNDER_WAY_PER_TENANT_MAX + 1);
  expect(new Set(await answersOf(slow))).toEqual(new Set(['busy']));
});

it('stops when nothing is under way any more, and begins nothing afterwards', async () => {
  const shop = await openShop(service);
  await started(shop);
  const provider = new SlowFor(shop);
  const reconciler = reconcilerOf(provider);
  await reconciler.sweepDue(EVERYBODY);
  const stopped = reconciler.stop();
  provider.release();
  await stopped;
  expect(await answersOf(shop)).toEqual(['busy']);
  expect(await reconciler.sweepDue(EVERYBODY)).toBe(0);
  expect(provider.countOf(shop)).toBe(1);
});
