import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { RECEIPT_FORMAT, RECEIPT_VERSION } from '../../../core/proofs/index.js';
import { decisionId } from './decisions.contract.js';

const jwk = z.strictObject({
  kty: z.enum(['EC', 'OKP']),
  crv: z.enum(['P-256', 'Ed25519']),
  x: z.string(),
  y: z.string().optional(),
  kid: z.string(),
  alg: z.enum(['ES256', 'EdDSA']),
  use: z.literal('sig'),
});

export const receiptView = z.strictObject({
  format: z.literal(RECEIPT_FORMAT),
  version: z.literal(RECEIPT_VERSION),
  witnessed: z.boolean().meta({
    description:
      'Whether a quorum of witnesses cosigned the checkpoint; false while witnessing is off for this tenant.',
  }),
  statement: z.string().meta({
    description:
      'Compact JWS (typ decision-receipt+jwt) by the receipt key of the tenant: the decision, the place and link of its ' +
      'entry, the key of the checkpoint.',
  }),
  entry: z
    .strictObject({
      seq: z.int(),
      kid: z.string(),
      prev: z.string(),
      mac: z.string(),
      link: z.string(),
      body: z.string(),
    })
    .nullable()
    .meta({ description: 'The whole entry; null for readers of the short form of decisions.' }),
  proof: z.string().meta({
    description:
      'C2SP tlog-proof: where the entry stands in the tree, the path to its root, the signed checkpoint.',
  }),
  issuer_jwk: jwk,
});
export type ReceiptView = z.infer<typeof receiptView>;

export const readReceiptOfDecision = route({
  method: 'GET',
  path: '/v1/decisions/{decision_id}/receipt',
  summary: 'A receipt of a decision that others can check without asking anybody',
  description:
    'A signed statement with the proof that the decision stands in the ledger under a checkpoint that witnesses cosigned; ' +
    'scripts/verify-receipt.mjs checks it offline. Whoever may read the decision may read its receipt; agents and merchant ' +
    'systems get it without the entry, which the statement binds by its link. An entry that no cosigned checkpoint covers ' +
    'yet is shown to the witnesses now: if they do not answer within three seconds the answer is 503. It writes no entry.',
  tag: 'decisions',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  params: z.strictObject({ decision_id: decisionId }),
  success: { status: 200, body: receiptView },
  problems: ['not_found', 'conflict'],
});
