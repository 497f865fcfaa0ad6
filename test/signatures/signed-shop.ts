import type { CanonicalValue } from '../../src/core/kernel/index.js';
import type { DemoRole } from '../../src/demo/demo-world.js';
import { openStorefront, type Storefront } from '../storefront/storefront.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { type Received, send, type Sent, type SigningAgent } from './signing-agent.js';

export type Signed = 'verified' | 'unsigned' | 'invalid' | 'unverified';
export type SignatureModeName = 'log' | 'enforce';

export interface ApiCall {
  readonly as?: DemoRole;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Where agents' signatures say that their key is published, and where another key is. */
export const OTHER_KEYS = '/others';

/** A request of that signature. `invalid`: signed for another path; `unverified`: with a key that its directory has not. */
export function signedAs(
  agent: SigningAgent,
  signed: Signed,
  sent: Sent,
): Promise<Sent['headers']> {
  if (signed === 'unsigned') return Promise.resolve(sent.headers ?? {});
  if (signed === 'verified') return agent.sign(sent);
  return signed === 'invalid'
    ? agent.sign({ ...sent, path: `${sent.path}-other` })
    : agent.sign(sent, { agentUrl: `${agent.url}${OTHER_KEYS}` });
}

/** A shop in a mode, with an origin of its own. */
export async function shopInMode(
  service: TestService,
  mode: SignatureModeName | null,
  allowedAgents: readonly string[] | null = null,
): Promise<Storefront> {
  const front = await openStorefront(service);
  await setSignatures(front, mode, allowedAgents);
  return front;
}

export async function setSignatures(
  { shop }: Pick<Storefront, 'shop'>,
  mode: SignatureModeName | null,
  allowedAgents: readonly string[] | null = null,
): Promise<void> {
  const set = await shop.call('PUT', '/v1/signatures/settings', {
    as: 'tenant_admin',
    body: { mode, allowed_agents: allowedAgents },
  });
  if (set.status !== 200) throw new Error(JSON.stringify(set.body));
}

/** A call of the API at the shop's origin, signed. */
export async function signedCall(
  front: Storefront,
  agent: SigningAgent,
  { as = 'agent', method, path, body, idempotencyKey }: ApiCall & { readonly signed?: Signed },
  signed: Signed = 'verified',
): Promise<Received> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${front.shop.apiKeys[as]}`,
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const sent: Sent = { host: front.host, method, path, headers, body };
  const all = await signedAs(agent, signed, sent);
  return send(front.shop.service, { ...sent, headers: all ?? {} });
}

export interface EntryBody {
  readonly type: string;
  readonly request_id: string;
  readonly signature?: Readonly<Record<string, CanonicalValue>>;
  readonly data: Readonly<Record<string, CanonicalValue>>;
}

/** Bodies of the entries that a request wrote. */
export async function entriesOfRequest(
  tenantId: string,
  { headers }: Received,
): Promise<readonly EntryBody[]> {
  const { rows } = await testDatabase().pool.query<{ body: string }>(
    'SELECT body FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  const requestId = String(headers['request-id']);
  return rows
    .map(({ body }) => JSON.parse(body) as EntryBody)
    .filter(({ request_id }) => request_id === requestId);
}
