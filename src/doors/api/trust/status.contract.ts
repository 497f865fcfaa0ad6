import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { Revocation } from '../../../trust/revocation/index.js';
import {
  REVOCATION_REASONS,
  SLOT_STATUSES,
  SLOTS_PER_REQUEST_MAX,
  slotStatusOf,
} from '../../../trust/status/index.js';
import { chosenId, instantOutput, printInstant } from '../wire.js';

/** Longest URI of a status list, in characters. */
export const LIST_URI_CHARACTERS_MAX = 512;

const slotView = z.strictObject({ uri: z.string(), idx: z.int() });

export const reserveSlots = route({
  method: 'POST',
  path: '/v1/status-slots',
  summary: 'Reserve places on a status list',
  description:
    'Every signed object names a slot of its own inside its signed part. Reserve first, then sign, then register. ' +
    'Places are random; nobody learns from an index how many objects there are.',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'merchant_system'],
  idempotency: 'optional',
  body: z.strictObject({ count: z.int().min(1).max(SLOTS_PER_REQUEST_MAX) }),
  success: { status: 201, body: z.strictObject({ slots: z.array(slotView) }) },
  problems: [],
});

const revocationView = z.strictObject({
  revocation_id: z.string().nullable(),
  uri: z.string(),
  idx: z.int(),
  status: z.enum(SLOT_STATUSES),
  reason_code: z.string().nullable(),
  subject_id: z.string().nullable(),
  root_subject_id: z.string().nullable(),
  effective_at: instantOutput.nullable(),
  cascaded_subject_ids: z.array(z.string()),
});

export const printRevocation = ({
  slot,
  cascadedSubjectIds,
}: Revocation): z.input<typeof revocationView> => ({
  revocation_id: slot.revocationId,
  uri: slot.listUri,
  idx: slot.slotIndex,
  status: slotStatusOf(slot),
  reason_code: slot.reasonCode,
  subject_id: slot.subjectId,
  root_subject_id: slot.rootSubjectId,
  effective_at: printInstant(slot.changedAtMs),
  cascaded_subject_ids: [...cascadedSubjectIds],
});

export const createRevocation = route({
  method: 'POST',
  path: '/v1/revocations',
  summary: 'Withdraw a fact or a right, everywhere at once',
  description:
    'Names either the id of a registered artifact, mandate, consent or passport, or its slot. revoked is final and takes ' +
    'all mandates below a mandate along; suspended can be taken back with valid. A repeat answers with the record that ' +
    'stands and lists no mandates. Payments that ran are not touched.',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'merchant_system'],
  idempotency: 'optional',
  body: z
    .strictObject({
      subject_id: chosenId.optional(),
      uri: z.string().min(1).max(LIST_URI_CHARACTERS_MAX).optional(),
      idx: z
        .int()
        .min(0)
        .max(2 ** 31 - 1)
        .optional(),
      status: z.enum(SLOT_STATUSES).default('revoked'),
      reason_code: z.enum(REVOCATION_REASONS),
    })
    .refine(
      ({ subject_id: subjectId, uri, idx }) =>
        subjectId === undefined
          ? uri !== undefined && idx !== undefined
          : uri === undefined && idx === undefined,
      { message: 'Name subject_id, or uri and idx.', path: ['subject_id'] },
    ),
  success: { status: 200, body: revocationView },
  problems: ['not_found', 'conflict'],
});
