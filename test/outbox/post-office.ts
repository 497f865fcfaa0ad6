import { KeyWrapping } from '../../src/base/keys/index.js';
import { WebhookDeliveries } from '../../src/base/outbox/deliveries.js';
import { WebhookEndpoints } from '../../src/base/outbox/endpoints.js';
import { handOut } from '../../src/base/outbox/hand-out.js';
import { WebhookSender } from '../../src/base/outbox/sender.js';
import { webhookOf, WebhookSources } from '../../src/base/outbox/webhook-source.js';
import type { WebhookDelivery } from '../../src/base/outbox/deliveries.store.js';
import { createOutboundClient } from '../../src/base/platform/index.js';
import { agentCreated } from '../../src/base/tenants/agents.ledger.js';
import { testDatabase } from '../support/database.js';
import {
  createTestTenant,
  testHouse,
  type TestHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';
import { startReceiver } from './receiver.js';

/** Stands for any event that a room makes a webhook: a new agent is told as a refusal. */
export const agentWebhooks = webhookOf(agentCreated, (data) =>
  data.name === 'unheard'
    ? null
    : { type: 'decision.refused', merchantId: null, data: { name: data.name } },
);

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 0x11);

/** The outbox of one service process on a test house. Its clock is real time plus what a test adds. */
export function postOffice(house: TestHouse) {
  const { pool } = testDatabase();
  const clock = { aheadMs: 0 };
  const nowMs = () => Date.now() + clock.aheadMs;
  const wrapping = new KeyWrapping(KEY_ENCRYPTION_KEY);
  const { writer, database, signingKeys } = house;
  const logged: unknown[] = [];
  const parts = { pool, sources: new WebhookSources([agentWebhooks]), nowMs };
  const sender = new WebhookSender({
    ...parts,
    writer,
    signingKeys,
    wrapping,
    outbound: {
      test: createOutboundClient({ allowLoopbackPeers: true, nowMs }),
      live: createOutboundClient({ allowLoopbackPeers: false, nowMs }),
    },
    log: { error: (...line) => logged.push(line) },
    jitter: () => 0.5,
  });
  const shared = { database, nowMs };
  return {
    clock,
    nowMs,
    logged,
    sender,
    deliveries: new WebhookDeliveries(shared),
    endpoints: new WebhookEndpoints({ ...shared, writer, wrapping, allowLoopbackPeers: true }),
    handOut: (tenantId: TestTenant['tenantId']) => handOut(parts, { tenantId, limit: 100 }),
    /** Sends what is due for a tenant and waits for it; answers how many tries that were. */
    async send(tenantId: TestTenant['tenantId']): Promise<number> {
      const begun = await sender.begin({ tenantId, limit: 100 });
      await sender.idle();
      return begun;
    },
  };
}
export type PostOffice = ReturnType<typeof postOffice>;

/** A tenant with one endpoint, and its secret. */
async function subscriber(house: TestHouse, office: PostOffice, url: string) {
  const tenant = await createTestTenant(house);
  const draft = { url, eventTypes: ['decision.refused'] as const, merchantId: null };
  const created = valueOf(await office.endpoints.create(tenant.context(), tenant.admin, draft));
  return { tenant, tenantId: tenant.tenantId, endpoint: created, secret: created.secret ?? '' };
}

/** A house with an outbox, a receiver, and a tenant that subscribed to it. */
export async function scene() {
  const home = testHouse();
  const office = postOffice(home);
  const receiver = await startReceiver();
  return { home, office, receiver, ...(await subscriber(home, office, receiver.url)) };
}

/** Something happens, and is handed out. */
export async function happen(
  house: TestHouse,
  office: PostOffice,
  { tenant, name = 'a' }: { tenant: TestTenant; name?: string },
): Promise<void> {
  valueOf(await house.rooms.agents.create(tenant.context(), name));
  while ((await office.handOut(tenant.tenantId)) > 0);
}

export async function deliveriesOf(
  office: PostOffice,
  { admin }: TestTenant,
): Promise<readonly WebhookDelivery[]> {
  const all = { endpointId: null, status: null };
  return (await office.deliveries.list(admin, all, { after: null, size: 100 })).items;
}
