import { describe, expect, it } from 'vitest';
import {
  AGENT,
  AGENT_LINE,
  configFor,
  DIRECTORY,
  NOW,
  rawSigned,
  shopRequest,
  signatureLines,
  signedRequest,
  TAP_COVERED,
  tapParameters,
  testKey,
  WBA_COVERED,
  wbaParameters,
  withHeaders,
} from '../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory, NoncesInMemory } from '../../../test/httpsig/verifier.js';
import {
  type HeaderLine,
  type HttpRequestMessage,
  planVerification,
  settle,
  type VerificationContext,
} from './index.js';

const alice = testKey();
const mallory = testKey();
const config = configFor(alice, mallory);

interface Options {
  readonly more?: Partial<VerificationContext>;
  readonly nonces?: NoncesInMemory;
  readonly publicOrigins?: readonly string[];
}

function verdictOf(
  request: HttpRequestMessage,
  { more = {}, nonces, publicOrigins }: Options = {},
) {
  const context = contextOf(
    { ...config, ...(publicOrigins === undefined ? {} : { publicOrigins }) },
    NOW,
    more,
  );
  const stores = { keys: new KeysInMemory(config), ...(nonces === undefined ? {} : { nonces }) };
  return judge(request, context, stores);
}

const tap = (request: HttpRequestMessage = shopRequest(), changed = {}): HttpRequestMessage =>
  signedRequest(request, alice, {
    components: TAP_COVERED,
    parameters: tapParameters(alice, changed),
  });

/** Lines of several signatures as one header each. */
function together(
  request: HttpRequestMessage,
  ...pairs: readonly (readonly [HeaderLine, HeaderLine])[]
): HttpRequestMessage {
  const joined = (index: 0 | 1): string => pairs.map((pair) => pair[index][1]).join(', ');
  return withHeaders(request, [
    ['Signature-Input', joined(0)],
    ['Signature', joined(1)],
  ]);
}

describe('a message', () => {
  it.each([
    ['without a signature', [], null],
    [
      'with a signature of another scheme',
      [['Signature', 'keyId="a",signature="b"']],
      'unsupported_tag',
    ],
    ['with an authorization of another scheme', [['Authorization', 'Signature keyId="a"']], null],
  ] as readonly (readonly [string, readonly HeaderLine[], string | null])[])(
    '%s is unsigned',
    (_name, lines, note) => {
      expect(verdictOf(withHeaders(shopRequest(), lines))).toMatchObject({
        status: 'unsigned',
        reason: null,
        note,
      });
    },
  );

  it.each([
    ['an absolute URL', 'http://evil.test/catalog.json'],
    ['an asterisk', '*'],
    ['an authority', 'shop.example:443'],
    ['a fragment', '/catalog.json#f'],
    ['a space', '/catalog json'],
    ['a tab', '/catalog\t'],
    ['bytes outside of ASCII', '/caf\u00e9'],
    ['a line break', '/a\nb'],
    ['nothing', ''],
    ['too long', `/${'a'.repeat(8_192)}`],
  ])('whose target is %s is refused', (_name, target) => {
    expect(verdictOf({ ...tap(), target })).toMatchObject({ reason: 'target_form_refused' });
    expect(verdictOf(shopRequest({ target }))).toMatchObject({ status: 'unsigned' });
  });

  it('with two Host lines is refused', () => {
    expect(verdictOf(withHeaders(tap(), [['host', 'shop.example']]))).toMatchObject({
      reason: 'target_form_refused',
    });
  });

  it('without a host is refused', () => {
    expect(verdictOf({ ...tap(), authority: '' })).toMatchObject({
      reason: 'component_not_in_message',
    });
  });

  it.each([
    ['ours', 'shop.example', 'https', null],
    ['ours with its port', 'SHOP.example:443', 'https', null],
    ['another host', 'other.example', 'https', 'authority_not_ours'],
    ['another scheme', 'shop.example', 'http', 'authority_not_ours'],
    ['another port', 'shop.example:8443', 'https', 'authority_not_ours'],
  ])('addressed to an origin that is %s', (_name, authority, scheme, reason) => {
    const request = tap(shopRequest({ authority, scheme }));
    expect(verdictOf(request, { publicOrigins: ['https://shop.example'] }).reason).toBe(reason);
  });

  it.each([
    ['a trailer', '"x-trail";tr'],
    ['a literal target', '@request-target'],
  ])('covering %s is refused', (_name, component) => {
    const request = shopRequest({ trailers: [['X-Trail', 't']] });
    const components = [...TAP_COVERED, component];
    const signed = signedRequest(request, alice, { components, parameters: tapParameters(alice) });
    expect(verdictOf(signed)).toMatchObject({ status: 'invalid', reason: 'bad_component' });
  });

  it.each([
    ['@status', '"@status": 200'],
    ['"@method";req', '"@method";req: GET'],
  ])('covering %s is refused', (component, line) => {
    const text = component.startsWith('"') ? component : `"${component}"`;
    const parameters = Object.entries(tapParameters(alice))
      .map(([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`)
      .join('');
    const signed = rawSigned(shopRequest(), alice, {
      member: `("@authority" "@path" ${text})${parameters}`,
      lines: ['"@authority": shop.example', '"@path": /catalog.json', line],
    });
    expect(verdictOf(signed)).toMatchObject({ status: 'invalid', reason: 'bad_component' });
  });

  it('asks for no key where anything else is wrong', () => {
    const keys = new KeysInMemory(config);
    const wrong = [
      tap(shopRequest(), { created: NOW - 900, expires: NOW - 500 }),
      tap(shopRequest(), { nonce: undefined }),
      tap(shopRequest(), { alg: 'hmac-sha256' }),
      { ...tap(), target: '/a#b' },
    ];
    for (const request of wrong) {
      expect(judge(request, contextOf(config, NOW), { keys }).status).toBe('invalid');
    }
    expect(keys.asked).toEqual([]);
  });
});

describe('several signatures', () => {
  const request = withHeaders(shopRequest(), [AGENT_LINE]);
  const wanted = (label: string, nonce: string) => ({
    label,
    components: TAP_COVERED,
    parameters: tapParameters(alice, { nonce }),
  });
  const good = signatureLines(request, alice, wanted('a', 'nonce-1-1'));
  const alsoGood = signatureLines(request, alice, wanted('b', 'nonce-2-2'));
  const bad = signatureLines({ ...request, target: '/other' }, alice, wanted('x', 'nonce-3-3'));
  const late = signatureLines(request, alice, {
    label: 'late',
    components: TAP_COVERED,
    parameters: tapParameters(alice, { created: NOW - 900, expires: NOW - 500 }),
  });
  const wba = signatureLines(request, mallory, {
    label: 'sig1',
    components: [...WBA_COVERED, '@method', '@path'],
    parameters: wbaParameters(mallory),
  });
  const foreign = signatureLines(request, alice, {
    label: 'f',
    components: [],
    parameters: { tag: 'somebody-else' },
  });

  it.each([
    ['good and bad', [good, bad], 'a'],
    ['bad and good', [bad, good], 'a'],
    ['two good ones', [good, alsoGood], 'a'],
    ['late and good', [late, good], 'a'],
    ['foreign and good', [foreign, good], 'a'],
    ['four', [late, bad, foreign, good], 'a'],
    ['full coverage goes before identity', [good, wba], 'sig1'],
  ] as const)('%s: verified', (_name, pairs, label) => {
    expect(verdictOf(together(request, ...pairs))).toMatchObject({ status: 'verified', label });
  });

  it.each([
    ['bad alone', [bad], 'bad_signature'],
    ['bad and late', [bad, late], 'bad_signature'],
    ['late alone', [late], 'expired'],
    ['foreign beside bad', [foreign, bad], 'bad_signature'],
  ] as const)('%s: refused', (_name, pairs, reason) => {
    expect(verdictOf(together(request, ...pairs))).toMatchObject({ status: 'invalid', reason });
  });

  it('a good one of another lends nobody an identity', () => {
    const forged = signatureLines(request, mallory, {
      label: 'victim',
      components: TAP_COVERED,
      parameters: tapParameters(mallory, { keyid: alice.thumbprint }),
    });
    const verdict = verdictOf(together(request, forged, wba));
    expect(verdict).toMatchObject({
      status: 'verified',
      profile: 'wba',
      keyId: mallory.thumbprint,
      agent: AGENT,
      keySource: { kind: 'directory', url: DIRECTORY },
    });
    expect(verdictOf(together(request, forged))).toMatchObject({
      status: 'invalid',
      reason: 'bad_signature',
    });
  });

  it('what could not be decided is told before what is invalid', () => {
    const unknown = signatureLines(request, alice, {
      label: 'u',
      components: TAP_COVERED,
      parameters: tapParameters(alice, { keyid: 'nobody' }),
    });
    expect(verdictOf(together(request, bad, unknown))).toMatchObject({
      status: 'unverified',
      reason: 'key_not_found',
    });
  });

  it('a candidate without an outcome is no verified one', () => {
    const plan = planVerification(together(request, good), contextOf(config, NOW));
    if (plan.kind === 'ended') throw new Error('ended');
    expect(settle(plan, [])).toMatchObject({ status: 'unverified', reason: 'verifier_error' });
    expect(settle(plan, [{ label: 'b', outcome: 'verified' }])).toMatchObject({
      status: 'unverified',
    });
  });

  it("a tag that is no string is nobody's, and invalid", () => {
    const signed = rawSigned(shopRequest(), alice, {
      member: '("@path");tag=web-bot-auth',
      lines: ['"@path": /catalog.json'],
    });
    expect(verdictOf(signed)).toMatchObject({
      status: 'invalid',
      reason: 'bad_parameter_type',
      profile: null,
    });
  });

  it('a label of another protocol may break every rule of ours', () => {
    const signed = rawSigned(shopRequest(), alice, {
      member: '("@their-own" "@path" "@path");tag="theirs"',
      lines: [],
    });
    expect(verdictOf(signed)).toMatchObject({ status: 'unsigned', note: 'unsupported_tag' });
  });
});

describe('a nonce', () => {
  it('is taken once', () => {
    const nonces = new NoncesInMemory();
    const request = tap();
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'verified' });
    expect(verdictOf(request, { nonces })).toMatchObject({
      status: 'invalid',
      reason: 'replayed',
    });
    expect(verdictOf(tap(shopRequest(), { nonce: 'another-one' }), { nonces })).toMatchObject({
      status: 'verified',
    });
  });

  it('is not burned by a bad signature', () => {
    const nonces = new NoncesInMemory();
    const request = tap();
    expect(verdictOf({ ...request, target: '/other' }, { nonces })).toMatchObject({
      reason: 'bad_signature',
    });
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'verified' });
  });

  it('of two labels of one message is claimed once', () => {
    const nonces = new NoncesInMemory();
    const lines = (label: string) =>
      signatureLines(shopRequest(), alice, {
        label,
        components: TAP_COVERED,
        parameters: tapParameters(alice),
      });
    const request = together(shopRequest(), lines('a'), lines('b'));
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'verified', label: 'a' });
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'invalid', reason: 'replayed' });
  });

  it('that was used leaves another good signature of the message', () => {
    const nonces = new NoncesInMemory();
    const used = signatureLines(shopRequest(), alice, {
      label: 'a',
      components: TAP_COVERED,
      parameters: tapParameters(alice),
    });
    const fresh = signatureLines(shopRequest(), mallory, {
      label: 'b',
      components: TAP_COVERED,
      parameters: tapParameters(mallory, { nonce: 'fresh-one' }),
    });
    expect(verdictOf(together(shopRequest(), used), { nonces })).toMatchObject({
      status: 'verified',
    });
    expect(verdictOf(together(shopRequest(), used, fresh), { nonces })).toMatchObject({
      status: 'verified',
      label: 'b',
      keyId: mallory.thumbprint,
    });
  });

  it('of every label that verified is used up, so that the same message never comes in by another label', () => {
    const nonces = new NoncesInMemory();
    const lines = (label: string, nonce: string) =>
      signatureLines(shopRequest(), alice, {
        label,
        components: TAP_COVERED,
        parameters: tapParameters(alice, { nonce }),
      });
    const request = together(shopRequest(), lines('a', 'nonce-a-a'), lines('b', 'nonce-b-b'));
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'verified', label: 'a' });
    expect(verdictOf(request, { nonces })).toMatchObject({ status: 'invalid', reason: 'replayed' });
  });

  const claimOf = (request: HttpRequestMessage) => {
    const plan = planVerification(request, contextOf(config, NOW));
    return plan.kind === 'candidates' ? plan.candidates[0]?.nonceClaim : undefined;
  };

  it('is remembered for the window of the profile and for as long as the signature lives, the skew added', () => {
    expect(claimOf(tap())).toMatchObject({
      profile: 'tap',
      source: 'pinned',
      keyId: alice.thumbprint,
      expiresAtMs: (NOW + 480 + 60) * 1_000,
    });
    const request = withHeaders(shopRequest(), [AGENT_LINE]);
    const wba = (changed: Readonly<Record<string, unknown>>) =>
      signedRequest(request, alice, {
        components: WBA_COVERED,
        parameters: wbaParameters(alice, changed),
      });
    expect(claimOf(wba({ nonce: 'n', created: NOW + 50, expires: NOW + 86_450 }))).toMatchObject({
      source: DIRECTORY,
      expiresAtMs: (NOW + 86_450 + 60) * 1_000,
    });
    expect(claimOf(wba({}))).toBeNull();
    expect(verdictOf(wba({}))).toMatchObject({ status: 'verified', nonceHash: null });
  });

  it('is told as its hash', () => {
    const { nonceHash } = verdictOf(tap());
    expect(nonceHash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(verdictOf(tap()))).not.toContain('nonce-of-this-test');
  });
});
