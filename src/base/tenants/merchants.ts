import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { LimitsDraft } from '../../core/rules/index.js';
import type { CommandContext, Writer } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { noSuchMerchant, requireMerchant } from './access.js';
import {
  changeMerchant,
  createMerchant,
  type MerchantDraft,
  setLimits,
  switchAgentPayment,
  switchReviewCopy,
} from './merchants.commands.js';
import {
  findCurrentLimits,
  findLimitsVersion,
  findMerchant,
  findOldestMerchant,
  type LimitsVersion,
  listLimitsVersions,
  listMerchants,
  type Merchant,
} from './merchants.store.js';
import type { Page, PageRequest } from './page.js';

/** Tenants whose oldest merchant one process remembers. */
const OLDEST_REMEMBERED_MAX = 10_000;

/** The part of a principal that decides which merchants it sees. */
export type MerchantReader = Pick<Principal, 'tenantId' | 'merchantIds'>;

/**
 * Merchants and their limits. Every method that names a merchant answers not_found for one outside the key's binding,
 * as for one of another tenant.
 */
export class Merchants {
  readonly #oldest = new Map<TenantId, string>();

  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly writer: Writer },
  ) {}

  /** The merchant that the tenant made first: it stays that for ever, so a process asks once. Null = it has none yet. */
  async oldest(tenantId: TenantId): Promise<string | null> {
    const known = this.#oldest.get(tenantId);
    if (known !== undefined) return known;
    const merchantId = await findOldestMerchant(this.dependencies.database, tenantId);
    if (merchantId === null) return null;
    if (this.#oldest.size >= OLDEST_REMEMBERED_MAX) this.#oldest.clear();
    this.#oldest.set(tenantId, merchantId);
    return merchantId;
  }

  /** Problems, in order: validation_failed (see settleRbi), conflict (the id is taken). */
  create(
    context: CommandContext,
    draft: MerchantDraft & { readonly merchantId: string },
  ): Promise<Result<Merchant, Problem>> {
    return this.dependencies.writer.execute(createMerchant(context, draft));
  }

  /** Problems, in order: not_found, validation_failed (see settleRbi). */
  async change(
    context: CommandContext,
    reader: MerchantReader,
    { merchantId, change }: { merchantId: string; change: Partial<MerchantDraft> },
  ): Promise<Result<Merchant, Problem>> {
    const allowed = requireMerchant(reader, merchantId);
    if (!allowed.ok) return allowed;
    const command = changeMerchant(context, { merchantId, change });
    const changed = await this.dependencies.writer.execute(command);
    return changed.ok ? this.get(reader, merchantId) : changed;
  }

  /** Problem: not_found. */
  async switchAgentPayment(
    context: CommandContext,
    reader: MerchantReader,
    { merchantId, enabled }: { merchantId: string; enabled: boolean },
  ): Promise<Result<Merchant, Problem>> {
    const allowed = requireMerchant(reader, merchantId);
    if (!allowed.ok) return allowed;
    const command = switchAgentPayment(context, { merchantId, enabled });
    const switched = await this.dependencies.writer.execute(command);
    return switched.ok ? this.get(reader, merchantId) : switched;
  }

  /** Problem: not_found. */
  async switchReviewCopy(
    context: CommandContext,
    reader: MerchantReader,
    { merchantId, enabled }: { merchantId: string; enabled: boolean },
  ): Promise<Result<Merchant, Problem>> {
    const allowed = requireMerchant(reader, merchantId);
    if (!allowed.ok) return allowed;
    const command = switchReviewCopy(context, { merchantId, enabled });
    const switched = await this.dependencies.writer.execute(command);
    return switched.ok ? this.get(reader, merchantId) : switched;
  }

  /** Problem: not_found. */
  async get(reader: MerchantReader, merchantId: string): Promise<Result<Merchant, Problem>> {
    const allowed = requireMerchant(reader, merchantId);
    if (!allowed.ok) return allowed;
    const merchant = await findMerchant(this.dependencies.database, reader.tenantId, merchantId);
    return merchant === null ? err(noSuchMerchant(merchantId)) : ok(merchant);
  }

  list(
    { tenantId, merchantIds }: MerchantReader,
    page: PageRequest<string>,
  ): Promise<Page<Merchant, string>> {
    return listMerchants(this.dependencies.database, tenantId, { ...page, merchantIds });
  }

  /** Problems, in order: not_found (outside the binding), validation_failed (see checkLimits), not_found. */
  async setLimits(
    context: CommandContext,
    reader: MerchantReader,
    draft: { merchantId: string; limits: LimitsDraft },
  ): Promise<Result<LimitsVersion, Problem>> {
    const allowed = requireMerchant(reader, draft.merchantId);
    return allowed.ok ? this.dependencies.writer.execute(setLimits(context, draft)) : allowed;
  }

  /** Problem: not_found (no such merchant, or no limits were ever set). */
  async currentLimits(
    reader: MerchantReader,
    merchantId: string,
  ): Promise<Result<LimitsVersion, Problem>> {
    const merchant = await this.get(reader, merchantId);
    if (!merchant.ok) return merchant;
    const { database } = this.dependencies;
    const limits = await findCurrentLimits(database, reader.tenantId, merchantId);
    return limits === null ? err(noLimits(merchantId)) : ok(limits);
  }

  /** Problem: not_found (no such merchant, or no such version). */
  async limitsVersion(
    reader: MerchantReader,
    name: { merchantId: string; version: number },
  ): Promise<Result<LimitsVersion, Problem>> {
    const merchant = await this.get(reader, name.merchantId);
    if (!merchant.ok) return merchant;
    const limits = await findLimitsVersion(this.dependencies.database, reader.tenantId, name);
    return limits === null ? err(noLimits(name.merchantId)) : ok(limits);
  }

  /** Newest first. Problem: not_found (no such merchant). */
  async listLimits(
    reader: MerchantReader,
    merchantId: string,
    page: PageRequest<number>,
  ): Promise<Result<Page<LimitsVersion, number>, Problem>> {
    const merchant = await this.get(reader, merchantId);
    if (!merchant.ok) return merchant;
    const { database } = this.dependencies;
    return ok(await listLimitsVersions(database, reader.tenantId, { ...page, merchantId }));
  }
}

const noLimits = (merchantId: string): Problem =>
  problem('not_found', `Merchant ${merchantId} has no such limits.`, {
    fix: 'Set limits with PUT /v1/merchants/{merchant_id}/limits, or name a version that is listed.',
  });
