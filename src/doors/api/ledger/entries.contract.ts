import { z } from 'zod';
import type { EntryPage, Inclusion, ListedEntry } from '../../../base/history/index.js';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantInput, instantOutput, seqPage } from '../wire.js';

/** Entries per page. */
export const ENTRIES_PAGE_MAX = 200;
const PAGE_DEFAULT = 50;

const decisionId = z.string().regex(/^arbdec_[0-9a-f]{12}$/, 'arbdec_ and 12 hex digits');

const seqInput = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/, 'A sequence number.')
  .transform(Number);

const typeFilter = z
  .string()
  .max(100)
  .regex(
    /^[a-z][a-z_]*\.(?:\*|[a-z][a-z_]*)$/,
    'A type as decision.recorded, or all of a room as decision.*',
  )
  .meta({ example: 'decision.*' });

const entryView = z.strictObject({
  seq: z.int(),
  type: z.string(),
  at: instantOutput,
  actor: z
    .strictObject({ role: z.string(), id: z.string() })
    .nullable()
    .meta({ description: 'Null when the body is not one that this service writes.' }),
  kid: z
    .string()
    .nullable()
    .meta({ description: 'The key that sealed it; null = it is unsealed.' }),
  prev: z.string().nullable(),
  mac: z.string().nullable(),
  link: z.string().nullable(),
  body: z.string().meta({ description: 'The exact canonical text that is sealed.' }),
});

const printEntry = (entry: ListedEntry): z.input<typeof entryView> => {
  const { seq, type, atMs, actor, kid, prev, mac, link, body } = entry;
  return { seq, type, at: formatInstant(atMs), actor, kid, prev, mac, link, body };
};

const entryPage = z.strictObject({
  items: z.array(entryView),
  next_cursor: z.string().nullable(),
});

export const printEntryPage = ({ entries, nextSeq }: EntryPage): z.input<typeof entryPage> => ({
  items: entries.map(printEntry),
  next_cursor: nextSeq === null ? null : String(nextSeq),
});

const entriesQuery = z.strictObject({
  type: typeFilter.optional(),
  decision_id: decisionId.optional().meta({
    description:
      'The entry of this decision, and those of its allow, its use, its payment, captures, refunds and notes, as far as tables name them.',
  }),
  from: instantInput.optional(),
  to: instantInput.optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
  after_seq: seqInput
    .optional()
    .meta({ description: 'Begin behind this place, in the order that is asked for.' }),
  ...seqPage({ sizeMax: ENTRIES_PAGE_MAX, sizeDefault: PAGE_DEFAULT }),
});
export type EntriesQuery = z.output<typeof entriesQuery>;

export const listEntries = route({
  method: 'GET',
  path: '/v1/ledger/entries',
  summary: 'Entries of the ledger as they are stored',
  description:
    'Cursors are sequence numbers: a page never changes because something newer was written. One page looks at 10,000 ' +
    'entries at most, so with a filter it may be short, or empty, and still have a next_cursor. Times are inclusive from, ' +
    'exclusive to.',
  tag: 'ledger',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  query: entriesQuery,
  success: { status: 200, body: entryPage },
  problems: ['forbidden'],
});

const digest = z.string().meta({ description: '64 hex digits.' });

const inclusionView = z.strictObject({
  entry: entryView,
  state: z.enum(['included', 'uncovered', 'unsealed']).meta({
    description:
      'unsealed: nothing chains this entry. uncovered: it is sealed and newer than every checkpoint; ask again later.',
  }),
  inclusion: z
    .strictObject({
      leaf_index: z.int().meta({ description: 'Which leaf of the Merkle tree it is, from 0.' }),
      tree_size: z.int(),
      root: digest,
      proof: z.array(digest).meta({ description: 'From the leaf up (RFC 6962 section 2.1.1).' }),
      checkpoint: z
        .string()
        .meta({ description: 'The signed note (C2SP tlog-checkpoint) of the tree of that size.' }),
      witnesses: z.array(z.string()).meta({ description: 'Who cosigned that checkpoint.' }),
    })
    .nullable(),
});

export const printInclusion = (
  entry: ListedEntry,
  inclusion: Inclusion,
): z.input<typeof inclusionView> => {
  const { state } = inclusion;
  if (state !== 'included') return { entry: printEntry(entry), state, inclusion: null };
  const { index, proof, checkpoint } = inclusion;
  return {
    entry: printEntry(entry),
    state,
    inclusion: {
      leaf_index: index,
      tree_size: checkpoint.size,
      root: checkpoint.rootHex,
      proof: proof.map((hash) => Buffer.from(hash).toString('hex')),
      checkpoint: checkpoint.note,
      witnesses: [...checkpoint.cosigners],
    },
  };
};

const inclusionQuery = z.strictObject({
  decision_id: decisionId.optional(),
  seq: seqInput.optional(),
});
export type InclusionQuery = z.output<typeof inclusionQuery>;

export const readInclusion = route({
  method: 'GET',
  path: '/v1/ledger/inclusion',
  summary: 'Proof that one entry is in the ledger',
  description:
    'Of a decision or of a sequence number: the entry, and what leads from it to a signed checkpoint of the whole ledger. ' +
    'The leaf is SHA-256 of a zero byte and the 32 bytes of the link. Cosigned checkpoints are taken before others.',
  tag: 'ledger',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  query: inclusionQuery,
  success: { status: 200, body: inclusionView },
  problems: ['forbidden', 'not_found'],
});
