import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { ARTIFACT_TYPES } from '../../../core/rules/index.js';
import type { ArtifactRow, ArtifactView } from '../../../trust/facts/index.js';
import { chosenId } from '../wire.js';
import { ARTIFACT_EXAMPLES } from './examples.js';
import { lifeView, printLife, printStatus, statusView } from './pieces.js';

export const ARTIFACTS_PER_PAGE_DEFAULT = 50;
export const ARTIFACTS_PER_PAGE_MAX = 200;

const artifactRow = {
  artifact_id: z.string(),
  artifact_type: z.enum(ARTIFACT_TYPES),
  merchant_id: z.string(),
  variant_id: z.string().nullable(),
  subject_type: z.string(),
  subject_id: z.string(),
  issuer: z.string(),
  kid: z.string(),
  payload_hash: z.string(),
  document_sha256: z.string(),
  ...lifeView,
};

const printRow = (row: ArtifactRow) => ({
  artifact_id: row.artifactId,
  artifact_type: row.artifactType,
  merchant_id: row.merchantId,
  variant_id: row.variantId,
  subject_type: row.subjectType,
  subject_id: row.subjectId,
  issuer: row.issuer,
  kid: row.issuerKid,
  payload_hash: row.payloadHash,
  document_sha256: row.documentSha256,
  ...printLife(row),
});

const registeredView = z.strictObject({ ...artifactRow, uri: z.string(), idx: z.int() });
const listedView = z.strictObject({ ...artifactRow, status: statusView });
const wholeView = z.strictObject({
  ...artifactRow,
  status: statusView,
  artifact: z.record(z.string(), z.unknown()).nullable(),
});

export const printRegistered = (row: ArtifactRow): z.input<typeof registeredView> => ({
  ...printRow(row),
  uri: row.listUri,
  idx: row.slotIndex,
});

export const printListed = ({ row, status }: ArtifactView): z.input<typeof listedView> => ({
  ...printRow(row),
  status: printStatus(status),
});

export const printWhole = (view: ArtifactView): z.input<typeof wholeView> => ({
  ...printListed(view),
  artifact:
    view.envelopeText === null
      ? null
      : (JSON.parse(view.envelopeText) as Readonly<Record<string, unknown>>),
});

export const registerArtifact = route({
  method: 'POST',
  path: '/v1/artifacts',
  summary: 'Register a signed merchant fact',
  description:
    'The envelope is verified completely, in this order: shape, scope, issuer key, algorithm, signature, payload hash, ' +
    'not before, expiry, freshness, status. The first failing check is answered with 422, and nothing is written. ' +
    'The same envelope again answers with its first registration. docs/tokens.md says which bytes are signed.',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'merchant_system'],
  idempotency: 'optional',
  body: z.strictObject({
    artifact: z.record(z.string(), z.unknown()).meta({
      description:
        'The signed envelope: docs/tokens.md has every member of it, scripts/sign.mjs makes one.',
    }),
  }),
  examples: ARTIFACT_EXAMPLES,
  success: { status: 201, body: registeredView },
  problems: ['not_found', 'conflict', 'unverifiable'],
});

export const listArtifacts = route({
  method: 'GET',
  path: '/v1/artifacts',
  summary: 'Registered artifacts, newest first, each with its status now',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  query: z.strictObject({
    merchant_id: chosenId.optional(),
    artifact_type: z.enum(ARTIFACT_TYPES).optional(),
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,15}$/, 'The next_cursor of the page before.')
      .transform(Number)
      .optional(),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'A number.')
      .transform(Number)
      .refine((limit) => limit <= ARTIFACTS_PER_PAGE_MAX, `1 to ${ARTIFACTS_PER_PAGE_MAX}`)
      .default(ARTIFACTS_PER_PAGE_DEFAULT),
  }),
  success: {
    status: 200,
    body: z.strictObject({ items: z.array(listedView), next_cursor: z.string().nullable() }),
  },
  problems: [],
});

export const readArtifact = route({
  method: 'GET',
  path: '/v1/artifacts/{artifact_id}',
  summary: 'One artifact with its envelope and its status now',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  params: z.strictObject({ artifact_id: chosenId }),
  success: { status: 200, body: wholeView },
  problems: ['not_found'],
});
