import { z } from 'zod';
import { invariant } from '../../../core/kernel/index.js';
import { route } from '../../../base/platform/index.js';
import { ARTIFACT_TYPES } from '../../../core/rules/index.js';
import {
  NAMED_KINDS,
  type Revocation,
  type RevocationTarget,
} from '../../../trust/revocation/index.js';
import {
  REVOCATION_REASONS,
  SLOT_STATUSES,
  SLOTS_PER_REQUEST_MAX,
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
  record_url: z.string().nullable().meta({
    description:
      'Where everybody reads the signed record of revocation_id; without PUBLIC_BASE_URL a path of this service.',
  }),
  uri: z.string(),
  idx: z.int(),
  status: z.enum(SLOT_STATUSES),
  reason_code: z.string().nullable(),
  subject_id: z.string().nullable(),
  root_subject_id: z.string().nullable(),
  effective_at: instantOutput.nullable(),
  cascaded_subject_ids: z.array(z.string()),
  lists: z.array(z.strictObject({ uri: z.string(), version: z.int() })).meta({
    description:
      'Every list that the change touched, with the least version that shows it. From this answer on no older copy is ' +
      'believed here, whatever its age.',
  }),
});

export const printRevocation = (
  revocation: Revocation,
  recordUrlOf: (revocationId: string) => string,
): z.input<typeof revocationView> => ({
  revocation_id: revocation.revocationId,
  record_url: revocation.revocationId === null ? null : recordUrlOf(revocation.revocationId),
  uri: revocation.slot.uri,
  idx: revocation.slot.index,
  status: revocation.status,
  reason_code: revocation.reasonCode,
  subject_id: revocation.subjectId,
  root_subject_id: revocation.rootSubjectId,
  effective_at: printInstant(revocation.effectiveAtMs),
  cascaded_subject_ids: [...revocation.cascadedSubjectIds],
  lists: [...revocation.lists],
});

const listUri = z.string().min(1).max(LIST_URI_CHARACTERS_MAX);
const index = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** The three ways to name what is withdrawn; members of two of them name nothing. */
const NAMINGS = [
  ['subject_id', 'subject_kind'],
  ['uri', 'idx'],
  ['artifact_type', 'merchant_id', 'variant_id'],
] as const;

const revocationBody = z.strictObject({
  subject_id: chosenId.optional(),
  subject_kind: z
    .enum(NAMED_KINDS)
    .optional()
    .meta({
      description:
        'What subject_id names. Needed where objects of several kinds have this id, and for what only the trust ' +
        'authority knows.',
    }),
  uri: listUri.optional(),
  idx: index.optional(),
  artifact_type: z.enum(ARTIFACT_TYPES).optional(),
  merchant_id: chosenId.optional(),
  variant_id: chosenId.optional().meta({
    description:
      'Of a price or a stock its variant, of a published product its id; left out for the merchant itself.',
  }),
  status: z.enum(SLOT_STATUSES).default('revoked'),
  reason_code: z.enum(REVOCATION_REASONS),
});
type RevocationBody = z.output<typeof revocationBody>;

function isNamedOnce(body: RevocationBody): boolean {
  const { subject_id: id, uri, idx, artifact_type: type, merchant_id: merchantId } = body;
  const used = NAMINGS.filter((members) => members.some((member) => body[member] !== undefined));
  const isWhole =
    id !== undefined ||
    (uri !== undefined && idx !== undefined) ||
    (type !== undefined && merchantId !== undefined);
  return used.length === 1 && isWhole;
}

export function targetOf(body: RevocationBody): RevocationTarget {
  const { subject_id: subjectId, subject_kind: kind = null, uri, idx } = body;
  if (subjectId !== undefined) return { subjectId, kind };
  if (uri !== undefined && idx !== undefined) return { slot: { uri, index: idx } };
  const { artifact_type: artifactType, merchant_id: merchantId, variant_id: variantId } = body;
  invariant(artifactType !== undefined && merchantId !== undefined, 'a body names one target');
  return { artifactType, merchantId, variantId: variantId ?? null };
}

export const createRevocation = route({
  method: 'POST',
  path: '/v1/revocations',
  summary: 'Withdraw a fact or a right, everywhere at once',
  description:
    'Names the id of an artifact, mandate, consent, passport or registration, or its slot, or the current fact of a ' +
    'merchant by type and variant. The trust authority flips the slots and signs a record for each; revoked is final and ' +
    'takes all mandates below a mandate along, and the passports of a consent; suspended can be taken back with valid. A ' +
    'repeat answers with the record that stands. Payments that ran are not touched.',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'merchant_system'],
  idempotency: 'optional',
  body: revocationBody.refine(isNamedOnce, {
    message: 'Name subject_id, or uri and idx, or artifact_type and merchant_id.',
    path: ['subject_id'],
  }),
  success: { status: 200, body: revocationView },
  problems: ['not_found', 'conflict'],
});
