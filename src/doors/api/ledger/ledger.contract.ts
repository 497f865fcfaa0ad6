import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { LedgerHead, SealingKeyInForce } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantOutput } from '../wire.js';

const headView = z.strictObject({
  seq: z.int().meta({ description: 'Sequence number of the last entry; the first has 0.' }),
  at: instantOutput,
  link: z.string().nullable().meta({
    description:
      'Link of the last sealed entry, hex; while sealing is off that is an earlier one than seq names.',
  }),
  sealed_head: z
    .strictObject({ seq: z.int(), at: instantOutput, link: z.string() })
    .nullable()
    .meta({
      description:
        'The last sealed entry, number and link of the same one: the head to keep elsewhere. Null: nothing was ever sealed.',
    }),
  sealing: z.strictObject({
    on: z.boolean(),
    kid: z.string().nullable(),
    since_seq: z.int().nullable(),
  }),
});

export const printHead = (head: LedgerHead): z.input<typeof headView> => ({
  seq: head.seq,
  at: formatInstant(head.atMs),
  link: head.link,
  sealed_head:
    head.link === null || head.sealed === null
      ? null
      : { seq: head.sealed.seq, at: formatInstant(head.sealed.atMs), link: head.link },
  sealing: {
    on: head.sealingKid !== null,
    kid: head.sealingKid,
    since_seq: head.sealingSinceSeq,
  },
});

export const readLedgerHead = route({
  method: 'GET',
  path: '/v1/ledger/head',
  summary: 'The end of the ledger',
  tag: 'ledger',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: headView },
  problems: ['not_found'],
});

export const switchSealing = route({
  method: 'PUT',
  path: '/v1/ledger/sealing',
  summary: 'Switch the sealing of the ledger on or off',
  description:
    'The entry that switches it on is the first sealed one and states how many stand before it; nothing is sealed ' +
    'backwards. It is sealed with the newest key that the tenant ever had.',
  tag: 'ledger',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ on: z.boolean() }),
  success: { status: 200, body: headView },
  problems: ['not_found'],
});

const rotationView = z.strictObject({
  kid: z.string().meta({ description: 'The key that seals from this entry on.', example: 'k2' }),
  since_seq: z.int().meta({ description: 'The entry of the rotation: the first under this key.' }),
});

export const printRotation = ({
  kid,
  sinceSeq,
}: SealingKeyInForce): z.input<typeof rotationView> => ({ kid, since_seq: sinceSeq });

export const rotateSealingKey = route({
  method: 'POST',
  path: '/v1/ledger/sealing/rotations',
  summary: 'Seal with the next key from now on',
  description:
    'Keys are named k1, k2, ... and a name never comes back, so that the secret of a key that was left can be given to an ' +
    'auditor. The chain goes on; the entry of the rotation is the first under the new key.',
  tag: 'ledger',
  access: ['tenant_admin'],
  idempotency: 'optional',
  success: { status: 201, body: rotationView },
  problems: ['not_found', 'conflict'],
});
