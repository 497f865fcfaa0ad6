import { verify } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  basesOf,
  checkContentDigest,
  directoryProof,
  PRIMITIVES,
  readSignatures,
} from '../../src/core/httpsig/index.js';
import { describeWithOracle } from '../support/oracles.js';
import {
  contextOf,
  judge,
  KeysInMemory,
  type KeySet,
  publicKey,
  requestOf,
  responseOf,
  type WrittenMessage,
} from './verifier.js';

interface Verdict {
  readonly status: string;
  readonly reason?: string;
  readonly agent?: string;
}

interface Vectors {
  readonly directories: Readonly<Record<string, KeySet>>;
  readonly vectors: readonly {
    readonly id: string;
    readonly alg: 'ed25519' | 'rsa-pss-sha512';
    readonly now: number;
    readonly request: WrittenMessage;
    readonly signatureBase: string;
    readonly profile: Verdict;
  }[];
  readonly signedDirectory: {
    readonly request: WrittenMessage;
    readonly response: WrittenMessage & { readonly signatureBase?: string };
    readonly signatureBase?: string;
  };
  readonly negative: readonly {
    readonly id: string;
    readonly now: number;
    readonly request: WrittenMessage;
    readonly expected: Verdict;
  }[];
}

describeWithOracle<Vectors>('rfc9421/wba-vectors.json', 'the vectors of Web Bot Auth', (oracle) => {
  const keys = Object.values(oracle.directories).flatMap(({ keys: set }) => set.map(publicKey));

  it.each(oracle.vectors.map((vector) => [vector.id, vector] as const))(
    '%s: base, signature and verdict',
    (_id, { request: written, signatureBase, alg, now, profile }) => {
      const request = requestOf(written);
      const [built] = basesOf(request);
      expect(built?.base).toBe(signatureBase);
      const read = readSignatures(request);
      const [signature] = read.ok ? read.value : [];
      const key = keys.find(({ thumbprint }) => thumbprint === signature?.parameters.keyid)?.key;
      if (signature === undefined || key === undefined) throw new Error('not readable');
      const { digest, options } = PRIMITIVES[alg];
      const base = Buffer.from(signatureBase, 'latin1');
      expect(verify(digest, base, { key, ...options }, signature.signature)).toBe(true);
      const verdict = judge(request, contextOf({}, now), { keys: new KeysInMemory(oracle) });
      expect(verdict).toMatchObject({ reason: null, agent: null, ...profile });
    },
  );

  it.each(oracle.negative.map((entry) => [entry.id, entry] as const))(
    '%s is refused before any key is looked for',
    (_id, { request, now, expected }) => {
      const store = new KeysInMemory(oracle);
      const verdict = judge(requestOf(request), contextOf({}, now), { keys: store });
      expect(verdict).toMatchObject(expected);
      expect(store.asked).toEqual([]);
    },
  );

  it('the signed directory: its base, its signature and its digest', () => {
    const { request, response } = oracle.signedDirectory;
    const message = responseOf(response, requestOf(request));
    const expected = oracle.signedDirectory.signatureBase ?? response.signatureBase;
    expect(basesOf(message)[0]?.base).toBe(expected);
    expect(checkContentDigest(message)).toBe('matches');
    expect(directoryProof({ response: message, keys, nowSeconds: 1735689610 })).toBe('valid');
    const read = readSignatures(message);
    const signature = read.ok ? read.value[0]?.signature : undefined;
    const key = keys.find(({ algorithms }) => algorithms.includes('ed25519'))?.key;
    if (signature === undefined || key === undefined) throw new Error('not readable');
    expect(verify(null, Buffer.from(expected ?? '', 'latin1'), key, signature)).toBe(true);
  });
});
