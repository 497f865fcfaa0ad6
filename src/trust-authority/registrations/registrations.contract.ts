import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { credentialParams, type CredentialView } from '../credentials/index.js';
import { printTree, treeMembers, treeView } from '../mandates/index.js';
import { SERVICE } from '../service-principal.js';
import { sha256Hex, slotRef, tenantParams } from '../wire.js';

export const register = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/registrations',
  summary: 'Give a foreign mandate a place in the tree, and a slot',
  description:
    'For mandates whose form has no status, as those of AP2: the registration names the SHA-256 of the exact bytes. Terms are those ' +
    'of a mandate and stay within the parent. The same bytes take one place: the same request answers with the first token.',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'optional',
  params: tenantParams,
  body: z.strictObject({ sha256: sha256Hex, ...treeMembers }),
  success: {
    status: 201,
    body: z.strictObject({
      registration_id: z.string(),
      token: z.string().nullable(),
      slot: slotRef,
    }),
  },
  problems: ['not_found', 'conflict', 'unverifiable', 'outcome_unknown'],
});

export const readRegistration = route({
  method: 'GET',
  path: '/v1/tenants/{tenant_id}/registrations/{id}',
  summary: 'A registration as it stands now',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: credentialParams,
  success: { status: 200, body: z.strictObject({ registration_id: z.string(), ...treeView }) },
  problems: ['not_found'],
});

export const printRegistration = (view: CredentialView) => ({
  registration_id: view.row.objectId,
  ...printTree(view),
});
