import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { TOKEN_LENGTH_MAX } from '../../core/proofs/index.js';
import { changeStatusRoute } from '../revocations/index.js';
import { chosenId, tenantId } from '../wire.js';

export const withdrawConsent = route({
  method: 'POST',
  path: '/consents/{tenant_id}/{consent_id}/withdrawals',
  summary: 'Take a consent back, with a proof of the buyer',
  description:
    'proof is a compact JWS of typ consent-withdrawal+jwt, signed with the key that the consent was registered with: claims iss (the ' +
    'name of the buyer as it stands in the consent), aud (the origin of this authority), jti, iat (within 300 s of now), consent_id, tenant_id.',
  tag: 'status',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({ tenant_id: tenantId, consent_id: chosenId }),
  body: z.strictObject({ proof: z.string().min(1).max(TOKEN_LENGTH_MAX) }),
  success: { status: 200, body: changeStatusRoute.success.body },
  problems: ['not_found', 'unverifiable', 'outcome_unknown'],
});
