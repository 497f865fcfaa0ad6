import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  event,
  readPage,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  mayTouchMerchant,
  merchants,
  noSuchMerchant,
  type Page,
  type PageRequest,
} from '../../base/tenants/index.js';
import { stock, type StockRow, stockSet } from './stock.ledger.js';

export const STOCK = Symbol('Stock');

/** The pieces of one variant that a merchant has, held ones included. */
export type SetStock = Pick<StockRow, 'merchantId' | 'variantId' | 'onHand'>;

type Reader = Pick<Principal, 'tenantId' | 'merchantIds'>;

/** Stock that merchants keep here. A variant that was never set has none: then only its signed fact counts. */
export class Stock {
  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly writer: Writer },
  ) {}

  /**
   * How many pieces there are, from this entry on. Answers with the stock as it is when it is read again.
   * Problems, in order: not_found (a merchant that this key may not touch), those of {@link setStock}.
   */
  async set(
    context: CommandContext,
    reader: Reader,
    wanted: SetStock,
  ): Promise<Result<StockRow, Problem>> {
    if (!mayTouchMerchant(reader, wanted.merchantId))
      return err(noSuchMerchant(wanted.merchantId, '/merchant_id'));
    const set = await this.dependencies.writer.execute(setStock(context, wanted));
    return set.ok ? this.get(reader, wanted) : set;
  }

  /** Problem: not_found (a merchant that this key may not touch, or no stock of this variant is kept here). */
  async get(
    reader: Reader,
    { merchantId, variantId }: Pick<StockRow, 'merchantId' | 'variantId'>,
  ): Promise<Result<StockRow, Problem>> {
    if (!mayTouchMerchant(reader, merchantId))
      return err(noSuchMerchant(merchantId, '?merchant_id'));
    const name = { tenantId: reader.tenantId, key: [merchantId, variantId] };
    const row = await readRow(this.dependencies.database, stock, name);
    return row === undefined ? err(noStock(variantId)) : ok(row);
  }

  /** By variant id, of one merchant. Problem: not_found (no such merchant, or one that this key may not touch). */
  async list(
    reader: Reader,
    merchantId: string,
    { after, size }: PageRequest<string>,
  ): Promise<Result<Page<StockRow, string>, Problem>> {
    const { database } = this.dependencies;
    const { tenantId } = reader;
    const merchant = mayTouchMerchant(reader, merchantId)
      ? await readRow(database, merchants, { tenantId, key: [merchantId] })
      : undefined;
    if (merchant === undefined) return err(noSuchMerchant(merchantId, '?merchant_id'));
    const { rows, next } = await readPage(database, stock, {
      tenantId,
      where: { merchantId },
      order: 'key',
      after: after === null ? null : [merchantId, after],
      limit: size,
    });
    return ok({ items: rows, next: next === null ? null : String(next[1]) });
  }
}

/**
 * The number that is so already is answered as success without an entry.
 * Problems, in order: not_found `/merchant_id`, conflict `/on_hand` (fewer than are held).
 */
function setStock(
  context: CommandContext,
  { merchantId, variantId, onHand }: SetStock,
): Command<null> {
  return {
    ...context,
    name: 'stock.set',
    reads: [cell(merchants, merchantId), cell(stock, merchantId, variantId)],
    decide(view) {
      if (view.get(merchants, [merchantId]) === undefined)
        return err(noSuchMerchant(merchantId, '/merchant_id'));
      const row = view.get(stock, [merchantId, variantId]);
      if (row !== undefined && onHand < row.held) return err(belowHeld(row));
      const changes = row?.onHand !== onHand;
      return ok({ events: changes ? [event(stockSet, { merchantId, variantId, onHand })] : [] });
    },
    answer: () => null,
  };
}

const belowHeld = ({ variantId, held }: StockRow): Problem =>
  problem('conflict', `${held} pieces of ${variantId} are held for payments that may still come.`, {
    fix: `Send an on_hand of ${held} or more, held pieces included; or wait until those payments are made or lapse.`,
    field: '/on_hand',
  });

const noStock = (variantId: string): Problem =>
  problem('not_found', `No stock of ${variantId} is kept here.`, {
    fix: 'Name a variant that GET /v1/stock lists for this merchant, or set its stock with PUT /v1/stock/{variant_id}.',
  });
