import { codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { type MerchantLimits, merchantLimits, RBI_PROFILES } from '../../core/rules/index.js';
import { column, defineEvent, defineProjection, when } from '../ledger/index.js';
import { SWITCHABLE_RAILS } from './rbi-settings.js';

const profile = {
  name: codec.text,
  country: codec.text,
  rbiProfile: codec.nullable(codec.oneOf(...RBI_PROFILES)),
  rbiRails: codec.list(codec.oneOf(...SWITCHABLE_RAILS)),
};

/** A merchant of the tenant; agent-executed payment starts switched off (facts/arbiter.md O1). */
export const merchantCreated = defineEvent(
  'merchant.created',
  codec.record({ merchantId: codec.text, ...profile }),
);

/** The whole profile after the change. */
export const merchantChanged = defineEvent(
  'merchant.changed',
  codec.record({ merchantId: codec.text, ...profile }),
);

export const merchantAgentPaymentSwitched = defineEvent(
  'merchant.agent_payment_switched',
  codec.record({ merchantId: codec.text, enabled: codec.flag }),
);

/** Whether refusals are copied to the review queue, from this entry on (facts/arbiter.md K1); at first they are not. */
export const merchantReviewCopySwitched = defineEvent(
  'merchant.review_copy_switched',
  codec.record({ merchantId: codec.text, enabled: codec.flag }),
);

const rails = codec.list(codec.oneOf(...SWITCHABLE_RAILS));

export interface MerchantRow {
  readonly merchantId: string;
  readonly name: string;
  readonly country: string;
  readonly rbiProfile: string | null;
  readonly rbiRails: ReturnType<typeof rails.encode>;
  readonly agentPaymentEnabled: boolean;
  /** The entry from which on refusals are copied to the review queue; null = they are not. No decision reads it. */
  readonly reviewCopySinceSeq: number | null;
}

export const merchants = defineProjection<MerchantRow>({
  table: 'merchants',
  mode: 'update',
  key: ['merchantId'],
  columns: {
    merchantId: column.text,
    name: column.text,
    country: column.text,
    rbiProfile: column.nullable(column.text),
    rbiRails: column.json,
    agentPaymentEnabled: column.flag,
    reviewCopySinceSeq: column.nullable(column.integer),
  },
  on: [
    when(merchantCreated, {
      keys: ({ merchantId }) => [[merchantId]],
      evolve: (_row, data) => ({
        ...data,
        rbiRails: rails.encode(data.rbiRails),
        agentPaymentEnabled: false,
        reviewCopySinceSeq: null,
      }),
    }),
    when(merchantChanged, {
      keys: ({ merchantId }) => [[merchantId]],
      evolve: (row, data) => ({
        ...existing(row),
        ...data,
        rbiRails: rails.encode(data.rbiRails),
      }),
    }),
    when(merchantAgentPaymentSwitched, {
      keys: ({ merchantId }) => [[merchantId]],
      evolve: (row, { enabled }) => ({ ...existing(row), agentPaymentEnabled: enabled }),
    }),
    when(merchantReviewCopySwitched, {
      keys: ({ merchantId }) => [[merchantId]],
      evolve: (row, { enabled }, { entry }) => ({
        ...existing(row),
        reviewCopySinceSeq: enabled ? entry.seq : null,
      }),
    }),
  ],
});

function existing(row: MerchantRow | undefined): MerchantRow {
  invariant(row !== undefined, 'a merchant is created before it changes');
  return row;
}

/** One version of a merchant's limits. Versions are never changed; the next one takes their place. */
export const merchantLimitsSet = defineEvent(
  'merchant_limits.set',
  codec.record({ merchantId: codec.text, limits: merchantLimits }),
);
export type MerchantLimitsSet = Decoded<typeof merchantLimitsSet.data>;

export interface LimitsVersionRow {
  readonly merchantId: string;
  readonly version: number;
  /** {@link merchantLimits}, encoded. */
  readonly limits: ReturnType<typeof merchantLimits.encode>;
  readonly setAtMs: number;
}

const limitsColumns = {
  merchantId: column.text,
  version: column.integer,
  limits: column.json,
  setAtMs: column.integer,
};

const limitsRow = ({ merchantId, limits }: MerchantLimitsSet, atMs: number): LimitsVersionRow => ({
  merchantId,
  version: limits.version,
  limits: merchantLimits.encode(limits),
  setAtMs: atMs,
});

export const limitsVersions = defineProjection<LimitsVersionRow>({
  table: 'merchant_limits',
  mode: 'append',
  key: ['merchantId', 'version'],
  columns: limitsColumns,
  on: [
    when(merchantLimitsSet, {
      keys: ({ merchantId, limits }) => [[merchantId, limits.version]],
      evolve: (_row, data, { entry }) => limitsRow(data, entry.atMs),
    }),
  ],
});

/** The version that is in force: one cell, so that a decision reads it under the lock. */
export const currentLimits = defineProjection<LimitsVersionRow>({
  table: 'merchant_limits_current',
  mode: 'update',
  key: ['merchantId'],
  columns: limitsColumns,
  on: [
    when(merchantLimitsSet, {
      keys: ({ merchantId }) => [[merchantId]],
      evolve: (_row, data, { entry }) => limitsRow(data, entry.atMs),
    }),
  ],
});

/** The limits as rules read them. */
export const limitsOf = (row: Pick<LimitsVersionRow, 'limits'>): MerchantLimits =>
  merchantLimits.decode(row.limits, 'merchant_limits.limits');
