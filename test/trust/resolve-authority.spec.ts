import { beforeAll, describe, expect, it } from 'vitest';
import { AuthorityVerifier } from '../../src/trust/buyer-authority/index.js';
import {
  consentToken,
  makeKey,
  mandateToken,
  type MandateOptions,
  passportToken,
  type TokenOptions,
} from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { resolveAuthority, trustRooms, type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const mandate = async (options: MandateOptions = {}) =>
  mandateToken({ key: scene.keys.mandates, scene, slot: await scene.slot() }, options);
const consent = async (options: TokenOptions = {}) =>
  consentToken({ key: scene.keys.consents, scene, slot: await scene.slot() }, options);
const passport = async (consentId: string, options: TokenOptions = {}) =>
  passportToken(
    { key: scene.keys.passports, scene, slot: await scene.slot() },
    { consentId, ...options },
  );
const bound = async (): Promise<MandateOptions> => ({
  claims: { jti: `mnd_${(await scene.slot()).index}` },
});
const never = { query: () => new Promise<never>(() => undefined) };
const broken = { query: () => Promise.reject(new Error('the database is gone')) };
const soon = (): AbortSignal => {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  return controller.signal;
};
const resolverOn = (database: typeof never | typeof broken) => {
  const { issuerKeys, statuses } = trustRooms({ ...house, database });
  const { checker } = scene.rooms;
  return { database, issuerKeys, checker, statuses, merchantKeys: house.signingKeys };
};

describe('resolveAuthority', () => {
  it('makes verified authority of tokens sent along, and of the same tokens registered', async () => {
    const tokens = {
      mandate: await mandate(),
      consent: await consent({ claims: { jti: 'crec_whole' } }),
      passport: await passport('crec_whole'),
    };
    const inline = await resolveAuthority(scene, {
      evidence: { mandates: [tokens.mandate], consent: tokens.consent, passport: tokens.passport },
    });
    expect(inline.facts).toMatchObject({
      source: 'verified',
      mandates: [
        {
          signature: 'valid',
          capMinor: 5_000_000n,
          parentStatus: null,
          status: { verdict: 'valid' },
        },
      ],
      consent: { state: 'granted' },
      passport: { passportType: 'checkout', world: 'test', capMinor: 2_000_000n },
    });
    expect(inline.sideWrites.map(({ table }) => table.table).sort()).toEqual([
      'buyer_references',
      ...Array<string>(3).fill('documents'),
    ]);
    const ids: string[] = [];
    for (const kind of ['mandate', 'consent', 'passport'] as const)
      ids.push(
        valueOf(
          await scene.rooms.credentials.register(scene.tenant.context(), {
            kind,
            token: tokens[kind],
          }),
        ),
      );
    const [mandateId = '', consentId = '', passportId = ''] = ids;
    const stored = await resolveAuthority(scene, {
      evidence: { mandates: [mandateId], consent: consentId, passport: passportId },
    });
    expect(stored.facts.source).toBe('verified');
    const status = stored.facts.mandates[0]?.status;
    expect(status?.verdict).toBe('valid');
    // The list is signed when it is first asked for, on a clock that goes on.
    expect(status?.listIssuedAtMs).toBeGreaterThanOrEqual(scene.atMs);
    expect(stored.sideWrites).toEqual([]);
    expect(stored.facts.passport?.buyerCommitment).toBe(stored.facts.consent?.buyerCommitment);
  });

  it('takes only tokens that belong together for verified', async () => {
    const evidence = {
      mandates: [await mandate()],
      consent: await consent({ claims: { jti: 'crec_a' } }),
      passport: await passport('crec_b'),
    };
    expect((await resolveAuthority(scene, { evidence })).facts.source).toBe('caller_asserted');
    const other = {
      ...evidence,
      passport: await passport('crec_a', { claims: { sub: 'other@example.org' } }),
    };
    expect((await resolveAuthority(scene, { evidence: other })).facts.source).toBe(
      'caller_asserted',
    );
  });

  const stranger = makeKey('ES256');
  it.each<[string, () => Promise<string>, 'invalid' | 'issuer_untrusted']>([
    ['garbage', () => Promise.resolve('a.b.c!'), 'invalid'],
    ['alg none', () => mandate({ header: { alg: 'none' } }), 'invalid'],
    ['another typ', () => consent(), 'invalid'],
    ['another audience', () => mandate({ claims: { aud: 'other' } }), 'invalid'],
    ['another tenant', () => mandate({ claims: { tenant_id: 'tnt_other' } }), 'invalid'],
    ['a missing end', () => mandate({ claims: { exp: undefined } }), 'invalid'],
    ['an unknown key', () => mandate({ header: { kid: 'unknown' } }), 'issuer_untrusted'],
    [
      'a key of another role',
      () => mandate({ header: { kid: scene.keys.passports.kid } }),
      'issuer_untrusted',
    ],
    [
      'a really wrong key',
      async () =>
        mandateToken({
          key: { ...stranger, kid: scene.keys.mandates.kid },
          scene,
          slot: await scene.slot(),
        }),
      'invalid',
    ],
  ])(
    'gives a mandate of %s as a fact that says nothing of itself',
    async (_name, token, signature) => {
      const { facts, sideWrites } = await resolveAuthority(scene, {
        evidence: { foreign: [], mandates: [await token()] },
      });
      expect(facts.mandates).toMatchObject([
        { source: 'verified', signature, capMinor: null, merchantIds: [] },
      ]);
      expect(facts.mandates[0]?.ref).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(sideWrites).toEqual([]);
    },
  );

  it('leaves times to the rules', async () => {
    const ended = await mandate({ claims: { iat: 1_000, nbf: 1_000, exp: 2_000 } });
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: [ended] } });
    expect(facts.mandates).toMatchObject([{ signature: 'valid', expiresAtMs: 2_000_000 }]);
  });

  it('proves presence by the buyer key only', async () => {
    const buyerKey = makeKey('EdDSA');
    const cart = { kind: 'cart', cartHash: 'a'.repeat(64) } as const;
    const boundFlags = async (token: string) => {
      const { facts } = await resolveAuthority(scene, { evidence: { mandates: [token] } });
      return facts.mandates.map((one) => [one.signature, one.buyerKeyBound]);
    };
    expect(await boundFlags(await mandate({ ...cart, buyerKey }))).toEqual([['valid', true]]);
    expect(await boundFlags(await mandate(cart))).toEqual([['valid', false]]);
    const forged = await mandate({ ...cart, buyerKey, binding: { key: makeKey('EdDSA') } });
    expect(await boundFlags(forged)).toEqual([['invalid', false]]);
    for (const [aheadSeconds, flags] of [
      [30, ['valid', true]],
      [31, ['invalid', false]],
    ] as const) {
      const binding = { claims: { iat: scene.atMs / 1_000 + aheadSeconds } };
      expect(await boundFlags(await mandate({ ...cart, buyerKey, binding }))).toEqual([flags]);
    }
    const [token = ''] = (await mandate({ ...cart, buyerKey })).split('~');
    const [, foreign = ''] = (await mandate({ ...cart, buyerKey })).split('~');
    expect(await boundFlags(`${token}~${foreign}`)).toEqual([['invalid', false]]);
  });

  it('measures a child by its parents and takes their worst state', async () => {
    const root = await mandate({ claims: { jti: 'mnd_root' } });
    const child = await mandate({ parent: 'mnd_root' });
    const wide = await mandate({
      parent: 'mnd_root',
      claims: { cap: { amount: '5000001', currency: 'INR' } },
    });
    const orphan = await mandate({ parent: 'mnd_nobody' });
    const { facts } = await resolveAuthority(scene, {
      evidence: { mandates: [root, child, wide, orphan] },
    });
    expect(facts.mandates.map(({ signature }) => signature)).toEqual([
      'valid',
      'valid',
      'invalid',
      'valid',
    ]);
    expect(facts.mandates[3]?.parentStatus).toMatchObject({ verdict: 'unavailable' });
    valueOf(
      await scene.rooms.credentials.register(scene.tenant.context(), {
        kind: 'mandate',
        token: root,
      }),
    );
    const known = await resolveAuthority(scene, { evidence: { mandates: [child] } });
    expect(known.facts.mandates).toMatchObject([
      { signature: 'valid', parentStatus: { verdict: 'valid' } },
    ]);
  });

  it('refuses mandates that are parents of each other', async () => {
    const tokens = [
      await mandate({ claims: { jti: 'mnd_left' }, parent: 'mnd_right' }),
      await mandate({ claims: { jti: 'mnd_right' }, parent: 'mnd_left' }),
    ];
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: tokens } });
    expect(facts.mandates.map(({ signature }) => signature)).toEqual(['invalid', 'invalid']);
  });

  it('hands out the rail of a verified payment mandate', async () => {
    const payment = { rail: 'upi_autopay', event: 'subsequent_debit', umn: 'abc@psp' };
    const token = await mandate({ kind: 'payment', claims: { payment } });
    const { railClaims, facts } = await resolveAuthority(scene, {
      evidence: { mandates: [token] },
    });
    expect(railClaims).toMatchObject({ ...payment, mandateRef: facts.mandates[0]?.ref, mcc: null });
  });

  const asserted = {
    mandateRef: 'mnd_claimed',
    mandateExpiresAtMs: Number.MAX_SAFE_INTEGER,
    consentRef: null,
    consentState: 'granted',
    consentExpiresAtMs: null,
    passportRef: 'cpsp_claimed',
    passportMaxAmountMinor: 999_999_999n,
    passportCurrency: 'INR',
    passportExpiresAtMs: null,
  } as const;
  it('never lets a body replace or widen what evidence was named for', async () => {
    const evidence = { mandates: [await mandate()], passport: await passport('crec_1') };
    const { facts } = await resolveAuthority(scene, { evidence, asserted });
    expect(facts).toMatchObject({
      source: 'caller_asserted',
      mandates: [{ source: 'verified' }],
      consent: {
        source: 'caller_asserted',
        signature: 'not_checked',
        status: { verdict: 'not_checked' },
      },
      passport: { source: 'verified', capMinor: 2_000_000n },
    });
    const bad = await resolveAuthority(scene, { evidence: { passport: 'cpsp_unknown' }, asserted });
    expect(bad.facts.passport).toBeNull();
    const ref = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(bad.facts.mandates).toMatchObject([{ source: 'caller_asserted', ref }]);
    expect(bad.unresolved).toEqual([{ ref: 'cpsp_unknown', why: 'unknown' }]);
  });

  it('holds no token to be good on the slot of another object', async () => {
    const slot = await scene.slot();
    const key = scene.keys.mandates;
    const register = { kind: 'mandate', token: mandateToken({ key, scene, slot }) } as const;
    valueOf(await scene.rooms.credentials.register(scene.tenant.context(), register));
    const other = mandateToken({ key, scene, slot });
    const { facts } = await resolveAuthority(scene, {
      evidence: { mandates: [register.token, other] },
    });
    expect(facts.mandates.map(({ status }) => status.verdict)).toEqual(['valid', 'unavailable']);
  });

  it('takes no second token for one that is registered under its id', async () => {
    const [jti, consentId, passportId] = ['mnd_twice', 'crec.twice.1', 'cpsp_twice'];
    const make = async () => ({
      mandate: await mandate({ claims: { jti } }),
      consent: await consent({ claims: { jti: consentId } }),
      passport: await passport(consentId, { claims: { jti: passportId } }),
    });
    const [held, second] = [await make(), await make()];
    for (const kind of ['mandate', 'consent', 'passport'] as const)
      valueOf(
        await scene.rooms.credentials.register(scene.tenant.context(), { kind, token: held[kind] }),
      );
    const sourceOf = async ({ mandate, consent, passport }: typeof held) => {
      const evidence = { mandates: [mandate], consent, passport };
      const { facts } = await resolveAuthority(scene, { evidence });
      return [facts.source, facts.mandates[0]?.signature];
    };
    expect(await sourceOf(held)).toEqual(['verified', 'valid']);
    expect(await sourceOf({ mandate: jti, consent: consentId, passport: passportId })).toEqual([
      'verified',
      'valid',
    ]);
    for (const kind of ['mandate', 'consent', 'passport'] as const)
      expect(await sourceOf({ ...held, [kind]: second[kind] })).toEqual([
        'caller_asserted',
        kind === 'mandate' ? 'invalid' : 'valid',
      ]);
  });

  it('lets the buyer bind a key to a mandate that was registered before', async () => {
    const buyerKey = makeKey('EdDSA');
    const bound = await mandate({ kind: 'cart', cartHash: 'a'.repeat(64), buyerKey });
    const [token = ''] = bound.split('~');
    valueOf(
      await scene.rooms.credentials.register(scene.tenant.context(), { kind: 'mandate', token }),
    );
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: [bound] } });
    expect(facts.mandates).toMatchObject([{ signature: 'valid', buyerKeyBound: true }]);
  });

  it.each(['never', 'broken'] as const)(
    'answers with data when the database is %s there',
    async (kind) => {
      const resolver = new AuthorityVerifier(resolverOn(kind === 'never' ? never : broken));
      const found = await resolver.resolveAuthority({
        tenantId: scene.tenantId,
        world: 'test',
        merchantId: scene.merchantId,
        agentId: scene.agentId,
        evidence: {
          mandates: [await mandate(), 'mnd_1'],
          foreign: [],
          consent: 'crec_1',
          passport: null,
        },
        asserted: null,
        atMs: scene.atMs,
        deadline: soon(),
      });
      expect(found).toMatchObject({
        presenceEvidence: 'unavailable',
        facts: {
          source: 'caller_asserted',
          mandates: [{ signature: 'not_found' }, { signature: 'not_found' }],
        },
      });
      expect(found.unresolved.map(({ why }) => why)).toEqual([
        'unavailable',
        'unavailable',
        'unavailable',
      ]);
    },
  );

  it('counts a token of a compromised key only when it was here before', async () => {
    const mine = await trustScene(house);
    const make = async (options: MandateOptions = {}) =>
      mandateToken({ key: mine.keys.mandates, scene: mine, slot: await mine.slot() }, options);
    const held = valueOf(
      await mine.rooms.credentials.register(mine.tenant.context(), {
        kind: 'mandate',
        token: await make(),
      }),
    );
    const key = (await mine.rooms.issuerKeys.list(mine.tenantId)).find(
      ({ kid }) => kid === mine.keys.mandates.kid,
    );
    if (key === undefined) throw new Error('the scene has this key');
    valueOf(
      await mine.rooms.issuerKeys.compromise(mine.tenant.context(), {
        issuerKeyId: key.id,
        atMs: null,
      }),
    );
    const backdated = await make({
      claims: { iat: mine.atMs / 1_000 - 100, nbf: mine.atMs / 1_000 - 100 },
    });
    const { facts } = await resolveAuthority(mine, {
      evidence: { mandates: [held, backdated] },
      atMs: mine.atMs + 60_000,
    });
    expect(facts.mandates.map(({ signature }) => signature)).toEqual(['valid', 'issuer_untrusted']);
  });

  it('verifies the same bytes once per tenant', async () => {
    const token = await mandate(await bound());
    const before = scene.rooms.checker.remembered;
    await resolveAuthority(scene, { evidence: { mandates: [token] } });
    await resolveAuthority(scene, { evidence: { mandates: [token] } });
    expect(scene.rooms.checker.remembered).toBe(before + 1);
  });
});
