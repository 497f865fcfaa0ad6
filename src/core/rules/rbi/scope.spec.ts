import { describe, expect, it } from 'vitest';
import {
  autopay,
  mandateOf,
  onRail,
  purchaseWith,
} from '../../../../test/support/rbi-purchases.js';
import type { PurchaseCase } from '../facts.js';
import { type RbiFacts, rbiFactsOf } from './facts.js';
import { debitCountOf, judgeRbiAfa } from './judge-rbi-afa.js';

const reasonOf = (purchase: PurchaseCase): string | null =>
  judgeRbiAfa(purchase).failure?.code ?? null;

const inCurrency = (purchase: PurchaseCase, currency: string): PurchaseCase => ({
  ...purchase,
  facts: { ...purchase.facts, cart: { ...purchase.facts.cart, currency } },
});

describe('a rail that is not known', () => {
  const profile = 'in-rbi-2026-04';
  it.each<[RbiFacts['rail'], string, string | null, string | null]>([
    [null, 'INR', 'IN', 'rbi_unclassified'],
    ['other', 'INR', 'IN', 'rbi_unclassified'],
    ['other', 'INR', null, 'rbi_unclassified'],
    ['other', 'INR', 'US', 'rbi_unclassified'],
    ['other', 'USD', 'IN', 'rbi_unclassified'],
    ['other', 'USD', null, 'rbi_scope_unknown'],
    // No rupees, so no UPI, and no Indian account: outside, whatever the rail is called.
    ['other', 'USD', 'US', null],
    ['card_once', 'INR', null, null],
  ])('%s, %s, issued in %s: %s', (rail, currency, issuerCountry, reason) => {
    const facts = { ...rbiFactsOf(profile), rail, event: 'one_time' as const, issuerCountry };
    expect(reasonOf(inCurrency(purchaseWith(facts), currency))).toBe(reason);
  });

  it('is no rail even where somebody switched it on', () => {
    const facts = { ...rbiFactsOf(profile, ['other']), rail: 'other', event: 'one_time' } as const;
    expect(reasonOf(purchaseWith(facts))).toBe('rbi_unclassified');
  });
});

describe('without a profile', () => {
  it.each(['live', 'staging', '', undefined])('the world %s needs evidence', (world) => {
    const purchase = purchaseWith(rbiFactsOf(null), { world: world as 'live' });
    const facts = { ...purchase.facts, world: world as 'live' };
    expect(reasonOf({ ...purchase, facts })).toBe('afa_evidence_missing');
  });
});

describe('how a debit is counted until it is reported', () => {
  const mandate = mandateOf();
  it.each([
    ['upi_autopay', 'subsequent_debit', 'once'],
    ['upi_autopay', 'first_debit', 'once'],
    ['card_emandate', 'subsequent_debit', 'once'],
    ['upi_otm', 'block_debit', 'once'],
    ['upi_reserve_pay', 'block_debit', 'sum'],
    ['ppi_emandate', 'auto_topup', null],
    ['upi_once', 'one_time', null],
  ] as const)('%s, %s: %s', (rail, event, count) => {
    expect(debitCountOf(onRail({ rail, event, mandate }).facts)).toBe(count);
  });

  it('is not where rule 8 does not apply or no mandate is known', () => {
    const rbi = (changes: Partial<RbiFacts>) => debitCountOf(autopay({ rbi: changes }).facts);
    expect(rbi({})).toBe('once');
    expect(rbi({ profile: 'none' })).toBeNull();
    expect(rbi({ profile: null })).toBeNull();
    expect(rbi({ switchedOnRails: [] })).toBeNull();
    expect(rbi({ mandate: null })).toBeNull();
  });
});
