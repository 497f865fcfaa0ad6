import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { err, mapOk } from '../../../core/kernel/index.js';
import { type Catalog, CATALOG, type CatalogChange } from '../../../trust/facts/index.js';
import { commandContext } from '../command-context.js';
import { importCatalog, importTable, printImported } from './imports.contract.js';
import { atLine, readTable } from './read-table.js';

@Controller()
export class ImportsController {
  constructor(@Inject(CATALOG) private readonly catalog: Catalog) {}

  @Handles(importCatalog)
  async importJson(
    @Input() { body }: InputOf<typeof importCatalog>,
    @Caller() caller: CallerContext,
  ) {
    const change = changeOf(body);
    const imported = await this.catalog.import(commandContext(caller), caller.principal, change);
    return mapOk(imported, () => printImported(change));
  }

  @Handles(importTable)
  async importTable(
    @Input() { params, query, body }: InputOf<typeof importTable>,
    @Caller() caller: CallerContext,
  ) {
    const { kind } = params;
    const { merchant_id: merchantId, currency = null } = query;
    const table = readTable({ merchantId, kind, text: body, currency });
    if (!table.ok) return table;
    const { change } = table.value;
    const imported = await this.catalog.import(commandContext(caller), caller.principal, change);
    if (!imported.ok) return err(atLine(imported.error, table.value));
    return mapOk(imported, () => printImported(change));
  }
}

const changeOf = (body: InputOf<typeof importCatalog>['body']): CatalogChange => ({
  merchantId: body.merchant_id,
  products: body.products.map(({ product_id: productId, title, image_url: imageUrl, listed }) => ({
    productId,
    title,
    imageUrl,
    isListed: listed,
  })),
  variants: body.variants.map(({ variant_id: variantId, product_id: productId, title }) => ({
    variantId,
    productId,
    title,
  })),
  prices: body.prices.map(({ variant_id: variantId, price }) => ({
    variantId,
    amountMinor: BigInt(price.amount),
    currency: price.currency,
  })),
  counts: body.counts.map(({ variant_id: variantId, on_hand: onHand }) => ({ variantId, onHand })),
  policies: body.policies === null ? null : { ...body.policies, tables: [] },
});
