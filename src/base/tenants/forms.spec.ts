import { describe, expect, it } from 'vitest';
import { parseApiKey, printApiKey } from './api-key-form.js';
import { COUNTRY_CODES, isCountryCode } from './countries.js';
import { parseHost, parseOrigin } from './origin-form.js';
import { settleRbi } from './rbi-settings.js';

describe('the form of an API key', () => {
  const id = `key_${'a1'.repeat(16)}` as const;
  const secret = '0f'.repeat(32);

  it('is printed and read back', () => {
    const apiKey = printApiKey('live', id, secret);
    expect(apiKey).toBe(`ak_live_${'a1'.repeat(16)}_${secret}`);
    expect(parseApiKey(apiKey)).toEqual({ world: 'live', apiKeyId: id });
  });

  it.each([
    '',
    'ak_test_',
    `ak_prod_${'a'.repeat(32)}_${'b'.repeat(64)}`,
    `ak_test_${'a'.repeat(32)}_${'b'.repeat(63)}`,
    `ak_test_${'a'.repeat(32)}_${'b'.repeat(65)}`,
    `ak_test_${'a'.repeat(32)}_${'b'.repeat(64)}\n`,
    `ak_test_${'g'.repeat(32)}_${'b'.repeat(64)}`,
    `AK_TEST_${'a'.repeat(32)}_${'b'.repeat(64)}`,
  ])('is nothing else: %j', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });
});

describe('an origin', () => {
  const test = { world: 'test', loopbackAllowed: true } as const;
  const live = { world: 'live', loopbackAllowed: true } as const;

  it.each([
    ['https://shop.example', test],
    ['https://shop.example', live],
    ['https://shop.example:8443', live],
    ['https://xn--bcher-kva.example', live],
    ['http://localhost', test],
    ['http://127.0.0.1:8080', test],
    ['http://[::1]:8080', test],
  ] as const)('may be %s', (origin, setting) => {
    expect(parseOrigin(origin, setting)).toEqual({ ok: true, value: origin });
  });

  it.each([
    ['', test],
    ['shop.example', test],
    ['https://shop.example/', test],
    ['https://shop.example/path', test],
    ['https://shop.example:443', test],
    ['https://Shop.Example', test],
    ['https://user:secret@shop.example', test],
    ['https://shop.example?x', test],
    ['https://shop.example.', test],
    ['https://bücher.example', test],
    ['http://shop.example', test],
    ['javascript:alert(1)', test],
    ['file:///etc/passwd', test],
    ['http://localhost', live],
    ['https://localhost', live],
    ['http://localhost', { world: 'test', loopbackAllowed: false }],
  ] as const)('is not %j (%o)', (origin, setting) => {
    expect(parseOrigin(origin, setting)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed', field: '/origin' },
    });
  });

  it.each([
    ['shop.example', { host: 'shop.example', loopback: null }],
    ['SHOP.example:443', { host: 'shop.example', loopback: null }],
    ['shop.example:8443', { host: 'shop.example:8443', loopback: null }],
    ['localhost:39000', { host: 'localhost:39000', loopback: 'localhost' }],
    ['127.0.0.1:80', { host: '127.0.0.1', loopback: '127.0.0.1' }],
    ['[::1]:8080', { host: '[::1]:8080', loopback: '[::1]' }],
    ['', null],
    ['a b', null],
    ['shop.example/x', null],
    ['shop.example:123456', null],
    [`${'a'.repeat(300)}.example`, null],
    ['shop.example\r\nx: y', null],
  ])('is found by the Host header %j', (header, expected) => {
    expect(parseHost(header)).toEqual(expected);
  });
});

describe('the settings of the Indian rules', () => {
  it('switch UPI AutoPay on by default, and keep rails in the order of the table, once', () => {
    const settings = { country: 'IN', rbiProfile: 'in-rbi-2026-04', rbiRails: null } as const;
    expect(settleRbi(settings)).toMatchObject({ ok: true, value: { rbiRails: ['upi_autopay'] } });
    expect(
      settleRbi({ ...settings, rbiRails: ['card_once', 'upi_autopay', 'card_once'] }),
    ).toMatchObject({ ok: true, value: { rbiRails: ['upi_autopay', 'card_once'] } });
    expect(settleRbi({ ...settings, rbiRails: [] })).toMatchObject({ value: { rbiRails: [] } });
  });

  it('cannot be opted out of inside India, and have no rails without the profile', () => {
    expect(settleRbi({ country: 'IN', rbiProfile: 'none', rbiRails: null })).toMatchObject({
      error: { field: '/rbi_profile' },
    });
    expect(settleRbi({ country: 'DE', rbiProfile: 'none', rbiRails: null }).ok).toBe(true);
    expect(settleRbi({ country: 'IN', rbiProfile: null, rbiRails: null }).ok).toBe(true);
    expect(settleRbi({ country: 'DE', rbiProfile: null, rbiRails: ['card_once'] })).toMatchObject({
      error: { field: '/rbi_rails' },
    });
  });
});

describe('countries', () => {
  it('are the 249 assigned codes, sorted, each once', () => {
    expect(COUNTRY_CODES).toHaveLength(249);
    expect([...new Set(COUNTRY_CODES)].sort()).toEqual(COUNTRY_CODES);
    expect([isCountryCode('IN'), isCountryCode('UK'), isCountryCode('in')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
