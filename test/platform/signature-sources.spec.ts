import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/base/platform/config/config.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { agentKey } from '../peers/directory-server.js';

/** RFC 9421 Appendix B.1.4. */
const TEST_KEY = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
const { jwk } = agentKey();
let folder: string;
beforeAll(() => (folder = temporaryDataFolder('arbiter-sources-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const load = (environment: Record<string, string>) =>
  loadConfig({ environment: { DATA_DIR: folder, ...environment } }).signatureSources;

describe('where keys of agents come from', () => {
  it('is open and empty when nothing is said', () => {
    expect(load({})).toEqual({ directories: 'open', named: [], tapKeys: [], allowTestKeys: false });
  });

  it('is read from files: key sets, and the signing keys of a UCP profile', () => {
    const keys = file('keys.json', { keys: [jwk, { kty: 'RSA' }] });
    const profile = file('profile.json', { ucp: {}, signing_keys: [jwk] });
    const sources = load({
      SIGNATURE_DIRECTORIES: 'allowlist',
      SIGNATURE_PINNED_DIRECTORIES: `https://a.shop=${keys},https://b.shop/ucp=${profile},https://c.shop`,
      SIGNATURE_TAP_KEYS: `${keys},${profile}`,
    });
    expect(sources).toEqual({
      directories: 'allowlist',
      named: [
        { url: 'https://a.shop/', keys: [jwk, { kty: 'RSA' }] },
        { url: 'https://b.shop/ucp', keys: [jwk] },
        { url: 'https://c.shop/', keys: null },
      ],
      tapKeys: [jwk, { kty: 'RSA' }, jwk],
      allowTestKeys: false,
    });
  });

  it('counts published test keys only by the setting', () => {
    const SIGNATURE_TAP_KEYS = file('test.json', { keys: [TEST_KEY] });
    expect(() => load({ SIGNATURE_TAP_KEYS })).toThrow(/holds no usable key \(key 0: test_key\)/);
    expect(load({ SIGNATURE_TAP_KEYS, SIGNATURE_ALLOW_TEST_KEYS: 'true' }).tapKeys).toEqual([
      TEST_KEY,
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no-json', '{', /cannot be read \(.+\): give the path of a JWK Set\.$/],
    ['null', null, /is no JWK Set/],
    ['array', [jwk], /is no JWK Set/],
    ['no-list', { keys: jwk }, /is no JWK Set/],
    ['empty', { keys: [] }, /holds no usable key \(it is empty\)/],
    ['private', { keys: [{ ...jwk, d: 'AA' }] }, /holds no usable key \(key 0: private_member\)/],
  ])('stops the start, in one line, by a bad file: %s', (name, content, line) => {
    const path = file(`${name}.json`, content);
    for (const [setting, value] of [
      ['SIGNATURE_TAP_KEYS', path],
      ['SIGNATURE_PINNED_DIRECTORIES', `https://a.shop=${path}`],
    ] as const) {
      expect(() => load({ [setting]: value })).toThrow(line);
      expect(() => load({ [setting]: value })).toThrow(new RegExp(`^${setting}: ${path} `));
    }
  });

  it('stops the start by a file that is not there', () => {
    expect(() => load({ SIGNATURE_TAP_KEYS: join(folder, 'none.json') })).toThrow(/ENOENT/);
  });
});
