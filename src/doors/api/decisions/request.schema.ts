import { z } from 'zod';
import { AP2_LENGTH_MAX } from '../../../core/proofs/index.js';
import { CART_LINES_MAX, LINE_QUANTITY_MAX } from '../../../core/rules/index.js';
import { NAMED_ARTIFACTS_MAX } from '../../../trust/facts/index.js';
import { EVIDENCE_MANDATES_MAX } from '../../../trust/buyer-authority/index.js';
import {
  chosenId,
  currencyCode,
  instantInput,
  minorUnitsInteger,
  moneyInput,
  positiveMoneyInput,
  signedMoneyInput,
} from '../wire.js';

/** Longest signed object in a body, in characters: an SD-JWT with its disclosures fits several times. */
export const TOKEN_CHARACTERS_MAX = 16_384;
/** Longest reference of a buyer; only its commitment is kept. */
export const BUYER_REFERENCE_CHARACTERS_MAX = 256;

const ADDED =
  'Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total.';

/** A cart with all its amounts: what is decided, and what an allow is used for. */
export const cartRequest = z.strictObject({
  currency: currencyCode,
  lines: z
    .array(
      z.strictObject({
        product_id: chosenId,
        variant_id: chosenId,
        quantity: z.int().min(1).max(LINE_QUANTITY_MAX),
        unit_price: moneyInput,
      }),
    )
    .min(1)
    .max(CART_LINES_MAX),
  discount: moneyInput.optional().meta({
    description:
      'Taken off the lines. The merchant’s word: nothing signed covers a discount, so an agent that asks for one gets 403.',
  }),
  tax: moneyInput.optional().meta({ description: ADDED }),
  shipping: moneyInput.optional().meta({ description: ADDED }),
  total: moneyInput.meta({
    description: 'Lines minus discount plus tax plus shipping, to the minor unit.',
  }),
  fulfilment_choice: chosenId.optional(),
});

const evidence = z.string().min(1).max(TOKEN_CHARACTERS_MAX);

const mandateRef = z.union([
  z.string().min(1).max(AP2_LENGTH_MAX).meta({
    description: 'An id, a native token, or an AP2 presentation that is registered here.',
  }),
  z.strictObject({
    object: z.string().min(1).max(AP2_LENGTH_MAX).meta({
      description:
        'An AP2 presentation: a chain of SD-JWTs, or the JSON text of version 0.1; docs/ap2.md.',
    }),
    registration: evidence.optional().meta({
      description: 'The registration+jwt of the trust authority for exactly this object.',
    }),
  }),
]);

const buyerAuthority = z
  .strictObject({
    mandate_refs: z.array(mandateRef).max(EVIDENCE_MANDATES_MAX).optional(),
    consent_ref: evidence.optional(),
    passport_ref: evidence.optional(),
    mandate_expires_at: instantInput.optional(),
    consent_state: z.enum(['granted', 'denied']).optional(),
    consent_expires_at: instantInput.optional(),
    passport_max_amount_minor_units: minorUnitsInteger.optional(),
    passport_currency: currencyCode.optional(),
    passport_expires_at: instantInput.optional(),
  })
  .meta({
    description:
      'References name registered mandates, consent and passport, or are the signed tokens themselves. ' +
      'The other members are claims of the caller: they count only where nothing registered was named, ' +
      'and rule 4 refuses them in the live world.',
  });

const artifact = z.union([
  z.string().min(1).max(TOKEN_CHARACTERS_MAX),
  z.record(z.string(), z.unknown()),
]);

const purchase = {
  merchant_id: chosenId,
  agent_id: chosenId.optional().meta({
    description: 'For callers that are not agents; an agent decides for itself only.',
  }),
  cart: cartRequest,
  artifacts: z.array(artifact).max(NAMED_ARTIFACTS_MAX).optional().meta({
    description:
      'Ids of registered artifacts, or whole signed envelopes. What is not named is looked up: the newest of each required type.',
  }),
  buyer_reference: z.string().min(1).max(BUYER_REFERENCE_CHARACTERS_MAX).optional().meta({
    description: 'Kept as a salted commitment only.',
  }),
};

export const agentPaymentRequest = z.strictObject({
  flow: z.literal('agent_payment'),
  ...purchase,
  buyer_authority: buyerAuthority.optional(),
  afa_evidence: chosenId.optional().meta({
    description:
      'Id of registered evidence (POST /v1/afa-evidence) that the bank authenticated the buyer for this payment. It serves one payment.',
  }),
  pre_debit_notice: chosenId.optional().meta({
    description:
      'notice_ref of a reported notice (POST /v1/pre-debit-notices) that announced this debit.',
  }),
});

export const handoffRequest = z.strictObject({ flow: z.literal('handoff'), ...purchase });

const refund = z.strictObject({
  flow: z.literal('refund'),
  merchant_id: chosenId,
  order_id: chosenId,
  amount: signedMoneyInput,
});

export const decisionRequest = z.discriminatedUnion('flow', [
  agentPaymentRequest,
  handoffRequest,
  refund,
]);
export type DecisionRequestBody = z.output<typeof decisionRequest>;

export const captureRequest = z.strictObject({
  capture_id: chosenId.meta({
    description: "The reporter's own name of this capture, once per merchant.",
  }),
  merchant_id: chosenId,
  order_id: chosenId,
  amount: positiveMoneyInput,
  decision_id: z
    .string()
    .regex(/^arbdec_[0-9a-f]{12}$/)
    .optional()
    .meta({ description: 'The allowed decision this payment rests on.' }),
  payment_id: z
    .string()
    .regex(/^pay_[0-9a-f]{12}$/)
    .optional()
    .meta({
      description:
        'The payment that was started when its allow was used. Either of payment_id and decision_id names the other; both may be sent if they match.',
    }),
});
