import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { isCountryCode, type Merchant, SWITCHABLE_RAILS } from '../../../base/tenants/index.js';
import { RBI_PROFILES } from '../../../core/rules/index.js';
import { chosenId } from '../wire.js';
import { label, pageOf, pageQuery } from './pieces.js';

export const merchantParams = z.strictObject({ merchant_id: chosenId });

const merchantView = z.strictObject({
  merchant_id: z.string(),
  name: z.string(),
  country: z.string(),
  rbi_profile: z.enum(RBI_PROFILES).nullable(),
  rbi_rails: z.array(z.enum(SWITCHABLE_RAILS)),
  agent_payment_enabled: z.boolean(),
  copy_refusals_to_review_queue: z.boolean(),
  limits_version: z.int().nullable(),
});

export const printMerchant = (merchant: Merchant): z.input<typeof merchantView> => ({
  merchant_id: merchant.merchantId,
  name: merchant.name,
  country: merchant.country,
  rbi_profile: merchant.rbiProfile,
  rbi_rails: [...merchant.rbiRails],
  agent_payment_enabled: merchant.agentPaymentEnabled,
  copy_refusals_to_review_queue: merchant.copiesRefusalsToReviewQueue,
  limits_version: merchant.limitsVersion,
});

const country = z
  .string()
  .length(2)
  .refine(isCountryCode, 'An ISO 3166-1 alpha-2 code, in capitals.')
  .meta({ example: 'IN' });
const rbiProfile = z.enum(RBI_PROFILES).nullable();
const rbiRails = z.array(z.enum(SWITCHABLE_RAILS)).max(SWITCHABLE_RAILS.length).meta({
  description: 'Rails that the profile is switched on for; by default UPI AutoPay alone.',
});

export const createMerchant = route({
  method: 'POST',
  path: '/v1/merchants',
  summary: 'Create a merchant',
  description:
    'The id is chosen by the caller and never changes. Agent-executed payment starts switched off, and no order is allowed ' +
    'before limits are set. rbi_profile none exists for merchants outside India.',
  tag: 'merchants',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({
    merchant_id: chosenId,
    name: label,
    country,
    rbi_profile: rbiProfile.default(null),
    rbi_rails: rbiRails.nullable().default(null),
  }),
  examples: {
    in_india: {
      merchant_id: 'my-shop',
      name: 'My shop',
      country: 'IN',
      rbi_profile: 'in-rbi-2026-04',
    },
    elsewhere: {
      merchant_id: 'my-other-shop',
      name: 'My other shop',
      country: 'SG',
      rbi_profile: 'none',
    },
  },
  success: { status: 201, body: merchantView },
  problems: ['conflict', 'not_found'],
});

export const listMerchants = route({
  method: 'GET',
  path: '/v1/merchants',
  summary: 'Merchants, by id',
  description: 'A key bound to merchants sees those alone.',
  tag: 'merchants',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  query: pageQuery,
  success: { status: 200, body: pageOf(merchantView) },
  problems: [],
});

export const readMerchant = route({
  method: 'GET',
  path: '/v1/merchants/{merchant_id}',
  summary: 'One merchant',
  tag: 'merchants',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  params: merchantParams,
  success: { status: 200, body: merchantView },
  problems: ['not_found'],
});

export const changeMerchant = route({
  method: 'PATCH',
  path: '/v1/merchants/{merchant_id}',
  summary: 'Change what a merchant says about itself',
  description:
    'Members that are left out stay. Another rbi_profile starts with its own default rails.',
  tag: 'merchants',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: merchantParams,
  body: z.strictObject({
    name: label.optional(),
    country: country.optional(),
    rbi_profile: rbiProfile.optional(),
    rbi_rails: rbiRails.optional(),
  }),
  success: { status: 200, body: merchantView },
  problems: ['not_found'],
});

export const switchAgentPayment = route({
  method: 'PUT',
  path: '/v1/merchants/{merchant_id}/agent-payment',
  summary: 'Switch agent-executed payment of a merchant on or off',
  description:
    'The deployment has a switch of its own (AGENT_EXECUTED_PAYMENT_ENABLED); both are needed.',
  tag: 'merchants',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  params: merchantParams,
  body: z.strictObject({ enabled: z.boolean() }),
  success: { status: 200, body: merchantView },
  problems: ['not_found'],
});

export const switchReviewCopy = route({
  method: 'PUT',
  path: '/v1/merchants/{merchant_id}/review-copy',
  summary: "Copy a merchant's refusals to its review queue, or stop",
  description:
    'Off at first. From then on a worker copies refusals to GET /v1/review-queue after they are durable. It changes no ' +
    'decision, neither what it says nor when it is answered, and nobody is waited for.',
  tag: 'merchants',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  params: merchantParams,
  body: z.strictObject({ copy_refusals_to_review_queue: z.boolean() }),
  success: { status: 200, body: merchantView },
  problems: ['not_found'],
});
