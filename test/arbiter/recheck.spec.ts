import { beforeAll, describe, expect, it } from 'vitest';
import { COMMERCE_AUDIENCE } from '../../src/core/proofs/index.js';
import {
  artifactIdOf,
  BUYER,
  CARD_TERMS,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  intentToken,
  INTENT_CAP_MINOR,
  ISSUERS,
  passportToken,
  paymentToken,
  PRODUCTS,
  SHOP,
} from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, SHOP_AUTHORITY } from '../../src/demo/purchases.js';
import type { TestService } from '../support/service.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import {
  allowed,
  consume,
  differencesOf,
  fresh,
  inr,
  moveClock,
  replayedRecheck,
  SHOP_PATH,
} from './uses.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
});

const [CHAI] = PRODUCTS;
const { cart } = ALLOWED_HANDOFF;
const { shop: IDS } = CREDENTIAL_IDS;
const seconds = FROZEN_AT_MS / 1000;
const PRICE = artifactIdOf({ merchantId: SHOP, type: 'price', product: CHAI });
const INVENTORY = artifactIdOf({ merchantId: SHOP, type: 'inventory', product: CHAI });

async function change(shop: Shop, subjectId: string, status = 'revoked'): Promise<void> {
  const body = { subject_id: subjectId, status, reason_code: 'other' };
  const changed = await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body });
  if (changed.status >= 300) throw new Error(JSON.stringify(changed.body));
}

const LIMITS = {
  currencies: [{ currency: 'INR', order_max_minor: '5000000', daily_max_minor: '20000000' }],
  items_max: 20,
  not_present: {
    currency: 'INR',
    order_max_minor: '1000000',
    items_max: 5,
    daily_max_minor: '3000000',
  },
};

async function setLimits(shop: Shop, limits: object): Promise<void> {
  const body = { ...LIMITS, ...limits };
  const set = await shop.call('PUT', `${SHOP_PATH}/limits`, { as: 'tenant_admin', body });
  if (set.status >= 300) throw new Error(JSON.stringify(set.body));
}

async function capture(shop: Shop, amount: number): Promise<void> {
  const name = fresh('capture');
  const captured = await shop.call('POST', '/v1/captures', {
    as: 'merchant_system',
    idempotencyKey: name,
    body: { capture_id: name, merchant_id: SHOP, order_id: name, amount: inr(amount) },
  });
  if (captured.status !== 201) throw new Error(JSON.stringify(captured.body));
}

const placeOf = ({ tenantId, agentId }: Shop) => ({ tenantId, agentId, atMs: FROZEN_AT_MS });

function credential(shop: Shop, id: string, index: number) {
  const slot = shop.spareSlots[index];
  if (slot === undefined) throw new Error('the seed reserves spare places');
  return { id, merchantId: SHOP, slot };
}

/** A payment mandate that comes with the request; each is good for one payment. */
const paymentMandate = (shop: Shop, id: string, index: number): string =>
  paymentToken(credential(shop, id, index), placeOf(shop), CARD_TERMS);

/** A token of the buyer's, changed in what a case is about. */
const token = (shop: Shop, id: string, index: number) => {
  const { slot } = credential(shop, id, index);
  return {
    sub: BUYER,
    aud: COMMERCE_AUDIENCE,
    jti: id,
    iat: seconds,
    tenant_id: shop.tenantId,
    agent_id: shop.agentId,
    status: { status_list: { uri: slot.uri, idx: slot.index } },
  };
};

const withAuthority = (authority: object) => ({
  ...ALLOWED_PURCHASE,
  buyer_authority: { ...SHOP_AUTHORITY, ...authority },
});

async function shopOfAgents(): Promise<Shop> {
  const shop = await openShop(service);
  await switchAgentPayment(shop, true);
  return shop;
}

interface Case {
  /** What is decided; the allowed purchase when left out. */
  readonly body?: (shop: Shop) => unknown;
  /** What happens between the decision and the use. */
  readonly then: (shop: Shop) => Promise<unknown>;
  readonly refused: readonly [rule: string, reason: string];
}

const shortIntent = (shop: Shop): string =>
  intentToken(credential(shop, 'short', 0), placeOf(shop), {
    capMinor: INTENT_CAP_MINOR,
    lifeMs: 300_000,
  });

/** A payment mandate below an intent of the shop, beside another intent: only the chain tells of the first. */
const belowAnIntent = (shop: Shop) =>
  withAuthority({
    mandate_refs: [
      intentToken(credential(shop, 'beside', 0), placeOf(shop), { capMinor: INTENT_CAP_MINOR }),
      ISSUERS.credentials.token('mandate+jwt', {
        iss: ISSUERS.credentials.issuer,
        ...token(shop, 'below', 1),
        exp: seconds + 3_600,
        parent: IDS.intent,
        kind: 'payment',
        merchant_ids: [SHOP],
        cap: { amount: '91800', currency: 'INR' },
        payment: { rail: 'card_once', event: 'one_time', country: 'IN' },
      }),
    ],
  });

/** A consent of five minutes and the passport that rests on it. */
const shortConsent = (shop: Shop) => ({
  consent_ref: ISSUERS.consent.token('consent+jwt', {
    iss: ISSUERS.consent.issuer,
    ...token(shop, 'short-consent', 0),
    exp: seconds + 300,
    merchant_id: SHOP,
    state: 'granted',
    scopes: ['commerce:purchase'],
  }),
  passport_ref: passportToken(credential(shop, 'its-passport', 1), placeOf(shop), {
    consentId: 'short-consent',
    capMinor: 200_000,
  }),
});

const CASES: Readonly<Record<string, Case>> = {
  'the price is revoked': {
    then: (shop) => change(shop, PRICE),
    refused: ['facts_valid', 'artifact_revoked:price'],
  },
  'the stock fact is suspended': {
    then: (shop) => change(shop, INVENTORY, 'suspended'),
    refused: ['facts_valid', 'artifact_suspended:inventory'],
  },
  'of a handoff the price is revoked': {
    body: () => ALLOWED_HANDOFF,
    then: (shop) => change(shop, PRICE),
    refused: ['handoff_facts_valid', 'artifact_revoked:price'],
  },
  'the intent is revoked': {
    then: (shop) => change(shop, IDS.intent),
    refused: ['mandate_present', 'mandate_revoked'],
  },
  'the payment mandate is suspended': {
    then: (shop) => change(shop, IDS.payment, 'suspended'),
    refused: ['mandate_present', 'mandate_suspended'],
  },
  'an ancestor that is only in the chain is suspended': {
    body: belowAnIntent,
    then: (shop) => change(shop, IDS.intent, 'suspended'),
    refused: ['mandate_present', 'mandate_parent_revoked'],
  },
  'the mandate ends': {
    body: (shop) => withAuthority({ mandate_refs: [shortIntent(shop), IDS.payment] }),
    then: (shop) => moveClock(shop, FROZEN_AT_MS + 300_000),
    refused: ['mandate_present', 'mandate_expired'],
  },
  'the consent is revoked': {
    then: (shop) => change(shop, IDS.consent),
    refused: ['consent_active', 'consent_revoked'],
  },
  'the consent ends': {
    body: (shop) => withAuthority(shortConsent(shop)),
    then: (shop) => moveClock(shop, FROZEN_AT_MS + 300_000),
    refused: ['consent_active', 'consent_expired'],
  },
  'the passport is revoked': {
    then: (shop) => change(shop, IDS.passport),
    refused: ['passport_amount_cap', 'passport_revoked'],
  },
  'the passport ends in the last millisecond of the allow': {
    then: (shop) => moveClock(shop, FROZEN_AT_MS + 600_000),
    refused: ['passport_amount_cap', 'passport_expired'],
  },
  'other payments use the passport up': {
    body: (shop) => withAuthority({ mandate_refs: [IDS.intent, paymentMandate(shop, 'm0', 0)] }),
    async then(shop) {
      for (const index of [1, 2]) {
        const mandates = [IDS.intent, paymentMandate(shop, `m${index}`, index)];
        const id = await allowed(shop, withAuthority({ mandate_refs: mandates }));
        expect((await consume(shop, id, { cart })).status).toBe(200);
      }
    },
    refused: ['passport_amount_cap', 'passport_amount_cap_exceeded'],
  },
  'another payment uses the payment mandate': {
    async then(shop) {
      const other = await allowed(shop, ALLOWED_PURCHASE);
      expect((await consume(shop, other, { cart })).status).toBe(200);
      // And a new purchase is told so when it is decided.
      expect((await shop.ask(ALLOWED_PURCHASE)).body.reason).toBe('mandate_already_used');
    },
    refused: ['mandate_present', 'mandate_already_used'],
  },
  'the cap of an order is lowered': {
    then: (shop) =>
      setLimits(shop, {
        currencies: [{ currency: 'INR', order_max_minor: '91799', daily_max_minor: null }],
        not_present: null,
      }),
    refused: ['merchant_limits', 'order_amount_cap_exceeded'],
  },
  'of a handoff the currency is not allowed any more': {
    body: () => ALLOWED_HANDOFF,
    then: (shop) =>
      setLimits(shop, {
        currencies: [{ currency: 'USD', order_max_minor: '91799', daily_max_minor: null }],
        not_present: null,
      }),
    refused: ['handoff_merchant_limits', 'order_currency_not_allowed'],
  },
  'the day is used up': {
    then: (shop) => capture(shop, 20_000_000 - 91_799),
    refused: ['merchant_limits', 'daily_amount_cap_exceeded'],
  },
  'nothing is sold to absent buyers any more': {
    then: (shop) => setLimits(shop, { not_present: null }),
    refused: ['not_present_limits', 'not_present_limits_missing'],
  },
  'the last pieces are held for another payment': {
    body: () => ALLOWED_HANDOFF,
    async then(shop) {
      const put = await shop.call('PUT', `/v1/stock/${CHAI.variantId}`, {
        as: 'merchant_system',
        body: { merchant_id: SHOP, on_hand: 3 },
      });
      expect(put.status).toBe(200);
      const other = await allowed(shop, ALLOWED_HANDOFF);
      expect((await consume(shop, other, { cart })).status).toBe(200);
    },
    refused: ['handoff_facts_valid', 'inventory_snapshot_insufficient:inventory'],
  },
};

describe('between the decision and the use', () => {
  it.each(Object.entries(CASES))('%s', async (_name, { body, then, refused }) => {
    const shop = await shopOfAgents();
    const asked = body?.(shop) ?? ALLOWED_PURCHASE;
    const decisionId = await allowed(shop, asked);
    await then(shop);
    const used = await consume(shop, decisionId, { cart });
    expect([used.status, used.body.failing_rule, used.body.reason]).toEqual([403, ...refused]);
    // A decision of its own, which says whose use it judged and can be judged again from its entry.
    const recheckId = String(used.body.decision_id);
    expect(recheckId).not.toBe(decisionId);
    const read = await shop.call('GET', `/v1/decisions/${recheckId}`, { as: 'auditor' });
    expect(read.body).toMatchObject({
      outcome: 'refuse',
      reason: refused[1],
      usable: false,
      trace: expect.any(Array),
    });
    const { recheck, stored, again } = await replayedRecheck(shop, recheckId);
    expect(recheck).toEqual({ decisionId, decidedAtMs: FROZEN_AT_MS });
    expect(again).toBe(stored);
    expect(await differencesOf(shop)).toEqual([]);
  });

  it('what is withdrawn for a while holds up for a while: the allow stays as it was', async () => {
    const shop = await shopOfAgents();
    const decisionId = await allowed(shop, ALLOWED_PURCHASE);
    await change(shop, IDS.payment, 'suspended');
    expect((await consume(shop, decisionId, { cart })).body.reason).toBe('mandate_suspended');
    await change(shop, IDS.payment, 'valid');
    expect((await consume(shop, decisionId, { cart })).status).toBe(200);
  });

  it('facts of the merchant grow old and the use is none the worse for it', async () => {
    const shop = await shopOfAgents();
    const decisionId = await allowed(shop, ALLOWED_PURCHASE);
    // Price and stock facts ended long ago.
    await moveClock(shop, FROZEN_AT_MS + 599_000);
    expect((await shop.ask(ALLOWED_HANDOFF)).body.outcome).toBe('refuse');
    expect((await consume(shop, decisionId, { cart })).status).toBe(200);
  });

  it('a suspended agent uses nothing, and an agent that is resumed does', async () => {
    const shop = await shopOfAgents();
    const decisionId = await allowed(shop, ALLOWED_PURCHASE);
    const agent = (what: string) =>
      shop.call('POST', `/v1/agents/${shop.agentId}/${what}`, { as: 'tenant_admin' });
    expect((await agent('suspend')).status).toBe(200);
    const used = await consume(shop, decisionId, { cart });
    expect([used.status, used.body.code]).toEqual([403, 'forbidden']);
    expect((await agent('resume')).status).toBe(200);
    expect((await consume(shop, decisionId, { cart })).status).toBe(200);
  });
});
