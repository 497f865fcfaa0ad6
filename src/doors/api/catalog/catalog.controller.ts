import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { type Catalog, CATALOG, NO_CHANGE } from '../../../trust/facts/index.js';
import { commandContext } from '../command-context.js';
import { pageRequest, printPage } from '../tenants/pieces.js';
import {
  listPrices,
  listProducts,
  listVariants,
  printPolicies,
  printPrice,
  printProduct,
  printVariant,
  readPolicies,
  readPrice,
  readProduct,
  readVariant,
  setPolicies,
  setPrice,
  setProduct,
  setVariant,
} from './catalog.contract.js';

@Controller()
export class CatalogController {
  constructor(@Inject(CATALOG) private readonly catalog: Catalog) {}

  @Handles(setProduct)
  async setProduct(
    @Input() { params, body }: InputOf<typeof setProduct>,
    @Caller() caller: CallerContext,
  ) {
    const { merchant_id: merchantId, title, image_url: imageUrl, listed: isListed } = body;
    const { product_id: productId } = params;
    const set = await this.catalog.set(commandContext(caller), caller.principal, {
      ...NO_CHANGE,
      merchantId,
      products: [{ productId, title, imageUrl, isListed }],
    });
    if (!set.ok) return set;
    const named = { merchantId, id: productId };
    return mapOk(await this.catalog.get(caller.principal, 'products', named), printProduct);
  }

  @Handles(listProducts)
  async listProducts(
    @Input() { query }: InputOf<typeof listProducts>,
    @Caller() { principal }: CallerContext,
  ) {
    const page = { ...pageRequest(query), merchantId: query.merchant_id };
    const found = await this.catalog.list(principal, 'products', page);
    return mapOk(found, (rows) => printPage(rows, printProduct));
  }

  @Handles(readProduct)
  async readProduct(
    @Input() { params, query }: InputOf<typeof readProduct>,
    @Caller() { principal }: CallerContext,
  ) {
    const named = { merchantId: query.merchant_id, id: params.product_id };
    return mapOk(await this.catalog.get(principal, 'products', named), printProduct);
  }

  @Handles(setVariant)
  async setVariant(
    @Input() { params, body }: InputOf<typeof setVariant>,
    @Caller() caller: CallerContext,
  ) {
    const { merchant_id: merchantId, product_id: productId, title } = body;
    const { variant_id: variantId } = params;
    const set = await this.catalog.set(commandContext(caller), caller.principal, {
      ...NO_CHANGE,
      merchantId,
      variants: [{ variantId, productId, title }],
    });
    if (!set.ok) return set;
    const named = { merchantId, id: variantId };
    return mapOk(await this.catalog.get(caller.principal, 'variants', named), printVariant);
  }

  @Handles(listVariants)
  async listVariants(
    @Input() { query }: InputOf<typeof listVariants>,
    @Caller() { principal }: CallerContext,
  ) {
    const page = { ...pageRequest(query), merchantId: query.merchant_id };
    const found = await this.catalog.list(principal, 'variants', page);
    return mapOk(found, (rows) => printPage(rows, printVariant));
  }

  @Handles(readVariant)
  async readVariant(
    @Input() { params, query }: InputOf<typeof readVariant>,
    @Caller() { principal }: CallerContext,
  ) {
    const named = { merchantId: query.merchant_id, id: params.variant_id };
    return mapOk(await this.catalog.get(principal, 'variants', named), printVariant);
  }

  @Handles(setPrice)
  async setPrice(
    @Input() { params, body }: InputOf<typeof setPrice>,
    @Caller() caller: CallerContext,
  ) {
    const { merchant_id: merchantId, price } = body;
    const { variant_id: variantId } = params;
    const amountMinor = BigInt(price.amount);
    const set = await this.catalog.set(commandContext(caller), caller.principal, {
      ...NO_CHANGE,
      merchantId,
      prices: [{ variantId, amountMinor, currency: price.currency }],
    });
    if (!set.ok) return set;
    const named = { merchantId, id: variantId };
    return mapOk(await this.catalog.get(caller.principal, 'prices', named), printPrice);
  }

  @Handles(listPrices)
  async listPrices(
    @Input() { query }: InputOf<typeof listPrices>,
    @Caller() { principal }: CallerContext,
  ) {
    const page = { ...pageRequest(query), merchantId: query.merchant_id };
    const found = await this.catalog.list(principal, 'prices', page);
    return mapOk(found, (rows) => printPage(rows, printPrice));
  }

  @Handles(readPrice)
  async readPrice(
    @Input() { params, query }: InputOf<typeof readPrice>,
    @Caller() { principal }: CallerContext,
  ) {
    const named = { merchantId: query.merchant_id, id: params.variant_id };
    return mapOk(await this.catalog.get(principal, 'prices', named), printPrice);
  }

  @Handles(setPolicies)
  async setPolicies(
    @Input() { body }: InputOf<typeof setPolicies>,
    @Caller() caller: CallerContext,
  ) {
    const { merchant_id: merchantId, ...stated } = body;
    const policies = { ...stated, tables: [] };
    const set = await this.catalog.set(commandContext(caller), caller.principal, {
      ...NO_CHANGE,
      merchantId,
      policies,
    });
    return set.ok ? ok(printPolicies(merchantId, policies)) : set;
  }

  @Handles(readPolicies)
  async readPolicies(
    @Input() { query }: InputOf<typeof readPolicies>,
    @Caller() { principal }: CallerContext,
  ) {
    const { merchant_id: merchantId } = query;
    const found = await this.catalog.policies(principal, merchantId);
    return mapOk(found, (policies) => printPolicies(merchantId, policies));
  }
}
