import { constants, generateKeyPairSync, sign, verify } from 'node:crypto';
import { createSigner, createVerifier, httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_VERIFICATION_SETTINGS,
  draftSignature,
  type HeaderLine,
  type HttpRequestMessage,
  planVerification,
  type SignatureVerdict,
  WEB_BOT_AUTH_TAG,
} from '../../src/core/httpsig/index.js';
import { contextOf, judge, KeysInMemory, publicKey } from './verifier.js';

/**
 * Where http-message-signatures 1.0.6 and ours differ, one test each: what the library answers (so that a release which
 * mends it is noticed) and what is right. They are the exceptions of the differential tests.
 */
const { privateKey, publicKey: verifyingKey } = generateKeyPairSync('ed25519');
const jwk = verifyingKey.export({ format: 'jwk' });
const { thumbprint } = publicKey(jwk);
const NOW = Math.floor(Date.now() / 1_000);
const AGENT = 'https://agent.example';
const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
const config = { directories: { [DIRECTORY]: { keys: [jwk] } } };

const request = (target: string, headers: readonly HeaderLine[] = []): HttpRequestMessage => ({
  kind: 'request',
  method: 'GET',
  scheme: 'https',
  authority: 'shop.example',
  target,
  headers: [['Host', 'shop.example'], ['Signature-Agent', `sig1="${AGENT}"`], ...headers],
  body: null,
});

interface Member {
  readonly label?: string;
  /** Between the parentheses. */
  readonly covered: string;
  /** Lines of the base before the last, as a signer with this fault writes them. */
  readonly lines: readonly string[];
  readonly parameters?: string;
}

const PARAMETERS = `;created=${NOW};expires=${NOW + 60};keyid="${thumbprint}";tag="${WEB_BOT_AUTH_TAG}"`;

/** A signature over any text at all: what the parser of the library makes of it is tried, not what a signer would do. */
function signed(message: HttpRequestMessage, members: readonly Member[]): HttpRequestMessage {
  const made = members.map(({ label = 'sig1', covered, lines, parameters = PARAMETERS }) => {
    const member = `(${covered})${parameters}`;
    const base = [...lines, `"@signature-params": ${member}`].join('\n');
    const bytes = sign(null, Buffer.from(base, 'latin1'), privateKey).toString('base64');
    return { input: `${label}=${member}`, signature: `${label}=:${bytes}:` };
  });
  return {
    ...message,
    headers: [
      ...message.headers,
      ['Signature-Input', made.map(({ input }) => input).join(', ')],
      ['Signature', made.map(({ signature }) => signature).join(', ')],
    ],
  };
}

type Answer = boolean | null | 'refused';

async function theirs(
  message: HttpRequestMessage,
  options: { readonly all?: boolean; readonly onLookup?: () => void } = {},
): Promise<Answer> {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of message.headers) (headers[name.toLowerCase()] ??= []).push(value);
  try {
    return await httpbis.verifyMessage(
      {
        all: options.all === true,
        keyLookup: () => {
          options.onLookup?.();
          return Promise.resolve({
            algs: ['ed25519'],
            verify: createVerifier(verifyingKey, 'ed25519'),
          });
        },
      },
      { method: message.method, url: `https://shop.example${message.target}`, headers },
    );
  } catch {
    return 'refused';
  }
}

const ours = (message: HttpRequestMessage): SignatureVerdict =>
  judge(message, contextOf(config, NOW), { keys: new KeysInMemory(config) });

const COVERED = '"@authority" "@path" "signature-agent";key="sig1"';
const AGENT_LINE = `"signature-agent";key="sig1": "${AGENT}"`;
const linesFor = (path: string): readonly string[] => [
  '"@authority": shop.example',
  `"@path": ${path}`,
  AGENT_LINE,
];
const GOOD: Member = { covered: COVERED, lines: linesFor('/x') };
const BROKEN: Member = { ...GOOD, lines: linesFor('/elsewhere') };

describe('http-message-signatures 1.0.6 differs where it is wrong', () => {
  it('the twin that both take', async () => {
    const message = signed(request('/x'), [GOOD]);
    expect(await theirs(message)).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'verified', agent: AGENT });
  });

  it('row 2: with `all`, a bad signature before a good one counts as good', async () => {
    const message = signed(request('/x'), [BROKEN, { ...GOOD, label: 'sig2' }]);
    expect(await theirs(message, { all: true })).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'verified', label: 'sig2' });
    expect(ours(signed(request('/x'), [BROKEN]))).toMatchObject({ reason: 'bad_signature' });
  });

  it('row 3: a bad label that a stranger appends denies the good one', async () => {
    const message = signed(request('/x'), [GOOD, { ...BROKEN, label: 'sig2' }]);
    expect(await theirs(message, { all: true })).not.toBe(true);
    expect(ours(message)).toMatchObject({ status: 'verified', label: 'sig1' });
  });

  it.each([
    ['expires', PARAMETERS.replace(/expires=\d+/, 'expires="never"')],
    ['created', PARAMETERS.replace(/created=\d+/, 'created="soon"')],
  ])('row 4: %s as a string is never compared', async (_name, parameters) => {
    const message = signed(request('/x'), [{ ...GOOD, parameters }]);
    expect(await theirs(message)).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'invalid', reason: 'bad_parameter_type' });
  });

  it('row 5: the key is looked for before anything is checked', async () => {
    const parameters = PARAMETERS.replace(/expires=\d+/, 'expires=1');
    const message = signed(request('/x'), [{ ...GOOD, parameters }]);
    let lookups = 0;
    await theirs(message, { onLookup: () => (lookups += 1) });
    expect(lookups).toBe(1);
    const keys = new KeysInMemory(config);
    expect(judge(message, contextOf(config, NOW), { keys })).toMatchObject({ reason: 'expired' });
    expect(keys.asked).toEqual([]);
  });

  it('row 6: an apostrophe in a query parameter is encoded otherwise', async () => {
    const member = {
      covered: `${COVERED} "@query-param";name="x"`,
      lines: [...linesFor('/x'), '"@query-param";name="x": it%27s'],
    };
    const message = signed(request('/x?x=it%27s'), [member]);
    expect(await theirs(message)).not.toBe(true);
    expect(ours(message)).toMatchObject({ status: 'verified' });
  });

  it('row 7: a query parameter that occurs twice is taken', async () => {
    const name = '"@query-param";name="x"';
    const member = {
      covered: `${COVERED} ${name}`,
      lines: [...linesFor('/x'), `${name}: 1`, `${name}: 2`],
    };
    const message = signed(request('/x?x=1&x=2'), [member]);
    expect(await theirs(message)).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'invalid', reason: 'bad_component' });
  });

  it.each([
    ['a component twice', `${COVERED} "@path"`, '"@path": /x', 'duplicate_component'],
    ['sf on a derived one', `${COVERED} "@path";sf`, '"@path";sf: /x', 'bad_component'],
    ['an unknown parameter', `${COVERED} "@method";zz`, '"@method";zz: GET', 'bad_component'],
    ['upper case', `${COVERED} "Accept"`, '"Accept": a', 'bad_component'],
  ])('row 8: %s is taken', async (_name, covered, line, reason) => {
    const lines = [...linesFor('/x'), line];
    const message = signed(request('/x', [['Accept', 'a']]), [{ covered, lines }]);
    expect(await theirs(message)).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'invalid', reason });
  });

  it('row 9: its signer of rsa-pss-sha512 uses the longest salt instead of 64 bytes', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const bytes = await createSigner(pair.privateKey, 'rsa-pss-sha512').sign(Buffer.from('base'));
    const key = { key: pair.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING };
    const check = (saltLength: number): boolean =>
      verify('sha512', Buffer.from('base'), { ...key, saltLength }, bytes);
    expect([check(64), check(constants.RSA_PSS_SALTLEN_AUTO)]).toEqual([false, true]);
  });

  it('a path with encoded dot segments verifies as another path', async () => {
    const message = signed(request('/a/%2e%2e/x'), [GOOD]);
    expect(await theirs(message)).toBe(true);
    expect(ours(message)).toMatchObject({ status: 'invalid', reason: 'bad_signature' });
    const twin = signed(request('/a/%2e%2e/x'), [{ ...GOOD, lines: linesFor('/a/%2e%2e/x') }]);
    expect(ours(twin)).toMatchObject({ status: 'verified' });
  });

  it('nothing covered is refused before any key, whatever the library says', () => {
    const message = signed(request('/x'), [{ covered: '', lines: [] }]);
    const plan = planVerification(message, {
      nowSeconds: NOW,
      routeKind: 'read',
      profiles: ['wba'],
      settings: DEFAULT_VERIFICATION_SETTINGS,
    });
    expect(plan).toMatchObject({ kind: 'ended', verdict: { reason: 'target_not_covered' } });
    expect(draftSignature(message, { label: 's', components: [], parameters: {} }).ok).toBe(true);
  });
});
