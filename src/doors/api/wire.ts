import { z } from 'zod';
import {
  CHOSEN_ID_LENGTH_MAX,
  formatInstant,
  isChosenId,
  isCurrencyCode,
  isVisibleText,
  type Money,
  parseInstant,
} from '../../core/kernel/index.js';

/** Pieces of wire form that several topics read or print in the same way (decisions 1.5, 1.6). */

/** Ids that a merchant's own system chose. */
export const chosenId = z
  .string()
  .max(CHOSEN_ID_LENGTH_MAX)
  .refine(isChosenId, 'Letters, digits and ._:@/+- only, beginning with a letter or digit.')
  .meta({
    description: 'Chosen by the caller: letters, digits and ._:@/+-',
    maxLength: CHOSEN_ID_LENGTH_MAX,
  });

/** Words that people read, on one line. */
export const visibleText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine(
      isVisibleText,
      'One line of text, without control characters and those that turn its direction.',
    );

export const currencyCode = z
  .string()
  .length(3)
  .refine(isCurrencyCode, 'An ISO 4217 code of a currency one can pay in.')
  .meta({ description: 'ISO 4217 code', example: 'INR' });

const minorUnits = (pattern: RegExp, text: string) =>
  z.string().regex(pattern, text).meta({ description: text, example: '2099' });

const toMoney = ({ amount, currency }: { amount: string; currency: string }): Money => ({
  amountMinor: BigInt(amount),
  currency,
});

/** Minor units, not negative, at most 18 digits; reads into {@link Money}. */
export const moneyInput = z
  .strictObject({
    amount: minorUnits(
      /^(?:0|[1-9]\d{0,17})$/,
      'Minor units as a decimal string, at most 18 digits.',
    ),
    currency: currencyCode,
  })
  .transform(toMoney);

/** As {@link moneyInput}, but zero is refused: money that really moved. */
export const positiveMoneyInput = z
  .strictObject({
    amount: minorUnits(
      /^[1-9]\d{0,17}$/,
      'Minor units as a decimal string, positive, at most 18 digits.',
    ),
    currency: currencyCode,
  })
  .transform(toMoney);

/** Negative and zero are read too: for amounts that a rule must see in order to refuse them. */
export const signedMoneyInput = z
  .strictObject({
    amount: minorUnits(
      /^(?:0|-?[1-9]\d{0,17})$/,
      'Minor units as a decimal string, at most 18 digits.',
    ),
    currency: currencyCode,
  })
  .transform(toMoney);

export const moneyOutput = z.strictObject({
  amount: z.string().meta({ description: 'Minor units as a decimal string.', example: '2099' }),
  currency: currencyCode,
});

export const printAmount = (
  amountMinor: bigint,
  currency: string,
): z.infer<typeof moneyOutput> => ({
  amount: amountMinor.toString(),
  currency,
});

/** Integer minor units where a mission text spells them so; the largest is a safe integer. */
export const minorUnitsInteger = z.int().min(0).max(Number.MAX_SAFE_INTEGER).transform(BigInt);

/** RFC 3339, read into milliseconds. */
export const instantInput = z
  .string()
  .max(40)
  .transform((text, context) => {
    const atMs = parseInstant(text);
    if (atMs !== null) return atMs;
    context.addIssue({ code: 'custom', message: 'An RFC 3339 time with Z or an offset.' });
    return z.NEVER;
  })
  .meta({ format: 'date-time', example: '2026-11-30T09:00:00.000Z' });

export const instantOutput = z
  .string()
  .meta({ format: 'date-time', example: '2026-11-30T09:00:00.000Z' });

export const printInstant = (atMs: number | null): string | null =>
  atMs === null ? null : formatInstant(atMs);

/** A page of what the ledger orders: the cursor is a sequence number, so a page never changes by what comes later. */
export const seqPage = ({ sizeMax, sizeDefault }: { sizeMax: number; sizeDefault: number }) => ({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'The next_cursor of an earlier page.')
    .optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'A number.')
    .transform(Number)
    .refine((limit) => limit <= sizeMax, `1 to ${sizeMax}`)
    .default(sizeDefault),
});
