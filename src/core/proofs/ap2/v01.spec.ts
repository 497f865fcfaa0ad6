import { describe, expect, it } from 'vitest';
import {
  ap2World,
  type Json,
  type JsonMembers,
  jwt,
  sdToken,
} from '../../../../test/support/ap2.js';
import { parseDecimalJson } from '../../kernel/index.js';
import { judgeAp2Objects, parseAp2Object } from './evidence.js';
import { jcsOf } from './jcs.js';
import { ap2Hash } from './sd-jwt.js';

const world = ap2World();
const CORE = 'c'.repeat(64);

/** The hash that somebody else would make of the same JSON. */
const hashOf = (value: unknown): string => {
  const parsed = parseDecimalJson(JSON.stringify(value));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return ap2Hash(jcsOf(parsed.value));
};

const total = (value: number) => ({ label: 'Total', amount: { currency: 'INR', value } });

interface Change {
  readonly contents?: JsonMembers;
  readonly authorization?: JsonMembers;
  readonly payment?: JsonMembers;
  readonly binding?: JsonMembers;
  readonly credential?: JsonMembers;
  readonly intent?: JsonMembers;
}

function purchase(change: Change = {}): string {
  const { now, merchantId, agent } = world;
  const iso = new Date((now + 600) * 1_000).toISOString();
  const contents = {
    id: CORE,
    user_cart_confirmation_required: true,
    payment_request: {
      method_data: [{ supported_methods: 'card', data: {} }],
      details: { id: 'order-1', display_items: [total(20.99)], total: total(20.99) },
    },
    cart_expiry: iso,
    merchant_name: 'A shop',
    ...change.contents,
  };
  const cart = {
    contents,
    merchant_authorization: jwt(world.merchant, {
      iss: merchantId,
      sub: merchantId,
      aud: 'anybody',
      iat: now,
      exp: now + 600,
      jti: 'j-1',
      cart_hash: hashOf(contents),
      ...change.authorization,
    }),
  };
  const payment = {
    payment_mandate_id: 'pm-1',
    payment_details_id: 'order-1',
    payment_details_total: total(20.99),
    payment_response: { request_id: 'order-1', method_name: 'card' },
    merchant_agent: 'shop-agent',
    timestamp: iso,
    ...change.payment,
  };
  const { kty, crv, x, y } = agent.jwk;
  const credential = sdToken(world.provider, {
    header: { typ: 'vc+sd-jwt', kid: world.provider.kid },
    payload: {
      iss: 'https://bank.example',
      sub: world.subject,
      cnf: { jwk: { kty, crv, x, y } },
      ...change.credential,
    },
    disclosures: [],
  });
  const binding = jwt(
    agent,
    {
      iat: now,
      aud: 'grantex-commerce',
      nonce: 'n-1',
      sd_hash: ap2Hash(credential),
      transaction_data: [hashOf(cart), hashOf(payment)],
      ...change.binding,
    },
    { typ: 'kb+jwt', kid: undefined },
  );
  return JSON.stringify({
    'ap2.mandates.CartMandate': cart as unknown as Json,
    'ap2.mandates.PaymentMandate': {
      payment_mandate_contents: payment,
      user_authorization: `${credential}${binding}`,
    },
    ...(change.intent === undefined ? {} : { 'ap2.mandates.IntentMandate': change.intent }),
  });
}

const intent = (change: JsonMembers = {}): JsonMembers => ({
  natural_language_description: 'tea',
  intent_expiry: new Date((world.now + 60) * 1_000).toISOString(),
  ...change,
});

const said = (change: Change = {}) => {
  const object = parseAp2Object(purchase(change));
  if (!object.ok) return `${object.error.check} ${object.error.member ?? ''}`;
  const [judged] = judgeAp2Objects([object.value], world.now * 1_000);
  const finding = judged?.finding ?? null;
  return finding === null ? judged?.mandates : `${finding.verdict} ${finding.constraint}`;
};

describe('mandates of version 0.1', () => {
  it('are a cart and a payment of a buyer who is there', () => {
    const common = {
      subject: world.subject,
      payee: 'shop-1',
      cap: { amountMinor: 2_099n, currency: 'INR' },
      presence: 'present',
      issuedAtMs: world.now * 1_000,
      expiresAtMs: (world.now + 600) * 1_000,
    };
    expect(said()).toMatchObject([
      { ...common, kind: 'cart', cartHash: CORE },
      { ...common, kind: 'payment', cartHash: null },
    ]);
  });

  it('end with the intent beside them, which never gives anything', () => {
    expect(said({ intent: intent() })).toMatchObject([
      { expiresAtMs: (world.now + 60) * 1_000 },
      {},
    ]);
    const alone = JSON.stringify({ 'ap2.mandates.IntentMandate': intent() });
    expect(parseAp2Object(alone).ok).toBe(false);
  });

  it.each([
    ['a cart named otherwise', { contents: { id: 'cart-1' } }, 'shape contents.id'],
    [
      'an amount finer than its currency',
      { contents: { payment_request: { details: { id: 'order-1', total: total(20.995) } } } },
      'shape contents.payment_request.details.total',
    ],
    [
      'contents that the merchant did not sign',
      { authorization: { cart_hash: 'x' } },
      'signature merchant_authorization.cart_hash',
    ],
    [
      'an authorization for an hour',
      { authorization: { exp: world.now + 3_600 } },
      'shape merchant_authorization.exp',
    ],
    [
      'another total',
      { payment: { payment_details_total: total(20.98) } },
      'lineage payment_mandate_contents',
    ],
    [
      'another order',
      { payment: { payment_details_id: 'order-2' } },
      'lineage payment_mandate_contents',
    ],
    [
      'approval of another cart',
      { binding: { transaction_data: ['x', 'y'] } },
      'signature key_binding.transaction_data',
    ],
    [
      'approval of the cart alone',
      { binding: { transaction_data: ['x'] } },
      'signature key_binding.transaction_data',
    ],
    [
      'a binding to another credential',
      { binding: { sd_hash: 'x' } },
      'signature key_binding.sd_hash',
    ],
    ['no nonce', { binding: { nonce: undefined } }, 'shape key_binding.nonce'],
    [
      'a credential without a key',
      { credential: { cnf: undefined } },
      'shape user_authorization.cnf',
    ],
    [
      'an intent for other merchants',
      { intent: intent({ merchants: ['Another'] }) },
      'violated merchants',
    ],
    ['an intent that names skus', { intent: intent({ skus: ['tea'] }) }, 'unresolved skus'],
    [
      'an intent that wants refunds',
      { intent: intent({ requires_refundability: true }) },
      'unresolved requires_refundability',
    ],
  ] as const)('are refused with %s', (_, change, expected) => {
    expect(said(change as Change)).toBe(expected);
  });

  it('canonicalise fractions as the numbers they are (RFC 8785)', () => {
    const parsed = parseDecimalJson('{"b":19.90,"a":[1.0,0.1,"é"]}');
    expect(parsed.ok && jcsOf(parsed.value)).toBe('{"a":[1,0.1,"é"],"b":19.9}');
  });
});
