import { randomUUID } from 'node:crypto';
import type { TenantId } from '../../src/core/kernel/index.js';
import { demoRooms } from '../../src/demo/demo-rooms.js';
import { type DemoRole, FROZEN_AT_MS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { seedDemoTenant, type SeededTenant } from '../../src/demo/seed.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';

export interface Answer {
  readonly status: number;
  /** The parsed body; tests look into it as they like. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly as?: DemoRole;
  /** Instead of a role's key. */
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The body is a text, sent as a CSV table. */
  readonly csv?: boolean;
}

/** A tenant of a test's own, seeded like the frozen demo tenant, reached over HTTP. */
export interface Shop extends SeededTenant {
  readonly service: TestService;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** `POST /v1/decisions` as the agent. */
  ask(body: unknown, options?: CallOptions): Promise<Answer>;
  entryCount(): Promise<number>;
}

/** `frozenAtMs` null: on real time, with ids and salts that nobody can foretell. */
export async function openShop(
  service: TestService,
  frozenAtMs: number | null = FROZEN_AT_MS,
): Promise<Shop> {
  const tenantId: TenantId = `tnt_${randomUUID().replaceAll('-', '')}`;
  const spec = { tenantId, name: 'a shop', frozenAtMs, isWitnessed: false };
  const seeded = await seedDemoTenant(demoRooms(service.app), spec);
  if (!seeded.ok) throw new Error(JSON.stringify(seeded.error));
  const call: Shop['call'] = async (method, path, options = {}) => {
    const apiKey = options.apiKey ?? seeded.value.apiKeys[options.as ?? 'agent'];
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(options.body === undefined
          ? {}
          : { 'content-type': options.csv === true ? 'text/csv' : 'application/json' }),
        ...(options.idempotencyKey === undefined
          ? {}
          : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(options.body === undefined
        ? {}
        : { body: options.csv === true ? (options.body as string) : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const isJson = /json(?:;|$)/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
  };
  return {
    ...seeded.value,
    service,
    call,
    ask: (body, options) => call('POST', '/v1/decisions', { ...options, body }),
    async entryCount() {
      const { rows } = await testDatabase().pool.query<{ count: string }>(
        'SELECT count(*) FROM entries WHERE tenant_id = $1',
        [tenantId],
      );
      return Number(rows[0]?.count);
    },
  };
}

/** Both merchants' switch; the deployment has one of its own. */
export async function switchAgentPayment(shop: Shop, enabled: boolean): Promise<void> {
  for (const merchantId of [SHOP, STALL]) {
    const path = `/v1/merchants/${merchantId}/agent-payment`;
    const answer = await shop.call('PUT', path, { as: 'tenant_admin', body: { enabled } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

export { startTestService };
