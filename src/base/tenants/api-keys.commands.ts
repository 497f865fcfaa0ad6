import {
  type ApiKeyId,
  err,
  formatInstant,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type World,
} from '../../core/kernel/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type LedgerEvent,
} from '../ledger/index.js';
import { type ApiKeyRole, noSuchMerchant } from './access.js';
import { agents } from './agents.ledger.js';
import { noSuchAgent } from './agents.commands.js';
import { apiKeyDigest, drawApiKeySecret, printApiKey } from './api-key-form.js';
import {
  apiKeyCreated,
  apiKeyReplaced,
  apiKeyRevoked,
  type ApiKeyRow,
  apiKeys,
  namesOf,
} from './api-keys.ledger.js';
import { drawId } from './ids.js';
import { merchants } from './merchants.ledger.js';

/** How long a replaced API key still works when nobody says otherwise: 7 days. */
export const API_KEY_OVERLAP_SECONDS_DEFAULT = 7 * 24 * 3600;
export const API_KEY_OVERLAP_SECONDS_MAX = 90 * 24 * 3600;

/** What a key may do. `scopes` and `merchantIds` null = no narrowing beyond its role. */
export interface ApiKeyGrant {
  readonly name: string;
  readonly role: ApiKeyRole;
  readonly scopes: readonly string[] | null;
  readonly merchantIds: readonly string[] | null;
  /** The agent that speaks; for the role agent and no other. */
  readonly agentId: string | null;
  readonly expiresAtMs: InstantMs | null;
}

/** A key that was drawn before the lock. `apiKey` is the secret itself: it goes into the answer and nowhere else. */
export interface NewApiKey extends ApiKeyGrant {
  readonly apiKeyId: ApiKeyId;
  readonly apiKey: string;
  readonly createdAtMs: InstantMs;
}

/** The one time a key is seen. `apiKey` is null in a repeated answer: it was shown once and is stored nowhere. */
export interface ShownApiKey {
  readonly apiKeyId: ApiKeyId;
  readonly apiKey: string | null;
}

export function drawApiKey(world: World, grant: ApiKeyGrant, createdAtMs: InstantMs): NewApiKey {
  const apiKeyId = drawId('key');
  return {
    ...grant,
    apiKeyId,
    apiKey: printApiKey(world, apiKeyId, drawApiKeySecret()),
    createdAtMs,
  };
}

export const newApiKeyEvent = ({ apiKey, ...key }: NewApiKey): LedgerEvent =>
  event(apiKeyCreated, { ...key, digest: apiKeyDigest(apiKey).toString('hex') });

/**
 * Records a drawn key. Problems, in order: validation_failed (role and agent do not fit, an administrator bound to
 * merchants, an end that is past), not_found (agent, then merchants in their order).
 */
export function createApiKey(context: CommandContext, key: NewApiKey): Command<ShownApiKey> {
  const merchantIds = key.merchantIds ?? [];
  return {
    ...context,
    name: 'api_key.create',
    reads: [
      ...(key.agentId === null ? [] : [cell(agents, key.agentId)]),
      ...merchantIds.map((merchantId) => cell(merchants, merchantId)),
    ],
    decide(view) {
      const fault = grantFault(key) ?? danglingFault(key, view);
      return fault === null ? ok({ events: [newApiKeyEvent(key)] }) : err(fault);
    },
    answer: shownOf(key),
  };
}

/** A repeat answers with the id that was recorded first, and without the key. */
const shownOf =
  (key: NewApiKey): Command<ShownApiKey>['answer'] =>
  (entries, replayed) => {
    const created = dataOf(entries, apiKeyCreated);
    invariant(created !== null, 'a new API key is one entry');
    return {
      apiKeyId: created.apiKeyId as ApiKeyId,
      apiKey: replayed ? null : key.apiKey,
    };
  };

function grantFault({ role, agentId, merchantIds, expiresAtMs, createdAtMs }: NewApiKey) {
  if ((role === 'agent') !== (agentId !== null)) {
    return invalid(
      '/agent_id',
      'A key of the role agent, and no other, names its agent by agent_id (POST /v1/agents).',
    );
  }
  if (role === 'tenant_admin' && merchantIds !== null) {
    return invalid('/merchant_ids', 'An administrator of the tenant is not bound to merchants.');
  }
  if (expiresAtMs !== null && expiresAtMs <= createdAtMs) {
    return invalid('/expires_at', 'This key would have ended before it began.');
  }
  return null;
}

function danglingFault({ agentId, merchantIds }: NewApiKey, view: CellView): Problem | null {
  if (agentId !== null && view.get(agents, [agentId]) === undefined) {
    return noSuchAgent(agentId, '/agent_id');
  }
  for (const [index, merchantId] of (merchantIds ?? []).entries()) {
    if (view.get(merchants, [merchantId]) === undefined) {
      return noSuchMerchant(merchantId, `/merchant_ids/${index}`);
    }
  }
  return null;
}

/**
 * A new key with the same rights at once; the old one ends after the overlap, or at its own end if that comes first.
 * Problems, in order: not_found, conflict (ended, revoked or replaced already).
 */
export function replaceApiKey(
  context: CommandContext,
  {
    apiKeyId,
    successor,
    overlapSeconds,
  }: { apiKeyId: ApiKeyId; successor: NewApiKey; overlapSeconds: number },
): Command<ShownApiKey> {
  const atMs = successor.createdAtMs;
  return {
    ...context,
    name: 'api_key.replace',
    reads: [cell(apiKeys, apiKeyId)],
    decide(view) {
      const row = view.get(apiKeys, [apiKeyId]);
      if (row === undefined) return err(noSuchApiKey(apiKeyId));
      if (!isLive(row, atMs) || row.replacedBy !== null) return err(notReplaceable(row));
      const overlapEndsAtMs = atMs + overlapSeconds * 1000;
      const expiresAtMs = Math.min(row.expiresAtMs ?? overlapEndsAtMs, overlapEndsAtMs);
      return ok({
        events: [
          newApiKeyEvent(successor),
          event(apiKeyReplaced, { apiKeyId, replacedBy: successor.apiKeyId, expiresAtMs }),
        ],
      });
    },
    answer: shownOf(successor),
  };
}

/**
 * Ends a key at once. `otherAdminIds` are the administrators' keys the caller saw: one of them must be able to make any
 * key for at least as long, or nobody could ever again. A key that ended already is answered as success.
 * Problems, in order: not_found, conflict (last administrator's key).
 */
export function revokeApiKey(
  context: CommandContext,
  {
    apiKeyId,
    otherAdminIds,
    atMs,
  }: { apiKeyId: ApiKeyId; otherAdminIds: readonly string[]; atMs: InstantMs },
): Command<null> {
  return {
    ...context,
    name: 'api_key.revoke',
    reads: [apiKeyId, ...otherAdminIds].map((id) => cell(apiKeys, id)),
    decide(view) {
      const row = view.get(apiKeys, [apiKeyId]);
      if (row === undefined) return err(noSuchApiKey(apiKeyId));
      if (!isLive(row, atMs)) return ok({ events: [] });
      const othersRemain = otherAdminIds.some((id) => {
        const other = view.get(apiKeys, [id]);
        return (
          id !== apiKeyId &&
          other !== undefined &&
          mayMakeKeys(other, atMs) &&
          endOf(other) >= endOf(row)
        );
      });
      // INVARIANT: a revocation never shortens the time for which some key can make any key; a replaced one that is
      // running out does not count.
      if (mayMakeKeys(row, atMs) && !othersRemain) return err(lastAdministrator);
      return ok({ events: [event(apiKeyRevoked, { apiKeyId, revokedAtMs: atMs })] });
    },
    answer: () => null,
  };
}

/** Whether the key works at this (real) instant; its end is exclusive. */
export const isLive = (
  { revokedAtMs, expiresAtMs }: Pick<ApiKeyRow, 'revokedAtMs' | 'expiresAtMs'>,
  atMs: InstantMs,
): boolean => revokedAtMs === null && (expiresAtMs === null || atMs < expiresAtMs);

const mayMakeKeys = (row: ApiKeyRow, atMs: InstantMs): boolean =>
  row.role === 'tenant_admin' &&
  row.replacedBy === null &&
  isLive(row, atMs) &&
  namesOf(row.scopes) === null;

const endOf = ({ expiresAtMs }: ApiKeyRow): number => expiresAtMs ?? Infinity;

/** A key never gives what it lacks: whoever holds a narrowed key could else make or rotate a whole one. Problem: forbidden. */
export function requireNoWider(
  grantorScopes: readonly string[] | null,
  scopes: readonly string[] | null,
): Result<null, Problem> {
  if (grantorScopes === null) return ok(null);
  if (scopes?.every((scope) => grantorScopes.includes(scope)) === true) return ok(null);
  return err(
    problem('forbidden', `This key is narrowed to ${grantorScopes.join(', ')} and gives no more.`, {
      fix: 'Ask for scopes among these, or use a key without scopes.',
      field: '/scopes',
    }),
  );
}

export const noSuchApiKey = (apiKeyId: string): Problem =>
  problem('not_found', `There is no API key ${apiKeyId} here.`, {
    fix: 'Name an id that GET /v1/api-keys lists.',
  });

const notReplaceable = ({ replacedBy, revokedAtMs, expiresAtMs }: ApiKeyRow): Problem => {
  if (replacedBy !== null) {
    return problem('conflict', `This key was replaced by ${replacedBy}.`, {
      fix: 'Rotate that key instead.',
    });
  }
  const endedAtMs = revokedAtMs ?? expiresAtMs;
  return problem(
    'conflict',
    `This key ended${endedAtMs === null ? '' : ` at ${formatInstant(endedAtMs)}`}.`,
    { fix: 'Create a new key with POST /v1/api-keys.' },
  );
};

const lastAdministrator = problem(
  'conflict',
  'This is the last key that can administer the tenant: without it nobody could make another.',
  { fix: 'Create or rotate an administrator key first, then revoke this one.' },
);

const invalid = (field: string, detail: string): Problem =>
  problem('validation_failed', detail, {
    fix: 'Change the named field; docs/access.md says what each role is for.',
    field,
  });
