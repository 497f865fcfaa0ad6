import type { Queryable } from '../../../base/platform/index.js';
import { merchants, noSuchMerchant } from '../../../base/tenants/index.js';
import { readRow } from '../../../base/ledger/index.js';
import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import type { ProviderEndpoint, ProviderEndpoints } from '../webhooks/provider-endpoints.js';
import { type Behaviour, GOOD_BEHAVIOUR } from './behaviour.js';
import { recentEvents, type SentEvent } from './sandbox-events.store.js';
import { readBehaviour, saveBehaviour } from './sandbox.store.js';

/** Longest time that a replaced secret still verifies, in seconds. */
export const SECRET_OVERLAP_SECONDS_MAX = 7 * 24 * 3600;
const EVENTS_SHOWN = 50;

type Reader = Pick<Principal, 'tenantId' | 'world' | 'merchantIds'>;

/** The sandbox as its tenant's people see it: how it behaves, what it sent, and its webhook secret. Test world only. */
export class SandboxDesk {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly endpoints: ProviderEndpoints;
    },
  ) {}

  /** How it behaves to one merchant (null = the whole tenant). Problems, in order: forbidden (live), not_found. */
  async behaviour(reader: Reader, merchantId: string | null): Promise<Result<Behaviour, Problem>> {
    const allowed = await this.mayLook(reader, merchantId);
    if (!allowed.ok) return allowed;
    return ok(await readBehaviour(this.dependencies.database, reader.tenantId, merchantId ?? ''));
  }

  /** From now on; what is not named behaves well. Problems as {@link behaviour}. */
  async setBehaviour(
    reader: Reader,
    merchantId: string | null,
    wanted: Partial<Behaviour>,
  ): Promise<Result<Behaviour, Problem>> {
    const allowed = await this.mayLook(reader, merchantId);
    if (!allowed.ok) return allowed;
    const behaviour = { ...GOOD_BEHAVIOUR, ...wanted };
    const place = { tenantId: reader.tenantId, merchantId: merchantId ?? '' };
    await saveBehaviour(this.dependencies.database, place, behaviour);
    return ok(behaviour);
  }

  /** The newest webhooks, newest first. Problem: forbidden (live, or a key that is bound to merchants). */
  async events(reader: Reader): Promise<Result<readonly SentEvent[], Problem>> {
    const allowed = await this.mayLook(reader, null);
    if (!allowed.ok) return allowed;
    return ok(await recentEvents(this.dependencies.database, reader.tenantId, EVENTS_SHOWN));
  }

  /** Problem: forbidden (live). */
  async endpoint(reader: Reader): Promise<Result<ProviderEndpoint, Problem>> {
    if (reader.world !== 'test') return err(TEST_WORLD_ONLY);
    return ok(await this.dependencies.endpoints.ofTenant(reader.tenantId, 'sandbox'));
  }

  /** A new webhook secret; the old one verifies for so long. Problem: forbidden (live). */
  async rotateSecret(
    reader: Reader,
    overlapSeconds: number,
  ): Promise<Result<ProviderEndpoint, Problem>> {
    if (reader.world !== 'test') return err(TEST_WORLD_ONLY);
    const { endpoints } = this.dependencies;
    return ok(await endpoints.rotate(reader.tenantId, 'sandbox', overlapSeconds * 1_000));
  }

  private async mayLook(reader: Reader, merchantId: string | null): Promise<Result<null, Problem>> {
    if (reader.world !== 'test') return err(TEST_WORLD_ONLY);
    const { tenantId, merchantIds } = reader;
    // The whole tenant's behaviour is nothing for a key that is bound to merchants.
    if (merchantId === null) return merchantIds === null ? ok(null) : err(OF_THE_TENANT);
    const isBound = merchantIds === null || merchantIds.includes(merchantId);
    const merchant = isBound
      ? await readRow(this.dependencies.database, merchants, { tenantId, key: [merchantId] })
      : undefined;
    return merchant === undefined ? err(noSuchMerchant(merchantId, '/merchant_id')) : ok(null);
  }
}

const TEST_WORLD_ONLY = problem('forbidden', 'The sandbox is for tenants of the test world.', {
  fix: 'Use a key of a test tenant (ak_test_…); a live tenant pays at a real provider.',
});
const OF_THE_TENANT = problem('forbidden', 'This key is bound to merchants.', {
  fix: 'Name one of its merchants where the route takes one, or use a key of the whole tenant.',
});
