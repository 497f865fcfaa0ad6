import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TenantId } from '../../src/core/kernel/index.js';
import type {
  ProviderCall,
  ProviderReply,
  ProviderService,
  ProviderTransport,
} from '../../src/money/rails/provider-call.js';
import { type Behaviour, GOOD_BEHAVIOUR } from '../../src/money/rails/sandbox/behaviour.js';
import { PayPage } from '../../src/money/rails/sandbox/pay-page.js';
import { SandboxProvider } from '../../src/money/rails/sandbox/sandbox-provider.js';
import { findPayment, saveBehaviour } from '../../src/money/rails/sandbox/sandbox.store.js';
import { SandboxChargeRail, SandboxRail } from '../../src/money/rails/sandbox-rail.js';
import { closeAfterFile } from '../support/closing.js';
import { createTestMerchant, createTestTenant, type TestHouse } from '../support/tenants.js';
import type { RailBench } from './rail-contract.js';

/** Long enough that nobody in a test waits for it. */
const SLOW_ANSWER_MS = 60_000;

export const sandboxProvider = ({ database }: Pick<TestHouse, 'database'>): SandboxProvider =>
  new SandboxProvider({
    database,
    payPageUrl: (token) => `http://localhost/pay/${token}`,
    nowMs: Date.now,
    slowAnswerMs: SLOW_ANSWER_MS,
  });

export async function sandboxBench(
  house: TestHouse,
  transport: ProviderTransport,
): Promise<RailBench> {
  const { database } = house;
  const tenant = await createTestTenant(house);
  const { tenantId } = tenant;
  const merchantId = await createTestMerchant(house, tenant);
  const payPage = new PayPage({ database, nowMs: Date.now });
  return {
    tenantId,
    merchantId,
    rail: new SandboxRail(transport),
    charges: new SandboxChargeRail(transport),
    async pay(paymentId) {
      const link = await findPayment(database, tenantId, paymentId);
      await payPage.press(link?.token ?? '', 'pay');
    },
    behave: (behaviour) => behave(house, tenantId, behaviour),
  };
}

/** The whole tenant's behaviour. */
export const behave = (
  { database }: Pick<TestHouse, 'database'>,
  tenantId: TenantId,
  behaviour: Partial<Behaviour>,
): Promise<void> =>
  saveBehaviour(database, { tenantId, merchantId: '' }, { ...GOOD_BEHAVIOUR, ...behaviour });

/** What a provider in between does to an answer. */
export type Spoil = (reply: ProviderReply, call: ProviderCall) => ProviderReply | 'cut';

/** The same provider behind real HTTP, on a free port; `spoil` makes a double of it that misbehaves. */
export async function overHttp(
  service: ProviderService,
  spoil: Spoil = (reply) => reply,
): Promise<ProviderTransport> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const call = await callOf(request);
      const reply = spoil(await service.handle(call), call);
      if (reply === 'cut') return void request.socket.destroy();
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
    };
    // The provider says by rejecting that a connection breaks.
    answer().catch(() => request.socket.destroy());
  });
  closeAfterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async ({ account, method, path, body }, signal) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal,
      headers: { 'x-account': account, connection: 'close' },
      ...(body === null ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
}

async function callOf(request: IncomingMessage): Promise<ProviderCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    account: String(request.headers['x-account']) as TenantId,
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: request.url ?? '/',
    body: text === '' ? null : text,
  };
}
