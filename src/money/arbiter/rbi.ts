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
 * What rule 8 sees: the merchant's profile and the verified payment mandate's words on its rail (facts/arbiter.md H1).
 * A rail we do not know is none: where the Indian rules may hold, rule 8 then refuses as unclassified. Evidence of
 * authentication, notices and the states of registered debit mandates come by the payment provider's own signed routes;
 * while none has been reported, they are missing and refuse where they are needed. Only a first debit needs no report of
 * a state: the buyer's mandate is made with it.
 */
export function rbiFactsFor(
  merchant: Pick<MerchantRow, 'merchantId' | 'rbiProfile' | 'rbiRails'>,
  claims: RailClaims | null,
  mandates: readonly MandateFact[],
): RbiFacts {
  const facts = rbiFactsOf(
    profile.decode(merchant.rbiProfile, 'merchants.rbi_profile'),
    rails.decode(merchant.rbiRails, 'merchants.rbi_rails'),
  );
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
    mandate: made ? mandateBeingMade(payment, merchant.merchantId) : null,
  };
}

/** The debit mandate that the buyer signed and the bank has yet to make, on the terms the buyer signed. */
const mandateBeingMade = (payment: MandateFact, payeeId: string): RbiFacts['mandate'] => ({
  ref: payment.ref,
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
