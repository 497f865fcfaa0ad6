import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { oracleText } from '../support/oracles.js';

type RfcKeyName = 'test-key-rsa' | 'test-key-rsa-pss' | 'test-key-ecc-p256' | 'test-key-ed25519';

interface RfcKeys {
  readonly keys: Readonly<
    Record<
      string,
      {
        readonly privateJwk?: JsonWebKey;
        readonly publicJwk?: JsonWebKey;
        readonly secretBase64?: string;
      }
    >
  >;
}

/** Keys of RFC 9421 Appendix B.1; only for tests that run where the oracles are. */
const entryOf = (name: string) =>
  (JSON.parse(oracleText('rfc9421/keys.json') ?? '{"keys":{}}') as RfcKeys).keys[name] ?? {};

const jwkOf = (jwk: JsonWebKey | undefined): JsonWebKey => {
  if (jwk === undefined) throw new Error('the oracle has no such key');
  return jwk;
};

export const rfcPublicJwk = (name: string): JsonWebKey => jwkOf(entryOf(name).publicJwk);

export const rfcPublicKey = (name: string): KeyObject =>
  createPublicKey({ key: rfcPublicJwk(name), format: 'jwk' });

export const rfcPrivateKey = (name: RfcKeyName): KeyObject =>
  createPrivateKey({ key: jwkOf(entryOf(name).privateJwk), format: 'jwk' });

export const rfcSecret = (): Buffer =>
  Buffer.from(entryOf('test-shared-secret').secretBase64 ?? '', 'base64');
