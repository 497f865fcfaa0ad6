import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';
import { codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { decisionRecorded, type DecisionRecorded, FLOWS } from './decision.events.js';

/**
 * The authority confirmed an allow, to the very request that asked for the decision (facts/arbiter.md J7). The token is
 * the document named by `documentSha256`; it was verified before this was written.
 */
export const allowCountersigned = defineEvent(
  'allow.countersigned',
  codec.record({
    decisionId: codec.text,
    documentSha256: codec.text,
    tokenId: codec.text,
    issuer: codec.text,
    issuerKid: codec.text,
    issuedAtMs: codec.instant,
    expiresAtMs: codec.instant,
  }),
);
export type AllowCountersigned = Decoded<typeof allowCountersigned.data>;

/**
 * An allow was used: from this entry on exactly this payment or refund may reach a provider. `expiresAtMs` is the
 * allow's last millisecond; `mandateRefs` the cart and payment mandates that this use uses up.
 */
export const allowUsed = defineEvent(
  'allow.used',
  codec.record({
    decisionId: codec.text,
    flow: codec.oneOf(...FLOWS),
    merchantId: codec.text,
    orderId: codec.text,
    amountMinor: codec.amountMinor,
    currency: codec.text,
    expiresAtMs: codec.instant,
    reference: codec.text,
    provider: codec.text,
    mandateRefs: codec.list(codec.text),
    /**
     * The debit of the bank's mandate or block that this use starts, and the version of the report it rests on (0: none).
     * `isOnce`: no second debit may rest on that report.
     */
    debit: codec.added(
      codec.nullable(
        codec.record({ mandateRef: codec.text, reportVersion: codec.integer, isOnce: codec.flag }),
      ),
      null,
    ),
  }),
);
export type AllowUsed = Decoded<typeof allowUsed.data>;

/** Somebody tried to use an allow and was refused under a pseudo-rule; the allow is as it was before. */
export const allowUseRefused = defineEvent(
  'allow.use_refused',
  codec.record({
    decisionId: codec.text,
    merchantId: codec.text,
    orderId: codec.text,
    provider: codec.text,
    failingRule: codec.oneOf('allow_use', 'agent_executed_payment'),
    reason: codec.text,
  }),
);
export type AllowUseRefused = Decoded<typeof allowUseRefused.data>;

/** One allow and what became of it. `cartHash` null: a refund, bound to its order and amount. */
export interface AllowRow {
  readonly decisionId: string;
  readonly flow: string;
  readonly merchantId: string;
  readonly agentId: string | null;
  readonly orderId: string | null;
  readonly cartHash: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly decidedAtMs: number;
  readonly expiresAtMs: number;
  readonly countersignatureSha256: string | null;
  readonly countersignatureIssuer: string | null;
  readonly countersignatureKid: string | null;
  readonly countersignatureIssuedAtMs: number | null;
  readonly countersignatureExpiresAtMs: number | null;
  readonly countersignedAtMs: number | null;
  readonly usedAtMs: number | null;
}

const known = (row: AllowRow | undefined): AllowRow => {
  invariant(row !== undefined, 'an allow is given before anything happens to it');
  return row;
};

export const allows = defineProjection<AllowRow>({
  table: 'allows',
  mode: 'update',
  key: ['decisionId'],
  columns: {
    decisionId: column.text,
    flow: column.text,
    merchantId: column.text,
    agentId: column.nullable(column.text),
    orderId: column.nullable(column.text),
    cartHash: column.nullable(column.text),
    amountMinor: column.amountMinor,
    currency: column.text,
    decidedAtMs: column.integer,
    expiresAtMs: column.integer,
    countersignatureSha256: column.nullable(column.text),
    countersignatureIssuer: column.nullable(column.text),
    countersignatureKid: column.nullable(column.text),
    countersignatureIssuedAtMs: column.nullable(column.integer),
    countersignatureExpiresAtMs: column.nullable(column.integer),
    countersignedAtMs: column.nullable(column.integer),
    usedAtMs: column.nullable(column.integer),
  },
  on: [
    when(decisionRecorded, {
      keys: ({ allow, decisionId }) => (allow === null ? [] : [[decisionId]]),
      evolve: (_row, data, { entry }) => allowOf(data, entry.atMs),
    }),
    when(allowCountersigned, {
      keys: ({ decisionId }) => [[decisionId]],
      evolve(row, data, { entry }) {
        const allow = known(row);
        invariant(
          allow.countersignatureSha256 === null && allow.usedAtMs === null,
          'an allow is countersigned once, before it is used',
        );
        return {
          ...allow,
          countersignatureSha256: data.documentSha256,
          countersignatureIssuer: data.issuer,
          countersignatureKid: data.issuerKid,
          countersignatureIssuedAtMs: data.issuedAtMs,
          countersignatureExpiresAtMs: data.expiresAtMs,
          countersignedAtMs: entry.atMs,
        };
      },
    }),
    when(allowUsed, {
      keys: ({ decisionId }) => [[decisionId]],
      evolve(row, _data, { entry }) {
        const allow = known(row);
        invariant(allow.usedAtMs === null, 'an allow is used once');
        return { ...allow, usedAtMs: entry.atMs };
      },
    }),
  ],
});

function allowOf(data: DecisionRecorded, decidedAtMs: number): AllowRow {
  const { allow, judged, decisionId, merchantId, agentId, orderId, decision } = data;
  invariant(allow !== null, 'only an allow has a row');
  const money =
    judged.kind === 'refund'
      ? { amountMinor: judged.facts.amountMinor, currency: judged.facts.currency }
      : { amountMinor: judged.facts.cart.totalMinor, currency: judged.facts.cart.currency };
  return {
    decisionId,
    flow: decision.flow,
    merchantId,
    agentId,
    orderId,
    cartHash: allow.cartHash,
    ...money,
    decidedAtMs,
    expiresAtMs: allow.expiresAtMs,
    countersignatureSha256: null,
    countersignatureIssuer: null,
    countersignatureKid: null,
    countersignatureIssuedAtMs: null,
    countersignatureExpiresAtMs: null,
    countersignedAtMs: null,
    usedAtMs: null,
  };
}

/** The one use of an allow. INVARIANT: the primary key refuses a second one, a CHECK a late one, whatever a command looked at. */
export interface AllowUseRow {
  readonly decisionId: string;
  readonly reference: string;
  readonly provider: string;
  readonly orderId: string;
  readonly expiresAtMs: number;
  readonly usedAtMs: number;
}

export const allowUses = defineProjection<AllowUseRow>({
  table: 'allow_uses',
  mode: 'append',
  key: ['decisionId'],
  columns: {
    decisionId: column.text,
    reference: column.text,
    provider: column.text,
    orderId: column.text,
    expiresAtMs: column.integer,
    usedAtMs: column.integer,
  },
  on: [
    when(allowUsed, {
      keys: ({ decisionId }) => [[decisionId]],
      evolve: (_row, { decisionId, reference, provider, orderId, expiresAtMs }, { entry }) => ({
        decisionId,
        reference,
        provider,
        orderId,
        expiresAtMs,
        usedAtMs: entry.atMs,
      }),
    }),
  ],
});

/** The one payment that a cart or payment mandate was used for. */
export interface MandateUseRow {
  readonly mandateRef: string;
  readonly decisionId: string;
  readonly usedAtMs: number;
}

export const mandateUses = defineProjection<MandateUseRow>({
  table: 'mandate_uses',
  mode: 'append',
  key: ['mandateRef'],
  columns: { mandateRef: column.text, decisionId: column.text, usedAtMs: column.integer },
  on: [
    when(allowUsed, {
      keys: ({ mandateRefs }) => mandateRefs.map((ref) => [ref]),
      evolve: (_row, { decisionId }, { entry, key }) => ({
        mandateRef: String(key[0]),
        decisionId,
        usedAtMs: entry.atMs,
      }),
    }),
  ],
});
