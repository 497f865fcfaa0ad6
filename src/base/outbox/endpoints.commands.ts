import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import type { WrappedKey } from '../keys/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type SideWrite,
} from '../ledger/index.js';
import { idAt, merchants, noSuchMerchant } from '../tenants/index.js';
import {
  type DisabledReason,
  liveSecretsOf,
  outboxProgress,
  webhookEndpointCreated,
  webhookEndpointDeleted,
  webhookEndpointDisabled,
  webhookEndpointEnabled,
  type WebhookEndpointRow,
  webhookEndpoints,
  webhookEndpointSecrets,
  webhookSecretRotated,
} from './endpoints.ledger.js';
import type { WebhookType } from './webhook-types.js';

/** Secrets of one endpoint that sign at once: a signature for each stands in every request. */
export const LIVE_SECRETS_MAX = 5;

/** What an endpoint is created with. */
export interface EndpointDraft {
  readonly url: string;
  readonly eventTypes: readonly WebhookType[];
  /** Null = every merchant of the tenant, and what is about none. */
  readonly merchantId: string | null;
}

/** A secret that was drawn and wrapped before the lock. */
export interface NewSecret {
  readonly secretId: string;
  readonly wrapped: WrappedKey;
}

const secretWrite = (
  tenantId: string,
  endpointId: string,
  { secretId, wrapped }: NewSecret,
): SideWrite => ({
  table: webhookEndpointSecrets,
  row: {
    tenant_id: tenantId,
    secret_id: secretId,
    endpoint_id: endpointId,
    kek_id: wrapped.kekId,
    wrapped: wrapped.wrapped,
  },
});

/** Answers with the endpoint's id; a repeat with the first one's. Problem: not_found (merchant). */
export function createEndpoint(
  context: CommandContext,
  { draft, drawn, secret }: { draft: EndpointDraft; drawn: `whe_${string}`; secret: NewSecret },
): Command<{ endpointId: string; replayed: boolean }> {
  const { merchantId } = draft;
  return {
    ...context,
    name: 'webhook_endpoint.create',
    reads: merchantId === null ? [] : [cell(merchants, merchantId)],
    decide(view, moment) {
      if (merchantId !== null && view.get(merchants, [merchantId]) === undefined) {
        return err(noSuchMerchant(merchantId, '/merchant_id'));
      }
      const { secretId } = secret;
      const endpointId = idAt('whe', drawn, moment);
      return ok({
        events: [event(webhookEndpointCreated, { ...draft, endpointId, secretId })],
        sideWrites: [
          secretWrite(context.tenantId, endpointId, secret),
          {
            table: outboxProgress,
            row: { tenant_id: context.tenantId, handed_out_seq: moment.nextSeq },
          },
        ],
      });
    },
    answer(entries, replayed) {
      const created = dataOf(entries, webhookEndpointCreated);
      invariant(created !== null, 'creating an endpoint is one entry');
      return { endpointId: created.endpointId, replayed };
    },
  };
}

/** Answers whether it repeats an earlier answer. Problems, in order: not_found, conflict (too many live secrets). */
export function rotateSecret(
  context: CommandContext,
  rotation: {
    readonly endpointId: string;
    readonly secret: NewSecret;
    readonly rotatedAtMs: InstantMs;
    readonly previousEndsAtMs: InstantMs;
  },
): Command<{ previousEndsAtMs: InstantMs; replayed: boolean }> {
  const { endpointId, secret, rotatedAtMs, previousEndsAtMs } = rotation;
  return {
    ...context,
    name: 'webhook_endpoint.rotate_secret',
    reads: [cell(webhookEndpoints, endpointId)],
    decide(view) {
      const found = endpointIn(view, endpointId);
      if (!found.ok) return found;
      if (liveSecretsOf(found.value, rotatedAtMs).length >= LIVE_SECRETS_MAX) {
        return err(tooManySecrets);
      }
      const { secretId } = secret;
      const data = { endpointId, secretId, rotatedAtMs, previousEndsAtMs };
      return ok({
        events: [event(webhookSecretRotated, data)],
        sideWrites: [secretWrite(context.tenantId, endpointId, secret)],
      });
    },
    answer(entries, replayed) {
      const rotated = dataOf(entries, webhookSecretRotated);
      invariant(rotated !== null, 'rotating a secret is one entry');
      return { previousEndsAtMs: rotated.previousEndsAtMs, replayed };
    },
  };
}

/** Of an endpoint that is disabled or deleted already nothing is recorded. Problem: not_found. */
export function disableEndpoint(
  context: CommandContext,
  { endpointId, reason }: { endpointId: string; reason: DisabledReason },
): Command<null> {
  return {
    ...context,
    name: 'webhook_endpoint.disable',
    reads: [cell(webhookEndpoints, endpointId)],
    decide(view) {
      const found = endpointIn(view, endpointId);
      if (!found.ok) return found;
      if (found.value.state !== 'active') return ok({ events: [] });
      return ok({ events: [event(webhookEndpointDisabled, { endpointId, reason })] });
    },
    answer: () => null,
  };
}

/** Enabling what is active changes nothing. Problem: not_found. */
export function enableEndpoint(context: CommandContext, endpointId: string): Command<null> {
  return {
    ...context,
    name: 'webhook_endpoint.enable',
    reads: [cell(webhookEndpoints, endpointId)],
    decide(view) {
      const found = endpointIn(view, endpointId);
      if (!found.ok) return found;
      if (found.value.state === 'active') return ok({ events: [] });
      return ok({ events: [event(webhookEndpointEnabled, { endpointId })] });
    },
    answer: () => null,
  };
}

/** For good: an endpoint that was deleted is not found any more. Problem: not_found. */
export function deleteEndpoint(context: CommandContext, endpointId: string): Command<null> {
  return {
    ...context,
    name: 'webhook_endpoint.delete',
    reads: [cell(webhookEndpoints, endpointId)],
    decide(view) {
      const found = endpointIn(view, endpointId);
      if (!found.ok) return found;
      return ok({ events: [event(webhookEndpointDeleted, { endpointId })] });
    },
    answer: () => null,
  };
}

function endpointIn(view: CellView, endpointId: string): Result<WebhookEndpointRow, Problem> {
  const row = view.get(webhookEndpoints, [endpointId]);
  return row === undefined || row.state === 'deleted' ? err(noSuchEndpoint(endpointId)) : ok(row);
}

export const noSuchEndpoint = (endpointId: string): Problem =>
  problem('not_found', `There is no webhook endpoint ${endpointId} here.`, {
    fix: 'Name an id that GET /v1/webhook-endpoints lists for this key.',
  });

const tooManySecrets = problem(
  'conflict',
  `${LIVE_SECRETS_MAX} secrets of this endpoint sign at once already.`,
  { fix: 'Wait until the overlap of an earlier rotation is over, or create another endpoint.' },
);
