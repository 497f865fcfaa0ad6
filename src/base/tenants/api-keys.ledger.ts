import { codec, invariant, type Role } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../ledger/index.js';
import { API_KEY_ROLES } from './access.js';

const names = codec.nullable(codec.list(codec.text));

/**
 * A key as it is known to the ledger: the digest of the whole key, never the key.
 * Its times are real time: keys are checked by the HTTP layer, which no test clock moves (decisions 2.4).
 */
export const apiKeyCreated = defineEvent(
  'api_key.created',
  codec.record({
    apiKeyId: codec.text,
    name: codec.text,
    role: codec.oneOf(...API_KEY_ROLES),
    scopes: names,
    merchantIds: names,
    agentId: codec.nullable(codec.text),
    digest: codec.text,
    createdAtMs: codec.instant,
    expiresAtMs: codec.nullable(codec.instant),
  }),
);

/** Another key took this one's place; it ends at `expiresAtMs`. */
export const apiKeyReplaced = defineEvent(
  'api_key.replaced',
  codec.record({ apiKeyId: codec.text, replacedBy: codec.text, expiresAtMs: codec.instant }),
);

export const apiKeyRevoked = defineEvent(
  'api_key.revoked',
  codec.record({ apiKeyId: codec.text, revokedAtMs: codec.instant }),
);

export interface ApiKeyRow {
  readonly apiKeyId: string;
  readonly name: string;
  readonly role: Role;
  readonly scopes: ReturnType<typeof names.encode>;
  readonly merchantIds: ReturnType<typeof names.encode>;
  readonly agentId: string | null;
  /** SHA-256 of the whole key, hex. */
  readonly digest: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly replacedBy: string | null;
}

/** A list of names as the row stores it, or null. */
export const namesOf = (stored: ApiKeyRow['scopes']): readonly string[] | null =>
  names.decode(stored, 'api_keys');

function existing(row: ApiKeyRow | undefined): ApiKeyRow {
  invariant(row !== undefined, 'an API key is created before it changes');
  return row;
}

export const apiKeys = defineProjection<ApiKeyRow>({
  table: 'api_keys',
  mode: 'update',
  key: ['apiKeyId'],
  columns: {
    apiKeyId: column.text,
    name: column.text,
    role: column.text as import('../ledger/index.js').Column<Role>,
    scopes: column.json,
    merchantIds: column.json,
    agentId: column.nullable(column.text),
    digest: column.text,
    createdAtMs: column.integer,
    expiresAtMs: column.nullable(column.integer),
    revokedAtMs: column.nullable(column.integer),
    replacedBy: column.nullable(column.text),
  },
  on: [
    when(apiKeyCreated, {
      keys: ({ apiKeyId }) => [[apiKeyId]],
      evolve: (_row, data) => ({
        ...data,
        scopes: names.encode(data.scopes),
        merchantIds: names.encode(data.merchantIds),
        revokedAtMs: null,
        replacedBy: null,
      }),
    }),
    when(apiKeyReplaced, {
      keys: ({ apiKeyId }) => [[apiKeyId]],
      evolve: (row, { replacedBy, expiresAtMs }) => ({ ...existing(row), replacedBy, expiresAtMs }),
    }),
    when(apiKeyRevoked, {
      keys: ({ apiKeyId }) => [[apiKeyId]],
      evolve: (row, { revokedAtMs }) => ({ ...existing(row), revokedAtMs }),
    }),
  ],
});
