import { type CanonicalValue, codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { MANDATE_KINDS } from '../../core/proofs/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/** What entries keep of every token. The token itself is an erasable document; the buyer is a commitment. */
const common = {
  issuer: codec.text,
  issuerKid: codec.text,
  documentSha256: codec.text,
  agentId: codec.text,
  buyerCommitment: codec.text,
  issuedAtMs: codec.instant,
  notBeforeAtMs: codec.instant,
  expiresAtMs: codec.instant,
  listUri: codec.text,
  slotIndex: codec.integer,
};

/** A mandate was verified and is held. `rootId` names the top of its tree, itself when it has no parent. */
export const mandateRegistered = defineEvent(
  'mandate.registered',
  codec.record({
    ...common,
    mandateId: codec.text,
    kind: codec.oneOf(...MANDATE_KINDS),
    parentId: codec.nullable(codec.text),
    rootId: codec.text,
    depth: codec.integer,
    merchantIds: codec.list(codec.text),
    cartHash: codec.nullable(codec.text),
    cap: codec.money,
    buyerKeyBound: codec.flag,
    /** The bank's name of the debit mandate that a payment mandate is for. */
    umn: codec.added(codec.nullable(codec.text), null),
  }),
);
export type MandateRegistered = Decoded<typeof mandateRegistered.data>;

export const consentRegistered = defineEvent(
  'consent.registered',
  codec.record({
    ...common,
    consentId: codec.text,
    merchantId: codec.text,
    state: codec.oneOf('granted', 'denied'),
    scopes: codec.list(codec.text),
  }),
);
export type ConsentRegistered = Decoded<typeof consentRegistered.data>;

export const passportRegistered = defineEvent(
  'passport.registered',
  codec.record({
    ...common,
    passportId: codec.text,
    merchantId: codec.text,
    passportType: codec.oneOf('browse', 'checkout'),
    consentId: codec.text,
    scopes: codec.list(codec.text),
    capMinor: codec.nullable(codec.amountMinor),
    currency: codec.nullable(codec.text),
  }),
);
export type PassportRegistered = Decoded<typeof passportRegistered.data>;

interface CommonRow {
  readonly issuer: string;
  readonly issuerKid: string;
  readonly documentSha256: string;
  readonly agentId: string;
  readonly buyerCommitment: string;
  readonly issuedAtMs: number;
  readonly notBeforeAtMs: number;
  readonly expiresAtMs: number;
  readonly listUri: string;
  readonly slotIndex: number;
  readonly registeredAtMs: number;
}

const commonColumns = {
  issuer: column.text,
  issuerKid: column.text,
  documentSha256: column.text,
  agentId: column.text,
  buyerCommitment: column.text,
  issuedAtMs: column.integer,
  notBeforeAtMs: column.integer,
  expiresAtMs: column.integer,
  listUri: column.text,
  slotIndex: column.integer,
  registeredAtMs: column.integer,
};

/**
 * One node of a mandate tree. INVARIANT: `childCount` is the number of rows whose parent this is, `treeSize` (of a
 * root) the number of rows of its tree; a revoke proves with them that it walked everything.
 */
export interface MandateRow extends CommonRow {
  readonly mandateId: string;
  readonly kind: string;
  readonly parentId: string | null;
  readonly rootId: string;
  readonly depth: number;
  readonly merchantIds: CanonicalValue;
  readonly cartHash: string | null;
  readonly capMinor: bigint;
  readonly currency: string;
  readonly buyerKeyBound: boolean;
  readonly childCount: number;
  readonly treeSize: number;
}

export const mandates = defineProjection<MandateRow>({
  table: 'mandates',
  mode: 'update',
  key: ['mandateId'],
  columns: {
    ...commonColumns,
    mandateId: column.text,
    kind: column.text,
    parentId: column.nullable(column.text),
    rootId: column.text,
    depth: column.integer,
    merchantIds: column.json,
    cartHash: column.nullable(column.text),
    capMinor: column.amountMinor,
    currency: column.text,
    buyerKeyBound: column.flag,
    childCount: column.integer,
    treeSize: column.integer,
  },
  on: [
    when(mandateRegistered, {
      keys: ({ mandateId, parentId, rootId }) =>
        [...new Set([mandateId, ...(parentId === null ? [] : [parentId, rootId])])].map((id) => [
          id,
        ]),
      evolve(row, data, { entry, key }) {
        const [id] = key;
        if (id !== data.mandateId) {
          invariant(row !== undefined, 'a child is registered under mandates that are there');
          return {
            ...row,
            childCount: row.childCount + (id === data.parentId ? 1 : 0),
            treeSize: row.treeSize + (id === data.rootId ? 1 : 0),
          };
        }
        invariant(row === undefined, 'a mandate is registered once');
        const { cap, ...rest } = data;
        return {
          ...rest,
          capMinor: cap.amountMinor,
          currency: cap.currency,
          childCount: 0,
          treeSize: data.parentId === null ? 1 : 0,
          registeredAtMs: entry.atMs,
        };
      },
    }),
  ],
});

/** Whose debit mandate of the bank it is: the buyer of the newest payment mandate that names it. */
export interface DebitMandateBuyerRow {
  readonly umn: string;
  readonly buyerCommitment: string;
}

export const debitMandateBuyers = defineProjection<DebitMandateBuyerRow>({
  table: 'debit_mandate_buyers',
  mode: 'update',
  key: ['umn'],
  columns: { umn: column.text, buyerCommitment: column.text },
  on: [
    when(mandateRegistered, {
      keys: ({ umn }) => (umn === null ? [] : [[umn]]),
      evolve: (_row, { buyerCommitment }, { key }) => ({ umn: String(key[0]), buyerCommitment }),
    }),
  ],
});

export interface ConsentRow extends CommonRow {
  readonly consentId: string;
  readonly merchantId: string;
  readonly state: string;
  readonly scopes: CanonicalValue;
}

export const consents = defineProjection<ConsentRow>({
  table: 'consents',
  mode: 'append',
  key: ['consentId'],
  columns: {
    ...commonColumns,
    consentId: column.text,
    merchantId: column.text,
    state: column.text,
    scopes: column.json,
  },
  on: [
    when(consentRegistered, {
      keys: ({ consentId }) => [[consentId]],
      evolve: (_row, data, { entry }) => ({ ...data, registeredAtMs: entry.atMs }),
    }),
  ],
});

export interface PassportRow extends CommonRow {
  readonly passportId: string;
  readonly merchantId: string;
  readonly passportType: string;
  readonly consentId: string;
  readonly scopes: CanonicalValue;
  readonly capMinor: bigint | null;
  readonly currency: string | null;
}

export const passports = defineProjection<PassportRow>({
  table: 'passports',
  mode: 'append',
  key: ['passportId'],
  columns: {
    ...commonColumns,
    passportId: column.text,
    merchantId: column.text,
    passportType: column.text,
    consentId: column.text,
    scopes: column.json,
    capMinor: column.nullable(column.amountMinor),
    currency: column.nullable(column.text),
  },
  on: [
    when(passportRegistered, {
      keys: ({ passportId }) => [[passportId]],
      evolve: (_row, data, { entry }) => ({ ...data, registeredAtMs: entry.atMs }),
    }),
  ],
});
