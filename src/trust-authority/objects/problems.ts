import { problem, type Problem } from '../../core/kernel/index.js';
import { MANDATE_DEPTH_MAX, type ProofFault } from '../../core/proofs/index.js';
import { TREE_SIZE_MAX } from './new-object.js';

/** What is said of an object that cannot be bound; `at` is the JSON pointer of the object in the request. */

export const neverReserved = (at: string): Problem =>
  problem('not_found', 'The slot was never reserved here.', {
    fix: 'Reserve slots with POST /v1/tenants/{tenant_id}/slots, and name one of them.',
    field: `${at}/slot`,
  });

export const otherBytes = (at: string): Problem =>
  problem('conflict', 'Something else is bound under this id already.', {
    fix: 'Give a new thing a new id; the same thing again is bound with the same bytes and slot.',
    field: `${at}/object_id`,
  });

export const otherLineage = (at: string): Problem =>
  problem('conflict', 'The slot belongs to something else.', {
    fix: 'Reserve a slot for it.',
    field: `${at}/slot`,
  });

export const slotRevoked = (at: string): Problem =>
  problem('conflict', 'The slot is INVALID, and INVALID is final.', {
    fix: 'Issue the fact or right anew, with a slot of its own.',
    field: `${at}/slot`,
  });

const unverifiable = (field: string, detail: string, fix: string): Problem =>
  problem('unverifiable', detail, { fix, field });

export const parentUnknown = (at: string): Problem =>
  unverifiable(
    `${at}/mandate/parent_id`,
    'lineage: the parent is no mandate or registration that is bound here',
    'Bind the parent first.',
  );

export const parentNotValid = (at: string): Problem =>
  unverifiable(
    `${at}/mandate/parent_id`,
    'lineage: the parent is revoked, suspended or expired',
    'Build on a mandate that stands.',
  );

export const treeTooDeep = (at: string): Problem =>
  unverifiable(
    `${at}/mandate/parent_id`,
    `lineage: a tree has at most ${MANDATE_DEPTH_MAX} levels`,
    'Build on a mandate nearer to the root.',
  );

export const treeTooLarge = (at: string): Problem =>
  unverifiable(
    `${at}/mandate/parent_id`,
    `lineage: a tree has at most ${TREE_SIZE_MAX} mandates`,
    'Begin another tree.',
  );

/** Members of the request by the words of the lineage rule. */
const MEMBERS: Readonly<Record<string, string>> = {
  kind: '/mandate/mandate_kind',
  sub: '/mandate/subject_commitment',
  agent_id: '/mandate/agent_id',
  merchant_ids: '/merchant_ids',
  cart_hash: '/mandate/cart_hash',
  'cap.currency': '/mandate/cap/currency',
  'cap.amount': '/mandate/cap/amount',
  nbf: '/mandate/not_before',
  exp: '/mandate/expires_at',
};

export const beyondParent = (at: string, { member, detail }: ProofFault): Problem =>
  unverifiable(
    `${at}${MEMBERS[member ?? ''] ?? '/mandate'}`,
    `lineage: ${detail}`,
    'Stay within the parent.',
  );

export const consentUnusable = (at: string): Problem =>
  unverifiable(
    `${at}/consent_id`,
    'The consent is not bound here, or it is revoked, suspended or expired.',
    'Ask the buyer for a consent.',
  );

export const consentTaken = (at: string): Problem =>
  problem('conflict', 'Another passport rests on this consent already.', {
    fix: 'One consent carries one passport: ask for another consent.',
    field: `${at}/consent_id`,
  });
