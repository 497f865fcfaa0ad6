import { beforeAll, expect, it } from 'vitest';
import { CREDENTIAL_IDS, FROZEN_AT_MS, ISSUERS, SHOP } from '../../src/demo/demo-world.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const seconds = FROZEN_AT_MS / 1_000;

/** A passport of the demo's issuer on a spare slot, with other claims. */
function passport(change: Readonly<Record<string, string | number>> = {}, slot = 0): string {
  const { uri = '', index = 0 } = shop.spareSlots[slot] ?? {};
  return ISSUERS.passport.token('passport+jwt', {
    iss: ISSUERS.passport.issuer,
    sub: 'demo-buyer',
    aud: 'grantex-commerce',
    jti: 'passport-to-verify',
    iat: seconds,
    nbf: seconds,
    exp: seconds + 600,
    tenant_id: shop.tenantId,
    agent_id: shop.agentId,
    merchant_id: SHOP,
    passport_type: 'checkout',
    consent_record_id: CREDENTIAL_IDS.shop.consent,
    scopes: ['commerce:payment.initiate'],
    max_amount: 100,
    currency: 'INR',
    env: 'sandbox',
    ver: '1',
    status: { status_list: { uri, idx: index } },
    ...change,
  });
}

const verify = (token: string, mode?: string): Promise<Answer> =>
  shop.call('POST', '/v1/passports/verify', {
    as: 'merchant_system',
    body: { token, ...(mode && { mode }) },
  });

it('says that a good passport is good, and where its status stands', async () => {
  expect(await verify(passport())).toMatchObject({
    status: 200,
    body: {
      valid: true,
      code: null,
      passport: { passport_id: 'passport-to-verify', merchant_id: SHOP },
      status: { verdict: 'valid' },
    },
  });
});

it.each([
  ['malformed', (): string => 'nonsense'],
  ['wrong_audience', () => passport({ aud: 'somebody' })],
  ['tenant_mismatch', () => passport({ tenant_id: 'tnt_other' })],
  ['tenant_mismatch', () => passport({ env: 'live' })],
  ['wrong_issuer', () => passport({ iss: 'https://unknown.example' })],
  ['expired', () => passport({ iat: seconds - 600, nbf: seconds - 600, exp: seconds })],
  ['not_yet_valid', () => passport({ nbf: seconds + 1 })],
  ['lifetime_exceeded', () => passport({ exp: seconds + 601 })],
  ['invalid_passport_type', () => passport({ passport_type: 'browse' })],
  ['temporal_claim_invalid', () => passport({ exp: 'soon' })],
  ['signature_invalid', () => `${passport().slice(0, -6)}AAAAAA`],
] as const)('says %s', async (code, token) => {
  expect((await verify(token())).body).toMatchObject({ valid: false, code });
});

it('asks the status list in every mode', async () => {
  const { uri = '', index: idx = 0 } = shop.spareSlots[1] ?? {};
  const token = passport({}, 1);
  for (const mode of ['payment_affecting', 'read_only'])
    expect((await verify(token, mode)).body).toMatchObject({ valid: true });
  const body = { uri, idx, status: 'revoked', reason_code: 'consent_withdrawn' };
  expect(await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body })).toMatchObject({
    status: 200,
  });
  for (const mode of ['payment_affecting', 'read_only'])
    expect((await verify(token, mode)).body).toMatchObject({ valid: false, code: 'revoked' });
});
