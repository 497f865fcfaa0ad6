import { z } from 'zod';
import type { OutsideLock } from '../../../base/ledger/index.js';
import {
  formatInstant,
  type InstantMs,
  invariant,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { StatusFact } from '../../../core/rules/index.js';
import { instantOutput, printInstant } from '../wire.js';

/** Longest compact token that a body may hold; the verifier refuses longer ones by its own, tighter limit. */
export const TOKEN_CHARACTERS_MAX = 40_000;

export const tokenBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(TOKEN_CHARACTERS_MAX)
    .meta({ description: 'The compact token, exactly as its issuer signed it; docs/tokens.md.' }),
});

export const statusView = z.strictObject({
  verdict: z.enum(['valid', 'revoked', 'suspended', 'unavailable', 'not_checked']),
  uri: z.string().nullable(),
  idx: z.int().nullable(),
  list_issued_at: instantOutput.nullable(),
});

export const printStatus = (status: StatusFact): z.input<typeof statusView> => ({
  verdict: status.verdict,
  uri: status.listUri,
  idx: status.index,
  list_issued_at: printInstant(status.listIssuedAtMs),
});

/** The life of a signed object as every view prints it. */
export const lifeView = {
  issued_at: instantOutput,
  not_before: instantOutput,
  expires_at: instantOutput,
  registered_at: instantOutput,
};

export const printLife = (row: {
  readonly issuedAtMs: InstantMs;
  readonly notBeforeAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  readonly registeredAtMs: InstantMs;
}) => ({
  issued_at: formatInstant(row.issuedAtMs),
  not_before: formatInstant(row.notBeforeAtMs),
  expires_at: formatInstant(row.expiresAtMs),
  registered_at: formatInstant(row.registeredAtMs),
});

/** The tenant's commerce time, for reads that say how fresh a status is. */
export async function commerceNow(
  outsideLock: OutsideLock,
  tenantId: TenantId,
): Promise<InstantMs> {
  const glance = await outsideLock(tenantId, []);
  invariant(glance !== null, 'an authenticated caller has a tenant');
  return glance.moment.atMs;
}
