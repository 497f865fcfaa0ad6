import { z } from 'zod';
import { isVisibleText } from '../../../core/kernel/index.js';
import { PRICE_AMOUNT_MINOR_MAX } from '../../../trust/facts/index.js';
import { currencyCode, visibleText } from '../wire.js';

export const TITLE_CHARACTERS_MAX = 200;
export const IMAGE_URL_CHARACTERS_MAX = 512;
export const POLICY_CHARACTERS_MAX = 2_000;
export const JURISDICTIONS_MAX = 250;
export const JURISDICTION_CHARACTERS_MAX = 64;

export const isTitle = (text: string): boolean =>
  text !== '' && text.length <= TITLE_CHARACTERS_MAX && isVisibleText(text);

export const isImageUrl = (text: string): boolean =>
  text.length <= IMAGE_URL_CHARACTERS_MAX &&
  URL.canParse(text) &&
  ['https:', 'http:'].includes(new URL(text).protocol) &&
  isVisibleText(text);

export const title = visibleText(TITLE_CHARACTERS_MAX).min(1);
export const imageUrl = z
  .string()
  .max(IMAGE_URL_CHARACTERS_MAX)
  .refine(isImageUrl, 'An address that begins with https:// or http://');

/** A price as a signed fact can say it. */
export const priceInput = z.strictObject({
  amount: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,15})$/, 'Minor units as a decimal string, at most 16 digits.')
    .refine(
      (text) => !/^\d{1,16}$/.test(text) || BigInt(text) <= PRICE_AMOUNT_MINOR_MAX,
      `At most ${PRICE_AMOUNT_MINOR_MAX} minor units.`,
    )
    .meta({ description: 'Minor units as a decimal string.', example: '45900' }),
  currency: currencyCode,
});

const policyText = visibleText(POLICY_CHARACTERS_MAX).min(1);

export const policiesForm = z.strictObject({
  returns: policyText.meta({ example: '30 days, unopened, at our cost.' }),
  warranty: policyText,
  fulfillment: policyText,
  cancellation: policyText,
  support: policyText,
  jurisdictions: z
    .array(visibleText(JURISDICTION_CHARACTERS_MAX).min(1))
    .max(JURISDICTIONS_MAX)
    .meta({ description: 'Where these policies hold, as country codes or names.' }),
});
