import { createHash } from 'node:crypto';
import {
  type CanonicalValue,
  codec,
  type Decoded,
  invariant,
  type InstantMs,
} from '../../core/kernel/index.js';
import { SIGNATURE_ALGORITHMS } from '../../core/proofs/index.js';
import { ARTIFACT_TYPES } from '../../core/rules/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/** What an issuer's key may vouch for (decisions 3.10). One key has one role. */
export const ISSUER_KEY_ROLES = [
  'fact_issuer',
  'credential_issuer',
  'agent_provider',
  'passport',
  'consent',
  'psp_evidence',
  'countersign',
  'status_list',
  'revocation',
] as const;
export type IssuerKeyRole = (typeof ISSUER_KEY_ROLES)[number];

/** A tenant begins to believe a key: under this issuer and kid, for this role. `types` empty = every artifact type. */
export const issuerKeyAdded = defineEvent(
  'issuer_key.added',
  codec.record({
    issuerKeyId: codec.text,
    issuer: codec.text,
    kid: codec.text,
    role: codec.oneOf(...ISSUER_KEY_ROLES),
    alg: codec.oneOf(...SIGNATURE_ALGORITHMS),
    jwk: codec.opaque,
    thumbprint: codec.text,
    types: codec.list(codec.oneOf(...ARTIFACT_TYPES)),
    notBeforeAtMs: codec.instant,
  }),
);
export type IssuerKeyAdded = Decoded<typeof issuerKeyAdded.data>;

/** What is issued at or after `retiredAtMs` is refused; what was issued before stays good until its own end. */
export const issuerKeyRetired = defineEvent(
  'issuer_key.retired',
  codec.record({ issuerKeyId: codec.text, retiredAtMs: codec.instant }),
);

/** Since then somebody else may sign: only objects that were registered here before still count. */
export const issuerKeyCompromised = defineEvent(
  'issuer_key.compromised',
  codec.record({ issuerKeyId: codec.text, compromisedSinceAtMs: codec.instant }),
);

export interface IssuerKeyRow {
  readonly issuerKeyId: string;
  readonly issuer: string;
  readonly kid: string;
  readonly role: string;
  readonly alg: string;
  readonly jwk: CanonicalValue;
  readonly thumbprint: string;
  readonly types: CanonicalValue;
  readonly notBeforeAtMs: InstantMs;
  readonly retiredAtMs: InstantMs | null;
  readonly compromisedSinceAtMs: InstantMs | null;
}

const known = (row: IssuerKeyRow | undefined): IssuerKeyRow => {
  invariant(row !== undefined, 'an issuer key is added before it changes');
  return row;
};

export const issuerKeys = defineProjection<IssuerKeyRow>({
  table: 'issuer_keys',
  mode: 'update',
  key: ['issuerKeyId'],
  columns: {
    issuerKeyId: column.text,
    issuer: column.text,
    kid: column.text,
    role: column.text,
    alg: column.text,
    jwk: column.json,
    thumbprint: column.text,
    types: column.json,
    notBeforeAtMs: column.integer,
    retiredAtMs: column.nullable(column.integer),
    compromisedSinceAtMs: column.nullable(column.integer),
  },
  on: [
    when(issuerKeyAdded, {
      keys: ({ issuerKeyId }) => [[issuerKeyId]],
      evolve: (_row, data) => ({ ...data, retiredAtMs: null, compromisedSinceAtMs: null }),
    }),
    when(issuerKeyRetired, {
      keys: ({ issuerKeyId }) => [[issuerKeyId]],
      evolve: (row, { retiredAtMs }) => ({ ...known(row), retiredAtMs }),
    }),
    when(issuerKeyCompromised, {
      keys: ({ issuerKeyId }) => [[issuerKeyId]],
      evolve: (row, { compromisedSinceAtMs }) => ({ ...known(row), compromisedSinceAtMs }),
    }),
  ],
});

/** `ikey_` and 32 hex digits that follow from issuer and kid: one key per name, found without a search. */
export const issuerKeyIdOf = (issuer: string, kid: string): string =>
  `ikey_${createHash('sha256')
    .update(JSON.stringify([issuer, kid]), 'utf8')
    .digest('hex')
    .slice(0, 32)}`;
