import type { z } from 'zod';
import type { MandateGrant } from '../credentials/index.js';
import type { treeMembers } from './mandates.contract.js';

type TreeBody = { [Name in keyof typeof treeMembers]: z.output<(typeof treeMembers)[Name]> };

/** The terms of a request, without what only a mandate issued here has. */
export const treeTermsOf = (body: TreeBody): MandateGrant => ({
  kind: body.kind,
  parentId: body.parent_id,
  subject: body.subject,
  agentId: body.agent_id,
  merchantIds: body.merchant_ids,
  cartHash: body.cart_hash,
  cap: body.cap,
  notBeforeAtMs: body.not_before,
  expiresAtMs: body.expires_at,
  payment: null,
  buyerJwk: null,
});
