import { BUYER, FROZEN_AT_MS, ISSUERS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_PURCHASE, cartOf, SHOP_AUTHORITY } from '../../src/demo/purchases.js';
import { freshId, type JsonObject } from '../support/issuer.js';
import {
  evidenceToken,
  mandateStateToken,
  noticeToken,
  type ProviderScene,
  providerScene,
} from '../support/rail-reports.js';
import type { Shop } from './shop.js';

const [chai] = PRODUCTS;

export const answered = <Body>(
  { status, body }: { status: number; body: Body },
  expected: number,
) => {
  if (status !== expected) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
};

export interface Debit {
  readonly scene: ProviderScene;
  readonly report: (
    kind: 'evidence' | 'notice' | 'mandate',
    token: string,
  ) => Promise<Record<string, string>>;
  readonly evidence: (claims?: JsonObject) => Promise<string>;
  readonly notice: (claims?: JsonObject) => Promise<string>;
  readonly mandate: (claims?: JsonObject) => Promise<void>;
  /** A payment mandate pays once: the buyer signs another under the same debit mandate. */
  readonly renew: () => Promise<void>;
  readonly pay: (names?: Named) => Promise<Decided>;
}
export interface Decided {
  readonly decision_id: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly not_before?: string | null;
}
interface Named {
  readonly evidence?: string;
  readonly notice?: string;
  readonly quantity?: number;
}

const PATHS = {
  evidence: '/v1/afa-evidence',
  notice: '/v1/pre-debit-notices',
  mandate: '/v1/payment-mandates',
} as const;

/** A registered payment mandate of the demo buyer for one debit; answers with its id. */
export async function paymentMandate(
  shop: Shop,
  payment: { readonly rail: string; readonly event: string; readonly umn: string },
): Promise<string> {
  const slots = await shop.call('POST', '/v1/status-slots', {
    as: 'tenant_admin',
    body: { count: 1 },
  });
  const [{ uri, idx }] = answered(slots, 201).slots as [{ uri: string; idx: number }];
  const jti = freshId('payment');
  const token = ISSUERS.credentials.token('mandate+jwt', {
    iss: ISSUERS.credentials.issuer,
    sub: BUYER,
    aud: shop.tenantId,
    jti,
    iat: FROZEN_AT_MS / 1_000,
    exp: FROZEN_AT_MS / 1_000 + 86_400,
    tenant_id: shop.tenantId,
    agent_id: shop.agentId,
    status: { status_list: { uri, idx } },
    kind: 'payment',
    merchant_ids: [SHOP],
    cap: { amount: '1000000', currency: 'INR' },
    payment: { ...payment, country: 'IN' },
  });
  answered(await shop.call('POST', '/v1/mandates', { as: 'tenant_admin', body: { token } }), 201);
  return jti;
}

/** A payment mandate of the demo buyer, and a provider that reports about it. */
export async function debitOf(
  shop: Shop,
  { rail = 'upi_autopay', event = 'subsequent_debit' } = {},
): Promise<Debit> {
  const place = { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS };
  const mandateRef = freshId('umn');
  const buy = () => paymentMandate(shop, { rail, event, umn: mandateRef });
  let paymentRef = await buy();
  const scene = providerScene({ ...place, merchantId: SHOP, mandateRef });
  const { kid, jwk } = scene.key;
  const key = {
    issuer: scene.issuer,
    kid,
    jwk,
    role: 'psp_evidence',
    not_before: '2020-01-01T00:00:00Z',
  };
  answered(await shop.call('POST', '/v1/issuer-keys', { as: 'tenant_admin', body: key }), 201);
  const report: Debit['report'] = async (kind, token) =>
    answered(
      await shop.call('POST', PATHS[kind], { as: 'merchant_system', body: { token } }),
      201,
    ) as Record<string, string>;
  return {
    scene,
    report,
    evidence: async (claims) =>
      String((await report('evidence', evidenceToken(scene, { claims })))['evidence_id']),
    notice: async (claims) =>
      String((await report('notice', noticeToken(scene, { claims })))['notice_ref']),
    mandate: async (claims) => {
      await report('mandate', mandateStateToken(scene, { claims }));
    },
    renew: async () => {
      paymentRef = await buy();
    },
    pay: async ({ evidence, notice, quantity = 1 } = {}) =>
      answered(
        await shop.ask({
          ...ALLOWED_PURCHASE,
          cart: cartOf(chai, quantity),
          buyer_authority: {
            ...SHOP_AUTHORITY,
            mandate_refs: [SHOP_AUTHORITY.mandate_refs[0], paymentRef],
          },
          ...(evidence === undefined ? {} : { afa_evidence: evidence }),
          ...(notice === undefined ? {} : { pre_debit_notice: notice }),
        }),
        200,
      ) as Decided,
  };
}
