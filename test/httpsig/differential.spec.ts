import { generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { createSignature, verifySignature } from 'http-message-sig';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import {
  basesOf,
  draftSignature,
  type HttpRequestMessage,
  parseComponent,
  readSignatures,
} from '../../src/core/httpsig/index.js';
import { generatedRequest, type GeneratedRequest, signatureParameters } from './arbitraries.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signBytes = (base: Uint8Array): Buffer => sign(null, base, privateKey);
const NOW = 4_000_000_000;

type Parameters = Readonly<Record<string, string | number>>;

/** Whether the one signature of a message is good by the RFC alone, without a profile. */
function isGoodHere(request: HttpRequestMessage): boolean {
  const [built] = basesOf(request);
  const read = readSignatures(request);
  if (built?.base === null || built === undefined || !read.ok) return false;
  const [signature] = read.value;
  if (signature === undefined) return false;
  return verify(null, Buffer.from(built.base, 'latin1'), publicKey, signature.signature);
}

function withSignature(
  request: HttpRequestMessage,
  fields: { readonly signatureInput: string; readonly signature: string },
): HttpRequestMessage {
  const { signatureInput, signature } = fields;
  return {
    ...request,
    headers: [...request.headers, ['Signature-Input', signatureInput], ['Signature', signature]],
  };
}

function signedHere(
  { request, components }: GeneratedRequest,
  parameters: Parameters,
): HttpRequestMessage {
  const draft = draftSignature(request, { label: 'sig1', components, parameters });
  if (!draft.ok) throw new Error(draft.error.detail);
  const { base, signatureInput, signature } = draft.value;
  return withSignature(request, { signatureInput, signature: signature(signBytes(base)) });
}

const uriOf = ({ scheme, authority, target }: HttpRequestMessage): string =>
  `${scheme}://${authority}${target}`;

/** Both libraries take a target URI as it is given; ours is that of the public origin, which names no default port. */
const namesDefaultPort = (request: HttpRequestMessage): boolean =>
  new URL(uriOf(request)).host !== request.authority;

const comparable = generatedRequest().map(({ request, components }) => ({
  request,
  components: components.filter((text) => text !== '"@target-uri"' || !namesDefaultPort(request)),
}));

describe('http-message-sig 0.3.0', () => {
  const descriptor = (request: HttpRequestMessage) => ({
    kind: 'request' as const,
    method: request.method,
    targetUri: uriOf(request),
    fields: request.headers.map(([name, value]) => ({ name, value })),
  });

  const described = (texts: readonly string[]) =>
    texts.map((text) => {
      const component = parseComponent(text);
      if (!component.ok) throw new Error(component.error.detail);
      const { name, parameters } = component.value;
      return { name, parameters: Object.fromEntries(parameters) };
    });

  it('signs what we find good', async () => {
    await fc.assert(
      fc.asyncProperty(comparable, signatureParameters, async (generated, parameters) => {
        const { request, components } = generated;
        const fields = await createSignature(descriptor(request), {
          label: 'sig1',
          components: described(components),
          parameters,
          signer: { algorithm: 'ed25519', sign: signBytes },
        });
        expect(isGoodHere(withSignature(request, fields))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('finds good what we sign, with the same base', async () => {
    await fc.assert(
      fc.asyncProperty(comparable, signatureParameters, async (generated, parameters) => {
        const message = signedHere(generated, parameters);
        const bases: string[] = [];
        const verifier = {
          algorithm: 'ed25519',
          verify: (data: Uint8Array, signature: Uint8Array) => {
            bases.push(Buffer.from(data).toString('latin1'));
            return verify(null, data, publicKey, signature);
          },
        };
        const verified = await verifySignature(descriptor(message), {
          label: 'sig1',
          policy: {
            algorithms: ['ed25519'],
            requiredComponents: [],
            requiredParameters: [],
            now: NOW,
          },
          resolveVerifier: () => verifier,
        });
        expect(verified.label).toBe('sig1');
        expect(bases).toEqual([basesOf(message)[0]?.base]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('http-message-signatures 1.0.6', () => {
  const theirs = (request: HttpRequestMessage) => {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of request.headers) (headers[name.toLowerCase()] ??= []).push(value);
    return { method: request.method, url: uriOf(request), headers };
  };

  it('signs what we find good', async () => {
    await fc.assert(
      fc.asyncProperty(comparable, signatureParameters, async (generated, parameters) => {
        const { request, components } = generated;
        const { created, expires } = parameters;
        const signed = await httpbis.signMessage(
          {
            name: 'sig1',
            key: {
              id: parameters.keyid,
              alg: 'ed25519',
              sign: (data) => Promise.resolve(signBytes(data)),
            },
            fields: [...components],
            params: Object.keys(parameters),
            paramValues: {
              ...parameters,
              created: new Date(created * 1_000),
              ...(expires === undefined ? {} : { expires: new Date(expires * 1_000) }),
            } as never,
          },
          theirs(request),
        );
        const headers: Record<string, unknown> = signed.headers;
        const signatureInput = headers['Signature-Input'];
        const signature = headers['Signature'];
        if (typeof signatureInput !== 'string' || typeof signature !== 'string')
          throw new Error('not signed');
        expect(isGoodHere(withSignature(request, { signatureInput, signature }))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('finds good what we sign', async () => {
    await fc.assert(
      fc.asyncProperty(comparable, signatureParameters, async (generated, parameters) => {
        const now = Math.floor(Date.now() / 1_000);
        const message = signedHere(generated, { ...parameters, created: now, expires: now + 60 });
        const verified = await httpbis.verifyMessage(
          {
            keyLookup: () =>
              Promise.resolve({
                algs: ['ed25519'],
                verify: (data, signature) =>
                  Promise.resolve(verify(null, data, publicKey, signature)),
              }),
          },
          theirs(message),
        );
        expect(verified).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
