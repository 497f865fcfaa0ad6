import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { OutboundClient, Queryable } from '../../src/base/platform/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import {
  compactToken,
  deflateStatusList,
  parsePublicJwk,
  setStatusValue,
  STATUS_LIST_MEDIA_TYPE,
  statusListBytes,
  tokenSigningInput,
} from '../../src/core/proofs/index.js';
import { SignatureChecker } from '../../src/trust/peers/index.js';
import { ListKeys, type ListTrust, processClock } from '../../src/trust/status/index.js';

export const TENANT_ID: TenantId = 'tnt_bench';
export const LIST_URI = 'https://lists.example/1';
export const PLACES = 1_048_576;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
export const listKey = publicKey;

/** A list of a million places of two bits, one of a hundred revoked, spread by a hash; signed now. */
export function signedList(): { readonly token: string; readonly lst: string } {
  const bytes = new Uint8Array(statusListBytes(PLACES, 2));
  for (let count = 0; count < PLACES / 100; count += 1) {
    const index = createHash('sha256').update(`${count}`).digest().readUInt32BE() % PLACES;
    setStatusValue(bytes, 2, { index, value: 1 });
  }
  const lst = deflateStatusList(bytes, 6);
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { sub: LIST_URI, iat, exp: iat + 3_600, ttl: 600, status_list: { bits: 2, lst } };
  const header = { alg: 'EdDSA', kid: 'k1', typ: 'statuslist+jwt' };
  const input = tokenSigningInput(header, claims);
  return { token: compactToken(input, sign(null, Buffer.from(input), privateKey)), lst };
}

/** Everything that bringing a list needs, but for the network and the database: both answer at once, from memory. */
export function sourcesOf(token: string) {
  const key = parsePublicJwk(publicKey.export({ format: 'jwk' }));
  if (!key.ok) throw new Error(key.error);
  const believed = {
    key: key.value,
    notBeforeAtMs: 0,
    retiredAtMs: null,
    compromisedSinceAtMs: null,
  };
  const trust: ListTrust = {
    ownOrigin: 'https://ours.example',
    isTrusted: () => Promise.resolve(true),
    keyOf: () => Promise.resolve(believed),
    refetchKeys: () => Promise.resolve(),
  };
  const outbound: OutboundClient = {
    fetch: () =>
      Promise.resolve({
        kind: 'ok',
        status: 200,
        headers: { 'content-type': STATUS_LIST_MEDIA_TYPE },
        body: Buffer.from(token),
        fetchedAtMs: Date.now(),
      }),
  };
  const database: Queryable = { query: () => Promise.resolve({ rows: [], rowCount: 1 }) };
  return {
    ...{ database, outbound, clock: processClock },
    keys: new ListKeys(trust, processClock),
    // No verdict is remembered: every signature is verified.
    signatures: new SignatureChecker(0),
  };
}
