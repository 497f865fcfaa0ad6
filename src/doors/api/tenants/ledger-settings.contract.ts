import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { LedgerHead, TestClock } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantInput, instantOutput } from '../wire.js';

const clockView = z.strictObject({
  now: instantOutput,
  frozen: z.boolean().meta({ description: 'False until the clock was moved for the first time.' }),
});

export const printClock = ({ nowMs, frozen }: TestClock): z.input<typeof clockView> => ({
  now: formatInstant(nowMs),
  frozen,
});

export const readTestClock = route({
  method: 'GET',
  path: '/v1/test-clock',
  summary: 'Commerce time of a test tenant',
  tag: 'test-clock',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: clockView },
  problems: ['not_found'],
});

export const moveTestClock = route({
  method: 'PUT',
  path: '/v1/test-clock',
  summary: 'Move the clock of a test tenant forward',
  description:
    'Commerce time only: rules, expiries, daily totals. It stands still at the given instant. Request signatures, API keys ' +
    'and rate limits stay on real time.',
  tag: 'test-clock',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ now: instantInput }),
  success: { status: 200, body: clockView },
  problems: ['not_found'],
});

const headView = z.strictObject({
  seq: z.int().meta({ description: 'Sequence number of the last entry; the first has 0.' }),
  at: instantOutput,
  link: z.string().nullable().meta({ description: 'Link of the last sealed entry, hex.' }),
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
    'The entry that switches it on is the first sealed one and states how many stand before it; nothing is sealed backwards.',
  tag: 'ledger',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ on: z.boolean() }),
  success: { status: 200, body: headView },
  problems: ['not_found'],
});
