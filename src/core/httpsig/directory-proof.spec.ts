import { describe, expect, it } from 'vitest';
import {
  NOW,
  shopRequest,
  signBytes,
  testKey,
  type TestKey,
} from '../../../test/httpsig/signed-requests.js';
import { publicKey } from '../../../test/httpsig/verifier.js';
import {
  contentDigest,
  directoryProof,
  draftSignature,
  type HeaderLine,
  type HttpResponseMessage,
} from './index.js';

const key = testKey();
const other = testKey('ecdsa-p256-sha256');
const keys = [publicKey(key.jwk), publicKey(other.jwk)];
const BODY = Buffer.from('{"keys":[]}');
const request = shopRequest({ authority: 'agent.example' });
const plain: HttpResponseMessage = {
  kind: 'response',
  status: 200,
  headers: [['Content-Digest', contentDigest(BODY)]],
  body: BODY,
  request,
};
const PARAMETERS = {
  created: NOW,
  expires: NOW + 86_400_000,
  keyid: key.thumbprint,
  tag: 'http-message-signatures-directory',
};

interface Wanted {
  readonly signer?: TestKey;
  readonly components?: readonly string[];
  readonly parameters?: Readonly<Record<string, string | number>>;
}

function lines(wanted: readonly Wanted[]): readonly HeaderLine[] {
  const made = wanted.map(
    (
      {
        signer = key,
        components = ['"@authority";req', 'content-digest'],
        parameters = PARAMETERS,
      },
      index,
    ) => {
      const draft = draftSignature(plain, { label: `b${index}`, components, parameters });
      if (!draft.ok) throw new Error(draft.error.detail);
      const { base, signatureInput, signature } = draft.value;
      return [signatureInput, signature(signBytes(signer, base))] as const;
    },
  );
  return [
    ['Signature-Input', made.map(([input]) => input).join(', ')],
    ['Signature', made.map(([, signature]) => signature).join(', ')],
  ];
}

const proofOf = (wanted: readonly Wanted[], changed: Partial<HttpResponseMessage> = {}): string =>
  directoryProof({
    response: { ...plain, headers: [...plain.headers, ...lines(wanted)], ...changed },
    keys,
    nowSeconds: NOW,
  });

describe('the proof of a directory', () => {
  it('is absent without a signature, and without one of its tag', () => {
    expect(directoryProof({ response: plain, keys, nowSeconds: NOW })).toBe('absent');
    expect(proofOf([{ parameters: { ...PARAMETERS, tag: 'web-bot-auth' } }])).toBe('absent');
  });

  it('is valid, one for each key too', () => {
    expect(proofOf([{}])).toBe('valid');
    expect(
      proofOf([{}, { signer: other, parameters: { ...PARAMETERS, keyid: other.thumbprint } }]),
    ).toBe('valid');
  });

  it.each<[string, readonly Wanted[]]>([
    ['of another signer', [{ signer: testKey() }]],
    [
      'of a key that it does not publish',
      [{ parameters: { ...PARAMETERS, keyid: testKey().thumbprint } }],
    ],
    ['one good and one bad', [{}, { signer: testKey() }]],
    ['without the host', [{ components: ['content-digest'] }]],
    ['without the content', [{ components: ['"@authority";req'] }]],
    ['created in the future', [{ parameters: { ...PARAMETERS, created: NOW + 61 } }]],
    ['expired', [{ parameters: { ...PARAMETERS, created: 1, expires: NOW - 60 } }]],
    [
      'without created',
      [{ parameters: { expires: NOW + 60, keyid: key.thumbprint, tag: PARAMETERS.tag } }],
    ],
    ['with another algorithm', [{ parameters: { ...PARAMETERS, alg: 'ecdsa-p256-sha256' } }]],
  ])('is invalid: %s', (_name, wanted) => {
    expect(proofOf(wanted)).toBe('invalid');
  });

  it('is invalid for another body, another host and an unknown request', () => {
    expect(proofOf([{}], { body: Buffer.from('{}') })).toBe('invalid');
    expect(proofOf([{}], { request: shopRequest() })).toBe('invalid');
    expect(proofOf([{}], { request: null })).toBe('invalid');
    expect(
      proofOf([{}], {
        headers: [
          ['Signature-Input', '('],
          ['Signature', '('],
        ],
      }),
    ).toBe('invalid');
  });
});
