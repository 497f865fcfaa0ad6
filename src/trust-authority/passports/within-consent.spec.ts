import { describe, expect, it } from 'vitest';
import {
  beyondConsent,
  type ConsentBounds,
  passportEnd,
  type PassportWish,
} from './within-consent.js';

const AT_MS = 1_796_000_000_000;
const consent: ConsentBounds = {
  scopes: ['read', 'pay'],
  maxAmount: { amountMinor: 5_000n, currency: 'INR' },
  expiresAtMs: AT_MS + 600_000,
};
const wish: PassportWish = {
  passportType: 'checkout',
  scopes: ['pay'],
  maxAmount: { amountMinor: 5_000n, currency: 'INR' },
  lifeSeconds: 600,
};

describe('a passport and the consent it rests on', () => {
  it('equal is within', () => {
    expect(beyondConsent({ ...wish, scopes: ['pay', 'read'] }, consent, AT_MS)).toBe(null);
    expect(beyondConsent({ ...wish, scopes: [] }, consent, AT_MS)).toBe(null);
  });

  it.each<[string, Partial<PassportWish>, string]>([
    ['a scope more', { scopes: ['pay', 'refund'] }, 'scopes'],
    ['no amount where one is named', { maxAmount: null }, 'max_amount'],
    [
      'another currency',
      { maxAmount: { amountMinor: 1n, currency: 'USD' } },
      'max_amount.currency',
    ],
    [
      'one minor unit more',
      { maxAmount: { amountMinor: 5_001n, currency: 'INR' } },
      'max_amount.amount',
    ],
    ['one second more than its type', { lifeSeconds: 601 }, 'life_seconds'],
  ])('%s is beyond', (_name, edit, member) => {
    expect(beyondConsent({ ...wish, ...edit }, consent, AT_MS)).toMatchObject({
      check: 'lineage',
      member,
    });
  });

  it('one second more than the consent lives is beyond; to its end is within', () => {
    const browse: PassportWish = { ...wish, passportType: 'browse', lifeSeconds: 600 };
    expect(beyondConsent(browse, consent, AT_MS)).toBe(null);
    expect(beyondConsent({ ...browse, lifeSeconds: 601 }, consent, AT_MS)?.member).toBe(
      'life_seconds',
    );
  });

  it('a consent that names no amount bounds none', () => {
    const open = { ...consent, maxAmount: null };
    expect(beyondConsent({ ...wish, maxAmount: null }, open, AT_MS)).toBe(null);
    const much = { amountMinor: 10n ** 15n, currency: 'USD' };
    expect(beyondConsent({ ...wish, maxAmount: much }, open, AT_MS)).toBe(null);
  });

  it('without a life it lives as long as type and consent allow', () => {
    const open = { ...wish, lifeSeconds: null };
    expect(passportEnd(open, consent, AT_MS)).toBe(AT_MS + 600_000);
    expect(passportEnd(open, consent, AT_MS + 1_000)).toBe(AT_MS + 600_000);
    const browse = { ...open, passportType: 'browse' as const };
    expect(passportEnd(browse, { ...consent, expiresAtMs: AT_MS + 10 ** 9 }, AT_MS)).toBe(
      AT_MS + 3_600_000,
    );
  });
});
