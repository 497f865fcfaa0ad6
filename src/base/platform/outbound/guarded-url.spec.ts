import { describe, expect, it } from 'vitest';
import { guardUrl } from './guarded-url.js';

describe('guardUrl', () => {
  it.each([
    ['https://peer.example/keys?x=1', 'peer.example', 443, false],
    ['https://peer.example:8443/', 'peer.example', 8443, false],
    ['https://93.184.216.34/', '93.184.216.34', 443, true],
    ['https://[2606:4700::1]/', '2606:4700::1', 443, true],
    ['https://0x5db8d822/', '93.184.216.34', 443, true],
  ])('takes %s', (text, hostname, port, isLiteral) => {
    expect(guardUrl(text, false)).toMatchObject({ hostname, port, isLiteral, loopbackOnly: false });
  });

  it.each([
    'http://peer.example/',
    'ftp://peer.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'peer.example',
    'https://user@peer.example/',
    'https://user:secret@peer.example/',
    'https://:secret@peer.example/',
    'https://peer.example:22/',
    'https://peer.example:80/',
    'https://peer.example:6379/',
    'https://peer.example./',
    'https://',
    `https://peer.example/${'a'.repeat(2_048)}`,
    'http://127.0.0.1/',
    'https://127.0.0.1:9000/',
  ])('refuses %s', (text) => expect(guardUrl(text, false)).toBeNull());

  it.each(['http://localhost:9000/', 'http://peer.example/', 'https://peer.example:9000/'])(
    'with loopback peers allowed, %s may lead to loopback only',
    (text) => expect(guardUrl(text, true)?.loopbackOnly).toBe(true),
  );
});
