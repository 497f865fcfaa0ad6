import { codec, type Decoded } from '../../core/kernel/index.js';

/**
 * What a tenant signs, and with which algorithm (decisions 5.1). A key serves one purpose for its whole life: a
 * receipt key never signs a merchant authorization. JOSE names; `EdDSA` is Ed25519 here and nothing else.
 */
export const PURPOSE_ALGORITHMS = {
  ucp: 'ES256',
  fact: 'ES256',
  card: 'EdDSA',
  webhook: 'EdDSA',
  receipt: 'EdDSA',
  checkpoint: 'EdDSA',
  countersign: 'ES256',
  status_list: 'EdDSA',
  revocation: 'EdDSA',
  credential: 'ES256',
  consent: 'ES256',
  passport: 'ES256',
  witness: 'EdDSA',
} as const;

export type SigningPurpose = keyof typeof PURPOSE_ALGORITHMS;
export type SigningAlgorithm = (typeof PURPOSE_ALGORITHMS)[SigningPurpose];

/** What the arbiter signs for a tenant: what its doors list and rotate. */
export const TENANT_PURPOSES = [
  'ucp',
  'fact',
  'card',
  'webhook',
  'receipt',
  'checkpoint',
] as const satisfies readonly SigningPurpose[];

/** What the trust authority signs. Its keys belong to it, not to a tenant, and never stand in an arbiter's database. */
export const AUTHORITY_PURPOSES = [
  'status_list',
  'revocation',
  'credential',
  'consent',
  'passport',
  'countersign',
  'witness',
] as const satisfies readonly SigningPurpose[];

export const SIGNING_PURPOSES: readonly SigningPurpose[] = [
  ...new Set<SigningPurpose>([...TENANT_PURPOSES, ...AUTHORITY_PURPOSES]),
];

/** Public key as it stands in the entry and in the JWKS: exactly these members, so no private one can slip in. */
export const publicKey = codec.variant({
  EC: codec.record({ crv: codec.oneOf('P-256'), x: codec.text, y: codec.text }),
  OKP: codec.record({ crv: codec.oneOf('Ed25519'), x: codec.text }),
});
export type PublicKey = Decoded<typeof publicKey>;

/** One member of a JWK Set (RFC 7517): public members only. */
export type PublicJwk = {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
} & (
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
);

export function publicJwk({
  kid,
  algorithm,
  key,
}: {
  kid: string;
  algorithm: SigningAlgorithm;
  key: PublicKey;
}): PublicJwk {
  const head = { kid, alg: algorithm, use: 'sig' } as const;
  return key.kind === 'EC'
    ? { ...head, kty: 'EC', crv: key.crv, x: key.x, y: key.y }
    : { ...head, kty: 'OKP', crv: key.crv, x: key.x };
}
