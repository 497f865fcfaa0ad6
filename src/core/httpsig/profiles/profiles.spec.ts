import { describe, expect, it } from 'vitest';
import {
  AGENT,
  AGENT_LINE,
  configFor,
  DIRECTORY,
  NOW,
  shopRequest,
  signedRequest,
  TAP_COVERED,
  tapParameters,
  testKey,
  WBA_COVERED,
  wbaParameters,
  withHeaders,
} from '../../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory } from '../../../../test/httpsig/verifier.js';
import {
  DEFAULT_VERIFICATION_SETTINGS,
  type HeaderLine,
  type HttpRequestMessage,
  type VerificationContext,
} from '../index.js';

const key = testKey();

type Changed = Readonly<Record<string, unknown>>;

function verdictOf(
  request: HttpRequestMessage,
  more: Partial<VerificationContext> = {},
  directories = {},
) {
  const config = {
    ...configFor(key),
    directories: { ...configFor(key).directories, ...directories },
  };
  return judge(request, contextOf(config, NOW, more), { keys: new KeysInMemory(config) });
}

/** `verified`, or the reason. */
function outcomeOf(request: HttpRequestMessage, more: Partial<VerificationContext> = {}): string {
  const { status, reason, note } = verdictOf(request, more);
  return reason ?? (status === 'unsigned' ? `unsigned ${note}` : status);
}

const tap = (changed: Changed = {}, components: readonly string[] = TAP_COVERED) =>
  signedRequest(shopRequest(), key, { components, parameters: tapParameters(key, changed) });

const wba = (
  changed: Changed = {},
  components: readonly string[] = WBA_COVERED,
  lines: readonly HeaderLine[] = [AGENT_LINE],
) =>
  signedRequest(withHeaders(shopRequest(), lines), key, {
    components,
    parameters: wbaParameters(key, changed),
  });

describe('Visa TAP', () => {
  it.each([
    ['as it should be', tap(), 'verified'],
    ['the payer tag', tap({ tag: 'agent-payer-auth' }), 'verified'],
    ['a window of 480 s', tap({ created: NOW, expires: NOW + 480 }), 'verified'],
    ['a window of 481 s', tap({ created: NOW, expires: NOW + 481 }), 'window_too_long'],
    ['the shortest nonce', tap({ nonce: '12345678' }), 'verified'],
    ['a nonce too short', tap({ nonce: '1234567' }), 'bad_parameter_type'],
    ['a nonce with a space', tap({ nonce: '1234 5678' }), 'bad_parameter_type'],
    ['no nonce', tap({ nonce: undefined }), 'missing_parameter'],
    ['no created', tap({ created: undefined }), 'missing_parameter'],
    ['no expires', tap({ expires: undefined }), 'missing_parameter'],
    ['no keyid', tap({ keyid: undefined }), 'missing_parameter'],
    ['no alg', tap({ alg: undefined }), 'missing_parameter'],
    ['no tag', tap({ tag: undefined }), 'unsigned unsupported_tag'],
    ['another tag', tap({ tag: 'Agent-pay-auth' }), 'unsigned unsupported_tag'],
    ['another case of the tag', tap({ tag: 'Agent-Browser-Auth' }), 'unsigned unsupported_tag'],
    ['an unknown key', tap({ keyid: 'nobody' }), 'key_not_found'],
    ['no path', tap({}, ['@authority']), 'missing_component'],
    ['no authority', tap({}, ['@path']), 'missing_component'],
    ['a path in the target URI only', tap({}, ['@authority', '@target-uri']), 'missing_component'],
    ['nothing', tap({}, []), 'missing_component'],
    ['more than the minimum', tap({}, ['@authority', '@path', '@method', '@query']), 'verified'],
  ])('%s', (_name, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });

  it('names no agent, and finds its key among the pinned ones alone', () => {
    const request = withHeaders(tap(), [AGENT_LINE]);
    expect(verdictOf(request)).toMatchObject({
      status: 'verified',
      profile: 'tap',
      agent: null,
      keySource: { kind: 'pinned' },
      tag: 'agent-browser-auth',
      coverage: 'identity',
    });
  });
});

describe('time', () => {
  it.each([
    ['created now + 60 s', { created: NOW + 60, expires: NOW + 200 }, 'verified'],
    ['created now + 61 s', { created: NOW + 61, expires: NOW + 200 }, 'not_yet_valid'],
    ['expired 59 s ago', { created: NOW - 100, expires: NOW - 59 }, 'verified'],
    ['expired 60 s ago', { created: NOW - 100, expires: NOW - 60 }, 'expired'],
    ['expires when created', { created: NOW, expires: NOW }, 'expired'],
    ['expires before created', { created: NOW, expires: NOW - 1 }, 'expired'],
    ['milliseconds', { created: NOW * 1_000, expires: NOW * 1_000 + 5 }, 'not_yet_valid'],
  ])('%s', (_name, changed, expected) => {
    expect(outcomeOf(tap(changed))).toBe(expected);
    expect(outcomeOf(wba(changed))).toBe(expected);
  });

  it('a limit of age is widened by the skew', () => {
    const settings = { ...DEFAULT_VERIFICATION_SETTINGS, maxAgeSeconds: 100 };
    expect(outcomeOf(wba({ created: NOW - 160 }), { settings })).toBe('verified');
    expect(outcomeOf(wba({ created: NOW - 161 }), { settings })).toBe('expired');
  });
});

describe('Web Bot Auth', () => {
  it.each([
    ['as it should be', wba(), 'verified'],
    [
      'the target URI instead of the authority',
      wba({}, ['@target-uri', '"signature-agent";key="sig1"']),
      'verified',
    ],
    ['a day', wba({ created: NOW, expires: NOW + 86_400 }), 'verified'],
    ['more than a day', wba({ created: NOW, expires: NOW + 86_401 }), 'window_too_long'],
    ['no target', wba({}, ['@method', '"signature-agent";key="sig1"']), 'target_not_covered'],
    ['the agent is not covered', wba({}, ['@authority']), 'agent_not_covered'],
    [
      'the agent is covered as sf only',
      wba({}, ['@authority', '"signature-agent";sf']),
      'agent_not_covered',
    ],
    [
      'the agent is covered as bytes only',
      wba({}, ['@authority', '"signature-agent";bs']),
      'agent_not_covered',
    ],
    [
      'a member is covered in another form only',
      wba({}, ['@authority', '"signature-agent";key="sig1";sf']),
      'agent_not_covered',
    ],
    [
      'a header too long',
      wba({}, WBA_COVERED, [['Signature-Agent', `sig1="${AGENT}", a="${'a'.repeat(4_096)}"`]]),
      'malformed_header',
    ],
    ['no created', wba({ created: undefined }), 'missing_parameter'],
    ['no expires', wba({ expires: undefined }), 'missing_parameter'],
    ['no keyid', wba({ keyid: undefined }), 'missing_parameter'],
    ['no alg and no nonce', wba({ alg: undefined, nonce: undefined }), 'verified'],
    ['a short nonce', wba({ nonce: 'n' }), 'verified'],
    ['a keyid that is no thumbprint', wba({ keyid: 'key-1' }), 'keyid_not_thumbprint'],
    ['the thumbprint of nobody', wba({ keyid: 'A'.repeat(43) }), 'key_not_found'],
    ['no agent', wba({}, ['@authority'], []), 'agent_absent'],
  ])('%s', (_name, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });

  it.each<[string, string, string, readonly string[]]>([
    ['a bare string', `"${AGENT}"`, 'string', ['@authority', 'signature-agent']],
    ['a member', `sig1="${AGENT}"`, 'dict', WBA_COVERED],
    [
      'a member under another key',
      `other="${AGENT}"`,
      'dict',
      ['@authority', '"signature-agent";key="other"'],
    ],
    ['the whole dictionary', `other="${AGENT}"`, 'dict', ['@authority', 'signature-agent']],
    [
      'the whole dictionary, two members',
      `a="https://b.example", sig1="${AGENT}"`,
      'dict',
      ['@authority', 'signature-agent'],
    ],
    [
      'two members covered, one of the label',
      `a="https://b.example", sig1="${AGENT}"`,
      'dict',
      [...WBA_COVERED, '"signature-agent";key="a"'],
    ],
    [
      'a member beside one that is not covered',
      `a="https://b.example", sig1="${AGENT}"`,
      'dict',
      WBA_COVERED,
    ],
    ['a directory by type', `sig1="${AGENT}";type=directory`, 'dict+type', WBA_COVERED],
    ['a slash', `sig1="${AGENT}/"`, 'dict', WBA_COVERED],
    [
      'upper case, the default port, a fragment',
      'sig1="HTTPS://AGENT.example:443/#f"',
      'dict',
      WBA_COVERED,
    ],
    ['a parameter of somebody else', `sig1="${AGENT}";v=1`, 'dict', WBA_COVERED],
  ])('names its agent: %s', (_name, header, agentForm, components) => {
    const request = wba({}, components, [['Signature-Agent', header]]);
    expect(verdictOf(request)).toMatchObject({
      status: 'verified',
      agent: AGENT,
      agentForm,
      keySource: { kind: 'directory', url: DIRECTORY },
    });
  });

  it.each<[string, string, string, object]>([
    [
      'the URL of a key set',
      'https://agent.example/keys.json',
      '',
      {
        agent: 'https://agent.example/keys.json',
        keySource: { kind: 'jwks', url: 'https://agent.example/keys.json' },
      },
    ],
    [
      'by type',
      'https://agent.example/keys.json',
      ';type=jwks_uri',
      {
        agentForm: 'dict+type',
        keySource: { kind: 'jwks', url: 'https://agent.example/keys.json' },
      },
    ],
    [
      'with a query',
      'https://agent.example/keys?of=1#f',
      '',
      {
        agent: 'https://agent.example/keys',
        keySource: { kind: 'jwks', url: 'https://agent.example/keys?of=1' },
      },
    ],
    [
      'with escapes',
      'https://agent.example/%7ebot/%c3%a9',
      '',
      { agent: 'https://agent.example/~bot/%C3%A9' },
    ],
    [
      'the well-known path itself',
      DIRECTORY,
      '',
      { agent: DIRECTORY, keySource: { kind: 'directory', url: DIRECTORY } },
    ],
  ])('finds its keys: %s', (_name, url, type, expected) => {
    const request = wba({}, WBA_COVERED, [['Signature-Agent', `sig1="${url}"${type}`]]);
    const set = { keys: [key.jwk] };
    const directories = {
      'https://agent.example/keys.json': set,
      'https://agent.example/keys?of=1': set,
      'https://agent.example/%7ebot/%c3%a9': set,
    };
    expect(verdictOf(request, {}, directories)).toMatchObject({ status: 'verified', ...expected });
  });

  it.each<[string, string, readonly string[], string]>([
    ['no such member', 'a="https://agent.example"', [...WBA_COVERED], 'component_not_in_message'],
    [
      'two covered and none of the label',
      `a="${AGENT}", b="${AGENT}"`,
      ['@authority', '"signature-agent";key="a"', '"signature-agent";key="b"'],
      'agent_ambiguous',
    ],
    [
      'a dictionary of two, none of the label',
      `a="${AGENT}", b="${AGENT}"`,
      ['@authority', 'signature-agent'],
      'agent_ambiguous',
    ],
    [
      'a member twice',
      `sig1="https://b.example", sig1="${AGENT}"`,
      WBA_COVERED,
      'malformed_header',
    ],
    ['a token', 'sig1=agent', WBA_COVERED, 'malformed_header'],
    ['a flag', 'sig1', WBA_COVERED, 'malformed_header'],
    ['a list', `sig1=("${AGENT}")`, WBA_COVERED, 'malformed_header'],
    [
      'no structured field',
      'https://agent.example',
      ['@authority', 'signature-agent'],
      'malformed_header',
    ],
    [
      'a bare string and more',
      `"${AGENT}", "${AGENT}"`,
      ['@authority', 'signature-agent'],
      'malformed_header',
    ],
    ['a client identifier', `sig1="${AGENT}";type=cimd`, WBA_COVERED, 'agent_type_unsupported'],
    ['an unknown type', `sig1="${AGENT}";type=other`, WBA_COVERED, 'agent_type_unsupported'],
    [
      'a directory that is no origin',
      `sig1="${AGENT}/keys";type=directory`,
      WBA_COVERED,
      'agent_url_refused',
    ],
    ['http', 'sig1="http://agent.example"', WBA_COVERED, 'agent_url_refused'],
    ['data', 'sig1="data:application/json,{}"', WBA_COVERED, 'agent_url_refused'],
    ['relative', 'sig1="agent.example"', WBA_COVERED, 'agent_url_refused'],
    ['a user', 'sig1="https://user@agent.example"', WBA_COVERED, 'agent_url_refused'],
    ['a backslash', 'sig1="https:\\\\\\\\agent.example"', WBA_COVERED, 'agent_url_refused'],
    ['a space', 'sig1="https://agent.example/ a"', WBA_COVERED, 'agent_url_refused'],
    ['no host', 'sig1="https:///path"', WBA_COVERED, 'agent_url_refused'],
    [
      'too long',
      `sig1="https://agent.example/${'a'.repeat(500)}"`,
      WBA_COVERED,
      'agent_url_refused',
    ],
  ])('does not know its agent: %s', (_name, header, components, reason) => {
    const request = signedLoosely(header, components);
    expect(outcomeOf(request)).toBe(reason);
  });

  it('http is for agents on the loopback interface of a test world', () => {
    const settings = { ...DEFAULT_VERIFICATION_SETTINGS, allowLoopbackAgents: true };
    const of = (url: string) => wba({}, WBA_COVERED, [['Signature-Agent', `sig1="${url}"`]]);
    for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1']) {
      expect(outcomeOf(of(url))).toBe('agent_url_refused');
      expect(outcomeOf(of(url), { settings })).toBe('key_source_unavailable');
    }
    expect(outcomeOf(of('http://agent.example'), { settings })).toBe('agent_url_refused');
    expect(outcomeOf(of('http://127.0.0.1.example'), { settings })).toBe('agent_url_refused');
  });
});

/** Where the header has no such component, nobody can sign it: then it is changed after it was signed. */
function signedLoosely(header: string, components: readonly string[]): HttpRequestMessage {
  try {
    return wba({}, components, [['Signature-Agent', header]]);
  } catch {
    const { headers, ...signed } = wba();
    const changed = headers.map(([name, value]): HeaderLine => [
      name,
      name === 'Signature-Agent' ? header : value,
    ]);
    return { ...signed, headers: changed };
  }
}
