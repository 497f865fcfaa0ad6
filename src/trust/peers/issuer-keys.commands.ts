import {
  err,
  formatInstant,
  type InstantMs,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import type { VerificationKey } from '../../core/proofs/index.js';
import type { ArtifactType } from '../../core/rules/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { tenants } from '../../base/tenants/index.js';
import {
  issuerKeyAdded,
  issuerKeyCompromised,
  issuerKeyIdOf,
  issuerKeyRetired,
  type IssuerKeyRole,
  issuerKeys,
} from './issuer-keys.ledger.js';
import { PUBLISHED_KEY_THUMBPRINTS } from './published-keys.js';

const isPublished = ({ thumbprint }: VerificationKey): boolean =>
  PUBLISHED_KEY_THUMBPRINTS.has(thumbprint);

const publishedKey = problem(
  'validation_failed',
  'This is a demo key: its private half is published.',
  { fix: 'Use a key of your own outside the test world.', field: '/jwk' },
);

export interface NewIssuerKey {
  readonly issuer: string;
  readonly kid: string;
  readonly role: IssuerKeyRole;
  readonly key: VerificationKey;
  readonly types: readonly ArtifactType[];
  /** Null = in force from this entry on. */
  readonly notBeforeAtMs: InstantMs | null;
}

/**
 * Problems, in order: validation_failed `/jwk` (a published demo key outside the test world), conflict `/kid` (a key of this issuer already has this name: names are never used twice).
 */
export function addIssuerKey(context: CommandContext, added: NewIssuerKey): Command<string> {
  const issuerKeyId = issuerKeyIdOf(added.issuer, added.kid);
  return {
    ...context,
    name: 'issuer_key.add',
    reads: [cell(tenants), cell(issuerKeys, issuerKeyId)],
    decide(view, { atMs }) {
      if (isPublished(added.key) && view.get(tenants, [])?.world !== 'test')
        return err(publishedKey);
      if (view.get(issuerKeys, [issuerKeyId]) !== undefined) return err(nameTaken(added));
      const { issuer, kid, role, key, types, notBeforeAtMs } = added;
      return ok({
        events: [
          event(issuerKeyAdded, {
            issuerKeyId,
            issuer,
            kid,
            role,
            alg: key.alg,
            jwk: { ...key.jwk },
            thumbprint: key.thumbprint,
            types,
            // Tokens say whole seconds: one signed right after this must not seem older than its key.
            notBeforeAtMs: notBeforeAtMs ?? atMs - (atMs % 1_000),
          }),
        ],
      });
    },
    answer: () => issuerKeyId,
  };
}

/** The keys an issuer publishes, and the ids of those it was known by before, as seen outside the lock. */
export interface PublishedKeys {
  readonly issuer: string;
  readonly keys: readonly {
    readonly kid: string;
    readonly role: IssuerKeyRole;
    readonly key: VerificationKey;
  }[];
  readonly knownIds: readonly string[];
}

/** Everything stands already as it is published. Never shown to a caller. */
export const NOTHING_NEW = problem('conflict', 'The published keys are known.', {
  fix: 'Nothing is left to do.',
});

/**
 * Takes over what an issuer publishes, in one command: new keys are added, in force from the beginning, because what the
 * issuer signed with them a moment before counts too; known keys that it publishes no longer are retired at this
 * instant, so that nothing issued later under them counts. What an administrator retired or called compromised stays so.
 * Problems, in order: unavailable (a kid that is known with another key or role), {@link NOTHING_NEW}.
 */
export function followPublishedKeys(
  context: CommandContext,
  { issuer, keys, knownIds }: PublishedKeys,
): Command<null> {
  const published = new Map(keys.map((one) => [issuerKeyIdOf(issuer, one.kid), one]));
  const allIds = [...new Set([...published.keys(), ...knownIds])];
  return {
    ...context,
    name: 'issuer_key.follow',
    reads: allIds.map((id) => cell(issuerKeys, id)),
    decide(view, { atMs }) {
      const events: LedgerEvent[] = [];
      for (const issuerKeyId of allIds) {
        const row = view.get(issuerKeys, [issuerKeyId]);
        const one = published.get(issuerKeyId);
        if (row !== undefined && one !== undefined) {
          if (row.thumbprint !== one.key.thumbprint || row.role !== one.role)
            return err(otherKeyOfThatName(issuer, one.kid));
        } else if (one !== undefined) {
          const { kid, role, key } = one;
          const { alg, jwk, thumbprint } = key;
          events.push(
            event(issuerKeyAdded, {
              ...{ issuerKeyId, issuer, kid, role, alg, jwk: { ...jwk }, thumbprint },
              types: [],
              notBeforeAtMs: 0,
            }),
          );
        } else if (row?.retiredAtMs === null) {
          events.push(event(issuerKeyRetired, { issuerKeyId, retiredAtMs: atMs }));
        }
      }
      return events.length === 0 ? err(NOTHING_NEW) : ok({ events });
    },
    answer: () => null,
  };
}

export interface KeyEnd {
  readonly issuerKeyId: string;
  /** Null = the instant of this entry. */
  readonly atMs: InstantMs | null;
}

/** Problems, in order: not_found, conflict (retired before: a retirement is never moved). */
export const retireIssuerKey = (
  context: CommandContext,
  { issuerKeyId, atMs }: KeyEnd,
): Command<string> => ({
  ...context,
  name: 'issuer_key.retire',
  reads: [cell(issuerKeys, issuerKeyId)],
  decide(view, moment) {
    const row = view.get(issuerKeys, [issuerKeyId]);
    if (row === undefined) return err(noSuchIssuerKey(issuerKeyId));
    if (row.retiredAtMs !== null) return err(endedAlready('retired', row.retiredAtMs));
    return ok({
      events: [event(issuerKeyRetired, { issuerKeyId, retiredAtMs: atMs ?? moment.atMs })],
    });
  },
  answer: () => issuerKeyId,
});

/**
 * Problems, in order: not_found, conflict (already compromised since then or earlier: the date only moves back, so
 * nothing that was refused is believed again).
 */
export const compromiseIssuerKey = (
  context: CommandContext,
  { issuerKeyId, atMs }: KeyEnd,
): Command<string> => ({
  ...context,
  name: 'issuer_key.compromise',
  reads: [cell(issuerKeys, issuerKeyId)],
  decide(view, moment) {
    const row = view.get(issuerKeys, [issuerKeyId]);
    if (row === undefined) return err(noSuchIssuerKey(issuerKeyId));
    const compromisedSinceAtMs = atMs ?? moment.atMs;
    const before = row.compromisedSinceAtMs;
    if (before !== null && before <= compromisedSinceAtMs)
      return err(endedAlready('compromised', before));
    return ok({ events: [event(issuerKeyCompromised, { issuerKeyId, compromisedSinceAtMs })] });
  },
  answer: () => issuerKeyId,
});

const otherKeyOfThatName = (issuer: string, kid: string): Problem =>
  problem(
    'unavailable',
    `The issuer ${issuer} publishes another key under the known name ${kid}.`,
    {
      fix: 'The operator of the issuer gives the new key a kid of its own.',
      retryAfterSeconds: 60,
    },
  );

const nameTaken = ({ issuer, kid }: NewIssuerKey): Problem =>
  problem('conflict', `The issuer ${issuer} already has a key ${kid} here.`, {
    fix: 'Give the new key a kid of its own; a kid is never used twice.',
    field: '/kid',
  });

export const noSuchIssuerKey = (issuerKeyId: string): Problem =>
  problem('not_found', `This tenant has no issuer key ${issuerKeyId}.`, {
    fix: 'Name an issuer_key_id that GET /v1/issuer-keys lists.',
  });

const endedAlready = (what: string, atMs: InstantMs): Problem =>
  problem('conflict', `The key is ${what} since ${formatInstant(atMs)}.`, {
    fix: 'Nothing is left to do.',
  });
