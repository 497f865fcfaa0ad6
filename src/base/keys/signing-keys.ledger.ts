import { codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, type SideTable, when } from '../ledger/index.js';
import { publicKey, PURPOSE_ALGORITHMS, SIGNING_PURPOSES } from './purposes.js';

const purpose = codec.oneOf(...SIGNING_PURPOSES);
const algorithm = codec.oneOf(...new Set(Object.values(PURPOSE_ALGORITHMS)));

/**
 * A key begins to sign for its purpose. When it replaces one, that one goes on verifying until `endsAtMs`.
 * Times are real time, not the tenant's test time: they promise something to verifiers outside (decisions 2.4).
 */
export const signingKeyCreated = defineEvent(
  'signing_key.created',
  codec.record({
    kid: codec.text,
    purpose,
    algorithm,
    publicKey,
    createdAtMs: codec.instant,
    replaces: codec.nullable(codec.record({ kid: codec.text, endsAtMs: codec.instant })),
  }),
);
export type SigningKeyCreated = Decoded<typeof signingKeyCreated.data>;

/** A replaced key stops verifying before its overlap ends: somebody else may hold it. */
export const signingKeyRetired = defineEvent(
  'signing_key.retired',
  codec.record({ kid: codec.text, purpose, endsAtMs: codec.instant }),
);

export interface SigningKeyRow {
  readonly kid: string;
  readonly purpose: string;
  readonly algorithm: string;
  readonly publicKey: ReturnType<typeof publicKey.encode>;
  readonly createdAtMs: number;
  readonly endsAtMs: number | null;
}

export const signingKeys = defineProjection<SigningKeyRow>({
  table: 'signing_keys',
  mode: 'update',
  key: ['kid'],
  columns: {
    kid: column.text,
    purpose: column.text,
    algorithm: column.text,
    publicKey: column.json,
    createdAtMs: column.integer,
    endsAtMs: column.nullable(column.integer),
  },
  on: [
    when(signingKeyCreated, {
      keys: ({ kid, replaces }) => (replaces === null ? [[kid]] : [[kid], [replaces.kid]]),
      evolve: (row, data, { key }) =>
        row !== undefined && data.replaces !== null && key[0] === data.replaces.kid
          ? { ...row, endsAtMs: data.replaces.endsAtMs }
          : {
              kid: data.kid,
              purpose: data.purpose,
              algorithm: data.algorithm,
              publicKey: publicKey.encode(data.publicKey),
              createdAtMs: data.createdAtMs,
              endsAtMs: null,
            },
    }),
    when(signingKeyRetired, {
      keys: ({ kid }) => [[kid]],
      evolve(row, { endsAtMs }) {
        invariant(row !== undefined, 'a retired key was created before');
        return { ...row, endsAtMs };
      },
    }),
  ],
});

/** INVARIANT: at most one key signs for a purpose; it is the one named here. */
export interface CurrentSigningKeyRow {
  readonly purpose: string;
  readonly kid: string;
}

export const currentSigningKeys = defineProjection<CurrentSigningKeyRow>({
  table: 'signing_keys_current',
  mode: 'update',
  key: ['purpose'],
  columns: { purpose: column.text, kid: column.text },
  on: [
    when(signingKeyCreated, {
      keys: (data) => [[data.purpose]],
      evolve: (_row, data) => ({ purpose: data.purpose, kid: data.kid }),
    }),
  ],
});

/** Wrapped private keys: operational, never folded, never in an entry. */
export const signingKeySecrets = {
  table: 'signing_key_secrets',
  columns: {
    tenant_id: 'text',
    kid: 'text',
    purpose: 'text',
    kek_id: 'text',
    wrapped: 'bytea',
  },
} as const satisfies SideTable;
