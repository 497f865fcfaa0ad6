import { describe, expect, it } from 'vitest';
import { NAMED_URL_CHARACTERS_MAX, namedPeerUrlOf } from './named-peer-url.js';

const LONGEST = `https://agent.shop/${'x'.repeat(NAMED_URL_CHARACTERS_MAX - 19)}`;

describe('a URL that a stranger names', () => {
  it.each([
    ['https://agent.shop', 'https://agent.shop/'],
    ['https://AGENT.shop:443/a/../b?c=d#e', 'https://agent.shop/b?c=d'],
    ['https://a.b.c.shop/keys.json', 'https://a.b.c.shop/keys.json'],
    ['https://testing.shop/', 'https://testing.shop/'],
    ['https://example.com/', 'https://example.com/'],
    [LONGEST, LONGEST],
  ])('%s is asked as %s, with and without loopback peers', (text, href) => {
    expect(namedPeerUrlOf(text, false)).toBe(href);
    expect(namedPeerUrlOf(text, true)).toBe(href);
  });

  it.each([
    '',
    'agent.shop',
    'ftp://agent.shop/',
    'https://user@agent.shop/',
    'https://user:password@agent.shop/',
    'https://agent.shop./',
    'https://agent.shop:444/',
    'https://agent.shop:8443/',
    'https://agent/',
    `${LONGEST}x`,
    // Becomes longer in its canonical form.
    `https://agent.shop/${'"'.repeat(300)}`,
    'https://agent.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://agent.test/',
    'https://agent.invalid/',
    'https://agent.example/',
    'https://agent.EXAMPLE/',
    'https://agent.onion/',
    'https://router.home.arpa/',
    'https://home.arpa/',
    // Addresses, in every spelling that reaches one.
    'https://93.184.216.34/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[2606:4700::1111]/',
    'https://[fe80::1]/',
    'https://①⓪.1.2.3/',
    'https://10.0.0.1/',
    'https://167772161/',
    'https://0x0a.1/',
    'https://012.0.0.1/',
    'https://0/',
    'https://[::ffff:10.0.0.1]/',
  ])('%s is not, wherever loopback peers are allowed or not', (text) => {
    expect(namedPeerUrlOf(text, false)).toBeNull();
    expect(namedPeerUrlOf(text, true)).toBeNull();
  });

  it.each([
    ['http://localhost:8080/keys', 'http://localhost:8080/keys'],
    ['https://localhost/', 'https://localhost/'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://①②⑦.0.0.1/', 'http://127.0.0.1/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    ['https://[::1]:9000/', 'https://[::1]:9000/'],
  ])('%s is asked only where loopback peers are allowed', (text, href) => {
    expect(namedPeerUrlOf(text, false)).toBeNull();
    expect(namedPeerUrlOf(text, true)).toBe(href);
  });

  it.each(['http://localhost./', 'http://agent.localhost/', 'http://agent.shop/'])(
    '%s is not even there',
    (text) => expect(namedPeerUrlOf(text, true)).toBeNull(),
  );
});
