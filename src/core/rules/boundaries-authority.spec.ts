import { describe, expect, it } from 'vitest';
import { both, boundary, type Edit } from '../../../test/support/boundaries.js';
import {
  artifactOf,
  AT_MS,
  change,
  consentOf,
  mandateOf,
  passportOf,
  type PurchaseDraft,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import { decidePurchase } from './index.js';

const payment = (draft: PurchaseDraft) => mandateOf(draft, 'payment');
const credentials = [
  ['mandate', payment],
  ['consent', consentOf],
  ['passport', passportOf],
] as const;

describe('mandate, consent and passport', () => {
  both(
    soundPurchase,
    credentials.flatMap(([name, part]) => [
      boundary<number>(
        `${name}: expires 1 ms after now, expires now`,
        (draft, value) => (part(draft).expiresAtMs = value),
        { inside: AT_MS + 1, outside: AT_MS, reason: `${name}_expired` },
      ),
      boundary<number>(
        `${name}: begins now, begins 1 ms after now`,
        (draft, value) => (part(draft).notBeforeAtMs = value),
        { inside: AT_MS, outside: AT_MS + 1, reason: `${name}_not_yet_valid` },
      ),
      boundary<number>(
        `${name}: list 600 000 ms old, 600 001 ms old`,
        (draft, value) => (part(draft).status.listIssuedAtMs = value),
        { inside: AT_MS - 600_000, outside: AT_MS - 600_001, reason: 'status_list_unavailable' },
      ),
      boundary<number>(
        `${name}: list issued 30 000 ms ahead, 30 001 ms ahead`,
        (draft, value) => (part(draft).status.listIssuedAtMs = value),
        { inside: AT_MS + 30_000, outside: AT_MS + 30_001, reason: 'status_list_unavailable' },
      ),
    ]),
  );

  both(soundPurchase, [
    boundary<number>(
      'mandate: issued 30 000 ms ahead, 30 001 ms ahead',
      (draft, value) => (payment(draft).issuedAtMs = value),
      { inside: AT_MS + 30_000, outside: AT_MS + 30_001, reason: 'mandate_not_yet_valid' },
    ),
    ...(['cart', 'payment'] as const).map((kind) =>
      boundary<bigint>(
        `mandate: cap of the ${kind} mandate equal to the order, 1 minor unit lower`,
        (draft, value) => (mandateOf(draft, kind).capMinor = value),
        { inside: 209_900n, outside: 209_899n, reason: 'mandate_amount_cap_exceeded' },
      ),
    ),
    boundary<number>(
      'mandate: parent’s list 600 000 ms old, 600 001 ms old',
      (draft, value) => Object.assign(payment(draft).parentStatus ?? {}, { listIssuedAtMs: value }),
      { inside: AT_MS - 600_000, outside: AT_MS - 600_001, reason: 'status_list_unavailable' },
    ),
    boundary<number>(
      'passport: issued 30 000 ms ahead, 30 001 ms ahead',
      (draft, value) => (passportOf(draft).issuedAtMs = value),
      { inside: AT_MS + 30_000, outside: AT_MS + 30_001, reason: 'passport_not_yet_valid' },
    ),
    boundary<number>(
      'passport: lives 600 000 ms, 600 001 ms',
      (draft, value) => (passportOf(draft).issuedAtMs = AT_MS + 540_000 - value),
      { inside: 600_000, outside: 600_001, reason: 'passport_lifetime_exceeded' },
    ),
    boundary<bigint>(
      'passport: cap equal to spent and order, 1 minor unit lower',
      (draft, value) => (passportOf(draft).capMinor = value),
      { inside: 259_900n, outside: 259_899n, reason: 'passport_amount_cap_exceeded' },
    ),
    boundary<bigint>(
      'passport: spent before up to the cap, 1 minor unit more',
      ({ counters }, value) => (counters.passportSpentMinor = value),
      { inside: 90_100n, outside: 90_101n, reason: 'passport_amount_cap_exceeded' },
    ),
  ]);

  it('an absent time of any credential refuses', () => {
    const absent: readonly (readonly [Edit, string])[] = [
      ...credentials.flatMap(([name, part]) => [
        [
          (draft: PurchaseDraft) => (part(draft).notBeforeAtMs = null),
          `${name}_not_yet_valid`,
        ] as const,
        [
          (draft: PurchaseDraft) => (part(draft).expiresAtMs = null),
          name === 'passport' ? 'passport_lifetime_exceeded' : `${name}_expired`,
        ] as const,
      ]),
      [(draft) => (payment(draft).issuedAtMs = null), 'mandate_not_yet_valid'],
      [(draft) => (passportOf(draft).issuedAtMs = null), 'passport_lifetime_exceeded'],
    ];
    for (const [edit, reason] of absent)
      expect(decidePurchase(change(soundPurchase(), edit)).reason).toBe(reason);
  });

  it('says until when waiting helps', () => {
    const early = change(
      soundPurchase(),
      (draft) => (payment(draft).notBeforeAtMs = AT_MS + 5_000),
    );
    expect(decidePurchase(early).notBeforeMs).toBe(AT_MS + 5_000);
    const later = change(
      early,
      (draft) => (mandateOf(draft, 'intent').notBeforeAtMs = AT_MS + 9_000),
    );
    expect(decidePurchase(later).notBeforeMs).toBe(AT_MS + 9_000);
    const issuedAhead = change(
      soundPurchase(),
      (draft) => (payment(draft).issuedAtMs = AT_MS + 31_000),
    );
    expect(decidePurchase(issuedAhead).notBeforeMs).toBe(AT_MS + 31_000);
    const unknown = change(later, (draft) => (payment(draft).notBeforeAtMs = null));
    expect(decidePurchase(unknown).notBeforeMs).toBe(null);
    const consent = change(
      soundPurchase(),
      (draft) => (consentOf(draft).notBeforeAtMs = AT_MS + 7),
    );
    expect(decidePurchase(consent).notBeforeMs).toBe(AT_MS + 7);
    const passport = change(
      soundPurchase(),
      (draft) => (passportOf(draft).notBeforeAtMs = AT_MS + 8),
    );
    expect(decidePurchase(passport).notBeforeMs).toBe(AT_MS + 8);
    const artifact = change(
      soundPurchase(),
      (draft) => (artifactOf(draft, 'policy').notBeforeAtMs = AT_MS + 6),
    );
    expect(decidePurchase(artifact).notBeforeMs).toBe(AT_MS + 6);
  });
});

describe('verified buyer authority', () => {
  const claimed = (edit: Edit) => {
    const sound = change(soundPurchase(), (draft) => {
      draft.facts.world = 'test';
      passportOf(draft).world = 'test';
      draft.facts.authority.source = 'caller_asserted';
      for (const [, part] of credentials)
        Object.assign(part(draft), {
          source: 'caller_asserted',
          signature: 'not_checked',
          status: {
            verdict: 'not_checked',
            listUri: null,
            index: null,
            listIssuedAtMs: null,
            listVersion: null,
            fault: null,
          },
        });
    });
    return decidePurchase(change(sound, edit));
  };
  const refused = {
    failingRule: 'verified_buyer_authority',
    reason: 'buyer_authority_caller_asserted',
  };

  it('a claim passes only in the test world and only where it is switched on', () => {
    expect(claimed(({ facts }) => (facts.callerAssertedAllowed = true))).toMatchObject({
      outcome: 'allow',
    });
    expect(claimed(() => undefined)).toMatchObject(refused);
    expect(
      claimed((draft) => {
        draft.facts.world = 'live';
        passportOf(draft).world = 'live';
        draft.facts.callerAssertedAllowed = true;
      }),
    ).toMatchObject(refused);
  });

  it('an unknown world counts as live', () => {
    expect(
      claimed((draft) => {
        draft.facts.world = 'staging' as never;
        passportOf(draft).world = 'staging' as never;
        draft.facts.callerAssertedAllowed = true;
      }),
    ).toMatchObject(refused);
  });

  it('one claimed value spoils an authority that calls itself verified', () => {
    for (const [, part] of credentials)
      expect(
        decidePurchase(
          change(soundPurchase(), (draft) => (part(draft).source = 'caller_asserted')),
        ),
      ).toMatchObject(refused);
  });

  it('a claimed passport has no time of issue: however long it says to live, rule 4 names what is wrong', () => {
    const endless: Edit = (draft) =>
      Object.assign(passportOf(draft), { issuedAtMs: null, expiresAtMs: AT_MS + 86_400_000 });
    expect(claimed(endless)).toMatchObject(refused);
    const verified = change(soundPurchase(), (draft) => (passportOf(draft).issuedAtMs = null));
    expect(decidePurchase(verified).reason).toBe('passport_lifetime_exceeded');
    const issued: Edit = (draft) => (passportOf(draft).expiresAtMs = AT_MS + 86_400_000);
    expect(claimed(issued).reason).toBe('passport_lifetime_exceeded');
  });

  it('a mandate that was named and is not there refuses, whatever else was named', () => {
    const absent = change(soundPurchase(), (draft) => (payment(draft).signature = 'not_found'));
    expect(decidePurchase(absent)).toMatchObject({
      failingRule: 'mandate_present',
      reason: 'mandate_missing',
    });
  });

  it('a claimed value is judged like any other', () => {
    const allowed: Edit = ({ facts }) => (facts.callerAssertedAllowed = true);
    const and =
      (edit: Edit): Edit =>
      (draft) => {
        allowed(draft);
        edit(draft);
      };
    expect(claimed(and((draft) => (consentOf(draft).expiresAtMs = AT_MS))).reason).toBe(
      'consent_expired',
    );
    expect(claimed(and((draft) => (passportOf(draft).capMinor = 1n))).reason).toBe(
      'passport_amount_cap_exceeded',
    );
    expect(claimed(and((draft) => (payment(draft).signature = 'invalid'))).reason).toBe(
      'mandate_signature_invalid',
    );
    expect(claimed(and((draft) => (payment(draft).status.verdict = 'revoked'))).reason).toBe(
      'mandate_revoked',
    );
  });

  it('a verified value is never let through unchecked', () => {
    for (const [name, part] of credentials) {
      const unsigned = change(soundPurchase(), (draft) => (part(draft).signature = 'not_checked'));
      expect(decidePurchase(unsigned).reason).toBe(`${name}_signature_invalid`);
      const unlisted = change(
        soundPurchase(),
        (draft) => (part(draft).status.verdict = 'not_checked'),
      );
      expect(decidePurchase(unlisted).reason).toBe('status_list_unavailable');
      const slotless = change(soundPurchase(), (draft) => (part(draft).status.index = null));
      expect(decidePurchase(slotless).reason).toBe('status_list_unavailable');
    }
  });
});
