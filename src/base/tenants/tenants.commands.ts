import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type TenantId,
  type World,
} from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  dataOf,
  event,
  openLedger,
} from '../ledger/index.js';
import { type NewApiKey, newApiKeyEvent, type ShownApiKey } from './api-keys.commands.js';
import { tenantChanged, tenantCreated, tenants } from './tenants.ledger.js';

export interface NewTenant {
  readonly world: World;
  readonly name: string;
  readonly siblingTenantId: TenantId | null;
  readonly callerAssertedAllowed: boolean;
  readonly sealingKid: string | null;
  /** Test world only: a clock that stands still from the first entry on, and ids that follow from a seed. */
  readonly testClockAtMs: InstantMs | null;
  readonly idSeed: string | null;
  /** The first administrator's key, without which nobody could make another. */
  readonly adminKey: NewApiKey;
}

/**
 * A tenant's first command, for `Writer.open`: entry 0 opens the ledger, 1 creates the tenant, 2 its first key.
 * Problem: validation_failed (caller-asserted authority, a test clock or seeded ids in the live world).
 */
export function createTenant(
  context: CommandContext,
  tenant: NewTenant,
): Command<{ readonly tenantId: TenantId; readonly adminKey: ShownApiKey }> {
  const { world, name, siblingTenantId, callerAssertedAllowed, adminKey } = tenant;
  const { sealingKid, testClockAtMs, idSeed } = tenant;
  return {
    ...context,
    name: 'tenant.create',
    reads: [],
    decide() {
      if (world !== 'test' && callerAssertedAllowed) return err(callerAssertedInLive);
      if (world !== 'test' && (testClockAtMs !== null || idSeed !== null)) return err(clockInLive);
      return ok({
        events: [
          openLedger({ world, sealingKid, testClockAtMs, idSeed }),
          event(tenantCreated, { world, name, siblingTenantId, callerAssertedAllowed }),
          newApiKeyEvent(adminKey),
        ],
      });
    },
    answer: (_entries, replayed) => ({
      tenantId: context.tenantId,
      adminKey: { apiKeyId: adminKey.apiKeyId, apiKey: replayed ? null : adminKey.apiKey },
    }),
  };
}

export interface TenantChange {
  readonly name?: string;
  readonly callerAssertedAllowed?: boolean;
}

export interface TenantSettings {
  readonly name: string;
  readonly callerAssertedAllowed: boolean;
}

/** Problems, in order: not_found, validation_failed (caller-asserted authority in the live world). */
export function changeTenant(
  context: CommandContext,
  change: TenantChange,
): Command<TenantSettings> {
  return {
    ...context,
    name: 'tenant.change',
    reads: [cell(tenants)],
    decide(view) {
      const tenant = view.get(tenants, []);
      if (tenant === undefined) return err(noSuchTenant);
      const { name = tenant.name, callerAssertedAllowed = tenant.callerAssertedAllowed } = change;
      // INVARIANT: a live tenant never takes a caller's word for authority (mission F4, F5).
      if (tenant.world !== 'test' && callerAssertedAllowed) return err(callerAssertedInLive);
      return ok({ events: [event(tenantChanged, { name, callerAssertedAllowed })] });
    },
    answer(entries) {
      const changed = dataOf(entries, tenantChanged);
      invariant(changed !== null, 'changing a tenant records tenant.changed');
      return changed;
    },
  };
}

export const noSuchTenant: Problem = problem('not_found', 'There is no such tenant.', {
  fix: 'Use an API key of a tenant that exists in this deployment.',
});

const callerAssertedInLive = problem(
  'validation_failed',
  'Authority that a caller only asserts is never accepted in the live world.',
  { fix: 'Leave it false, or use a test tenant.', field: '/caller_asserted_allowed' },
);

const clockInLive = problem(
  'validation_failed',
  'A live tenant has no test clock and no seeded ids.',
  { fix: 'Use a test tenant.', field: '/world' },
);
