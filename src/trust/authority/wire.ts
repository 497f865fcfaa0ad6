import { z } from 'zod';
import { formatInstant, type Money } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type {
  BoundObject,
  ConsentDraft,
  CountersignQuestion,
  MandateDraft,
  RegistrationDraft,
  RevokeRequest,
} from './contract.js';

/**
 * The authority's answers as this side reads them: forms of our own, as of a foreign party, taking only what is used.
 * What they say is judged by the caller.
 */
const INDEX_MAX = 131_071;

export const problemBody = z.object({
  code: z.string().max(64),
  detail: z.string().max(2_000),
  fix: z.string().max(2_000).default('Change the request as the detail says.'),
  field: z.string().max(500).nullable().default(null),
});

export const slotAnswer = z.object({
  uri: z.string().max(2_048),
  idx: z.int().min(0).max(INDEX_MAX),
});
export const slotsAnswer = z.object({ slots: z.array(slotAnswer).max(500) });
export const tenantAnswer = z.object({
  tenant_id: z.string(),
  world: z.enum(['test', 'live']),
  now: z.string().max(40),
});
export const clockAnswer = z.object({ now: z.string() });
export const boundAnswer = z.object({ bound: z.int() });
export const authorityAnswer = z.object({ origin: z.string() });
export const witnessAnswer = authorityAnswer.extend({
  witness: z.object({
    vkeys: z.array(z.string().max(512)).min(1).max(64),
    submission_prefix: z.string().max(2_048),
  }),
});
export const logAnswer = z.object({ origin: z.string() });

export const jwksAnswer = z.object({
  keys: z
    .array(
      z
        .object({
          kty: z.string(),
          kid: z.string().min(1).max(128),
          purpose: z.string().optional(),
        })
        .loose(),
    )
    .max(100),
});

export const revokedAnswer = z.object({
  revocations: z.array(z.string().max(16_384)).max(4_001),
  lists: z
    .array(z.object({ uri: z.string().max(2_048), version: z.int().min(0) }))
    .min(1)
    .max(64),
});

export const countersignedAnswer = z.object({
  answers: z
    .array(
      z.union([
        z.object({ jws: z.string().max(16_384) }),
        z.object({ refused: z.string().max(500) }),
      ]),
    )
    .max(64),
});

const token = z.string().max(16_384);
const id = z.string().max(128);
export const consentAnswer = z.object({ consent_id: id, token, slot: slotAnswer });
export const mandateAnswer = z.object({ mandate_id: id, token, slot: slotAnswer });
export const registrationAnswer = z.object({ registration_id: id, token, slot: slotAnswer });

export const slotOf = ({ uri, idx }: z.output<typeof slotAnswer>): StatusRef => ({
  uri,
  index: idx,
});

const printSlot = ({ uri, index }: StatusRef) => ({ uri, idx: index });
const printMoney = ({ amountMinor, currency }: Money) => ({
  amount: amountMinor.toString(),
  currency,
});

export const printObject = (object: BoundObject) => ({
  kind: object.kind,
  object_id: object.objectId,
  sha256: object.sha256,
  lineage: object.lineage,
  merchant_ids: object.merchantIds,
  slot: printSlot(object.slot),
  artifact_type: object.artifactType,
  mandate: object.mandate === null ? null : printBoundMandate(object.mandate),
});

const printBoundMandate = (mandate: NonNullable<BoundObject['mandate']>) => ({
  parent_id: mandate.parentId,
  mandate_kind: mandate.kind,
  subject_commitment: mandate.subjectCommitment,
  agent_id: mandate.agentId,
  cart_hash: mandate.cartHash,
  cap: printMoney(mandate.cap),
  not_before: formatInstant(mandate.notBeforeAtMs),
  expires_at: formatInstant(mandate.expiresAtMs),
});

export const printRevoke = ({ target, status, reasonCode, revokedBy }: RevokeRequest) => ({
  target:
    'slot' in target
      ? { slot: printSlot(target.slot) }
      : { kind: target.kind, object_id: target.objectId },
  status,
  reason_code: reasonCode,
  revoked_by: revokedBy,
});

export const printQuestion = (question: CountersignQuestion) => ({
  decision_id: question.decisionId,
  flow: question.flow,
  cart_hash: question.cartHash,
  order_id: question.orderId,
  amount_minor: question.amount.amountMinor.toString(),
  currency: question.amount.currency,
  merchant_id: question.merchantId,
  decided_at: formatInstant(question.decidedAtMs),
  expires_at: formatInstant(question.expiresAtMs),
  artifacts: question.artifacts.map(({ id: artifactId, payloadHash, slot }) => ({
    id: artifactId,
    payload_hash: payloadHash,
    slot: slot === null ? null : printSlot(slot),
  })),
});

/** Absent rather than null: what the draft leaves open is the authority's to choose. */
const given = <Name extends string, Value>(name: Name, value: Value | null) =>
  value === null ? {} : { [name]: value };

export const printConsent = (draft: ConsentDraft) => ({
  ...given('consent_id', draft.consentId),
  merchant_id: draft.merchantId,
  agent_id: draft.agentId,
  subject: draft.subject,
  scopes: draft.scopes,
  state: draft.state,
  expires_at: formatInstant(draft.expiresAtMs),
  ...given('buyer_jwk', draft.buyerJwk),
});

const printTerms = (draft: Omit<RegistrationDraft, 'sha256'>) => ({
  kind: draft.kind,
  ...given('parent_id', draft.parentId),
  subject: draft.subject,
  agent_id: draft.agentId,
  merchant_ids: draft.merchantIds,
  ...given('cart_hash', draft.cartHash),
  cap: printMoney(draft.cap),
  ...given('not_before', draft.notBeforeAtMs === null ? null : formatInstant(draft.notBeforeAtMs)),
  expires_at: formatInstant(draft.expiresAtMs),
});

export const printMandate = (draft: MandateDraft) => ({
  ...given('mandate_id', draft.mandateId),
  ...printTerms(draft),
  ...given('payment', draft.payment),
  ...given('buyer_jwk', draft.buyerJwk),
});

export const printRegistration = (draft: RegistrationDraft) => ({
  sha256: draft.sha256,
  ...printTerms(draft),
});
