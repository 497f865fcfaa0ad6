import { type CommandContext, LedgerWriter, sessionOpener } from '../../src/base/ledger/index.js';
import { invariant, type Principal } from '../../src/core/kernel/index.js';
import {
  CARD_TERMS,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  PASSPORT_CAP_MINOR,
  passportToken,
  paymentToken,
  PRODUCTS,
  SHOP,
} from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, cartOf } from '../../src/demo/purchases.js';
import { readAsk } from '../../src/doors/api/decisions/read-request.js';
import {
  agentPaymentRequest,
  handoffRequest,
} from '../../src/doors/api/decisions/request.schema.js';
import {
  Arbiter,
  ARBITER,
  type ArbiterParts,
  Payer,
  type PaymentTerms,
  type PurchaseAsk,
} from '../../src/money/arbiter/index.js';
import { Book } from '../../src/money/book/index.js';
import { LapseWork } from '../../src/money/book/lapse.js';
import { RailDirectory } from '../../src/money/rails/rail-directory.js';
import { PROJECTIONS } from '../../src/projections.js';
import type { Shop } from '../arbiter/shop.js';
import { fresh } from '../arbiter/uses.js';
import { testDatabase } from '../support/database.js';
import type { ProviderDouble } from './provider-double.js';

/** The master secret of `startTestService`: what one wrote, another reads. */
const MASTER_SECRET = Buffer.alloc(32, 0x22);
/** Nobody waits long for a database that a test took away. */
const SHORT = { commandTimeoutMs: 1_000, outcomeTimeoutMs: 1_000, retryPauseMs: 5, flushers: 1 };
const RAIL_BUDGET_MS = 300;

/** What moves money, writing through one writer of its own: as good as a process of its own. */
export interface Bench {
  readonly payer: Payer;
  readonly book: Book;
  close(): Promise<void>;
}

/** `connectionString` null = the database itself; else a way to it that may break. */
export function openBench(
  shop: Shop,
  provider: ProviderDouble,
  connectionString: string | null = null,
): Bench {
  const database = testDatabase().pool;
  const writer = openWriter(connectionString);
  const book = new Book({ database, writer, lapse: new LapseWork({ database, writer }) });
  // The service's own arbiter, but for whom it writes through.
  const arbiter = shop.service.app.get<Arbiter>(ARBITER, { strict: false });
  const parts = Reflect.get(arbiter, 'parts') as ArbiterParts;
  const payer = new Payer({
    arbiter: new Arbiter({ ...parts, writer, book }),
    book,
    rails: new RailDirectory(provider.rails()),
    agentExecutedPaymentEnabled: true,
    railBudgetMs: RAIL_BUDGET_MS,
  });
  return { payer, book, close: () => writer.close() };
}

/** A writer of its own; over a way that may break, one that nobody waits long for. */
export const openWriter = (connectionString: string | null): LedgerWriter =>
  new LedgerWriter({
    openSession: sessionOpener({
      connectionString: connectionString ?? testDatabase().connectionString,
    }),
    projections: PROJECTIONS,
    masterSecret: MASTER_SECRET,
    log: { error: () => undefined },
    limits: connectionString === null ? {} : SHORT,
  });

const agentOf = ({ tenantId, agentId }: Shop): Principal => ({
  tenantId,
  world: 'test',
  role: 'agent',
  apiKeyId: 'key_agent',
  agentId: agentId as Principal['agentId'],
  merchantIds: null,
  scopes: null,
});

export const contextOf = ({ tenantId }: Shop, key: string): CommandContext => ({
  tenantId,
  actor: { role: 'agent', id: 'key_agent' },
  requestId: key,
  idempotency: { scope: `${tenantId} saga`, key, requestHash: key },
});

function askOf(shop: Shop, body: Parameters<typeof readAsk>[0]): PurchaseAsk {
  const ask = readAsk(body, agentOf(shop));
  invariant(ask.ok && ask.value.flow === 'purchase', 'a purchase reads as a purchase');
  return ask.value.purchase;
}

const CART = cartOf(PRODUCTS[0], 1);
/** What {@link handoffAsk} and {@link chargeAsk} come to. */
export const PRICE_MINOR = BigInt(PRODUCTS[0].amountMinor);

export const handoffAsk = (shop: Shop): PurchaseAsk =>
  askOf(shop, handoffRequest.parse({ ...ALLOWED_HANDOFF, cart: CART }));

/** On a payment mandate of its own, which is good once, and a passport: one of its own when none is given. */
export function chargeAsk(shop: Shop, passport = passportOf(shop)): PurchaseAsk {
  const mandate = paymentToken(credential(shop, fresh('mandate')), placeOf(shop), CARD_TERMS);
  const authority = {
    mandate_refs: [CREDENTIAL_IDS.shop.intent, mandate],
    consent_ref: CREDENTIAL_IDS.shop.consent,
    passport_ref: passport,
  };
  const body = { ...ALLOWED_PURCHASE, cart: CART, buyer_authority: authority };
  return askOf(shop, agentPaymentRequest.parse(body));
}

export const passportOf = (shop: Shop): string =>
  passportToken(credential(shop, fresh('passport')), placeOf(shop), {
    consentId: CREDENTIAL_IDS.shop.consent,
    capMinor: PASSPORT_CAP_MINOR,
  });

const placeOf = ({ tenantId, agentId }: Shop) => ({ tenantId, agentId, atMs: FROZEN_AT_MS });

function credential(shop: Shop, id: string) {
  const [slot] = shop.spareSlots;
  invariant(slot !== undefined, 'the seed reserves spare places');
  return { id, merchantId: SHOP, slot };
}

export const termsOf = (orderId: string): PaymentTerms => ({
  orderId,
  provider: 'sandbox',
  lifeMs: 1_800_000,
  description: null,
  returnUrl: null,
});

/** An order whose link was paid, to be refunded. */
export async function paidOrder(shop: Shop, { payer, book }: Bench): Promise<string> {
  const orderId = fresh('order');
  const context = contextOf(shop, fresh('paid'));
  const started = await payer.handOff(context, handoffAsk(shop), termsOf(orderId));
  invariant(started.ok && started.value.kind === 'started', 'a link is issued');
  const { paymentId } = started.value.subject;
  const captured = await book.recordCapture(
    { ...context, idempotency: null },
    {
      captureId: fresh('capture'),
      merchantId: SHOP,
      orderId,
      amountMinor: PRICE_MINOR,
      currency: 'INR',
      authority: null,
    },
    paymentId,
  );
  invariant(captured.ok, 'its money is captured');
  return orderId;
}
