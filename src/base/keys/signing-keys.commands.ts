import {
  err,
  formatInstant,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import { cell, type Command, type CommandContext, dataOf, event } from '../ledger/index.js';
import type { KeyMaterial } from './key-material.js';
import type { WrappedKey } from './key-wrapping.js';
import { PURPOSE_ALGORITHMS, type SigningPurpose } from './purposes.js';
import {
  currentSigningKeys,
  signingKeyCreated,
  signingKeyRetired,
  signingKeys,
  signingKeySecrets,
} from './signing-keys.ledger.js';

export interface NewSigningKey {
  readonly purpose: SigningPurpose;
  readonly material: KeyMaterial;
  readonly wrapped: WrappedKey;
  readonly createdAtMs: InstantMs;
  /** The key that the caller saw signing until now, and when it stops verifying; null = the purpose has no key yet. */
  readonly replaces: { readonly kid: string; readonly endsAtMs: InstantMs } | null;
}

const supersededProblem = problem(
  'conflict',
  'The signing key of this purpose was changed at the same moment.',
  { fix: 'Read GET /v1/signing-keys and repeat the request if it is still needed.' },
);

/**
 * Puts a new key in place of the one named by `replaces`. The answer is the kid that signs from now on; a repeat
 * under the same idempotency key answers with the first one's. Problems: conflict (another key signs meanwhile).
 */
export function createSigningKey(context: CommandContext, key: NewSigningKey): Command<string> {
  const { purpose, material, wrapped, createdAtMs, replaces } = key;
  const pointer = cell(currentSigningKeys, purpose);
  return {
    ...context,
    name: 'signing_key.create',
    reads: [pointer, ...(replaces === null ? [] : [cell(signingKeys, replaces.kid)])],
    decide(view) {
      const current = view.get(currentSigningKeys, [purpose]);
      if ((current?.kid ?? null) !== (replaces?.kid ?? null)) return err(supersededProblem);
      return ok({
        events: [
          event(signingKeyCreated, {
            kid: material.kid,
            purpose,
            algorithm: PURPOSE_ALGORITHMS[purpose],
            publicKey: material.publicKey,
            createdAtMs,
            replaces,
          }),
        ],
        sideWrites: [
          {
            table: signingKeySecrets,
            row: {
              tenant_id: context.tenantId,
              kid: material.kid,
              purpose,
              kek_id: wrapped.kekId,
              wrapped: wrapped.wrapped,
            },
          },
        ],
      });
    },
    answer(entries) {
      const created = dataOf(entries, signingKeyCreated);
      invariant(created !== null, 'creating a signing key records signing_key.created');
      return created.kid;
    },
  };
}

/**
 * Ends a replaced key at once. Problems, in order: not_found, conflict (it is the key that signs: rotate first; or it
 * ended already).
 */
export function retireSigningKey(
  context: CommandContext,
  { purpose, kid, atMs }: { purpose: SigningPurpose; kid: string; atMs: InstantMs },
): Command<string> {
  return {
    ...context,
    name: 'signing_key.retire',
    reads: [cell(signingKeys, kid), cell(currentSigningKeys, purpose)],
    decide(view) {
      const row = view.get(signingKeys, [kid]);
      if (row?.purpose !== purpose) return err(noSuchKey(kid));
      if (view.get(currentSigningKeys, [purpose])?.kid === kid) return err(stillSigns(kid));
      if (row.endsAtMs !== null && row.endsAtMs <= atMs) return err(endedAlready(row.endsAtMs));
      return ok({ events: [event(signingKeyRetired, { kid, purpose, endsAtMs: atMs })] });
    },
    answer: () => kid,
  };
}

const noSuchKey = (kid: string): Problem =>
  problem('not_found', `This tenant has no signing key ${kid}.`, {
    fix: 'Name a kid that GET /v1/signing-keys lists.',
    field: '/kid',
  });

const stillSigns = (kid: string): Problem =>
  problem('conflict', `The key ${kid} signs for its purpose now.`, {
    fix: 'Rotate the purpose first, then retire the replaced key.',
    field: '/kid',
  });

const endedAlready = (endsAtMs: InstantMs): Problem =>
  problem('conflict', `The key ended at ${formatInstant(endsAtMs)}.`, {
    fix: 'Nothing is left to do.',
    field: '/kid',
  });
