import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { LimitsVersion } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import {
  ITEMS_MAX_MAX,
  LIMIT_CURRENCIES_MAX,
  type LimitsDraft,
} from '../../../core/rules/index.js';
import { currencyCode, instantOutput } from '../wire.js';
import { merchantParams } from './merchants.contract.js';
import { pageOf, pageQuery } from './pieces.js';

const amount = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'Minor units as a decimal string, positive, at most 18 digits.')
  .transform(BigInt)
  .meta({ example: '5000000' });
const items = z.int().min(1).max(ITEMS_MAX_MAX);

const limitsInput = z.strictObject({
  currencies: z
    .array(
      z.strictObject({
        currency: currencyCode,
        order_max_minor: amount,
        daily_max_minor: amount.nullable().default(null),
      }),
    )
    .min(1)
    .max(LIMIT_CURRENCIES_MAX),
  items_max: items,
  not_present: z
    .strictObject({
      currency: currencyCode,
      order_max_minor: amount,
      items_max: items,
      daily_max_minor: amount.nullable().default(null),
    })
    .nullable()
    .default(null),
});

export const readLimitsInput = (input: z.output<typeof limitsInput>): LimitsDraft => ({
  currencies: input.currencies.map((entry) => ({
    currency: entry.currency,
    orderMaxMinor: entry.order_max_minor,
    dailyMaxMinor: entry.daily_max_minor,
  })),
  itemsMax: input.items_max,
  notPresent:
    input.not_present === null
      ? null
      : {
          currency: input.not_present.currency,
          orderMaxMinor: input.not_present.order_max_minor,
          itemsMax: input.not_present.items_max,
          dailyMaxMinor: input.not_present.daily_max_minor,
        },
});

const printed = { order_max_minor: z.string(), daily_max_minor: z.string().nullable() };

const limitsView = z.strictObject({
  version: z.int(),
  set_at: instantOutput,
  currencies: z.array(z.strictObject({ currency: z.string(), ...printed })),
  items_max: z.int(),
  not_present: z.strictObject({ currency: z.string(), items_max: z.int(), ...printed }).nullable(),
});

const printAmounts = (amounts: { orderMaxMinor: bigint; dailyMaxMinor: bigint | null }) => ({
  order_max_minor: amounts.orderMaxMinor.toString(),
  daily_max_minor: amounts.dailyMaxMinor?.toString() ?? null,
});

export const printLimits = ({ limits, setAtMs }: LimitsVersion): z.input<typeof limitsView> => ({
  version: limits.version,
  set_at: formatInstant(setAtMs),
  currencies: limits.currencies.map((entry) => ({
    currency: entry.currency,
    ...printAmounts(entry),
  })),
  items_max: limits.itemsMax,
  not_present:
    limits.notPresent === null
      ? null
      : {
          currency: limits.notPresent.currency,
          items_max: limits.notPresent.itemsMax,
          ...printAmounts(limits.notPresent),
        },
});

export const setLimits = route({
  method: 'PUT',
  path: '/v1/merchants/{merchant_id}/limits',
  summary: 'Set the limits of a merchant: a new version',
  description:
    'Versions are numbered from 1 and never change; the newest is in force from its entry on. not_present holds while the ' +
    'buyer is away; each of its values is at most the normal one of its currency. A daily maximum of null is none.',
  tag: 'limits',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: merchantParams,
  body: limitsInput,
  examples: {
    buyer_present: {
      currencies: [{ currency: 'INR', order_max_minor: '500000' }],
      items_max: 10,
    },
    and_absent: {
      currencies: [{ currency: 'INR', order_max_minor: '500000', daily_max_minor: '5000000' }],
      items_max: 10,
      not_present: { currency: 'INR', order_max_minor: '200000', items_max: 5 },
    },
  },
  success: { status: 200, body: limitsView },
  problems: ['not_found'],
});

export const readLimits = route({
  method: 'GET',
  path: '/v1/merchants/{merchant_id}/limits',
  summary: 'The limits in force',
  tag: 'limits',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  params: merchantParams,
  success: { status: 200, body: limitsView },
  problems: ['not_found'],
});

export const listLimits = route({
  method: 'GET',
  path: '/v1/merchants/{merchant_id}/limits/versions',
  summary: 'All versions of the limits, newest first',
  tag: 'limits',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  params: merchantParams,
  query: pageQuery.extend({
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, 'The next_cursor of an earlier page.')
      .transform(Number)
      .optional(),
  }),
  success: { status: 200, body: pageOf(limitsView) },
  problems: ['not_found'],
});

export const readLimitsVersion = route({
  method: 'GET',
  path: '/v1/merchants/{merchant_id}/limits/versions/{version}',
  summary: 'One version of the limits',
  tag: 'limits',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  params: merchantParams.extend({
    version: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'A version number.')
      .transform(Number),
  }),
  success: { status: 200, body: limitsView },
  problems: ['not_found'],
});
