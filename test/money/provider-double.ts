import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ChargeOutcome,
  ChargeRail,
  ConsumedAllow,
  IssueOutcome,
  LinkRail,
  LinkTerms,
  LookUpOutcome,
  RailPayment,
  RefundLookUpOutcome,
  RefundOutcome,
  RefundRail,
} from '../../src/money/payments/index.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import type { MoreRails } from '../../src/money/rails/index.js';
import { closeAfterFile } from '../support/closing.js';

/**
 * What a provider does to a call that moves money.
 *
 * ok            does it and says so
 * reject        says no and does nothing (422)
 * break         breaks before it did anything (500)
 * break_after   does it, then breaks (500)
 * reset         the connection breaks before it did anything
 * reset_after   does it, and the connection breaks before the answer
 * hang          does nothing and never answers
 * slow          does it and answers when the test releases it
 */
export const TROUBLES = [
  'ok',
  'reject',
  'break',
  'break_after',
  'reset',
  'reset_after',
  'hang',
  'slow',
] as const;
export type Trouble = (typeof TROUBLES)[number];

const PERSISTS: readonly Trouble[] = ['ok', 'break_after', 'reset_after', 'slow'];

type Kind = 'links' | 'charges' | 'refunds';

interface Call {
  readonly what: string;
  readonly reference: string;
}

interface Known {
  readonly kind: Kind;
  readonly amount: string;
  readonly currency: string;
  state: 'open' | 'canceled' | 'paid' | 'done' | 'closed';
}

interface Waiter {
  readonly release: () => void;
}

/** A payment provider behind real HTTP on a free port; it keeps its own books and does as it is told. */
export class ProviderDouble {
  trouble: Trouble = 'ok';
  /** Every call that came, in order. */
  readonly calls: Call[] = [];
  readonly #known = new Map<string, Known>();
  readonly #waiting: Waiter[] = [];
  #arrived: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ProviderDouble> {
    const server = createServer();
    const double = new ProviderDouble(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void double.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAfterFile(() => double.stop());
    return double;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next call that moves money has come. */
  nextCall(): Promise<void> {
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  /** Answers every call that is held back. */
  release(): void {
    for (const { release } of this.#waiting.splice(0)) release();
  }

  /** Calls that move money, by our reference. */
  movesOf(reference: string): readonly string[] {
    return this.calls
      .filter((call) => call.reference === reference && call.what.startsWith('POST '))
      .map(({ what }) => what);
  }

  knows(reference: string): Known['state'] | null {
    return this.#known.get(reference)?.state ?? null;
  }

  async stop(): Promise<void> {
    this.release();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Rails that speak to it, for `startTestService`. */
  rails(provider = 'sandbox'): MoreRails {
    const rail = new HttpRail(provider, this.baseUrl);
    return { links: [rail], charges: [rail], refunds: [rail], inquiries: [rail] };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, collection = '', named, verb] = (request.url ?? '').split('/');
    const order = JSON.parse((await textOf(request)) || '{}') as Readonly<Record<string, string>>;
    const reference = named ?? order['reference'] ?? '';
    const method = request.method ?? '';
    this.calls.push({ what: [method, collection, verb].filter(Boolean).join(' '), reference });
    if (method === 'GET') return this.show(response, reference);
    if (verb !== undefined) return this.end(response, reference, verb);
    await this.move(response, reference, { ...order, kind: collection as Kind });
  }

  private async move(
    response: ServerResponse,
    reference: string,
    order: Readonly<Record<string, string>> & { readonly kind: Kind },
  ): Promise<void> {
    const { trouble } = this;
    const { kind, amount = '', currency = '' } = order;
    const state = kind === 'links' ? 'open' : kind === 'charges' ? 'paid' : 'done';
    const isClosed = this.knows(reference) === 'closed';
    if (PERSISTS.includes(trouble) && !isClosed)
      this.#known.set(reference, { kind, amount, currency, state });
    const held =
      trouble === 'hang' || trouble === 'slow'
        ? new Promise<void>((release) => this.#waiting.push({ release }))
        : null;
    this.#arrived();
    await held;
    if (trouble === 'reset' || trouble === 'reset_after' || trouble === 'hang')
      return void response.destroy();
    if (trouble === 'break' || trouble === 'break_after') return send(response, 500, {});
    if (trouble === 'reject' || isClosed) return send(response, 422, { error: 'no' });
    this.show(response, reference);
  }

  private show(response: ServerResponse, reference: string): void {
    const known = this.#known.get(reference);
    if (known === undefined || known.state === 'closed') return send(response, 404, {});
    send(response, 200, {
      reference,
      provider_ref: `p_${reference}`,
      state: known.state,
      amount: known.amount,
      currency: known.currency,
      url: known.kind === 'links' ? `https://pay.example/${reference}` : null,
    });
  }

  /** `cancel` ends a link; `void` closes a reference that is not known, for ever. */
  private end(response: ServerResponse, reference: string, verb: string): void {
    const known = this.#known.get(reference);
    if (verb === 'cancel' && known !== undefined) known.state = 'canceled';
    if (verb === 'void' && known === undefined)
      this.#known.set(reference, { kind: 'links', amount: '', currency: '', state: 'closed' });
    this.show(response, reference);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

interface Said {
  readonly provider_ref: string;
  readonly state: 'open' | 'canceled' | 'paid' | 'done';
  readonly amount: string;
  readonly currency: string;
  readonly url: string | null;
}

type Reply =
  | { readonly kind: 'said'; readonly said: Said }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** The ports of money/payments over HTTP. */
class HttpRail implements LinkRail, ChargeRail, RefundRail, ProviderInquiry {
  constructor(
    readonly provider: string,
    private readonly baseUrl: string,
  ) {}

  async issueLink(
    { parts }: ConsumedAllow,
    terms: LinkTerms,
    deadline: AbortSignal,
  ): Promise<IssueOutcome> {
    const reply = await this.order('links', parts, deadline, { expires_at: terms.expiresAtMs });
    if (reply.kind !== 'said') return noAnswer(reply);
    const { provider_ref: providerRef, url } = reply.said;
    return { kind: 'issued', providerRef, url: url ?? '' };
  }

  async charge({ parts }: ConsumedAllow, deadline: AbortSignal): Promise<ChargeOutcome> {
    const reply = await this.order('charges', parts, deadline);
    if (reply.kind !== 'said') return noAnswer(reply);
    const { reference: captureId } = parts;
    const { provider_ref: providerRef } = reply.said;
    return { kind: 'captured', providerRef, captureId, money: moneyOf(reply.said) };
  }

  async refund(
    { parts }: ConsumedAllow,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundOutcome> {
    const of = { payment: payment.paymentId };
    const reply = await this.order('refunds', parts, deadline, of);
    if (reply.kind === 'said') return { kind: 'done', providerRef: reply.said.provider_ref };
    const no = noAnswer(reply);
    return no.kind === 'rejected' ? { kind: 'failed', detail: no.detail } : no;
  }

  lookUp({ paymentId }: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    return this.foundOf(this.call('GET', `/payments/${paymentId}`, deadline), paymentId);
  }

  settlePayment({ paymentId }: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    return this.foundOf(this.call('POST', `/payments/${paymentId}/void`, deadline), paymentId);
  }

  async cancelLink({ paymentId }: RailPayment, deadline: AbortSignal) {
    const reply = await this.call('POST', `/payments/${paymentId}/cancel`, deadline);
    return { canceled: reply.kind === 'said' };
  }

  lookUpRefund(refundId: string, _payment: RailPayment, deadline: AbortSignal) {
    return refundFound(this.call('GET', `/refunds/${refundId}`, deadline));
  }

  settleRefund(refundId: string, _payment: RailPayment, deadline: AbortSignal) {
    return refundFound(this.call('POST', `/refunds/${refundId}/void`, deadline));
  }

  private order(
    kind: Kind,
    { reference, money }: ConsumedAllow['parts'],
    deadline: AbortSignal,
    more: object = {},
  ): Promise<Reply> {
    const { amountMinor, currency } = money;
    const order = { reference, amount: String(amountMinor), currency, ...more };
    return this.call('POST', `/${kind}`, deadline, order);
  }

  private async foundOf(called: Promise<Reply>, paymentId: string): Promise<LookUpOutcome> {
    const reply = await called;
    if (reply.kind === 'absent') return { kind: 'absent' };
    if (reply.kind !== 'said') return { kind: 'unknown', detail: 'no answer' };
    const { provider_ref: providerRef, url, state } = reply.said;
    const captures = state === 'paid' ? [{ captureId: paymentId, money: moneyOf(reply.said) }] : [];
    return {
      kind: 'found',
      providerRef,
      url,
      state: state === 'done' ? 'open' : state,
      captures,
    };
  }

  private async call(
    method: string,
    path: string,
    deadline: AbortSignal,
    body?: object,
  ): Promise<Reply> {
    try {
      const response = await fetch(`${this.baseUrl}${path}`, {
        method,
        signal: deadline,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return { kind: 'said', said: JSON.parse(text) as Said };
      if (response.status === 404) return { kind: 'absent' };
      if (response.status < 500) return { kind: 'refused' };
      return { kind: 'unknown', detail: String(response.status) };
    } catch {
      return { kind: 'unknown', detail: 'no answer' };
    }
  }
}

const moneyOf = ({ amount, currency }: Said) => ({ amountMinor: BigInt(amount), currency });

const noAnswer = (reply: Exclude<Reply, { readonly kind: 'said' }>) =>
  reply.kind === 'unknown' ? reply : { kind: 'rejected' as const, detail: 'the provider said no' };

async function refundFound(called: Promise<Reply>): Promise<RefundLookUpOutcome> {
  const reply = await called;
  if (reply.kind === 'absent') return { kind: 'absent' };
  if (reply.kind !== 'said') return { kind: 'unknown', detail: 'no answer' };
  return { kind: 'found', providerRef: reply.said.provider_ref, state: 'done' };
}
