import { beforeAll, describe, expect, it } from 'vitest';
import { ARTIFACT_TYPES, REQUIRED_ARTIFACT_TYPES } from '../../src/core/rules/index.js';
import { AuthorityVerifier } from '../../src/trust/buyer-authority/index.js';
import { StoredArtifactResolver } from '../../src/trust/facts/index.js';
import { IssuerKeys } from '../../src/trust/peers/index.js';
import { LocalStatusChecker } from '../../src/trust/status/index.js';
import {
  consentToken,
  makeKey,
  mandateToken,
  type MandateOptions,
  passportToken,
  signedEnvelope,
  type TokenOptions,
} from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import {
  resolveArtifacts,
  resolveAuthority,
  type TrustScene,
  trustScene,
} from '../support/trust.js';

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
const envelope = async (options: Parameters<typeof signedEnvelope>[1] = {}) =>
  signedEnvelope({ key: scene.keys.facts, scene, slot: await scene.slot() }, options);
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
  const issuerKeys = new IssuerKeys({ database, writer: house.writer });
  const { checker } = scene.rooms;
  return { database, issuerKeys, checker, statuses: new LocalStatusChecker(database) };
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
          status: { verdict: 'unavailable' },
        },
      ],
      consent: { state: 'granted' },
      passport: { passportType: 'checkout', world: 'test', capMinor: 2_000_000n },
    });
    expect(inline.sideWrites.map(({ table }) => table.table).sort()).toEqual([
      ...Array<string>(3).fill('buyer_references'),
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
    expect(stored.facts.mandates[0]?.status).toMatchObject({
      verdict: 'valid',
      listIssuedAtMs: scene.atMs,
    });
    expect(stored.sideWrites).toEqual([]);
    expect(stored.facts.consent?.buyerCommitment).toBe(inline.facts.consent?.buyerCommitment);
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
    ['garbage', () => Promise.resolve('a.b.c'), 'invalid'],
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
        evidence: { mandates: [await token()] },
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
    expect(bad.facts.mandates).toMatchObject([{ source: 'caller_asserted', ref: 'mnd_claimed' }]);
    expect(bad.unresolved).toEqual([{ ref: 'cpsp_unknown', why: 'unknown' }]);
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
        evidence: { mandates: [await mandate(), 'mnd_1'], consent: 'crec_1', passport: null },
        asserted: null,
        atMs: scene.atMs,
        deadline: soon(),
      });
      expect(found).toMatchObject({
        presenceEvidence: 'unavailable',
        facts: { source: 'caller_asserted', mandates: [] },
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
    const backdated = await make({ claims: { iat: 1_000, nbf: 1_000 } });
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

describe('resolveArtifacts', () => {
  const registerAll = async (at: TrustScene, variantId: string) => {
    const ids: string[] = [];
    for (const type of REQUIRED_ARTIFACT_TYPES) {
      const signed = signedEnvelope(
        { key: at.keys.facts, scene: at, slot: await at.slot() },
        { type, variantId },
      );
      const row = valueOf(
        await at.rooms.artifacts.register(at.tenant.context(), {
          envelope: signed,
          scope: { merchantIds: null },
        }),
      );
      ids.push(row.artifactId);
    }
    return ids;
  };
  const lines = [{ productId: 'tea', variantId: 'tea-100g' }];

  it('finds the newest of every required type, and what was named in its place', async () => {
    const mine = await trustScene(house);
    const old = await registerAll(mine, 'tea-100g');
    const current = await registerAll(mine, 'tea-100g');
    const found = await resolveArtifacts(mine, { lines });
    expect(found.artifacts.map(({ id }) => id)).toEqual(current);
    expect(
      found.artifacts.map(({ type, verdict, status }) => [type, verdict, status.verdict]),
    ).toEqual(REQUIRED_ARTIFACT_TYPES.map((type) => [type, 'valid', 'valid']));
    expect(found.artifacts[1]).toMatchObject({
      variantId: 'tea-100g',
      unitPrice: { amountMinor: 2_099n, currency: 'INR' },
    });
    const named = await resolveArtifacts(mine, { lines, named: [old[1]] });
    expect(named.artifacts[0]?.id).toBe(old[1]);
    expect(named.artifacts.filter(({ type }) => type === 'price')).toHaveLength(1);
    const two = await resolveArtifacts(mine, {
      lines: [...lines, { productId: 'tea', variantId: 'tea-200g' }],
    });
    expect(two.artifacts).toHaveLength(5);
  });

  it.each(ARTIFACT_TYPES)('reads an inline %s', async (type) => {
    const found = await resolveArtifacts(scene, { named: [await envelope({ type })] });
    expect(found.artifacts).toMatchObject([
      { type, verdict: 'valid', status: { verdict: 'valid' } },
    ]);
    expect(found.sideWrites).toHaveLength(1);
  });

  const stranger = makeKey('ES256');
  it.each<[string, () => Promise<unknown>, string]>([
    ['an unknown id', () => Promise.resolve('art_unknown'), 'artifact_missing_or_invalid'],
    ['no object', () => Promise.resolve(7), 'artifact_missing_or_invalid'],
    [
      'a missing member',
      () => envelope({ tamper: { safety: undefined } }),
      'artifact_missing_or_invalid',
    ],
    [
      'another tenant',
      () => envelope({ envelope: { tenant_id: 'tnt_other' } }),
      'artifact_scope_mismatch',
    ],
    [
      'another merchant',
      () => envelope({ envelope: { merchant_id: 'shop-2' } }),
      'artifact_scope_mismatch',
    ],
    [
      'another agent',
      () => envelope({ envelope: { buyer_agent_id: 'agt_2' } }),
      'artifact_scope_mismatch',
    ],
    [
      'an unknown key',
      () => envelope({ envelope: { issuer_key_id: 'k' } }),
      'issuer_key_untrusted',
    ],
    [
      'a key of another role',
      () => envelope({ envelope: { issuer_key_id: scene.keys.passports.kid } }),
      'issuer_key_untrusted',
    ],
    [
      'no signature',
      () => envelope({ tamper: { signature: undefined } }),
      'signature_missing_or_placeholder',
    ],
    [
      'a placeholder',
      () => envelope({ tamper: { signature: 'placeholder' } }),
      'signature_missing_or_placeholder',
    ],
    ['alg none', () => envelope({ header: { alg: 'none' } }), 'signature_algorithm_unsupported'],
    [
      'a jku header',
      () => envelope({ header: { jku: 'https://evil.example' } }),
      'detached_jws_verification_failed',
    ],
    [
      'another kid in the header',
      () => envelope({ header: { kid: 'other' } }),
      'detached_jws_verification_failed',
    ],
    [
      'a really wrong key',
      async () =>
        signedEnvelope({
          key: { ...stranger, kid: scene.keys.facts.kid },
          scene,
          slot: await scene.slot(),
        }),
      'detached_jws_verification_failed',
    ],
    [
      'a changed payload',
      async () => {
        const good = await envelope();
        return { ...good, payload: { ...(good['payload'] as object), amount_minor_units: 1 } };
      },
      'payload_hash_mismatch',
    ],
  ])('calls %s by its verdict', async (_name, named, verdict) => {
    const found = await resolveArtifacts(scene, { named: [await named()] });
    expect(found.artifacts.map((one) => one.verdict)).toEqual([verdict]);
  });

  it('tells a key that was retired before the issue from one that was retired after', async () => {
    const mine = await trustScene(house);
    const make = async () =>
      signedEnvelope({ key: mine.keys.facts, scene: mine, slot: await mine.slot() });
    const key = (await mine.rooms.issuerKeys.list(mine.tenantId)).find(
      ({ role }) => role === 'fact_issuer',
    );
    if (key === undefined) throw new Error('the scene has this key');
    const retire = (atMs: number) =>
      mine.rooms.issuerKeys.retire(mine.tenant.context(), { issuerKeyId: key.id, atMs });
    valueOf(await retire(mine.atMs));
    const { artifacts } = await resolveArtifacts(mine, { named: [await make()] });
    expect(artifacts).toMatchObject([{ verdict: 'issuer_key_inactive' }]);
  });

  it.each(['never', 'broken'] as const)(
    'answers with data when the database is %s there',
    async (kind) => {
      const resolver = new StoredArtifactResolver(resolverOn(kind === 'never' ? never : broken));
      const found = await resolver.resolveArtifacts({
        tenantId: scene.tenantId,
        merchantId: scene.merchantId,
        agentId: scene.agentId,
        lines,
        named: ['art_1', await envelope()],
        atMs: scene.atMs,
        deadline: soon(),
      });
      expect(found.artifacts.map(({ verdict, status }) => [verdict, status.verdict])).toEqual([
        ['artifact_missing_or_invalid', 'unavailable'],
        ['artifact_missing_or_invalid', 'unavailable'],
      ]);
    },
  );
});
