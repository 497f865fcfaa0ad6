import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DemoCredential,
  type DemoProduct,
  FROZEN_AT_MS,
  paymentToken,
  PRODUCTS,
  SHOP,
} from '../../src/demo/demo-world.js';
import {
  ABOVE_THE_PASSPORT,
  ALLOWED_HANDOFF,
  ALLOWED_PURCHASE,
  cartOf,
  SHOP_AUTHORITY,
} from '../../src/demo/purchases.js';
import { decisionAnswer } from '../../src/doors/api/decisions/answer.schema.js';
import { testDatabase } from '../support/database.js';
import { type Answer, openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await switchAgentPayment(shop, true);
});

/** The whole ledger of a tenant, as text. */
async function ledgerOf(tenantId: string): Promise<string> {
  const { rows } = await testDatabase().pool.query<{ body: string }>(
    'SELECT body FROM entries WHERE tenant_id = $1',
    [tenantId],
  );
  return rows.map(({ body }) => body).join('\n');
}

describe('the published form of answers', () => {
  it('is the form of answers: allowed, refused, dry run', async () => {
    for (const body of [ALLOWED_HANDOFF, ALLOWED_PURCHASE, ABOVE_THE_PASSPORT]) {
      const answer = await shop.ask(body);
      expect(decisionAnswer.parse(answer.body)).toEqual(answer.body);
    }
  });
});

describe('what is not known refuses', () => {
  const inline = (place: number, rail: string): string => {
    const slot = shop.spareSlots[place];
    if (slot === undefined) throw new Error('the seed reserves spare slots');
    const credential: DemoCredential = { id: `books-${place}`, merchantId: SHOP, slot };
    const at = { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS };
    return paymentToken(credential, at, { capMinor: 1_000_000, rail, event: 'one_time' });
  };
  const paying = async (...payments: readonly string[]) => {
    const authority = { ...SHOP_AUTHORITY, mandate_refs: [SHOP_AUTHORITY.mandate_refs[0]] };
    const mandate_refs = [...authority.mandate_refs, ...payments];
    const buyer_authority = { ...authority, mandate_refs };
    return shop.ask({ ...ALLOWED_PURCHASE, buyer_authority });
  };
  const unclassified = { failing_rule: 'rbi_afa', reason: 'rbi_unclassified' };

  it('a rail under a word of no list, and the word other', async () => {
    expect((await paying(inline(0, 'card_once'))).body).toMatchObject({ outcome: 'allow' });
    for (const rail of ['UPI_AUTOPAY', 'upi autopay', 'bank_transfer', 'other'])
      expect((await paying(inline(0, rail))).body).toMatchObject(unclassified);
  });

  it('which of two payment mandates would be charged, in whatever order they come', async () => {
    const two = [inline(0, 'card_once'), inline(1, 'upi_autopay')] as const;
    expect((await paying(...two)).body).toMatchObject(unclassified);
    expect((await paying(...[...two].reverse())).body).toMatchObject(unclassified);
  });

  it('a mandate that was named and is not there, beside good ones', async () => {
    expect((await paying(SHOP_AUTHORITY.mandate_refs[1], 'mandate-of-nobody')).body).toMatchObject({
      failing_rule: 'mandate_present',
      reason: 'mandate_missing',
    });
  });

  it('an artifact that was named and is not there, in a handoff too', async () => {
    const { body } = await shop.ask({ ...ALLOWED_HANDOFF, artifacts: ['artifact-of-nobody'] });
    expect(body).toMatchObject({
      failing_rule: 'handoff_facts_valid',
      reason: 'artifact_missing_or_invalid:commitment_evidence',
    });
  });

  it('a variant under the name of another product', async () => {
    const [chai, kettle] = PRODUCTS;
    const cart = cartOf({ ...chai, productId: kettle.productId } as unknown as DemoProduct, 2);
    expect((await shop.ask({ ...ALLOWED_HANDOFF, cart })).body).toMatchObject({
      reason: 'product_or_variant_not_found:catalog_snapshot',
    });
  });
});

describe('a claim of the body', () => {
  const later = '2026-12-31T00:00:00.000Z';
  const claims = {
    mandate_refs: ['asha@example.org'],
    mandate_expires_at: later,
    consent_ref: 'asha@example.org',
    consent_state: 'granted',
    consent_expires_at: later,
    passport_ref: 'asha@example.org',
    passport_max_amount_minor_units: 100_000_000,
    passport_currency: 'INR',
    passport_expires_at: later,
  };

  it('that looks valid is told by rule 4 that nobody vouches for it (F4), and leaves no free text behind', async () => {
    const { body } = await shop.ask({ ...ALLOWED_PURCHASE, buyer_authority: claims });
    expect(body).toMatchObject({
      failing_rule: 'verified_buyer_authority',
      reason: 'buyer_authority_caller_asserted',
    });
    expect(await ledgerOf(shop.tenantId)).not.toContain('asha@');
  });

  it('in the live world as well, where a merchant without a profile needs AFA for every payment', async () => {
    const live = await liveShop();
    const { body } = await live('POST', '/v1/simulate', {
      ...ALLOWED_PURCHASE,
      agent_id: await live.agentId(),
      buyer_authority: { ...claims, mandate_expires_at: '2099-01-01T00:00:00Z' },
    });
    expect(body.judged.facts).toMatchObject({ world: 'live', caller_asserted_allowed: false });
    expect(body.reason).not.toBe('mandate_missing');
    const codes = Object.fromEntries(
      (body.trace as readonly { rule: string; failure: { code: string } | null }[]).map(
        ({ rule, failure }) => [rule, failure?.code ?? null],
      ),
    );
    expect(codes).toMatchObject({
      mandate_present: null,
      verified_buyer_authority: 'buyer_authority_caller_asserted',
      merchant_limits: 'merchant_limits_missing',
      rbi_afa: 'afa_evidence_missing',
    });
  });

  async function liveShop() {
    const { service } = shop;
    const send =
      (key: string) =>
      async (method: string, path: string, body?: unknown): Promise<Pick<Answer, 'body'>> => {
        const response = await fetch(`${service.baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { body: await response.json() };
      };
    const made = await send(service.platformAdminKey)('POST', '/v1/tenants', {
      world: 'live',
      name: 'live',
    });
    const call = send(made.body.admin_api_key.api_key);
    await call('POST', '/v1/merchants', { merchant_id: SHOP, name: 'A shop', country: 'IN' });
    return Object.assign(call, {
      agentId: async (): Promise<string> =>
        String((await call('POST', '/v1/agents', { name: 'a' })).body.agent_id),
    });
  }
});
