import { z } from 'zod';
import type { StoredCheckpoint, WitnessStanding } from '../../../base/history/index.js';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantOutput } from '../wire.js';

const witnessView = z.strictObject({
  name: z.string().meta({ description: 'The name it signs under.' }),
  self: z.boolean().meta({ description: 'Whether the operator of this service runs it too.' }),
  size: z.int().meta({ description: 'Leaves of the largest tree that it cosigned; 0 = none.' }),
  last_cosigned_at: instantOutput.nullable(),
  failing: z
    .strictObject({ since: instantOutput, reason: z.string() })
    .nullable()
    .meta({ description: 'Since when nothing came of asking it, and why. It is asked again.' }),
  disagreement: z
    .string()
    .nullable()
    .meta({ description: 'The invariant that does not hold between it and this ledger.' }),
});

const witnessingView = z.strictObject({
  on: z.boolean(),
  origin: z.string().nullable().meta({ description: "The permanent name of the ledger's log." }),
  log_keys: z.array(z.string()).meta({
    description:
      'Verifier keys (C2SP signed-note) that sign checkpoints: the one in force first. Witnesses need them.',
  }),
  broken_invariant: z
    .string()
    .nullable()
    .meta({ description: "What does not hold in the ledger's own history: nothing is signed." }),
  newest_checkpoint: z
    .strictObject({
      size: z.int().meta({ description: 'Sealed entries under it.' }),
      seq: z.int().meta({ description: 'The last of them.' }),
      cosigners: z.array(z.string()),
      quorum: z.boolean().meta({ description: 'Whether they are enough by the policy.' }),
    })
    .nullable(),
  witnesses: z.array(witnessView),
  alarms: z.array(
    z.strictObject({
      invariant: z.string(),
      witness: z.string().nullable(),
      detail: z.string(),
      raised_at: instantOutput,
    }),
  ),
});

export interface Witnessed {
  readonly standing: WitnessStanding;
  readonly origin: string | null;
  readonly logKeys: readonly string[];
  readonly newest: StoredCheckpoint | null;
}

export const printWitnessing = ({
  standing,
  origin,
  logKeys,
  newest,
}: Witnessed): z.input<typeof witnessingView> => ({
  on: standing.isOn,
  origin,
  log_keys: [...logKeys],
  broken_invariant: standing.brokenInvariant,
  newest_checkpoint:
    newest === null
      ? null
      : {
          size: newest.size,
          seq: newest.seq,
          cosigners: [...newest.cosigners],
          quorum: newest.quorum,
        },
  witnesses: standing.witnesses.map((witness) => ({
    name: witness.name,
    self: witness.isSelf,
    size: witness.size,
    last_cosigned_at: instantOrNull(witness.lastCosignedAtMs),
    failing:
      witness.failing === null
        ? null
        : { since: formatInstant(witness.failing.sinceMs), reason: witness.failing.reason },
    disagreement: witness.disagreement,
  })),
  alarms: standing.alarms.map((alarm) => ({
    invariant: alarm.invariant,
    witness: alarm.witnessName,
    detail: alarm.detail,
    raised_at: formatInstant(alarm.raisedAtMs),
  })),
});

const instantOrNull = (atMs: number | null): string | null =>
  atMs === null ? null : formatInstant(atMs);

export const readWitnessing = route({
  method: 'GET',
  path: '/v1/ledger/witnessing',
  summary: 'How it stands with the witnesses of the ledger',
  tag: 'ledger',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: witnessingView },
  problems: ['not_found'],
});

export const switchWitnessing = route({
  method: 'PUT',
  path: '/v1/ledger/witnessing',
  summary: 'Switch the witnessing of the ledger on or off',
  description:
    'On, checkpoints of the sealed entries are sent to the witnesses of the deployment as the ledger goes on. A witness sees ' +
    'sizes and hashes, never entries; one that is away or disagrees holds up nothing.',
  tag: 'ledger',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ on: z.boolean() }),
  success: { status: 200, body: witnessingView },
  problems: ['not_found'],
});

export const CHECKPOINT_TYPE = 'text/plain';

export const readCheckpoint = route({
  method: 'GET',
  path: '/v1/ledger/checkpoint',
  summary: 'The newest signed checkpoint, with the cosignatures that are known',
  description:
    'A signed note (C2SP tlog-checkpoint): origin, size and root, then a line of the log and one for each witness. Nothing is ' +
    'signed by asking: not_found until the ledger is sealed and was exported or witnessed once.',
  tag: 'ledger',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: z.string(), mediaType: CHECKPOINT_TYPE },
  problems: ['not_found'],
});
