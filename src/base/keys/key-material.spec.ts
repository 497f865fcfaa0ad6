import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, CompactSign, compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { compactSigningInput } from './jws.js';
import { generateKeyMaterial, privateKeyFrom, signBytes } from './key-material.js';
import { KeyWrapping } from './key-wrapping.js';
import { publicJwk } from './purposes.js';

const context = { tenantId: 'tnt_a', purpose: 'fact', kid: 'k1' };

describe.each(['ES256', 'EdDSA'] as const)('%s key material', (algorithm) => {
  const material = generateKeyMaterial(algorithm);
  const jwk = publicJwk({ kid: material.kid, algorithm, key: material.publicKey });

  it('is named by the RFC 7638 thumbprint that jose computes', async () => {
    expect(material.kid).toBe(await calculateJwkThumbprint(jwk));
  });

  it('makes compact JWS that jose verifies, and not after one flipped byte', async () => {
    const payload = Buffer.from('{"a":1}');
    const input = compactSigningInput({ alg: algorithm, kid: material.kid }, payload);
    const signature = signBytes(
      algorithm,
      privateKeyFrom(material.privateKeyDer),
      Buffer.from(input),
    );
    const key = await importJWK(jwk, algorithm);
    const verified = await compactVerify(`${input}.${signature.toString('base64url')}`, key);
    expect(Buffer.from(verified.payload)).toEqual(payload);
    signature[0] = (signature[0] ?? 0) ^ 1;
    await expect(compactVerify(`${input}.${signature.toString('base64url')}`, key)).rejects.toThrow(
      'signature verification failed',
    );
  });

  it('prints a header and payload as jose does', async () => {
    const header = { alg: algorithm, kid: material.kid, typ: 'x+jwt' };
    const theirs = await new CompactSign(Buffer.from('payload'))
      .setProtectedHeader(header)
      .sign(privateKeyFrom(material.privateKeyDer));
    expect(theirs.startsWith(`${compactSigningInput(header, Buffer.from('payload'))}.`)).toBe(true);
  });

  it('shows public members only', () => {
    expect(JSON.stringify(jwk)).not.toContain('"d"');
    expect(Object.keys(jwk).sort()).toEqual(
      algorithm === 'ES256'
        ? ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']
        : ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    );
  });
});

describe('key wrapping', () => {
  const wrapping = new KeyWrapping(randomBytes(32));
  const secret = Buffer.from('a private key in DER');
  const wrappedKey = wrapping.wrap(secret, context);

  it('opens what it closed', () => {
    expect(wrapping.unwrap(wrappedKey, context)).toEqual({ ok: true, value: secret });
  });

  it('tells another key-encryption key apart without trying it', () => {
    const other = new KeyWrapping(randomBytes(32));
    expect(other.unwrap(wrappedKey, context)).toEqual({ ok: false, error: 'kek_mismatch' });
    expect(other.unwrap({ ...wrappedKey, kekId: other.kekId }, context)).toEqual({
      ok: false,
      error: 'tampered',
    });
  });

  it.each([
    ['tenant', { ...context, tenantId: 'tnt_b' }],
    ['purpose', { ...context, purpose: 'ucp' }],
    ['kid', { ...context, kid: 'k2' }],
  ])('does not open at another %s', (_name, elsewhere) => {
    expect(wrapping.unwrap(wrappedKey, elsewhere)).toEqual({ ok: false, error: 'tampered' });
  });

  it('does not open when any single byte was changed, or when it was cut', () => {
    for (let index = 0; index < wrappedKey.wrapped.length; index += 1) {
      const changed = Buffer.from(wrappedKey.wrapped);
      changed[index] = (changed[index] ?? 0) ^ 0x80;
      expect(wrapping.unwrap({ ...wrappedKey, wrapped: changed }, context).ok).toBe(false);
      const cut = wrappedKey.wrapped.subarray(0, index);
      expect(wrapping.unwrap({ ...wrappedKey, wrapped: cut }, context).ok).toBe(false);
    }
  });
});
