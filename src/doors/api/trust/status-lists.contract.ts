import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { formatInstant, type InstantMs } from '../../../core/kernel/index.js';
import type { ListOverview } from '../../../trust/status/index.js';
import { instantOutput } from '../wire.js';
import { LIST_URI_CHARACTERS_MAX } from './status.contract.js';

const listView = z.strictObject({
  uri: z.string(),
  own: z
    .strictObject({
      reserved: z.int(),
      bound: z.int().meta({ description: 'A signed object lives on them.' }),
      revoked: z.int(),
      suspended: z.int(),
    })
    .meta({ description: 'The slots that are reserved here, as this service knows them.' }),
  min_version: z.int().nullable().meta({
    description: 'No copy below this version is believed, because of a change that was answered.',
  }),
  fault: z.string().nullable().meta({
    description:
      'Why no copy counts now, so that everything on this list is refused; null: one does.',
  }),
  list: z
    .strictObject({
      version: z.int().nullable(),
      issued_at: instantOutput,
      age_seconds: z.int(),
      expires_at: instantOutput,
      places: z.int(),
      valid: z.int().meta({ description: 'Unused places look valid.' }),
      revoked: z.int(),
      suspended: z.int(),
      other: z.int(),
    })
    .nullable()
    .meta({ description: 'What the signed list says, all its places together.' }),
});

export const printList = (
  { uri, own, minVersion, survey }: ListOverview,
  atMs: InstantMs,
): z.input<typeof listView> => {
  const common = { uri, own: { ...own }, min_version: minVersion };
  if (!survey.ok) return { ...common, fault: survey.error, list: null };
  const { version, issuedAtMs, expiresAtMs, counts } = survey.value;
  const [valid = 0, revoked = 0, suspended = 0, ...rest] = counts;
  const other = rest.reduce((sum, count) => sum + count, 0);
  return {
    ...common,
    fault: null,
    list: {
      version,
      issued_at: formatInstant(issuedAtMs),
      age_seconds: Math.max(0, Math.floor((atMs - issuedAtMs) / 1_000)),
      expires_at: formatInstant(expiresAtMs),
      places: valid + revoked + suspended + other,
      valid,
      revoked,
      suspended,
      other,
    },
  };
};

export const listStatusLists = route({
  method: 'GET',
  path: '/v1/status-lists',
  summary: 'The status lists that the tenant’s objects live on',
  description:
    'For each list what this service knows of its own slots, and what the signed list says: its version, its age and how ' +
    'many places have which value.',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  query: z.strictObject({
    uri: z.string().min(1).max(LIST_URI_CHARACTERS_MAX).optional(),
  }),
  success: { status: 200, body: z.strictObject({ items: z.array(listView) }) },
  problems: [],
});
