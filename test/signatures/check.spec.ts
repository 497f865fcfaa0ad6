import { beforeAll, describe, expect, it } from 'vitest';
import { contentDigest, type HttpRequestMessage } from '../../src/core/httpsig/index.js';
import { ADVICE } from '../../src/doors/signatures/advice.js';
import {
  rawSigned,
  signatureLines,
  signedRequest,
  testKey,
  wbaParameters,
  withHeaders,
} from '../httpsig/signed-requests.js';
import { answering, directoryOf, WELL_KNOWN } from '../peers/directory-server.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { startTestService, type TestService } from '../support/service.js';
import { setSignatures, shopInMode, signedCall } from './signed-shop.js';
import { send, type SigningAgent, startAgent } from './signing-agent.js';

/** What an agent's developer is told about a request, without using it up. */

const PATH = '/v1/signature-check';
const CATALOG = '/catalog.json';

let service: TestService;
let agent: SigningAgent;
let front: Storefront;
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
  agent = await startAgent();
  front = await shopInMode(service, 'enforce');
  await offer(front, [{ id: 'tea' }]);
});

const key = testKey();
const now = () => Math.floor(Date.now() / 1_000);
const parameters = (changed: Readonly<Record<string, unknown>> = {}) =>
  wbaParameters(key, { created: now(), expires: now() + 200, ...changed });

/** A request as a description has it. */
const plain = (changed: Partial<HttpRequestMessage> = {}): HttpRequestMessage => ({
  kind: 'request',
  ...{ method: 'GET', scheme: 'https', authority: front.host, target: CATALOG },
  ...{ headers: [], body: null },
  ...changed,
});
const COVERED = ['@method', '@authority', '@path', '"signature-agent";key="sig1"'];
const named = (path = '') => [['Signature-Agent', `sig1="${agent.url}${path}"`]] as const;
const signed = (changed: Partial<HttpRequestMessage> = {}, more = {}): HttpRequestMessage =>
  signedRequest(withHeaders(plain(changed), named('/test-key')), key, {
    components: COVERED,
    parameters: parameters(),
    ...more,
  });

async function check(message: HttpRequestMessage | null, more: object = {}) {
  const described =
    message === null
      ? {}
      : {
          message: {
            ...{ method: message.method, scheme: message.scheme, authority: message.authority },
            ...{ target: message.target, headers: message.headers },
            body: message.body === null ? null : Buffer.from(message.body).toString('utf8'),
          },
        };
  return front.shop.call('POST', PATH, { body: { ...described, ...more } });
}
/** A server whose well-known directory has the test's key. */
let own: SigningAgent;
beforeAll(async () => {
  agent.directories.on('/test-key', answering(directoryOf(key)));
  own = await startAgent();
  own.directories.on(WELL_KNOWN, answering(directoryOf(key)));
});

describe('the request itself', () => {
  it('needs a key', async () => {
    const sent = { host: front.host, method: 'POST', path: PATH, body: {} };
    const answer = await send(service, { ...sent, headers: await agent.sign(sent) });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });

  it('is told as it was judged', async () => {
    const answer = await signedCall(front, agent, { method: 'POST', path: PATH, body: {} });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        ...{ status: 'verified', reason: null, advice: null, profile: 'wba', label: 'sig1' },
        ...{ keyid: agent.key.thumbprint, agent: agent.url, agent_form: 'dict' },
        ...{ tag: 'web-bot-auth', coverage: 'full' },
        in_enforce: { answered: true, code: null },
        covered: expect.arrayContaining(['"@method"', '"@authority"', '"content-digest"']),
        accept_signature: expect.stringContaining('"content-digest"'),
        bases: [{ label: 'sig1', fault: null, comparison: null }],
      },
    ]);
    expect(answer.body.bases[0].base).toContain(`"@authority": ${front.host}\n`);
  });

  it('uses up no nonce: the same bytes are judged alike again', async () => {
    const headers = { authorization: `Bearer ${front.shop.apiKeys.agent}` };
    const sent = { host: front.host, method: 'POST', path: PATH, body: {}, headers };
    const all = await agent.sign(sent);
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(service, { ...sent, headers: all });
      expect(answer.body.status).toBe('verified');
    }
  });

  it('unsigned is answered, with what to sign', async () => {
    const answer = await check(null);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'unsigned', in_enforce: { answered: false, code: 'signature_missing' }, bases: [] },
    ]);
    expect(answer.body.accept_signature).toMatch(/^sig1=\("@method" "@authority" "@path"/);
  });

  it('another shop’s list of agents is not asked', async () => {
    const other = await shopInMode(service, 'enforce', []);
    const answer = await signedCall(other, agent, { method: 'POST', path: PATH, body: {} });
    expect(answer.body).toMatchObject({
      status: 'unverified',
      reason: 'agent_not_allowed',
      advice: ADVICE.agent_not_allowed,
      in_enforce: { answered: false, code: 'key_not_found' },
    });
    await setSignatures(other, null);
  });
});

describe('a request that is described', () => {
  it('is judged, and may still be sent', async () => {
    const sent = { host: front.host, path: CATALOG };
    const headers = await agent.sign(sent);
    const message = plain({ headers: Object.entries(headers) });
    expect((await check(message)).body).toMatchObject({ status: 'verified', coverage: 'full' });
    expect((await send(service, { ...sent, headers })).status).toBe(200);
    expect((await send(service, { ...sent, headers })).status).toBe(401);
  });

  it.each([
    ['dict', (url: string) => `sig1="${url}"`, COVERED],
    ['string', (url: string) => `"${url}"`, [...COVERED.slice(0, 3), 'signature-agent']],
    ['dict+type', (url: string) => `sig1="${url}";type=jwks_uri`, COVERED],
  ])('the dialect %s of Signature-Agent', async (form, written, components) => {
    const url = form === 'dict+type' ? `${agent.url}/test-key` : own.url;
    const request = withHeaders(plain(), [['Signature-Agent', written(url)]]);
    const message = signedRequest(request, key, { components, parameters: parameters() });
    expect((await check(message)).body).toMatchObject({ status: 'verified', agent_form: form });
  });

  it('with UCP’s own signature, whose key is in the platform’s profile', async () => {
    const platform = testKey('ecdsa-p256-sha256');
    const jwk = { ...platform.jwk, kid: 'platform-1' };
    const profile = JSON.stringify({ ucp: { version: '2026-04-08' }, signing_keys: [jwk] });
    const type = { 'content-type': 'application/json' };
    agent.directories.on('/profile.json', answering(profile, type));
    const body = Buffer.from('{"a":1}');
    const headers = [
      ['UCP-Agent', `profile="${agent.url}/profile.json"`],
      ['Idempotency-Key', 'k-1'],
      ['Content-Type', 'application/json'],
      ['Content-Digest', contentDigest(body)],
    ] as const;
    const request = plain({ method: 'POST', target: '/ucp/checkout-sessions', headers, body });
    const components = [
      ...['@method', '@authority', '@path', 'ucp-agent', 'idempotency-key'],
      ...['content-digest', 'content-type'],
    ];
    const message = signedRequest(request, platform, {
      components,
      parameters: { created: now(), keyid: 'platform-1' },
    });
    expect((await check(message)).body).toMatchObject({
      ...{ status: 'verified', profile: 'ucp', keyid: 'platform-1', coverage: 'full' },
      agent: `${agent.url}/profile.json`,
    });
    const others = await check(message, { profiles: ['tap', 'wba'] });
    expect(others.body).toMatchObject({ status: 'unsigned', detail: 'unsupported_tag' });
  });

  it.each([
    ['another host', { authority: 'other.example' }],
    ['the origin’s host under another port', { authority: 'PORT' }],
  ])('for %s is not ours', async (_name, { authority }) => {
    const asked = authority === 'PORT' ? `${front.host}:8443` : authority;
    expect((await check(signed({ authority: asked }))).body).toMatchObject({
      status: 'invalid',
      reason: 'authority_not_ours',
      advice: ADVICE.authority_not_ours,
    });
  });

  it('for another tenant’s shop is not ours', async () => {
    const other = await shopInMode(service, null);
    const { body } = await check(signed({ authority: other.host }));
    expect(body.reason).toBe('authority_not_ours');
  });

  it.each([
    ['target_form_refused', () => signed({ target: '/catalog.json#part' })],
    ['digest_missing', () => signed({ method: 'POST', body: Buffer.from('x') })],
    ['missing_component', () => signed({ target: '/%612a/v1/tasks?a=1' })],
    ['expired', () => signed({}, { parameters: parameters({ created: 1, expires: 2 }) })],
    ['key_not_found', () => signed({}, { parameters: parameters({ keyid: 'x'.repeat(43) }) })],
    [
      'label_mismatch',
      () => ({ ...plain(), headers: [['Signature-Input', 'sig1=();tag="web-bot-auth"']] }),
    ],
    ['malformed_header', () => ({ ...plain(), headers: [['Signature-Input', '(']] })],
    ['bad_signature', () => ({ ...signed(), target: '/other.json' })],
  ] as readonly (readonly [keyof typeof ADVICE, () => HttpRequestMessage])[])(
    'tells %s, and what to do',
    async (reason, message) => {
      const { status, body } = await check(message());
      expect([status, body.reason, body.advice]).toEqual([200, reason, ADVICE[reason]]);
      expect(body.in_enforce.answered).toBe(false);
    },
  );

  it('with the text that was signed: where it parts from ours, and why', async () => {
    const target = '/a2a/v1/tasks?lang=en';
    const request = withHeaders(plain({ target }), named('/test-key'));
    const components = ['@method', '@authority', '@path', '@query', COVERED[3] ?? ''];
    const [[, input]] = signatureLines(request, key, { components, parameters: parameters() });
    const member = input.slice('sig1='.length);
    const lines = [
      ...[`"@method": GET`, `"@authority": ${front.host}`, `"@path": ${target}`],
      ...['"@query": ?lang=en', `"signature-agent";key="sig1": "${agent.url}/test-key"`],
    ];
    const message = rawSigned(request, key, { member, lines });
    const expected = [...lines, `"@signature-params": ${member}`].join('\n');
    const { body } = await check(message, { expected_base: expected });
    expect(body).toMatchObject({ status: 'invalid', reason: 'bad_signature' });
    expect(body.bases[0].comparison).toMatchObject({
      same: false,
      first_difference: { line: 3, component: '"@path"' },
      cause: 'query_in_path',
      advice: expect.stringContaining('"@path" holds the path alone'),
    });
    expect(body.bases[0].comparison.lines).toHaveLength(6);
    const again = await check(message, { expected_base: body.bases[0].base });
    expect(again.body.bases[0].comparison).toMatchObject({ same: true, cause: null });
  });

  it.each([
    [{ message: {} }, '/message/method'],
    [
      { message: { method: 'GET', authority: 'a', target: '/', headers: [['a']] } },
      '/message/headers/0',
    ],
    [{ profiles: [] }, '/profiles'],
    [{ profiles: ['pgp'] }, '/profiles/0'],
    [{ expected_base: 'x'.repeat(32_769) }, '/expected_base'],
    [{ other: 1 }, '/other'],
  ])('%j is refused', async (body, field) => {
    const answer = await front.shop.call('POST', PATH, { body });
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  });

  it.each([
    ['\u0000', '\u0000'],
    ['GET\r\nX: y', 'a\r\nb'],
    ['é', 'é'],
  ])('texts that no request has are no fault of ours: %j', async (method, text) => {
    const escaped = method.includes('\u0000') ? 400 : 200;
    const headers = [
      [text, text],
      ['Signature-Input', text],
      ['Signature', text],
    ];
    const message = { method, authority: front.host, target: `/${text}`, headers, body: null };
    const answer = await front.shop.call('POST', PATH, { body: { message } });
    expect(answer.status).toBe(escaped);
  });
});

it('asks no more new directories for one address than a stranger may', async () => {
  const outcomes: string[] = [];
  for (let index = 0; index < 15; index += 1) {
    const request = withHeaders(plain(), [['Signature-Agent', `sig1="${agent.url}/new-${index}"`]]);
    const message = signedRequest(request, key, { components: COVERED, parameters: parameters() });
    outcomes.push(String((await check(message)).body.reason));
  }
  expect(outcomes.at(-1)).toBe('busy');
  const asked = agent.directories.asked.filter(({ url }) => url?.startsWith('/new-') === true);
  expect(asked.length).toBeLessThanOrEqual(10);
});
