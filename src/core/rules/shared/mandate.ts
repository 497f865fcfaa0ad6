import { invariant, type ReasonOf } from '../../kernel/index.js';
import type { CartFacts, MandateFact, PurchaseCase } from '../facts.js';
import { exceeds, payableMinor, usedMandates } from './amounts.js';
import { credentialStatusFault, isSameName, signatureFault, timeFault } from './credential.js';
import { wasIssued } from './instants.js';
import { statusFault } from './status.js';

/** An intent that names this instead of a merchant permits any merchant. No other mandate may. */
export const ANY_MERCHANT = '*';

export type MandateFault = ReasonOf<'mandate_present'>;

const MANDATE_KINDS: readonly MandateFact['mandateKind'][] = ['intent', 'cart', 'payment'];

/**
 * The first thing wrong with one mandate for this purchase, in the order of the catalogue; null = it counts.
 * Not judged here: the cap of an intent, which counts for absent buyers only (rule 7), and the buyer (rules 2 and 3).
 */
export function mandateFault(mandate: MandateFact, purchase: PurchaseCase): MandateFault | null {
  invariant(MANDATE_KINDS.includes(mandate.mandateKind), 'mandates are of a known kind');
  if (mandate.signature === 'not_found') return 'mandate_missing';
  const signature = signatureFault(mandate);
  if (signature !== null) return `mandate_${signature}`;
  return (
    bindingFault(mandate, purchase) ??
    forceFault(mandate, purchase) ??
    capFault(mandate, purchase.facts.cart)
  );
}

function bindingFault(mandate: MandateFact, { facts }: PurchaseCase): MandateFault | null {
  const { mandateKind, cartHash, currency, constraints } = mandate;
  const names = (id: string): boolean =>
    id === ANY_MERCHANT ? mandateKind === 'intent' : isSameName(id, facts.merchantId);
  if (!mandate.merchantIds.some(names)) return 'mandate_merchant_mismatch';
  if (!isSameName(mandate.agentId, facts.agentId)) return 'mandate_agent_mismatch';
  // A cart mandate always names its cart; the others name one only if the buyer bound them to it.
  const isForCart =
    cartHash === null ? mandateKind !== 'cart' : isSameName(cartHash, facts.cart.coreHash);
  if (!isForCart) return 'mandate_cart_mismatch';
  // An intent may leave the currency open; rule 7 then refuses to take its cap as an amount of anything.
  const isForCurrency =
    currency === null ? mandateKind === 'intent' : isSameName(currency, facts.cart.currency);
  if (!isForCurrency) return 'mandate_currency_mismatch';
  if (constraints === 'met') return null;
  return constraints === 'violated'
    ? 'mandate_constraint_violated'
    : 'mandate_constraint_unresolved';
}

function forceFault(mandate: MandateFact, { counters, atMs }: PurchaseCase): MandateFault | null {
  const time = timeFault(mandate, atMs);
  if (time === 'not_yet_valid' || !wasIssued(mandate.issuedAtMs, atMs))
    return 'mandate_not_yet_valid';
  if (time !== null) return 'mandate_expired';
  const own = credentialStatusFault(mandate, atMs);
  if (own === 'revoked' || own === 'suspended') return `mandate_${own}`;
  const parent = mandate.parentStatus === null ? null : statusFault(mandate.parentStatus, atMs);
  // A suspended ancestor carries nothing either.
  if (parent === 'revoked' || parent === 'suspended') return 'mandate_parent_revoked';
  if (isOneTime(mandate) && usedMandates(counters).includes(mandate.ref))
    return 'mandate_already_used';
  return own !== null || parent !== null ? 'status_list_unavailable' : null;
}

/** What the buyer signed for one purchase pays for one; an intent is for many, within its cap. */
export const isOneTime = ({ mandateKind }: Pick<MandateFact, 'mandateKind'>): boolean =>
  mandateKind !== 'intent';

/** What the buyer signed for this very purchase has to cover it; without a cap the cart it names is the bound. */
const capFault = ({ mandateKind, capMinor }: MandateFact, cart: CartFacts): MandateFault | null =>
  mandateKind !== 'intent' && capMinor !== null && exceeds(payableMinor(cart), capMinor)
    ? 'mandate_amount_cap_exceeded'
    : null;
