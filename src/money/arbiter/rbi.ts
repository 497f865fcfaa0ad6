import type { MerchantRow } from '../../base/tenants/index.js';
import { codec } from '../../core/kernel/index.js';
import {
  AFA_CATEGORIES,
  AFA_EVENTS,
  AFA_RAILS,
  type MandateFact,
  RBI_PROFILES,
  type RbiFacts,
  rbiFactsOf,
} from '../../core/rules/index.js';
import type { RailClaims } from '../../trust/buyer-authority/index.js';

const profile = codec.nullable(codec.oneOf(...RBI_PROFILES));
const rails = codec.list(codec.oneOf(...AFA_RAILS));

/** A word of a closed list; what an issuer wrote beyond the list is null. */
const known = <Word extends string>(words: readonly Word[], word: string | null): Word | null =>
  words.find((candidate) => candidate === word) ?? null;

/**
 * Under which name a provider reports the debit mandate: the bank's (UMN) when the buyer's payment mandate says it. A
 * payment mandate pays once, a debit mandate is debited again and again; only one made just now has no other name yet.
 */
export const debitMandateRefOf = ({ umn, mandateRef }: RailClaims): string => umn ?? mandateRef;

/**
 * What rule 8 sees of the merchant's profile and the verified payment mandate's words on its rail (facts/arbiter.md H1).
 * A rail we do not know is none: where the Indian rules may hold, rule 8 then refuses as unclassified. What payment
 * providers reported is added by `withReports`; without a report of its state only a first debit has a mandate, the one
 * that the buyer makes with it.
 */
export function rbiFactsFor(
  merchant: Pick<MerchantRow, 'merchantId' | 'rbiProfile' | 'rbiRails'>,
  claims: RailClaims | null,
  mandates: readonly MandateFact[],
): RbiFacts {
  const on = switchedOn(merchant);
  const facts = rbiFactsOf(on.profile, on.switchedOnRails);
  if (claims === null) return facts;
  const event = known(AFA_EVENTS, claims.event);
  const payment = mandates.find(({ ref }) => ref === claims.mandateRef);
  const made = event === 'first_debit' && payment !== undefined;
  return {
    ...facts,
    issuerCountry: claims.country,
    rail: known(AFA_RAILS, claims.rail),
    event,
    category: known(AFA_CATEGORIES, claims.category),
    mcc: claims.mcc,
    purposeCode: claims.purposeCode,
    payeeId: merchant.merchantId,
    sameStepAsRegistration: made,
    mandate: made ? mandateBeingMade(payment, claims, merchant.merchantId) : null,
  };
}

/** The merchant's own choice: which tables hold, and for which rails. */
export const switchedOn = (
  merchant: Pick<MerchantRow, 'rbiProfile' | 'rbiRails'>,
): Pick<RbiFacts, 'profile' | 'switchedOnRails'> => ({
  profile: profile.decode(merchant.rbiProfile, 'merchants.rbi_profile'),
  switchedOnRails: rails.decode(merchant.rbiRails, 'merchants.rbi_rails'),
});

/** The debit mandate that the buyer signed and the bank has yet to make, on the terms the buyer signed. */
const mandateBeingMade = (
  payment: MandateFact,
  claims: RailClaims,
  payeeId: string,
): RbiFacts['mandate'] => ({
  ref: debitMandateRefOf(claims),
  status: 'initiated',
  kind: 'variable',
  limitMinor: payment.capMinor,
  currency: payment.currency,
  payeeId,
  frequency: 'as_presented',
  debitDay: null,
  validFromAtMs: payment.notBeforeAtMs,
  validToAtMs: payment.expiresAtMs,
  registeredAtMs: null,
  registrationAfaRef: null,
  termsChangedSinceAfa: false,
  lastSeq: null,
  lastDebitedAtMs: null,
  blockedMinor: null,
  debitedMinor: null,
  reservedMinor: null,
});
