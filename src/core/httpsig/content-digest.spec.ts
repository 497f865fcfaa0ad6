import { describe, expect, it } from 'vitest';
import { shopRequest } from '../../../test/httpsig/signed-requests.js';
import { checkContentDigest, contentDigest, type HeaderLine } from './index.js';

const BODY = Buffer.from('{"hello": "world"}');
const SHA256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
const SHA512 =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';
const EMPTY = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';
const OTHER = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';

function check(value: string | readonly string[] | null, body: Uint8Array | null = BODY): string {
  const values = value === null ? [] : typeof value === 'string' ? [value] : value;
  const headers = values.map((text): HeaderLine => ['Content-Digest', text]);
  const checked = checkContentDigest(shopRequest({ headers, body }));
  return typeof checked === 'string' ? checked : checked.reason;
}

describe('Content-Digest', () => {
  it.each([
    ['sha-256', SHA256],
    ['sha-512', SHA512],
    ['both', `${SHA256}, ${SHA512}`],
    ['both on two lines', [SHA256, SHA512]],
    ['an unknown one beside', `md5=:AAAA:, ${SHA256}, unknown=1`],
    ['with a parameter', `${SHA256};p=1`],
  ])('%s matches', (_name, value) => {
    expect(check(value)).toBe('matches');
  });

  it('of no content is that of no bytes', () => {
    expect([check(EMPTY, null), check(EMPTY, new Uint8Array())]).toEqual(['matches', 'matches']);
    expect(check(SHA256, null)).toBe('digest_mismatch');
  });

  it('is absent', () => {
    expect(check(null)).toBe('absent');
  });

  it.each([
    ['of another body', OTHER, 'digest_mismatch'],
    ['one of two wrong', `${SHA512}, ${OTHER}`, 'digest_mismatch'],
    ['cut short', 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9D:', 'digest_mismatch'],
    ['only md5', 'md5=:AAAA:', 'digest_missing'],
    ['only sha', 'sha=:AAAA:, unixsum=1', 'digest_missing'],
    ['in upper case', SHA256.replace('sha', 'SHA'), 'malformed_header'],
    ['a string', 'sha-256="X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="', 'malformed_header'],
    ['a list', `sha-256=(:AAAA:)`, 'malformed_header'],
    ['twice', `${OTHER}, ${SHA256}`, 'malformed_header'],
    ['no dictionary', ':AAAA:', 'malformed_header'],
    ['too long', `${SHA256}, x="${'a'.repeat(4_096)}"`, 'malformed_header'],
  ])('%s is a fault', (_name, value, reason) => {
    expect(check(value)).toBe(reason);
  });

  it('is made of the bytes', () => {
    expect(contentDigest(BODY)).toBe(SHA256);
    expect(contentDigest(BODY, ['sha-256', 'sha-512'])).toBe(`${SHA256}, ${SHA512}`);
  });
});
