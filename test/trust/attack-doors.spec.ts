import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import { REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { type AlteredAuthority, alteredAuthority } from '../support/altered-authority.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { makeKey, mandateToken } from '../support/issuer.js';
import { startTestService, type TestService } from '../support/service.js';

let between: AlteredAuthority;
let service: TestService;
let shop: Shop;
beforeAll(async () => {
  between = await alteredAuthority();
  service = await startTestService({ ...between.settings, ALLOW_LOOPBACK_PEERS: 'true' });
  shop = await openShop(service);
});

const admin = { as: 'tenant_admin' } as const;

describe('the name of the authority in the hands of a tenant', () => {
  it('leads no webhook to the place where the authority is', async () => {
    const path = `/v1/nowhere-${randomUUID()}`;
    const made = await shop.call('POST', '/v1/webhook-endpoints', {
      ...admin,
      body: { url: `${TEST_AUTHORITY_ORIGIN}${path}`, event_types: ['decision.refused'] },
    });
    if (made.status === 201) {
      expect(await shop.ask(REVOKED_HANDOFF)).toMatchObject({ body: { outcome: 'refuse' } });
      await service.app.get<DueWorks>(DUE_WORKS, { strict: false }).sweep(null);
    }
    expect(between.asked).not.toContain(path);
  });

  it.each([
    'credential_issuer',
    'status_list',
    'revocation',
    'countersign',
    'consent',
    'passport',
    'fact_issuer',
  ])('is not the issuer of a %s key that a tenant enters', async (role) => {
    const { kid, jwk } = makeKey('EdDSA');
    const added = await shop.call('POST', '/v1/issuer-keys', {
      ...admin,
      body: { issuer: TEST_AUTHORITY_ORIGIN, kid, role, jwk },
    });
    expect(added).toMatchObject({ status: 400, body: { field: '/issuer' } });
  });

  it('vouches for no mandate that somebody else signed in its name', async () => {
    const key = makeKey('EdDSA');
    await shop.call('POST', '/v1/issuer-keys', {
      ...admin,
      body: {
        issuer: TEST_AUTHORITY_ORIGIN,
        kid: key.kid,
        role: 'credential_issuer',
        jwk: key.jwk,
        not_before: '2020-01-01T00:00:00Z',
      },
    });
    const scene = {
      tenantId: shop.tenantId,
      merchantId: 'chai-house',
      agentId: 'agt_1',
      buyer: 'buyer@example.org',
      issuer: TEST_AUTHORITY_ORIGIN,
      atMs: Date.UTC(2026, 10, 30, 9, 30),
    };
    const slot = { uri: `${TEST_AUTHORITY_ORIGIN}/status/${shop.tenantId}/1`, index: 77 };
    const token = mandateToken({ key, scene, slot });
    const registered = await shop.call('POST', '/v1/mandates', { ...admin, body: { token } });
    expect(registered.status).toBe(422);
  });
});
