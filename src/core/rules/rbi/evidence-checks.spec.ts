import { describe, expect, it } from 'vitest';
import {
  autopay,
  delegationOf,
  evidenceOf,
  MORNING_MS,
  onRail,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import type { PurchaseCase } from '../facts.js';
import { AFA_CARD_MANDATE_TTL_MS, AFA_ONE_TIME_TTL_MS, AFA_SKEW_MS } from './evidence-checks.js';
import { AFA_METHODS, type AfaEvidenceFact, type AfaRail } from './facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';

const codeOf = (purchase: PurchaseCase): string | null =>
  judgeRbiAfa(purchase).failure?.code ?? null;

describe('evidence E1 to E10 on a one-time UPI payment', () => {
  const AMOUNT = 100_000n;
  const pay = (changes: Partial<AfaEvidenceFact> | null, rail: AfaRail = 'upi_once') =>
    codeOf(
      onRail(
        {
          rail,
          event: 'one_time',
          evidence:
            changes === null
              ? null
              : evidenceOf(AMOUNT, MORNING_MS, { mandateRefBound: null, ...changes }),
        },
        { amountMinor: AMOUNT },
      ),
    );

  it('passes when all fits', () => {
    expect(pay({})).toBeNull();
  });

  it('E2: only bank, network and provider count, and only when something proves their word', () => {
    for (const assertedBy of ['issuer', 'network', 'psp'] as const) {
      for (const verification of ['signature', 'webhook', 'api_lookup'] as const) {
        expect(pay({ assertedBy, verification })).toBeNull();
      }
      expect(pay({ assertedBy, verification: 'none' })).toBe('afa_evidence_unverified');
    }
    expect(pay({ assertedBy: 'agent' })).toBe('afa_evidence_unverified');
    expect(pay({ assertedBy: 'merchant' })).toBe('afa_evidence_unverified');
    expect(pay({ method: 'agent_assertion' })).toBe('afa_evidence_unverified');
  });

  it('E3: two equal static factors are one; a card and its one-time code are two', () => {
    const has = { class: 'has', dynamic: true } as const;
    expect(pay({ factors: [has] })).toBe('afa_factors_insufficient');
    expect(pay({ factors: [has, has] })).toBe('afa_factors_insufficient');
    expect(pay({ factors: [has, { class: 'has', dynamic: false }] })).toBeNull();
    expect(pay({ factors: [has, { class: 'is', dynamic: true }] })).toBeNull();
  });

  it('E3: a method shows factors only on its own rails, some on none', () => {
    const passing = AFA_METHODS.filter((method) => pay({ method }) === null);
    expect(passing).toEqual(['upi_pin', 'upi_device_biometric', 'passkey_webauthn']);
    const onCards = AFA_METHODS.filter((method) => pay({ method }, 'card_once') === null);
    expect(onCards).toEqual([
      'sms_otp',
      'app_push_approve',
      'threeds_challenge',
      'passkey_webauthn',
    ]);
  });

  it('E4: one factor must be dynamic', () => {
    const factors = [
      { class: 'knows', dynamic: false },
      { class: 'has', dynamic: false },
    ] as const;
    expect(pay({ factors })).toBe('afa_not_dynamic');
  });

  it('E5: up to 30 s ahead, up to 10 minutes old, expiry exclusive, no time at all is stale', () => {
    expect(pay({ performedAtMs: MORNING_MS + AFA_SKEW_MS })).toBeNull();
    expect(pay({ performedAtMs: MORNING_MS + AFA_SKEW_MS + 1 })).toBe('afa_in_future');
    expect(pay({ performedAtMs: MORNING_MS - AFA_ONE_TIME_TTL_MS })).toBeNull();
    expect(pay({ performedAtMs: MORNING_MS - AFA_ONE_TIME_TTL_MS - 1 })).toBe(
      'afa_evidence_expired',
    );
    expect(pay({ expiresAtMs: MORNING_MS + 1 })).toBeNull();
    expect(pay({ expiresAtMs: MORNING_MS })).toBe('afa_evidence_expired');
    expect(pay({ performedAtMs: null })).toBe('afa_evidence_expired');
  });

  it('E6: exactly this amount in this currency', () => {
    expect(pay({ amountBoundMinor: AMOUNT - 1n })).toBe('afa_evidence_amount_mismatch');
    expect(pay({ amountBoundMinor: AMOUNT + 1n })).toBe('afa_evidence_amount_mismatch');
    expect(pay({ amountBoundMinor: null })).toBe('afa_evidence_amount_mismatch');
    expect(pay({ currencyBound: null })).toBe('afa_currency_mismatch');
  });

  it('E7 and E8: this payee, and the mandate it names or none', () => {
    expect(pay({ payeeBound: 'other' })).toBe('afa_payee_mismatch');
    expect(pay({ payeeBound: null })).toBe('afa_payee_mismatch');
    expect(pay({ mandateRefBound: 'umn-9' })).toBe('afa_evidence_mandate_mismatch');
    expect(pay({ cartBound: 'another cart' })).toBe('afa_cart_mismatch');
    expect(pay({ cartBound: 'c' })).toBeNull();
    const nobody = onRail(
      {
        rail: 'upi_once',
        event: 'one_time',
        payeeId: null,
        evidence: evidenceOf(AMOUNT, MORNING_MS, { payeeBound: null, mandateRefBound: null }),
      },
      { amountMinor: AMOUNT },
    );
    expect(codeOf(nobody)).toBe('afa_payee_mismatch');
  });

  it('E9: a reference that was used is a replay, and stricter than any other fault', () => {
    expect(pay({ claimedBefore: true })).toBe('afa_reference_reused');
    expect(pay({ claimedBefore: true, assertedBy: 'agent' })).toBe('afa_reference_reused');
  });

  it('on a card mandate the authentication lives 72 hours', () => {
    const amountMinor = 1_500_001n;
    const debit = (performedAtMs: number) =>
      codeOf(
        withRbi(autopay({ amountMinor }), {
          rail: 'card_emandate',
          switchedOnRails: ['card_emandate'],
          evidence: evidenceOf(amountMinor, MORNING_MS, {
            method: 'threeds_challenge',
            performedAtMs,
          }),
        }),
      );
    expect(debit(MORNING_MS - AFA_CARD_MANDATE_TTL_MS)).toBeNull();
    expect(debit(MORNING_MS - AFA_CARD_MANDATE_TTL_MS - 1)).toBe('afa_evidence_expired');
  });

  it('UPI Circle, partial: the primary user, not the secondary', () => {
    const pay = (payerRefBound: string | null, delegation = true) =>
      codeOf(
        onRail(
          {
            rail: 'upi_circle_partial',
            event: 'one_time',
            delegation: delegation ? delegationOf() : null,
            evidence: evidenceOf(AMOUNT, MORNING_MS, { mandateRefBound: null, payerRefBound }),
          },
          { amountMinor: AMOUNT },
        ),
      );
    expect(pay('primary')).toBeNull();
    expect(pay('secondary')).toBe('afa_evidence_unverified');
    expect(pay(null)).toBe('afa_evidence_unverified');
    expect(pay('primary', false)).toBe('afa_registration_missing');
  });
});
