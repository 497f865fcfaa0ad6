import { expect, it } from 'vitest';
import { parsePublicJwk } from '../core/proofs/index.js';
import { PUBLISHED_KEY_THUMBPRINTS } from '../trust/peers/index.js';
import { ISSUERS } from './demo-world.js';

it('every demo issuer is on the list of keys that are refused outside the test world', () => {
  const thumbprints = Object.values(ISSUERS).map(({ jwk }) => {
    const key = parsePublicJwk(jwk);
    return key.ok ? key.value.thumbprint : key.error;
  });
  expect(new Set(thumbprints)).toEqual(PUBLISHED_KEY_THUMBPRINTS);
});
