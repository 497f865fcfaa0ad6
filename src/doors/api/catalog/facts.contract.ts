import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import {
  type CachedFact,
  type FactPlace,
  FACTS_PER_ENTRY_MAX,
  type ListedFact,
  type PublicationPage,
  PUBLISHED_TYPES,
} from '../../../trust/facts/index.js';
import { pageOf, pageQuery } from '../tenants/pieces.js';
import { printStatus, statusView } from '../trust/pieces.js';
import { chosenId, instantOutput } from '../wire.js';

const publishedType = z.enum(PUBLISHED_TYPES);

/** `type/subject`, as it is printed in `next_cursor`. */
const place = z
  .string()
  .max(160)
  .transform((text, context): FactPlace => {
    const [word = '', ...rest] = text.split('/');
    const type = PUBLISHED_TYPES.find((one) => one === word);
    const subject = chosenId.safeParse(rest.join('/'));
    if (type !== undefined && subject.success) return { type, subject: subject.data };
    context.addIssue({ code: 'custom', message: 'The next_cursor of the page before.' });
    return z.NEVER;
  });

const printPlace = ({ type, subject }: FactPlace): string => `${type}/${subject}`;

const publicationView = z.strictObject({
  published: z.int().meta({ description: 'Facts of subjects or prices that had none.' }),
  renewed: z.int(),
  unchanged: z.int().meta({ description: 'They serve as they are.' }),
  withheld: z.int().meta({
    description: 'Revoked, suspended, or nobody can tell: never renewed.',
  }),
  absent: z.int().meta({ description: 'The catalogue has nothing to publish of them.' }),
  total: z.int().meta({ description: 'Subjects of all pages together.' }),
  next_cursor: z.string().nullable(),
});

export const printPublication = ({
  total,
  next,
  ...counts
}: PublicationPage): z.input<typeof publicationView> => ({
  published: counts.published,
  renewed: counts.renewed,
  unchanged: counts.unchanged,
  withheld: counts.withheld,
  absent: counts.absent,
  total,
  next_cursor: next === null ? null : printPlace(next),
});

export const publishFacts = route({
  method: 'POST',
  path: '/v1/facts/publications',
  summary: 'Publish the facts of a catalogue',
  description:
    'Facts are published and renewed by themselves when somebody reads them; publishing them before saves the first ' +
    `reader the wait. One request does at most ${FACTS_PER_ENTRY_MAX} subjects: repeat it with next_cursor until that is null. ` +
    'What serves stays as it is, so a repeat publishes nothing. What was revoked is not renewed.',
  tag: 'catalog',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'none',
  body: z
    .strictObject({
      merchant_id: chosenId,
      artifact_type: publishedType.optional(),
      subject: chosenId.optional(),
      cursor: place.optional(),
    })
    .refine(({ artifact_type: type, subject }) => subject === undefined || type !== undefined, {
      message: 'A subject is named together with its artifact_type.',
      path: ['artifact_type'],
    }),
  examples: { prices: { merchant_id: 'my-shop', artifact_type: 'price' } },
  success: { status: 200, body: publicationView },
  problems: ['not_found', 'conflict'],
});

const factRow = {
  artifact_type: publishedType,
  subject: z.string(),
  revision: z.int(),
  artifact_id: z.string(),
  issued_at: instantOutput,
  expires_at: instantOutput,
  status: statusView,
};
const factView = z.strictObject(factRow);

export const printListedFact = ({ lineage, status }: ListedFact): z.input<typeof factView> => ({
  artifact_type: lineage.artifactType,
  subject: lineage.subject,
  revision: lineage.revision,
  artifact_id: lineage.artifactId,
  issued_at: formatInstant(lineage.issuedAtMs),
  expires_at: formatInstant(lineage.expiresAtMs),
  status: printStatus(status),
});

export const printFactCursor = (next: FactPlace | null): string | null =>
  next === null ? null : printPlace(next);

export const listFacts = route({
  method: 'GET',
  path: '/v1/facts',
  summary: 'The published facts of a merchant, each with its status now',
  description: 'Withdrawn and ended ones included; nothing is renewed by this.',
  tag: 'catalog',
  access: ['merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  query: pageQuery.extend({
    merchant_id: chosenId,
    artifact_type: publishedType.optional(),
    subject: chosenId.optional(),
    cursor: place.optional(),
  }),
  success: { status: 200, body: pageOf(factView) },
  problems: ['not_found'],
});

const cachedView = z.strictObject({
  artifact_id: z.string(),
  artifact_type: publishedType,
  merchant_id: z.string(),
  subject: z.string(),
  issued_at: instantOutput,
  expires_at: instantOutput,
  status: statusView,
  artifact: z.record(z.string(), z.unknown()),
});

export const printCached = (
  { stored, fact }: CachedFact,
  { type, subject }: FactPlace,
): z.input<typeof cachedView> => ({
  artifact_id: stored.row.artifactId,
  artifact_type: type,
  merchant_id: stored.row.merchantId,
  subject,
  issued_at: formatInstant(stored.row.issuedAtMs),
  expires_at: formatInstant(stored.row.expiresAtMs),
  status: printStatus(fact.status),
  // A fact whose bytes are gone is refused before it is printed.
  artifact: JSON.parse(stored.envelopeText ?? '{}') as Readonly<Record<string, unknown>>,
});

export const readFact = route({
  method: 'GET',
  path: '/v1/merchants/{merchant_id}/facts/{artifact_type}/{subject}',
  summary: 'The newest fact of a subject',
  description:
    'The signed envelope, judged now as a purchase would: its signature, its times and its status. A fact that would not ' +
    'count is refused (403) with the bare reason, artifact_revoked or status_list_unavailable among them. The subject is a ' +
    'product of catalog_snapshot, a variant of price and inventory, the merchant itself of policy and protocol_adapter. Of a ' +
    'variant whose product is withdrawn (its catalog_snapshot), price and inventory are refused with it.',
  tag: 'catalog',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  params: z.strictObject({
    merchant_id: chosenId,
    artifact_type: publishedType,
    subject: chosenId.meta({ description: 'A slash in it is sent as %2F.' }),
  }),
  success: { status: 200, body: cachedView },
  problems: ['not_found', 'arbiter_refused'],
});
