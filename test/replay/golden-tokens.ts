import { COMMERCE_AUDIENCE, compactToken, tokenSigningInput } from '../../src/core/proofs/index.js';
import { BUYER, CREDENTIAL_IDS, FROZEN_AT_MS, ISSUERS, SHOP } from '../../src/demo/demo-world.js';
import type { Shop } from '../arbiter/shop.js';

export type Claims = Readonly<Record<string, unknown>>;
type Json = Readonly<Record<string, never>>;

export const SECONDS = FROZEN_AT_MS / 1_000;
const { shop: IDS } = CREDENTIAL_IDS;

export const inr = (amount: number) => ({ amount: String(amount), currency: 'INR' });

/** Signed words of the demo buyer, each good for the shop but for what a case changes in it. */
export class GoldenTokens {
  private names = 0;

  constructor(private readonly shop: Pick<Shop, 'call' | 'tenantId' | 'agentId'>) {}

  private fresh = (what: string): string => `golden-${what}-${(this.names += 1)}`;

  /** A status place of its own for every token: a place stands for one thing. */
  private async place(): Promise<object> {
    const answer = await this.shop.call('POST', '/v1/status-slots', {
      as: 'tenant_admin',
      body: { count: 1 },
    });
    const [slot] = answer.body.slots as [object];
    return { status_list: slot };
  }

  private async common(id: string): Promise<Claims> {
    return {
      sub: BUYER,
      aud: COMMERCE_AUDIENCE,
      jti: id,
      iat: SECONDS,
      exp: SECONDS + 3_600,
      tenant_id: this.shop.tenantId,
      agent_id: this.shop.agentId,
      status: await this.place(),
    };
  }

  async mandate(change: Claims = {}): Promise<string> {
    const claims = {
      iss: ISSUERS.credentials.issuer,
      ...(await this.common(this.fresh('mandate'))),
      kind: 'payment',
      merchant_ids: [SHOP],
      cap: inr(1_000_000),
      payment: { rail: 'card_once', event: 'one_time', country: 'IN' },
      ...change,
    };
    return ISSUERS.credentials.token('mandate+jwt', plain(claims));
  }

  intent = (change: Claims = {}) => this.mandate({ kind: 'intent', payment: undefined, ...change });

  async consent(change: Claims = {}): Promise<string> {
    const claims = {
      iss: ISSUERS.consent.issuer,
      ...(await this.common(this.fresh('consent'))),
      merchant_id: SHOP,
      state: 'granted',
      scopes: ['commerce:purchase'],
      ...change,
    };
    return ISSUERS.consent.token('consent+jwt', plain(claims));
  }

  async passport(change: Claims = {}): Promise<string> {
    const claims = {
      iss: ISSUERS.passport.issuer,
      ...(await this.common(this.fresh('passport'))),
      exp: SECONDS + 600,
      merchant_id: SHOP,
      passport_type: 'checkout',
      consent_record_id: IDS.consent,
      scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
      max_amount: 200_000,
      currency: 'INR',
      env: 'test',
      ...change,
    };
    return ISSUERS.passport.token('passport+jwt', plain(claims));
  }
}

/** A good token signed by a key under the issuer's name that nobody here knows. */
export function signedByAnother(token: string): string {
  const [, claims = ''] = token.split('.');
  const input = tokenSigningInput(
    { alg: 'EdDSA', kid: 'nobody-knows-it', typ: 'mandate+jwt' },
    JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json,
  );
  return compactToken(input, Buffer.alloc(64));
}

/** What a case leaves out is no member. */
const plain = (claims: Claims): Json => JSON.parse(JSON.stringify(claims)) as Json;
