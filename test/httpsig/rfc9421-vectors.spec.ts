import { constants, createHmac, timingSafeEqual, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  basesOf,
  componentValue,
  type FieldTypes,
  type HttpMessage,
  parseComponent,
  planVerification,
  readSignatures,
} from '../../src/core/httpsig/index.js';
import { describeWithOracle } from '../support/oracles.js';
import { rfcPublicKey, rfcSecret } from './rfc-keys.js';
import { contextOf, messageOf, type WrittenMessage } from './verifier.js';

interface Vector {
  readonly id: string;
  readonly key: string;
  readonly alg: string;
  readonly message: string;
  readonly request?: string;
  readonly label: string;
  readonly signatureInput: string;
  readonly signature: string;
  readonly expect: 'valid' | 'invalid';
  readonly signatureBase: string;
}

interface Example {
  readonly id: string;
  readonly message: string;
  readonly component: string;
  readonly line: string;
  readonly fieldType?: 'dictionary' | 'list' | 'item';
}

interface Vectors {
  readonly messages: Readonly<Record<string, WrittenMessage>>;
  readonly vectors: readonly Vector[];
  readonly componentExamples: readonly Example[];
}

const HASHES: Readonly<Record<string, string | null>> = {
  ed25519: null,
  'ecdsa-p256-sha256': 'sha256',
  'rsa-pss-sha512': 'sha512',
  'rsa-v1_5-sha256': 'sha256',
};

/** The primitives of RFC 9421 section 3.3, those that no profile takes among them. */
function isSigned(vector: Vector, base: Buffer, signature: Buffer): boolean {
  if (vector.alg === 'hmac-sha256') {
    const computed = createHmac('sha256', rfcSecret()).update(base).digest();
    return timingSafeEqual(computed, signature);
  }
  const key = rfcPublicKey(vector.key);
  const options = vector.alg.startsWith('rsa-pss')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }
    : vector.alg.startsWith('ecdsa')
      ? { dsaEncoding: 'ieee-p1363' as const }
      : {};
  return verify(HASHES[vector.alg] ?? null, base, { key, ...options }, signature);
}

function signedMessage(oracle: Vectors, vector: Vector): HttpMessage {
  const written = oracle.messages[vector.message];
  if (written === undefined) throw new Error(`no message ${vector.message}`);
  const headers = written.headers.filter(([name]) => !/^signature(-input)?$/i.test(name));
  const lines = [
    ['Signature-Input', vector.signatureInput],
    ['Signature', vector.signature],
  ] as const;
  const request = vector.request === undefined ? undefined : oracle.messages[vector.request];
  return messageOf({ ...written, headers: [...headers, ...lines] }, request);
}

describeWithOracle<Vectors>('rfc9421/rfc9421-vectors.json', 'the vectors of RFC 9421', (oracle) => {
  it('are 20, with 29 examples of components', () => {
    expect(oracle.vectors).toHaveLength(20);
    expect(oracle.componentExamples).toHaveLength(29);
  });

  it.each(oracle.vectors.map((vector) => [vector.id, vector] as const))(
    'base and signature of %s',
    (_id, vector) => {
      const message = signedMessage(oracle, vector);
      const built = basesOf(message);
      expect(built).toEqual([{ label: vector.label, base: vector.signatureBase, fault: null }]);
      const read = readSignatures(message);
      const signature = read.ok ? read.value[0]?.signature : undefined;
      const base = Buffer.from(built[0]?.base ?? '', 'latin1');
      expect(isSigned(vector, base, signature ?? Buffer.alloc(0))).toBe(vector.expect === 'valid');
    },
  );

  it.each(oracle.componentExamples.map((example) => [example.id, example] as const))(
    'the line of %s',
    (_id, example) => {
      const written = oracle.messages[example.message];
      const component = parseComponent(example.component);
      if (written === undefined || !component.ok) throw new Error('not readable');
      const types: FieldTypes = new Map(
        example.fieldType === undefined ? [] : [[component.value.name, example.fieldType]],
      );
      const value = componentValue(messageOf(written), component.value, types);
      expect(value).toEqual({
        ok: true,
        value: example.line.slice(`${component.value.text}: `.length),
      });
      expect(example.line.startsWith(`${component.value.text}: `)).toBe(true);
    },
  );

  it('belong to no profile: nobody is verified for a signature without a known tag', () => {
    for (const vector of oracle.vectors) {
      const message = signedMessage(oracle, vector);
      if (message.kind !== 'request') continue;
      const plan = planVerification(message, contextOf({}, 1618884500));
      expect(plan).toMatchObject({
        kind: 'ended',
        verdict: { status: 'unsigned', note: 'unsupported_tag' },
      });
    }
  });
});
