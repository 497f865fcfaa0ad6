import { beforeAll, describe, expect, it } from 'vitest';
import { sign } from 'node:crypto';
import { contentDigest } from '../../src/core/httpsig/index.js';
import { directoryPlace } from '../../src/trust/peers/directories/directory-place.js';
import { directoryProof } from '../../src/trust/peers/directories/directory-proof.js';
import { KeySet } from '../../src/trust/peers/directories/key-set.js';
import { describeWithOracle } from '../support/oracles.js';
import { directoryAt, directoryHouse, jwksAt, profileAt, REAL_MS } from './directory-house.js';
import {
  type AgentKey,
  agentKey,
  answering,
  directoryOf,
  DirectoryServer,
  WELL_KNOWN,
} from './directory-server.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const notFound = { kind: 'none', reason: 'key_not_found' };
const found = (key: AgentKey) => ({ kind: 'found', key: { thumbprint: key.thumbprint } });
const profileOf = (...jwks: readonly unknown[]) =>
  answering(JSON.stringify({ ucp: { version: '2026-04-08' }, signing_keys: jwks }), JSON_TYPE);

let server: DirectoryServer;
beforeAll(async () => {
  server = await DirectoryServer.start();
});

describe('a key is found by its source and its id', () => {
  it('so one URL never answers for another, though both know the key id', async () => {
    const [ours, theirs] = [agentKey({ kid: 'k1' }), agentKey({ kid: 'k1' })];
    server.on('/a', profileOf(ours.jwk)).on('/b', profileOf(theirs.jwk));
    server.on('/c', profileOf());
    const house = directoryHouse();
    const ask = (path: string) => house.resolve(profileAt(server.url(path)), 'k1');
    expect(await ask('/a')).toMatchObject({ ...found(ours), url: server.url('/a') });
    expect(await ask('/b')).toMatchObject({ ...found(theirs), url: server.url('/b') });
    expect(await ask('/c')).toEqual(notFound);
  });

  it('and a thumbprint learned from one URL is unknown at another', async () => {
    const key = agentKey();
    server.on('/one', answering(directoryOf(key), JSON_TYPE));
    server.on('/two', answering(directoryOf(agentKey()), JSON_TYPE));
    const house = directoryHouse();
    expect(await house.resolve(jwksAt(server.url('/one')), key.thumbprint)).toMatchObject(
      found(key),
    );
    expect(await house.resolve(jwksAt(server.url('/two')), key.thumbprint)).toEqual(notFound);
  });

  it('whose query is asked for and named by nobody', async () => {
    const [a, b] = [agentKey(), agentKey()];
    server.on('/q?v=a', answering(directoryOf(a), JSON_TYPE));
    server.on('/q?v=b', answering(directoryOf(b), JSON_TYPE));
    const house = directoryHouse();
    expect(await house.resolve(jwksAt(server.url('/q?v=a')), a.thumbprint)).toMatchObject({
      ...found(a),
      url: server.url('/q'),
    });
    expect(await house.resolve(jwksAt(server.url('/q?v=b')), a.thumbprint)).toEqual(notFound);
  });

  it('and what is read as a profile is no copy of what is read as a directory', async () => {
    const [inKeys, inProfile] = [agentKey(), agentKey()];
    const both = JSON.stringify({ keys: [inKeys.jwk], signing_keys: [inProfile.jwk] });
    server.on('/both', answering(both, JSON_TYPE));
    const house = directoryHouse();
    const url = server.url('/both');
    expect(await house.resolve(jwksAt(url), inKeys.thumbprint)).toMatchObject(found(inKeys));
    expect(await house.resolve(jwksAt(url), inProfile.thumbprint)).toEqual(notFound);
    expect(await house.resolve(profileAt(url), inProfile.thumbprint)).toMatchObject(
      found(inProfile),
    );
    expect(await house.resolve(profileAt(url), inKeys.thumbprint)).toEqual(notFound);
  });
});

describe('in a directory', () => {
  it('a kid that is not the thumbprint makes the key unusable at the well-known path, and there only', async () => {
    const [plain, named, wrong] = [agentKey(), agentKey(), agentKey({ kid: 'mine' })];
    const right = { ...named, jwk: { ...named.jwk, kid: named.thumbprint } };
    const body = directoryOf(plain, right, wrong);
    server.on(WELL_KNOWN, answering(body)).on('/own.json', answering(body, JSON_TYPE));
    const house = directoryHouse();
    const atWellKnown = (keyId: string) => house.resolve(directoryAt(server.url('')), keyId);
    const elsewhere = (keyId: string) => house.resolve(jwksAt(server.url('/own.json')), keyId);
    expect(await atWellKnown(plain.thumbprint)).toMatchObject(found(plain));
    expect(await atWellKnown(named.thumbprint)).toMatchObject(found(named));
    expect(await atWellKnown(wrong.thumbprint)).toEqual(notFound);
    expect(await elsewhere(wrong.thumbprint)).toMatchObject(found(wrong));
    // Never by its name: here key ids are thumbprints.
    for (const ask of [atWellKnown, elsewhere]) expect(await ask('mine')).toEqual(notFound);
  });

  it('a kid that looks like another key is no other key', async () => {
    const [victim, attacker] = [agentKey(), agentKey()];
    const disguised = { jwk: { ...attacker.jwk, kid: victim.thumbprint } };
    server.on('/x.json', answering(directoryOf(disguised), JSON_TYPE));
    const house = directoryHouse();
    expect(await house.resolve(jwksAt(server.url('/x.json')), victim.thumbprint)).toEqual(notFound);
  });
});

describe('in a profile', () => {
  it('keys are found by kid, else by thumbprint; two of one name are none', async () => {
    const [one, two, three, nameless] = [
      agentKey({ kid: 'k' }),
      agentKey({ kid: 'twice' }),
      agentKey({ kid: 'twice' }),
      agentKey(),
    ];
    const again = { ...one.jwk };
    server.on('/p', profileOf(one.jwk, again, two.jwk, three.jwk, nameless.jwk, { kid: 'bad' }));
    const house = directoryHouse();
    const ask = (keyId: string) => house.resolve(profileAt(server.url('/p')), keyId);
    expect(await ask('k')).toMatchObject(found(one));
    expect(await ask('twice')).toEqual(notFound);
    expect(await ask(two.thumbprint)).toMatchObject(found(two));
    expect(await ask(nameless.thumbprint)).toMatchObject(found(nameless));
    for (const keyId of ['bad', '', '__proto__', 'constructor'])
      expect(await ask(keyId)).toEqual(notFound);
  });
});

describe('what the operator named', () => {
  const key = agentKey();
  const named = (url: string, keys: readonly unknown[] | null) => ({ named: [{ url, keys }] });

  it('with a file is never fetched, and an origin means its well-known directory', async () => {
    const origin = server.url('', '127.9.0.1');
    const house = directoryHouse({ sourcesOf: named(`${origin}/`, [key.jwk]) });
    expect(await house.resolve(directoryAt(origin), key.thumbprint)).toMatchObject({
      ...found(key),
      url: `${origin}${WELL_KNOWN}`,
      notes: { isPinned: true },
    });
    expect(await house.resolve(directoryAt(origin), agentKey().thumbprint)).toEqual(notFound);
    expect(house.fetches).toEqual([]);
  });

  it('with a file may have an address that is never asked', async () => {
    const sourcesOf = named('https://agent.example/', [key.jwk]);
    const house = directoryHouse({ sourcesOf });
    const ask = (world: 'test' | 'live') =>
      house.resolve(directoryAt('https://agent.example'), key.thumbprint, { world });
    expect(await ask('live')).toMatchObject(found(key));
    expect(await ask('test')).toMatchObject(found(key));
  });

  it('is the whole list where directories are an allowlist', async () => {
    server.on('/listed', answering(directoryOf(key), JSON_TYPE));
    server.on('/unlisted', answering(directoryOf(key), JSON_TYPE));
    const sourcesOf = { ...named(server.url('/listed'), null), directories: 'allowlist' as const };
    const house = directoryHouse({ sourcesOf });
    expect(await house.resolve(jwksAt(server.url('/listed')), key.thumbprint)).toMatchObject(
      found(key),
    );
    for (const path of ['/unlisted', '/listed?a', '/'])
      expect(await house.resolve(jwksAt(server.url(path)), key.thumbprint)).toEqual({
        kind: 'none',
        reason: 'key_source_not_allowed',
      });
    expect(server.countOf('/unlisted')).toBe(0);
  });

  it('for TAP is the only source of its keys', async () => {
    const [tap, other] = [agentKey({ kid: 'visa-1' }), agentKey()];
    const house = directoryHouse({ sourcesOf: { tapKeys: [tap.jwk, other.jwk, { kty: 'RSA' }] } });
    const ask = (keyId: string) => house.resolve({ kind: 'pinned' }, keyId);
    expect(await ask('visa-1')).toMatchObject({ ...found(tap), url: null });
    expect(await ask(other.thumbprint)).toMatchObject(found(other));
    expect(await ask('visa-2')).toEqual(notFound);
    expect(await directoryHouse().resolve({ kind: 'pinned' }, 'visa-1')).toEqual(notFound);
  });
});

describe('keys whose private halves are published', () => {
  const testKey = { kind: 'none', reason: 'test_key' };
  /** RFC 9421 Appendix B.1.4. */
  const ed25519 = {
    jwk: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
    thumbprint: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  };

  it.each([
    ['with the setting, in the test world', true, 'test', 'found'],
    ['with the setting, in the live world', true, 'live', 'test_key'],
    ['without the setting', false, 'test', 'test_key'],
  ] as const)('%s', async (_name, allowTestKeys, world, word) => {
    server.on('/test-keys', answering(directoryOf(ed25519), JSON_TYPE));
    const tapKeys = [ed25519.jwk];
    const house = directoryHouse({ sourcesOf: { allowTestKeys, tapKeys } });
    const thumbprint = ed25519.thumbprint;
    const expected = word === 'found' ? { kind: 'found', key: { thumbprint } } : testKey;
    expect(await house.resolve({ kind: 'pinned' }, thumbprint, { world })).toMatchObject(expected);
    const url = server.url('/test-keys');
    const fetched = await house.resolve(jwksAt(url), thumbprint, { world });
    if (world === 'test') expect(fetched).toMatchObject(expected);
  });
});

describe('the proof of a directory', () => {
  const key = agentKey();
  const SECONDS = REAL_MS / 1_000;
  const parameters = (changes: Record<string, string | number> = {}) => {
    const all = {
      created: SECONDS,
      expires: SECONDS + 3_600,
      keyid: key.thumbprint,
      tag: 'http-message-signatures-directory',
      ...changes,
    };
    return Object.entries(all)
      .map(([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`)
      .join('');
  };

  interface Signing {
    readonly covers?: readonly string[];
    readonly parameters?: string;
    readonly by?: AgentKey;
    readonly authority?: string;
    readonly signed?: string;
  }

  /** The headers of an answer, the base written out by hand. */
  function proofHeaders(body: string, signing: Signing = {}): Record<string, string> {
    const { covers = ['"@authority";req', '"content-digest"'], by = key } = signing;
    const digest = contentDigest(Buffer.from(signing.signed ?? body));
    const lines = covers.map((name) => {
      if (name === '"content-digest"') return `${name}: ${digest}`;
      return `${name}: ${signing.authority ?? `127.0.0.1:${server.port}`}`;
    });
    const member = `(${covers.join(' ')})${signing.parameters ?? parameters()}`;
    const base = [...lines, `"@signature-params": ${member}`].join('\n');
    return {
      'content-digest': digest,
      'signature-input': `binding=${member}`,
      signature: `binding=:${sign(null, Buffer.from(base), by.privateKey).toString('base64')}:`,
    };
  }

  const body = directoryOf(key);
  const stranger = agentKey();
  it.each<[string, Record<string, string>, string]>([
    ['is absent without a signature', {}, 'absent'],
    [
      'is absent when something else is signed',
      { 'signature-input': 'a=("content-digest");tag="other"', signature: 'a=:AAAA:' },
      'absent',
    ],
  ])('%s', async (_name, headers, proof) => {
    server.on(WELL_KNOWN, answering(body, headers));
    expect(
      await directoryHouse().resolve(directoryAt(server.url('')), key.thumbprint),
    ).toMatchObject({ ...found(key), notes: { proof } });
  });

  it.each<[string, 'valid' | 'invalid', () => Record<string, string>]>([
    ['a good signature', 'valid', () => proofHeaders(body)],
    [
      'one that covers more',
      'valid',
      () => proofHeaders(body, { covers: ['"content-digest"', '"@authority";req'] }),
    ],
    [
      'one that does not cover the content',
      'invalid',
      () => proofHeaders(body, { covers: ['"@authority";req'] }),
    ],
    [
      'one that does not cover the authority',
      'invalid',
      () => proofHeaders(body, { covers: ['"content-digest"'] }),
    ],
    ['one for another authority', 'invalid', () => proofHeaders(body, { authority: 'other.shop' })],
    ['one for another content', 'invalid', () => proofHeaders(body, { signed: `${body} ` })],
    ['one by another key', 'invalid', () => proofHeaders(body, { by: stranger })],
    [
      'one by a key that is not listed',
      'invalid',
      () =>
        proofHeaders(body, {
          by: stranger,
          parameters: parameters({ keyid: stranger.thumbprint }),
        }),
    ],
    [
      'one of another algorithm',
      'invalid',
      () => proofHeaders(body, { parameters: parameters({ alg: 'rsa-pss-sha512' }) }),
    ],
    [
      'one that is over',
      'invalid',
      () => proofHeaders(body, { parameters: parameters({ expires: SECONDS - 61 }) }),
    ],
    [
      'one of the future',
      'invalid',
      () => proofHeaders(body, { parameters: parameters({ created: SECONDS + 61 }) }),
    ],
    [
      'one without times',
      'invalid',
      () =>
        proofHeaders(body, {
          parameters: `;keyid="${key.thumbprint}";tag="http-message-signatures-directory"`,
        }),
    ],
    ['headers that cannot be read', 'invalid', () => ({ 'signature-input': '((', signature: 'x' })],
  ])('by %s is %s, and the key is found', async (_name, proof, headers) => {
    server.on(WELL_KNOWN, answering(body, headers()));
    expect(
      await directoryHouse().resolve(directoryAt(server.url('')), key.thumbprint),
    ).toMatchObject({ ...found(key), notes: { proof } });
  });

  it('that ends soon lets the copy end with it', async () => {
    const short = proofHeaders(body, { parameters: parameters({ expires: SECONDS + 120 }) });
    server.on(WELL_KNOWN, answering(body, { ...short, 'cache-control': 'max-age=3600' }));
    const house = directoryHouse();
    const before = server.countOf(WELL_KNOWN);
    const ask = () => house.resolve(directoryAt(server.url('')), key.thumbprint);
    await ask();
    house.clock.ms = 90_000;
    await ask();
    expect(server.countOf(WELL_KNOWN)).toBe(before + 1);
    house.clock.ms = 120_000;
    await ask();
    expect(server.countOf(WELL_KNOWN)).toBe(before + 2);
  });
});

interface SignedDirectory {
  readonly signedDirectory: {
    readonly response: {
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
    };
  };
}

describeWithOracle<SignedDirectory>(
  'rfc9421/wba-vectors.json',
  'the signed directory of the drafts',
  ({ signedDirectory: { response } }) => {
    const headers = Object.fromEntries(
      response.headers.map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { keys: jwks } = JSON.parse(response.body) as { keys: unknown[] };
    const keys = new KeySet(jwks, { kidIsThumbprint: true });
    // A name of the drafts' own that nobody may ask.
    const place = {
      ...directoryPlace(directoryAt('https://agent.shop'), false),
      href: 'https://signature-agent.test/.well-known/http-message-signatures-directory',
    } as never;
    const proofOf = (body: string) =>
      directoryProof(
        {
          headers,
          body: Buffer.from(body),
          jwks,
          etag: null,
          lifeMs: null,
          isExactMediaType: true,
        },
        { place, keys, nowSeconds: 1_735_690_000 },
      );

    it('is proved by its key', async () => {
      const expiresSeconds = 4_889_289_600;
      expect(await proofOf(response.body)).toEqual({ proof: 'valid', expiresSeconds });
    });
    it('and is not, with a newline more', async () => {
      expect(await proofOf(`${response.body}\n`)).toMatchObject({ proof: 'invalid' });
    });
  },
);
