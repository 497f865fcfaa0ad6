import { codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, type SideTable, when } from '../ledger/index.js';

export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The tenant, or one merchant of it, wants to be told of events of these types under this URL. */
export const webhookEndpointCreated = defineEvent(
  'webhook_endpoint.created',
  codec.record({
    endpointId: codec.text,
    merchantId: codec.nullable(codec.text),
    url: codec.text,
    eventTypes: codec.list(codec.text),
    secretId: codec.text,
  }),
);

/**
 * A new secret signs at once; those that signed until now sign beside it until their end. Times are real time: they
 * promise something to receivers outside (decisions 2.4).
 */
export const webhookSecretRotated = defineEvent(
  'webhook_endpoint.secret_rotated',
  codec.record({
    endpointId: codec.text,
    secretId: codec.text,
    rotatedAtMs: codec.instant,
    previousEndsAtMs: codec.instant,
  }),
);

/** Nothing is sent there any more: the receiver said that it is gone, or failed for days. */
export const webhookEndpointDisabled = defineEvent(
  'webhook_endpoint.disabled',
  codec.record({ endpointId: codec.text, reason: codec.oneOf(...DISABLED_REASONS) }),
);

export const webhookEndpointEnabled = defineEvent(
  'webhook_endpoint.enabled',
  codec.record({ endpointId: codec.text }),
);

export const webhookEndpointDeleted = defineEvent(
  'webhook_endpoint.deleted',
  codec.record({ endpointId: codec.text }),
);

/** A signing secret by its name. `endsAtMs` null = it signs until it is replaced; the end is exclusive. */
const endpointSecret = codec.record({
  secretId: codec.text,
  endsAtMs: codec.nullable(codec.instant),
});
export type EndpointSecret = Decoded<typeof endpointSecret>;
const endpointSecrets = codec.list(endpointSecret);

export interface WebhookEndpointRow {
  readonly endpointId: string;
  readonly merchantId: string | null;
  readonly url: string;
  readonly eventTypes: ReturnType<typeof eventTypeNames.encode>;
  /** The newest first. */
  readonly secrets: ReturnType<typeof endpointSecrets.encode>;
  readonly createdAtMs: number;
  /** The entry of its creation: it hears of what comes after. */
  readonly createdSeq: number;
  readonly state: 'active' | 'disabled' | 'deleted';
  readonly disabledReason: DisabledReason | null;
}

const eventTypeNames = codec.list(codec.text);

export const eventTypesOf = (row: Pick<WebhookEndpointRow, 'eventTypes'>): readonly string[] =>
  eventTypeNames.decode(row.eventTypes, 'webhook_endpoints.event_types');

export const secretsOf = (row: Pick<WebhookEndpointRow, 'secrets'>): readonly EndpointSecret[] =>
  endpointSecrets.decode(row.secrets, 'webhook_endpoints.secrets');

/** Those that sign at this (real) instant, the newest first. */
export const liveSecretsOf = (
  row: Pick<WebhookEndpointRow, 'secrets'>,
  atMs: number,
): readonly EndpointSecret[] =>
  secretsOf(row).filter(({ endsAtMs }) => endsAtMs === null || atMs < endsAtMs);

const existing = (row: WebhookEndpointRow | undefined): WebhookEndpointRow => {
  invariant(row !== undefined, 'an endpoint is created before it changes');
  return row;
};

const of = ({ endpointId }: { readonly endpointId: string }) => [[endpointId]];
const word = <Word extends string>() =>
  column.text as unknown as import('../ledger/index.js').Column<Word>;

export const webhookEndpoints = defineProjection<WebhookEndpointRow>({
  table: 'webhook_endpoints',
  mode: 'update',
  key: ['endpointId'],
  columns: {
    endpointId: column.text,
    merchantId: column.nullable(column.text),
    url: column.text,
    eventTypes: column.json,
    secrets: column.json,
    createdAtMs: column.integer,
    createdSeq: column.integer,
    state: word(),
    disabledReason: column.nullable(word<DisabledReason>()),
  },
  on: [
    when(webhookEndpointCreated, {
      keys: (data) => of(data),
      evolve: (_row, { secretId, eventTypes, ...data }, { entry }) => ({
        ...data,
        eventTypes: eventTypeNames.encode(eventTypes),
        secrets: endpointSecrets.encode([{ secretId, endsAtMs: null }]),
        createdAtMs: entry.atMs,
        createdSeq: entry.seq,
        state: 'active',
        disabledReason: null,
      }),
    }),
    when(webhookSecretRotated, {
      keys: (data) => of(data),
      evolve(row, { secretId, rotatedAtMs, previousEndsAtMs }) {
        const live = liveSecretsOf(existing(row), rotatedAtMs).map((secret) => ({
          secretId: secret.secretId,
          endsAtMs: secret.endsAtMs ?? previousEndsAtMs,
        }));
        const secrets = endpointSecrets.encode([{ secretId, endsAtMs: null }, ...live]);
        return { ...existing(row), secrets };
      },
    }),
    when(webhookEndpointDisabled, {
      keys: (data) => of(data),
      evolve: (row, { reason }) => ({
        ...existing(row),
        state: 'disabled',
        disabledReason: reason,
      }),
    }),
    when(webhookEndpointEnabled, {
      keys: (data) => of(data),
      evolve: (row) => ({ ...existing(row), state: 'active', disabledReason: null }),
    }),
    when(webhookEndpointDeleted, {
      keys: (data) => of(data),
      evolve: (row) => ({ ...existing(row), state: 'deleted', disabledReason: null }),
    }),
  ],
});

/** Wrapped signing secrets: operational, never folded, never in an entry. */
export const webhookEndpointSecrets = {
  table: 'webhook_endpoint_secrets',
  columns: {
    tenant_id: 'text',
    secret_id: 'text',
    endpoint_id: 'text',
    kek_id: 'text',
    wrapped: 'bytea',
  },
} as const satisfies SideTable;

/** Where handing out begins: the first endpoint of a tenant sets it, and what came before is nobody's. */
export const outboxProgress = {
  table: 'outbox_progress',
  columns: { tenant_id: 'text', handed_out_seq: 'bigint' },
} as const satisfies SideTable;
