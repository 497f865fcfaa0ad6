import { beforeAll, describe, expect, it } from 'vitest';
import { registeredSha256 } from '../../src/core/proofs/ap2/registration.js';
import type { ForeignMandate } from '../../src/trust/buyer-authority/index.js';
import {
  absentPurchase,
  type Ap2World,
  ap2World,
  type ChainOptions,
  checkoutJwt,
  checkoutPayload,
  directCheckout,
  type JsonMembers,
} from '../support/ap2.js';
import { type JsonObject, makeKey, signToken } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { resolveAuthority, type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
let world: Ap2World;
beforeAll(async () => {
  scene = await trustScene(house);
  const provider = makeKey('ES256');
  world = ap2World({ now: scene.atMs / 1_000, provider, subject: scene.buyer });
  const { kid, jwk } = provider;
  valueOf(
    await scene.rooms.issuerKeys.add(scene.tenant.context(), {
      issuer: 'https://provider.example',
      kid,
      role: 'agent_provider',
      jwk,
      types: [],
      notBeforeAtMs: 0,
    }),
  );
});

/** A checkout signed with the tenant's own key. */
async function ownCheckout(change: JsonMembers = {}): Promise<string> {
  const payload = Buffer.from(JSON.stringify(checkoutPayload(world, change)));
  const header = { typ: 'JWT' };
  return valueOf(await house.signingKeys.signJws(scene.tenantId, 'ucp', { header, payload }));
}

/** The authority's word on an object, or on the root of its chain. */
async function registered(object: string, of = object): Promise<ForeignMandate> {
  const registration = valueOf(
    await scene.rooms.authorityPort.issueRegistration(scene.tenantId, {
      sha256: registeredSha256(of),
      kind: 'intent',
      parentId: null,
      subject: scene.buyer,
      agentId: scene.agentId,
      merchantIds: [scene.merchantId],
      cartHash: null,
      cap: { amountMinor: 1_000_000n, currency: 'INR' },
      notBeforeAtMs: null,
      expiresAtMs: scene.atMs + 3_600_000,
    }),
  ).token;
  return { object, registration };
}

async function purchase(
  options: { checkout?: ChainOptions; payment?: ChainOptions; change?: JsonMembers } = {},
) {
  const checkoutJwt = await ownCheckout(options.change);
  return absentPurchase(world, { ...options, checkoutJwt });
}

const resolve = (...foreign: ForeignMandate[]) =>
  resolveAuthority(scene, { evidence: { foreign } });

describe('AP2 evidence of an absent buyer', () => {
  it('becomes a cart, a payment and an intent with the cap of the open mandate', async () => {
    const { checkoutChain, paymentChain } = await purchase();
    const { facts } = await resolve(
      await registered(checkoutChain),
      await registered(paymentChain),
    );
    expect(facts.mandates).toMatchObject([
      { mandateKind: 'cart', signature: 'valid', buyerKeyBound: false, capMinor: 2_099n },
      { mandateKind: 'intent', capMinor: 5_000n, currency: 'INR' },
      { mandateKind: 'payment', capMinor: 2_099n, intentRefs: [expect.stringMatching(/^ap2:/)] },
    ]);
    for (const fact of facts.mandates)
      expect(fact).toMatchObject({
        agentId: scene.agentId,
        merchantIds: ['shop-1'],
        constraints: 'met',
        status: { verdict: 'valid' },
      });
  });

  it('is unknown without a registration', async () => {
    const { checkoutChain } = await purchase();
    const { facts, unresolved } = await resolve({ object: checkoutChain, registration: null });
    expect(facts.mandates).toMatchObject([{ signature: 'not_found' }]);
    expect(unresolved).toMatchObject([{ why: 'unknown' }]);
  });

  it('takes a registration of the open mandate for every chain under it', async () => {
    const { checkoutChain, openCheckout } = await purchase();
    const { facts } = await resolve(await registered(checkoutChain, openCheckout));
    expect(facts.mandates).toMatchObject([{ signature: 'valid', status: { verdict: 'valid' } }]);
  });
});

describe('AP2 evidence of a buyer who is there', () => {
  it('proves presence by the closed mandate of this cart alone', async () => {
    const direct = directCheckout(world, await ownCheckout());
    const { facts } = await resolve(await registered(direct));
    expect(facts.mandates).toMatchObject([
      {
        mandateKind: 'cart',
        buyerKeyBound: true,
        issuedAtMs: scene.atMs,
        cartHash: expect.any(String),
      },
    ]);
  });
});

describe('AP2 evidence with one thing wrong', () => {
  const stranger = makeKey('ES256');
  const rows: readonly (readonly [
    string,
    'invalid' | 'issuer_untrusted',
    () => Promise<ForeignMandate>,
  ])[] = [
    [
      'of a provider nobody believes',
      'issuer_untrusted',
      async () => registered(directCheckout({ ...world, provider: stranger }, await ownCheckout())),
    ],
    [
      'under the name of a known provider',
      'invalid',
      async () =>
        registered(
          directCheckout(
            { ...world, provider: { ...stranger, kid: world.provider.kid } },
            await ownCheckout(),
          ),
        ),
    ],
    [
      'with a checkout of another merchant',
      'invalid',
      () => registered(directCheckout(world, checkoutJwt(world))),
    ],
    [
      'closed by another agent',
      'invalid',
      async () => {
        const { checkoutChain } = await purchase({ checkout: { closed: { key: stranger } } });
        return registered(checkoutChain);
      },
    ],
    [
      'for another audience',
      'invalid',
      async () => {
        const closed = { payload: { aud: 'https://another.example' } };
        return registered((await purchase({ checkout: { closed } })).checkoutChain);
      },
    ],
    [
      'with the registration of another',
      'invalid',
      async () => {
        const { checkoutChain, openPayment } = await purchase();
        return registered(checkoutChain, openPayment);
      },
    ],
    [
      'with a registration of the merchant itself',
      'issuer_untrusted',
      async () => {
        const { object, registration } = await registered(
          directCheckout(world, await ownCheckout()),
        );
        const [header, claims = ''] = String(registration).split('.');
        expect(header).toBeDefined();
        const own = JSON.parse(Buffer.from(claims, 'base64url').toString()) as JsonObject;
        return {
          object,
          registration: signToken(stranger, { typ: 'registration+jwt', claims: own }),
        };
      },
    ],
    [
      'with a registration by an issuer that does not keep the list',
      'invalid',
      async () => {
        const { object, registration } = await registered(
          directCheckout(world, await ownCheckout()),
        );
        const [, claims = ''] = String(registration).split('.');
        const own = JSON.parse(Buffer.from(claims, 'base64url').toString()) as JsonObject;
        const token = { typ: 'registration+jwt', claims: { ...own, iss: scene.issuer } };
        return { object, registration: signToken(scene.keys.mandates, token) };
      },
    ],
    [
      'of another buyer than its registration',
      'invalid',
      async () =>
        registered(directCheckout({ ...world, subject: 'somebody@else' }, await ownCheckout())),
    ],
  ];
  it.each(rows)('%s is %s', async (_, signature, make) => {
    const { facts } = await resolve(await make());
    expect(facts.mandates).toMatchObject([{ signature, capMinor: null, cartHash: null }]);
  });
});
