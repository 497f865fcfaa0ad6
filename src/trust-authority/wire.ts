import { z } from 'zod';
import {
  CHOSEN_ID_LENGTH_MAX,
  formatInstant,
  type InstantMs,
  isChosenId,
  isCurrencyCode,
  type Money,
  parseInstant,
  type TenantId,
} from '../core/kernel/index.js';

/** Pieces of wire form that the authority's routes share. Money and instants as everywhere (decisions 1.5, 1.6). */

export const tenantId = z
  .string()
  .regex(/^tnt_[0-9a-z]{1,64}$/, 'tnt_ and lower-case letters or digits')
  .transform((text) => text as TenantId);

export const chosenId = z
  .string()
  .max(CHOSEN_ID_LENGTH_MAX)
  .refine(isChosenId, 'Letters, digits and ._:@/+- only, beginning with a letter or digit.');

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits.');

/** A word of a closed list that the caller keeps: reason codes, roles. */
export const codeWord = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'A word in snake_case.');

export const instant = z
  .string()
  .max(40)
  .transform((text, context) => {
    const atMs = parseInstant(text);
    if (atMs !== null) return atMs;
    context.addIssue({ code: 'custom', message: 'An RFC 3339 time with Z or an offset.' });
    return z.NEVER;
  });

export const money = z
  .strictObject({
    amount: z.string().regex(/^(?:0|[1-9]\d{0,17})$/, 'Minor units, at most 18 digits.'),
    currency: z.string().length(3).refine(isCurrencyCode, 'An ISO 4217 code.'),
  })
  .transform(({ amount, currency }): Money => ({ amountMinor: BigInt(amount), currency }));

export const printMoney = ({ amountMinor, currency }: Money) => ({
  amount: amountMinor.toString(),
  currency,
});

export const printInstant = (atMs: InstantMs | null): string | null =>
  atMs === null ? null : formatInstant(atMs);

/** Where an object's status stands. */
export const slotRef = z.strictObject({
  uri: z.string().min(1).max(512),
  idx: z.int().min(0).max(131_071),
});

export const tenantParams = z.strictObject({ tenant_id: tenantId });
