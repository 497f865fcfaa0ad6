import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { MANDATE_KINDS, MANDATE_MERCHANTS_MAX } from '../../core/proofs/index.js';
import { ANY_MERCHANT } from '../../core/rules/index.js';
import {
  buyerJwk,
  commonView,
  credentialParams,
  type CredentialView,
  moneyView,
  printCommon,
  stateOf,
  subject,
  textsOf,
} from '../credentials/index.js';
import { mandateTerms } from '../ledger/index.js';
import { SERVICE } from '../service-principal.js';
import {
  chosenId,
  instant,
  money,
  printInstant,
  printMoney,
  sha256Hex,
  slotRef,
  tenantParams,
} from '../wire.js';

/** What every member of the tree is measured by. */
export const treeMembers = {
  kind: z.enum(MANDATE_KINDS),
  parent_id: chosenId.nullable().default(null),
  subject,
  agent_id: chosenId,
  merchant_ids: z
    .array(z.union([chosenId, z.literal(ANY_MERCHANT)]))
    .min(1)
    .max(MANDATE_MERCHANTS_MAX),
  cart_hash: sha256Hex.nullable().default(null),
  cap: money,
  not_before: instant.nullable().default(null),
  expires_at: instant,
};

const term = z.string().min(1).max(256);
const optionalTerm = term.nullable().default(null);

const payment = z.strictObject({
  rail: term,
  event: optionalTerm,
  category: optionalTerm,
  mcc: optionalTerm,
  purpose_code: optionalTerm,
  umn: optionalTerm,
  country: optionalTerm,
});

export const issueMandate = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/mandates',
  summary: 'Issue a mandate, a root or a child of one that stands',
  description:
    'A child stays within its parent: kind, buyer, agent, merchants, cart, currency, cap, begin and end. parent_id may name a ' +
    'registration. The same mandate_id with the same terms answers with the first token.',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'optional',
  params: tenantParams,
  body: z.strictObject({
    mandate_id: chosenId.nullable().default(null),
    ...treeMembers,
    payment: payment.nullable().default(null),
    buyer_jwk: buyerJwk.nullable().default(null),
  }),
  success: {
    status: 201,
    body: z.strictObject({ mandate_id: z.string(), token: z.string().nullable(), slot: slotRef }),
  },
  problems: ['not_found', 'conflict', 'unverifiable', 'outcome_unknown'],
});

/** What views of mandates and registrations say beside their ids. */
export const treeView = {
  state: z.enum(['valid', 'expired', 'revoked', 'suspended']),
  kind: z.enum(MANDATE_KINDS),
  parent_id: z.string().nullable(),
  root_id: z.string(),
  depth: z.int(),
  agent_id: z.string(),
  merchant_ids: z.array(z.string()),
  cart_hash: z.string().nullable(),
  cap: moneyView,
  not_before: z.string().nullable(),
  ...commonView,
};

export const readMandate = route({
  method: 'GET',
  path: '/v1/tenants/{tenant_id}/mandates/{id}',
  summary: 'A mandate as it stands now',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: credentialParams,
  success: { status: 200, body: z.strictObject({ mandate_id: z.string(), ...treeView }) },
  problems: ['not_found'],
});

export function printTree(view: CredentialView) {
  const { row } = view;
  const terms = mandateTerms.decode(row.mandate, 'objects.mandate');
  return {
    state: stateOf(view),
    kind: terms.mandateKind,
    parent_id: row.parentId,
    root_id: row.rootId ?? row.objectId,
    depth: row.depth,
    agent_id: terms.agentId,
    merchant_ids: textsOf(row.merchantIds),
    cart_hash: terms.cartHash,
    cap: printMoney(terms.cap),
    not_before: printInstant(terms.notBeforeAtMs),
    ...printCommon(view),
  };
}

export const printMandate = (view: CredentialView) => ({
  mandate_id: view.row.objectId,
  ...printTree(view),
});
