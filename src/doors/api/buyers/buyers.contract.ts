import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { instantOutput } from '../wire.js';

/** As long as a name inside a token may be. */
const REFERENCE_CHARACTERS_MAX = 2_048;

const commitment = z
  .string()
  .regex(/^[0-9a-f]{64}$/, '64 lower-case hex digits.')
  .meta({ description: 'What stands in the ledger instead of the buyer.' });

export const eraseBuyer = route({
  method: 'POST',
  path: '/v1/buyers/erase',
  summary: 'Erase the personal data of a buyer',
  description:
    'Takes away who the buyer is, the salt of the commitment and the bytes of every signed token and note that names the ' +
    'buyer. The ledger stays as it is and still verifies; what was decided stays decided. The erased tokens no longer ' +
    'verify, and the same buyer_reference gets another commitment from then on. Give buyer_reference or buyer_commitment, ' +
    'not both. A buyer that was erased before is answered with that erasure. Of a buyer_reference that stands for nobody ' +
    '(any more) buyer_commitment is null: whether it was erased or never known, nobody can tell.',
  tag: 'buyers',
  access: ['tenant_admin'],
  idempotency: 'required',
  body: z.strictObject({
    buyer_reference: z.string().min(1).max(REFERENCE_CHARACTERS_MAX).optional().meta({
      description: 'The name that requests and tokens use: buyer_reference, sub or the payer.',
    }),
    buyer_commitment: commitment.optional(),
  }),
  examples: {
    by_reference: { buyer_reference: 'buyer-4711' },
    by_commitment: {
      buyer_commitment: 'b2fd01bf4b4c27ca66a513d79c7c70f73d2ed8774f83ccf9c9f79a715b807b61',
    },
  },
  success: {
    status: 200,
    body: z.strictObject({
      buyer_commitment: commitment.nullable(),
      erased_at: instantOutput.nullable(),
      documents_erased: z.int(),
    }),
  },
  problems: ['not_found'],
});
