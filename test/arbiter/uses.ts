import type { CanonicalValue } from '../../src/core/kernel/index.js';
import { canonicalize } from '../../src/core/kernel/index.js';
import { decisionCodec, recheckPurchase } from '../../src/core/rules/index.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { decisionRecorded } from '../../src/money/arbiter/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { SHOP } from '../../src/demo/demo-world.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import type { Answer, CallOptions, Shop } from './shop.js';

let names = 0;
export const fresh = (what: string): string => `${what}-${(names += 1)}`;

export const inr = (amount: number | bigint) => ({ amount: String(amount), currency: 'INR' });

/** `POST /v1/decisions/{id}/consume` as the merchant's system, for an order of its own. */
export function consume(
  shop: Shop,
  decisionId: string,
  body: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<Answer> {
  return shop.call('POST', `/v1/decisions/${decisionId}/consume`, {
    as: 'merchant_system',
    idempotencyKey: fresh('use'),
    body: { order_id: fresh('order'), provider: 'merchant', ...body },
    ...options,
  });
}

/** The same tenant through another process. */
export const throughAnotherService = (shop: Shop, service: TestService): Shop => ({
  ...shop,
  service,
  async call(method, path, options = {}) {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${shop.apiKeys[options.as ?? 'agent']}`,
        'content-type': 'application/json',
        'idempotency-key': options.idempotencyKey ?? '',
      },
      body: JSON.stringify(options.body),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  },
});

/** An allowed decision's id. */
export async function allowed(shop: Shop, body: unknown): Promise<string> {
  const answer = await shop.ask(body);
  if (answer.body.outcome !== 'allow' || answer.body.allow === null)
    throw new Error(JSON.stringify(answer.body));
  return String(answer.body.decision_id);
}

/** Commerce time of the tenant, `afterMs` after it was frozen. */
export async function moveClock(shop: Shop, atMs: number): Promise<void> {
  const now = new Date(atMs).toISOString();
  const moved = await shop.call('PUT', '/v1/test-clock', { as: 'tenant_admin', body: { now } });
  if (moved.status !== 200) throw new Error(JSON.stringify(moved.body));
}

export interface StoredEntry {
  readonly seq: number;
  readonly type: string;
  readonly atMs: number;
  readonly data: Readonly<Record<string, CanonicalValue>>;
}

export async function entriesOf(shop: Shop, types: readonly string[]): Promise<StoredEntry[]> {
  const { rows } = await testDatabase().pool.query<{ seq: string; at_ms: string; body: string }>(
    'SELECT seq, at_ms, body FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [shop.tenantId],
  );
  return rows
    .map(({ seq, at_ms, body }) => {
      const { type, data } = JSON.parse(body) as Pick<StoredEntry, 'type' | 'data'>;
      return { seq: Number(seq), atMs: Number(at_ms), type, data };
    })
    .filter(({ type }) => types.includes(type));
}

/** Judges a refused re-check again from its entry alone: both forms of the decision, word for word. */
export async function replayedRecheck(shop: Shop, decisionId: string) {
  const entry = (await entriesOf(shop, [decisionRecorded.type])).find(
    ({ data }) => data['decision_id'] === decisionId,
  );
  if (entry === undefined) throw new Error(`no decision ${decisionId}`);
  const recorded = decisionRecorded.data.decode(entry.data, 'data');
  if (recorded.judged.kind !== 'purchase' || recorded.recheck === null)
    throw new Error('it is no re-check of a purchase');
  const { facts, counters } = recorded.judged;
  const again = recheckPurchase(
    { facts, counters, atMs: entry.atMs },
    recorded.recheck.decidedAtMs,
  );
  return {
    recheck: recorded.recheck,
    stored: canonicalize(entry.data['decision'] as CanonicalValue),
    again: canonicalize(decisionCodec.encode(again)),
  };
}

/** The ledger folded again finds the same tables. */
export async function differencesOf({ tenantId }: Pick<Shop, 'tenantId'>) {
  const connection = await testDatabase().pool.connect();
  try {
    const options = { projections: PROJECTIONS, sealer: null };
    return (await checkRebuild(connection, tenantId, options)).differences;
  } finally {
    connection.release();
  }
}

export const SHOP_PATH = `/v1/merchants/${SHOP}`;
