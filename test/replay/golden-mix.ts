import {
  artifactIdOf,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  PRODUCTS,
  SHOP,
  STALL,
} from '../../src/demo/demo-world.js';
import {
  ABOVE_THE_PASSPORT,
  ALLOWED_HANDOFF,
  ALLOWED_PURCHASE,
  cartOf,
  SHOP_AUTHORITY,
} from '../../src/demo/purchases.js';
import { refusalsByRule, REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import { type Shop, switchAgentPayment } from '../arbiter/shop.js';
import { GoldenTokens, inr, SECONDS, signedByAnother } from './golden-tokens.js';

const [CHAI, KETTLE, SAMOVAR] = PRODUCTS;
const { shop: IDS } = CREDENTIAL_IDS;

/**
 * One tenant's day with decisions of every kind that requests can bring about: what is asked, by claims that are wrong in
 * one place each, by facts, limits, rails and refunds, as a dry run and for real. The same requests at every ruleset.
 * Every rule runs every time, so one request is wrong for several of them at once where that keeps the ledger short.
 */
export async function liveThrough(shop: Shop): Promise<void> {
  const day = new Day(shop);
  for (const body of [ALLOWED_PURCHASE, ABOVE_THE_PASSPORT]) await shop.ask(body);
  await switchAgentPayment(shop, true);
  for (const { body } of refusalsByRule(shop)) await shop.ask(body);
  await day.handoffs();
  await day.authority();
  await day.intents();
  await day.rails();
  await day.limits();
  await day.refunds();
  await day.claims();
}

/** After everything else: facts grow old when the clock moves, and what is withdrawn stays so. */
export async function growOld(shop: Shop): Promise<void> {
  const day = new Day(shop);
  await day.withdrawn();
  for (const afterMs of [61_000, 301_000, 601_000, 7 * 3_600_000]) {
    await day.set('PUT', '/v1/test-clock', { now: new Date(FROZEN_AT_MS + afterMs).toISOString() });
    await shop.ask(ALLOWED_HANDOFF);
  }
  await shop.ask(ALLOWED_PURCHASE);
}

class Day {
  private names = 0;
  private readonly tokens: GoldenTokens;

  constructor(private readonly shop: Shop) {
    this.tokens = new GoldenTokens(shop);
  }

  async set(method: string, path: string, body: unknown): Promise<void> {
    const answer = await this.shop.call(method, path, { as: 'tenant_admin', body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }

  private fresh = (what: string): string => `golden-${what}-${(this.names += 1)}`;

  private handoff = (cart: object, more: object = {}) =>
    this.shop.ask({ ...ALLOWED_HANDOFF, cart, ...more });

  private pay = (authority: object, more: object = {}) =>
    this.shop.ask({
      ...ALLOWED_PURCHASE,
      buyer_authority: { ...SHOP_AUTHORITY, ...authority },
      ...more,
    });

  async handoffs(): Promise<void> {
    for (const body of [ALLOWED_HANDOFF, REVOKED_HANDOFF]) await this.shop.ask(body);
    const line = (change: object, amount: number) => ({
      currency: 'INR',
      lines: [
        {
          product_id: CHAI.productId,
          variant_id: CHAI.variantId,
          quantity: 1,
          unit_price: inr(amount),
          ...change,
        },
      ],
      total: inr(amount),
    });
    await this.handoff(line({}, 45_899));
    await this.handoff(line({ product_id: 'tea-of-nobody' }, 45_900));
    await this.handoff(line({ product_id: KETTLE.productId }, 45_900));
    await this.handoff(cartOf(CHAI, 101));
    await this.handoff(cartOf(SAMOVAR, 1));
    await this.handoff(cartOf(CHAI, 1), { artifacts: ['artifact-of-nobody'] });
    const usd = { amount: '45900', currency: 'USD' };
    await this.handoff({
      ...line({}, 45_900),
      currency: 'USD',
      lines: [{ ...line({}, 45_900).lines[0], unit_price: usd }],
      total: usd,
    });
  }

  /** Mandate, consent and passport, each wrong in another way. */
  async authority(): Promise<void> {
    const [mandates, consents, passports] = [
      await this.wrongMandates(),
      await this.wrongConsents(),
      await this.wrongPassports(),
    ];
    for (const [index, mandate] of mandates.entries())
      await this.pay({
        mandate_refs: mandate === null ? [] : [IDS.intent, mandate],
        consent_ref: consents[index] ?? IDS.consent,
        passport_ref: passports[index] ?? IDS.passport,
      });
  }

  private async wrongMandates(): Promise<readonly (string | null)[]> {
    const token = await this.tokens.mandate();
    return [
      null,
      `${token.slice(0, -4)}AAAA`,
      signedByAnother(token),
      ...(await each(
        [
          { exp: SECONDS - 1 },
          { iat: SECONDS + 31 },
          { merchant_ids: [STALL] },
          { agent_id: 'agt_of_nobody' },
          { sub: 'another-buyer' },
          { cap: inr(91_799) },
          { cap: { amount: '91800', currency: 'USD' } },
          { kind: 'cart', payment: undefined, cart_hash: '00'.repeat(32) },
          { parent: IDS.intent },
        ],
        (change) => this.tokens.mandate(change),
      )),
    ];
  }

  private async wrongConsents(): Promise<readonly string[]> {
    return each(
      [
        { state: 'denied' },
        { exp: SECONDS },
        { nbf: SECONDS + 1 },
        { merchant_id: STALL },
        { agent_id: 'agt_of_nobody' },
        { sub: 'another-buyer' },
        {},
      ],
      (change) => this.tokens.consent(change),
    );
  }

  private async wrongPassports(): Promise<readonly string[]> {
    return each(
      [
        { env: 'live' },
        { merchant_id: STALL },
        { agent_id: 'agt_of_nobody' },
        { sub: 'another-buyer' },
        { passport_type: 'browse' },
        { scopes: ['commerce:checkout.create'] },
        { currency: 'USD' },
        { exp: SECONDS + 601 },
        { exp: SECONDS },
        { nbf: SECONDS + 1 },
        { max_amount: 91_799 },
        { max_amount: 91_800 },
      ],
      (change) => this.tokens.passport(change),
    );
  }

  async intents(): Promise<void> {
    for (const change of [{ cap: inr(91_799) }, { cap: { amount: '91800', currency: 'USD' } }])
      await this.pay({ mandate_refs: [await this.tokens.intent(change), IDS.payment] });
    await this.pay({ mandate_refs: [IDS.payment] });
    await this.pay({ mandate_refs: [IDS.intent, await this.tokens.intent(), IDS.payment] });
  }

  async rails(): Promise<void> {
    for (const [rail, event] of [
      ['upi_autopay', 'first_debit'],
      ['upi_autopay', 'subsequent_debit'],
      ['upi_reserve_pay', 'block_debit'],
      ['upi_once', 'one_time'],
      ['bank_transfer', 'one_time'],
    ]) {
      const payment = { rail, event, country: 'IN' };
      await this.pay({ mandate_refs: [IDS.intent, await this.tokens.mandate({ payment })] });
    }
    await this.pay({
      mandate_refs: [IDS.intent, IDS.payment, await this.tokens.mandate()],
    });
  }

  async limits(): Promise<void> {
    const currencies = [
      { currency: 'INR', order_max_minor: '5000000', daily_max_minor: '20000000' },
    ];
    const absent = {
      currency: 'INR',
      order_max_minor: '1000000',
      items_max: 5,
      daily_max_minor: '3000000',
    };
    const limits = { currencies, items_max: 20, not_present: absent };
    const inrAmounts = (order: string, daily: string | null) => [
      { currency: 'INR', order_max_minor: order, daily_max_minor: daily },
    ];
    const set = (change: object) =>
      this.set('PUT', `/v1/merchants/${SHOP}/limits`, { ...limits, ...change });
    for (const change of [
      { items_max: 1, not_present: { ...absent, items_max: 1 } },
      { currencies: inrAmounts('91799', null), not_present: null },
      { currencies: [{ currency: 'JPY', order_max_minor: '10' }], not_present: null },
      { currencies: inrAmounts('91800', '91800'), not_present: null },
    ]) {
      await set(change);
      await this.shop.ask(ALLOWED_HANDOFF);
    }
    await this.shop.ask(ALLOWED_PURCHASE);
    for (const change of [
      { not_present: { ...absent, order_max_minor: '91799', daily_max_minor: null } },
      { not_present: { ...absent, items_max: 1 } },
      {},
    ]) {
      await set(change);
      await this.shop.ask(ALLOWED_PURCHASE);
    }
  }

  private async capture(orderId: string, amount: number): Promise<void> {
    const captureId = this.fresh('capture');
    await this.shop.call('POST', '/v1/captures', {
      as: 'merchant_system',
      idempotencyKey: captureId,
      body: {
        capture_id: captureId,
        merchant_id: SHOP,
        order_id: orderId,
        amount: inr(amount),
      },
    });
  }

  private refund = (orderId: string, amount: object) =>
    this.shop.ask(
      { flow: 'refund', merchant_id: SHOP, order_id: orderId, amount },
      { as: 'merchant_system', idempotencyKey: this.fresh('refund') },
    );

  /** Money of a day, until it is full; and money given back. */
  async refunds(): Promise<void> {
    const order = this.fresh('order');
    await this.refund(order, inr(1));
    await this.capture(order, 91_800);
    await this.refund(order, inr(40_000));
    await this.refund(order, inr(51_801));
    await this.refund(order, { amount: '1', currency: 'USD' });
    await this.refund(order, inr(51_800));
    await this.refund(order, inr(1));
    await this.capture(this.fresh('order'), 19_700_000);
    for (const quantity of [1, 4, 5]) await this.handoff(cartOf(CHAI, quantity));
    await this.shop.ask(ALLOWED_PURCHASE);
  }

  /** The test world, where a tenant may let callers speak for themselves. */
  async claims(): Promise<void> {
    await this.set('PATCH', '/v1/tenant', { caller_asserted_allowed: true });
    const soon = new Date(FROZEN_AT_MS + 600_000).toISOString();
    const claimed = {
      mandate_refs: ['mandate-that-is-claimed'],
      mandate_expires_at: soon,
      consent_ref: 'consent-that-is-claimed',
      consent_state: 'granted',
      consent_expires_at: soon,
      passport_ref: 'passport-that-is-claimed',
      passport_max_amount_minor_units: 200_000,
      passport_currency: 'INR',
      passport_expires_at: soon,
    };
    for (const change of [{}, { consent_state: 'denied', passport_max_amount_minor_units: 1 }])
      await this.shop.ask({ ...ALLOWED_PURCHASE, buyer_authority: { ...claimed, ...change } });
    await this.set('PATCH', '/v1/tenant', { caller_asserted_allowed: false });
  }

  /** Withdrawn for good, one after the other. */
  async withdrawn(): Promise<void> {
    const price = artifactIdOf({ merchantId: SHOP, type: 'price', product: KETTLE });
    for (const [subject, status, body] of [
      [price, 'suspended', { flow: 'handoff', merchant_id: SHOP, cart: cartOf(KETTLE, 1) }],
      [price, 'revoked', { flow: 'handoff', merchant_id: SHOP, cart: cartOf(KETTLE, 1) }],
      [IDS.consent, 'revoked', null],
      [IDS.passport, 'suspended', ALLOWED_PURCHASE],
      [IDS.intent, 'revoked', ALLOWED_PURCHASE],
    ] as const) {
      await this.set('POST', '/v1/revocations', {
        subject_id: subject,
        status,
        reason_code: 'other',
      });
      if (body !== null) await this.shop.ask(body);
    }
  }
}

async function each<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
