import { describe, expect, it } from 'vitest';
import {
  AGENT_LINE,
  configFor,
  NOW,
  shopRequest,
  signedRequest,
  tapParameters,
  testKey,
  WBA_COVERED,
  wbaParameters,
  withHeaders,
} from '../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory } from '../../../test/httpsig/verifier.js';
import {
  contentDigest,
  type HeaderLine,
  type HttpRequestMessage,
  type VerificationContext,
} from './index.js';

const key = testKey();
const config = configFor(key);
const BODY = Buffer.from('{}');

const verdictOf = (request: HttpRequestMessage, more: Partial<VerificationContext> = {}) =>
  judge(request, contextOf(config, NOW, more), { keys: new KeysInMemory(config) });

function outcomeOf(request: HttpRequestMessage, more: Partial<VerificationContext> = {}): string {
  const { status, reason } = verdictOf(request, more);
  return reason ?? status;
}

const wba = (components: readonly string[]) =>
  signedRequest(withHeaders(shopRequest(), [AGENT_LINE]), key, {
    components,
    parameters: wbaParameters(key),
  });

describe('full coverage', () => {
  const post = (components: readonly string[], changed: Partial<HttpRequestMessage> = {}) =>
    signedRequest(
      shopRequest({
        method: 'POST',
        target: '/a2a/v1/message:send',
        body: BODY,
        headers: [
          ['Host', 'shop.example'],
          ['Content-Digest', contentDigest(BODY)],
        ],
        ...changed,
      }),
      key,
      { components, parameters: tapParameters(key) },
    );
  const FULL = ['@authority', '@path', '@method', 'content-digest'];

  it.each([
    ['with a body', post(FULL), 'verified'],
    ['no method', post(['@authority', '@path', 'content-digest']), 'missing_component'],
    ['no digest', post(['@authority', '@path', '@method']), 'digest_missing'],
    [
      'a digest with a parameter only',
      post(['@authority', '@path', '@method', '"content-digest";sf']),
      'digest_missing',
    ],
    ['without a body', post(['@authority', '@path', '@method'], { body: null }), 'verified'],
    [
      'an empty body',
      post(['@authority', '@path', '@method'], { body: Buffer.alloc(0) }),
      'verified',
    ],
    ['a query that is not covered', post(FULL, { target: '/a?x=1' }), 'missing_component'],
    ['an empty query that is not covered', post(FULL, { target: '/a?' }), 'missing_component'],
    ['a query', post([...FULL, '@query'], { target: '/a?x=1' }), 'verified'],
    [
      'a query within the target URI',
      post([...FULL, '@target-uri'], { target: '/a?x=1' }),
      'verified',
    ],
    [
      'single parameters of the query',
      post([...FULL, '"@query-param";name="x"'], { target: '/a?x=1' }),
      'missing_component',
    ],
    [
      'another body',
      post(FULL, {
        headers: [
          ['Host', 'shop.example'],
          ['Content-Digest', contentDigest(Buffer.from('x'))],
        ],
      }),
      'digest_mismatch',
    ],
    [
      'only md5',
      post(FULL, {
        headers: [
          ['Host', 'shop.example'],
          ['Content-Digest', 'md5=:AAAA:'],
        ],
      }),
      'digest_missing',
    ],
  ])('%s', (_name, request, expected) => {
    expect(outcomeOf(request, { routeKind: 'write' })).toBe(expected);
    expect(outcomeOf(request, { routeKind: 'a2a' })).toBe(expected);
  });

  it.each([
    ['no path and no target URI', [...WBA_COVERED, '@method'], 'missing_component'],
    ['the path', [...WBA_COVERED, '@method', '@path'], 'verified'],
    ['the target URI', [...WBA_COVERED, '@method', '@target-uri'], 'verified'],
    ['no method', [...WBA_COVERED, '@path'], 'missing_component'],
  ])('of Web Bot Auth: %s', (_name, components, expected) => {
    expect(outcomeOf(wba(components), { routeKind: 'write' })).toBe(expected);
    expect(outcomeOf(wba(components))).toBe('verified');
  });

  it('is told on a read and not demanded', () => {
    expect(verdictOf(post(['@authority', '@path', 'content-digest']))).toMatchObject({
      status: 'verified',
      coverage: 'identity',
    });
    expect(verdictOf(post(FULL))).toMatchObject({ status: 'verified', coverage: 'full' });
    expect(verdictOf(post(['@authority', '@path', '@method']))).toMatchObject({
      status: 'verified',
      coverage: 'identity',
    });
    expect(verdictOf(wba(WBA_COVERED))).toMatchObject({ coverage: 'identity' });
    expect(verdictOf(wba([...WBA_COVERED, '@method', '@path']))).toMatchObject({
      coverage: 'full',
    });
  });

  it('a covered digest is compared on a read too', () => {
    const headers: readonly HeaderLine[] = [
      ['Host', 'shop.example'],
      ['Content-Digest', contentDigest(Buffer.from('x'))],
    ];
    expect(outcomeOf(post(FULL, { headers }))).toBe('digest_mismatch');
    expect(outcomeOf(post(['@authority', '@path', '"content-digest";sf'], { headers }))).toBe(
      'digest_mismatch',
    );
    expect(outcomeOf(post(['@authority', '@path'], { headers }))).toBe('verified');
  });
});
