import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import {
  type CommandContext,
  DUE_WORKS,
  type DueWorks,
  event,
  type LedgerEvent,
  WRITER,
  type Writer,
} from '../../src/base/ledger/index.js';
import { err, ok, problem, type TenantId } from '../../src/core/kernel/index.js';
import { FROZEN_AT_MS, SHOP } from '../../src/demo/demo-world.js';
import {
  type PaymentRow,
  readPayment,
  readRefund,
  refundAllowed,
  startPayment,
  startPaymentReads,
  submitRefund,
  submitRefundReads,
} from '../../src/money/book/index.js';
import { consumedAllow } from '../../src/money/payments/consumed-allow.js';
import {
  type ConsumedAllow,
  type LinkTerms,
  paymentIdOf,
  type PaymentKind,
  RAILS,
  type Rails,
  refundIdOf,
} from '../../src/money/payments/index.js';
import { valueOf } from '../support/tenants.js';
import type { Shop } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { newDecisionId } from './rail-contract.js';

export const LINK_MINOR = 91_800n;

export const contextOf = (tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'test' },
  requestId: randomUUID(),
  idempotency: null,
});

/** A payment whose allow was used: it is `issuing`, and no provider was called yet. */
export interface Started {
  readonly paymentId: string;
  readonly orderId: string;
  readonly allow: ConsumedAllow;
  readonly expiresAtMs: number;
}

/** As the consuming transaction leaves it, without the arbiter before it. */
export async function started(
  shop: Pick<Shop, 'tenantId' | 'service'>,
  {
    kind = 'link',
    amountMinor = LINK_MINOR,
    currency = 'INR',
    provider = 'sandbox',
  }: {
    kind?: PaymentKind;
    amountMinor?: bigint;
    currency?: string;
    provider?: string;
  } = {},
): Promise<Started> {
  const { tenantId } = shop;
  const decisionId = newDecisionId();
  const orderId = `order-${decisionId.slice(-8)}`;
  const expiresAtMs = FROZEN_AT_MS + 1_800_000;
  const toStart = {
    payment: {
      decisionId,
      kind,
      merchantId: SHOP,
      orderId,
      amountMinor,
      currency,
      provider,
      buyerAway: false,
      passportRef: null,
      intentRefs: [],
    },
    expiresAtMs: kind === 'link' ? expiresAtMs : null,
    lines: [],
  };
  await run(shop, startPaymentReads(toStart), (view, moment) => {
    const events = startPayment(view, moment, toStart);
    return events.ok ? events.value : JSON.stringify(events.error);
  });
  const allow = consumedAllow({
    tenantId,
    decisionId,
    reference: paymentIdOf(decisionId),
    flow: kind === 'link' ? 'handoff' : 'agent_payment',
    merchantId: SHOP,
    orderId,
    money: { amountMinor, currency },
    usedAtMs: FROZEN_AT_MS,
    usedEntrySeq: 1,
  });
  return { paymentId: paymentIdOf(decisionId), orderId, allow, expiresAtMs };
}

type Reads = ReturnType<typeof startPaymentReads>;
type Decide = (
  view: Parameters<typeof startPayment>[0],
  moment: Parameters<typeof startPayment>[1],
) => readonly LedgerEvent[] | string;

async function run(
  { tenantId, service }: Pick<Shop, 'tenantId' | 'service'>,
  reads: Reads,
  decide: Decide,
): Promise<void> {
  const done = await service.app.get<Writer>(WRITER).execute({
    ...contextOf(tenantId),
    name: 'test.run',
    reads,
    decide(view, moment) {
      const events = decide(view, moment);
      if (typeof events !== 'string') return ok({ events });
      return err(problem('conflict', events, { fix: 'Mend the test.' }));
    },
    answer: () => null,
  });
  valueOf(done);
}

export const railsOf = ({ service }: Pick<Shop, 'service'>): Rails => service.app.get<Rails>(RAILS);

/** Asks the sandbox for the link, and answers with its pay page's address on this service. */
export async function issued(
  shop: Shop,
  { allow, expiresAtMs }: Started,
  terms: Partial<LinkTerms> = {},
): Promise<string> {
  const rail = railsOf(shop).linkRail('sandbox');
  const outcome = await rail?.issueLink(
    allow,
    { expiresAtMs, description: null, returnUrl: null, ...terms },
    AbortSignal.timeout(5_000),
  );
  if (outcome?.kind !== 'issued') throw new Error(JSON.stringify(outcome));
  return outcome.url;
}

/** What a browser does when a button is pressed. */
export const press = (url: string, button: string): Promise<Response> =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ press: button }) });

export const sweep = ({ service, tenantId }: Pick<Shop, 'service' | 'tenantId'>) =>
  service.app.get<DueWorks>(DUE_WORKS).sweep(tenantId);

export async function paymentOf(shop: Shop, { paymentId }: Pick<Started, 'paymentId'>) {
  const row = await readPayment(testDatabase().pool, shop.tenantId, paymentId);
  if (row === undefined) throw new Error(`no payment ${paymentId}`);
  return row;
}

/** Sweeps until it is so: another process's sweep may hold the lease of what is waited for. */
export const eventually = <Value>(shop: Shop, check: () => Promise<Value>): Promise<Value> =>
  vi.waitFor(
    async () => {
      await sweep(shop);
      return check();
    },
    { timeout: 15_000, interval: 50 },
  );

/** A refund whose allow was used, of a paid payment; no provider was called yet. */
export async function submitted(
  shop: Shop,
  payment: PaymentRow,
  amountMinor: bigint,
): Promise<{ readonly refundId: string; readonly allow: ConsumedAllow }> {
  const decisionId = newDecisionId();
  const refundId = refundIdOf(decisionId);
  const { merchantId, orderId, currency, paymentId } = payment;
  const allowed = { decisionId, merchantId, orderId, amountMinor, currency };
  await run(shop, [], () => [event(refundAllowed, { ...allowed, allowExpiresAtMs: null })]);
  const toSubmit = { refundId, paymentId, provider: 'sandbox' };
  await run(shop, submitRefundReads(toSubmit), (view) => {
    const events = submitRefund(view, toSubmit);
    return events.ok ? events.value : JSON.stringify(events.error);
  });
  const allow = consumedAllow({
    tenantId: shop.tenantId,
    decisionId,
    reference: refundId,
    flow: 'refund',
    merchantId,
    orderId,
    money: { amountMinor, currency },
    usedAtMs: FROZEN_AT_MS,
    usedEntrySeq: 1,
  });
  return { refundId, allow };
}

export const refundOf = async (shop: Shop, refundId: string) =>
  readRefund(testDatabase().pool, shop.tenantId, refundId);

/** A tenant's webhook endpoint and what signs for it. */
export interface Endpoint {
  readonly path: string;
  readonly secret: string;
}

export async function rotatedEndpoint(shop: Shop, overlapSeconds = 60): Promise<Endpoint> {
  const { body } = await shop.call('POST', '/v1/sandbox/webhook-secret', {
    as: 'tenant_admin',
    body: { overlap_seconds: overlapSeconds },
  });
  return { path: String(body.webhook_path), secret: String(body.secret) };
}

export interface Message {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const message = (
  paymentId: string,
  {
    id = `evt_${randomUUID()}`,
    type = 'link.paid',
    data = {},
  }: {
    id?: string;
    type?: string;
    data?: Readonly<Record<string, unknown>>;
  } = {},
): Message => ({
  id,
  type,
  created_at: '2026-11-30T09:30:00.000Z',
  data: {
    merchant_reference: paymentId,
    provider_ref: 'sbx_test',
    capture_id: type === 'link.paid' ? `cap_${id}` : null,
    amount: { amount: LINK_MINOR.toString(), currency: 'INR' },
    ...data,
  },
});

export interface Sending {
  readonly at?: Date;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends bytes as the provider would, with whatever a test wants to be wrong. */
export async function send(
  shop: Pick<Shop, 'service'>,
  { path, secret }: Endpoint,
  { body, at = new Date(), id, headers = {} }: Sending & { readonly body: unknown },
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const eventId = id ?? (body as Partial<Message>).id ?? 'evt_none';
  const response = await fetch(`${shop.service.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(eventId, at, text),
      ...headers,
    },
    body: text,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
