import { describe, expect, it } from 'vitest';
import {
  configFor,
  NOW,
  shopRequest,
  signedRequest,
  testKey,
} from '../../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory } from '../../../../test/httpsig/verifier.js';
import {
  contentDigest,
  DEFAULT_VERIFICATION_SETTINGS,
  type HeaderLine,
  type HttpRequestMessage,
  type VerificationContext,
} from '../index.js';

const key = testKey('ecdsa-p256-sha256');
const PROFILE = 'https://platform.example/profiles/v1.json';
const BODY = Buffer.from('{}');
const config = {
  ...configFor(key),
  directories: { [PROFILE]: { keys: [{ ...key.jwk, kid: 'platform-2026' }] } },
};

const LINES: readonly HeaderLine[] = [
  ['Host', 'shop.example'],
  ['UCP-Agent', `profile="${PROFILE}"`],
  ['Idempotency-Key', 'k-1'],
  ['Content-Type', 'application/json'],
  ['Content-Digest', contentDigest(BODY)],
];
const COVERED = [
  '@method',
  '@authority',
  '@path',
  'ucp-agent',
  'idempotency-key',
  'content-digest',
  'content-type',
];

interface Changed {
  readonly components?: readonly string[];
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly request?: Partial<HttpRequestMessage>;
}

const signed = ({
  components = COVERED,
  parameters = { keyid: 'platform-2026' },
  request,
}: Changed = {}) =>
  signedRequest(
    shopRequest({
      method: 'POST',
      target: '/ucp/checkout-sessions',
      body: BODY,
      headers: LINES,
      ...request,
    }),
    key,
    { components, parameters },
  );

function verdictOf(request: HttpRequestMessage, more: Partial<VerificationContext> = {}) {
  const context = contextOf(config, NOW, { profiles: ['tap', 'wba', 'ucp'], ...more });
  return judge(request, context, { keys: new KeysInMemory(config) });
}

const without = (name: string): Changed => ({
  components: COVERED.filter((text) => text !== name),
});
const withAgent = (value: string): Changed => ({
  request: { headers: LINES.map(([name, old]) => [name, name === 'UCP-Agent' ? value : old]) },
});

describe('UCP', () => {
  it('finds the key of a platform in its profile, by kid', () => {
    expect(verdictOf(signed())).toMatchObject({
      status: 'verified',
      profile: 'ucp',
      agent: PROFILE,
      keyId: 'platform-2026',
      keySource: { kind: 'ucp_profile', url: PROFILE },
      coverage: 'full',
      tag: null,
      nonceHash: null,
    });
  });

  it.each([
    ['alg that agrees', { parameters: { keyid: 'platform-2026', alg: 'ecdsa-p256-sha256' } }, null],
    [
      'created and expires',
      { parameters: { created: NOW, expires: NOW + 60, keyid: 'platform-2026' } },
      null,
    ],
    [
      'created five minutes ago',
      { parameters: { created: NOW - 360, keyid: 'platform-2026' } },
      null,
    ],
    [
      'a read without an idempotency key',
      {
        components: ['@method', '@authority', '@path', 'ucp-agent'],
        request: { method: 'GET', body: null },
      },
      null,
    ],
    [
      'expires too late, never created',
      { parameters: { expires: NOW + 86_400 + 61, keyid: 'platform-2026' } },
      'window_too_long',
    ],
    ['created long ago', { parameters: { created: NOW - 361, keyid: 'platform-2026' } }, 'expired'],
    [
      'expired',
      { parameters: { created: NOW - 500, expires: NOW - 60, keyid: 'platform-2026' } },
      'expired',
    ],
    ['no keyid', { parameters: { created: NOW } }, 'missing_parameter'],
    ['an unknown kid', { parameters: { keyid: 'other' } }, 'key_not_found'],
    [
      'alg of RSA',
      { parameters: { keyid: 'platform-2026', alg: 'rsa-pss-sha512' } },
      'algorithm_not_allowed',
    ],
    [
      'alg of another curve',
      { parameters: { keyid: 'platform-2026', alg: 'ecdsa-p384-sha384' } },
      'algorithm_mismatch',
    ],
    ['no method', without('@method'), 'missing_component'],
    ['no authority', without('@authority'), 'missing_component'],
    ['no path', without('@path'), 'missing_component'],
    ['no agent', without('ucp-agent'), 'missing_component'],
    ['no idempotency key', without('idempotency-key'), 'missing_component'],
    ['no digest', without('content-digest'), 'missing_component'],
    ['no content type', without('content-type'), 'missing_component'],
    ['no query', { request: { target: '/ucp/checkout-sessions?x=1' } }, 'missing_component'],
    ['an agent without a profile', withAgent('name="x"'), 'malformed_header'],
    ['an agent that is no dictionary', withAgent('"x"'), 'malformed_header'],
    [
      'an agent too long',
      withAgent(`profile="${PROFILE}", a="${'a'.repeat(4_096)}"`),
      'malformed_header',
    ],
    ['a profile that is no URL', withAgent('profile="x"'), 'agent_url_refused'],
    ['a profile of http', withAgent('profile="http://platform.example/p"'), 'agent_url_refused'],
  ] as readonly (readonly [string, Changed, string | null])[])('%s', (_name, changed, reason) => {
    expect(verdictOf(signed(changed)).reason).toBe(reason);
  });

  it('may be told not to ask for the agent', () => {
    const settings = { ...DEFAULT_VERIFICATION_SETTINGS, ucpAgentMustBeCovered: false };
    expect(verdictOf(signed(without('ucp-agent')), { settings })).toMatchObject({
      status: 'verified',
    });
  });

  it('is for UCP routes only, and for signatures without a tag', () => {
    expect(verdictOf(signed(), { profiles: ['tap', 'wba'] })).toMatchObject({
      status: 'unsigned',
      note: 'unsupported_tag',
    });
    expect(verdictOf(signed({ parameters: { keyid: 'platform-2026', tag: 'x' } }))).toMatchObject({
      status: 'unsigned',
    });
    const headers = LINES.filter(([name]) => name !== 'UCP-Agent');
    const unnamed = signed({ ...without('ucp-agent'), request: { headers } });
    expect(verdictOf(unnamed)).toMatchObject({ status: 'unsigned' });
  });
});
