import {
  type Command,
  type CommandContext,
  DUE_ROUNDS_MAX,
  DUE_ROWS_MAX,
  type DueScope,
  type DueWork,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import { lapsePayment } from './move-payment.js';
import { duePayments, dueRefunds, type SweepScope } from './payments.store.js';
import { lapseRefund } from './refunds.js';

/**
 * Links that were not paid in time and refund allows that were not used in time. Nothing else ends them: a link counts as
 * open until its entry says that it lapsed (ADR 0009).
 */
export class LapseWork implements DueWork {
  readonly name = 'money/book.lapse';

  constructor(private readonly parts: { readonly database: Queryable; readonly writer: Writer }) {}

  async sweepDue(scope: DueScope): Promise<number> {
    const payments = await this.lapsePayments(scope);
    return payments + (await this.lapseRefunds(scope));
  }

  /** All payments that are due of one merchant, as far as {@link DUE_ROUNDS_MAX} rounds come; answers how many lapsed. */
  async lapseDue(tenantId: TenantId, merchantId: string): Promise<number> {
    const scope = { tenantId, merchantId, limit: DUE_ROWS_MAX };
    let lapsed = 0;
    for (let round = 0; round < DUE_ROUNDS_MAX; round += 1) {
      const count = await this.lapsePayments(scope);
      lapsed += count;
      if (count < DUE_ROWS_MAX) break;
    }
    return lapsed;
  }

  private async lapsePayments(scope: SweepScope): Promise<number> {
    const due = await duePayments(this.parts.database, scope);
    return this.run(due.map(({ tenantId, row }) => lapsePayment(clock(tenantId), row)));
  }

  private async lapseRefunds(scope: SweepScope): Promise<number> {
    const due = await dueRefunds(this.parts.database, scope);
    return this.run(due.map(({ tenantId, row }) => lapseRefund(clock(tenantId), row)));
  }

  /** Those that could not be written stay due; they are not counted, so that a sweep ends. */
  private async run(commands: readonly Command<boolean>[]): Promise<number> {
    const results = await Promise.all(commands.map((one) => this.parts.writer.execute(one)));
    return results.filter((result) => result.ok && result.value).length;
  }
}

const clock = (tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'money/book.lapse' },
  requestId: 'sweep',
  idempotency: null,
});
