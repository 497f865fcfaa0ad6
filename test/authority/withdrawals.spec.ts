import { describe, expect, it } from 'vitest';
import {
  type Buyer,
  consentTerms,
  type Counter,
  ledgerText,
  makeBuyer,
  openCounter,
  passportTerms,
  type Terms,
  withdrawalClaims,
} from './counter.js';
import { openDesk } from './desk.js';
import { drawnId, sha256, valueAt, verified } from './forest.js';

const desk = await openDesk();

const withdraw = (counter: Pick<Counter, 'tenantId'>, consentId: string, proof: unknown) =>
  desk.call('POST', `/consents/${counter.tenantId}/${consentId}/withdrawals`, { proof }, null);

/** A consent with its buyer, and what a withdrawal of it says. */
async function consented(counter: Counter, buyer: Buyer | null, terms: Terms = {}) {
  const made = await counter.issued(
    'consents',
    consentTerms({ ...(buyer === null ? {} : { buyer_jwk: buyer.jwk }), ...terms }),
  );
  const consentId: string = made.consent_id;
  return { consentId, slot: made.slot, claims: withdrawalClaims(desk, counter, consentId) };
}

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a buyer who takes a consent back', () => {
  it.each(['ES256', 'EdDSA'] as const)('with a proof of an %s key needs nobody', async (alg) => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer(alg);
    const { consentId, slot, claims } = await consented(counter, buyer);
    const passport = await counter.issued('passports', passportTerms(consentId));
    const proof = await buyer.proof(claims);
    const answer = await withdraw(counter, consentId, proof);
    expect(answer.status).toBe(200);
    expect(answer.body.lists).toEqual([{ uri: slot.uri, version: expect.any(Number) }]);
    const [direct, cascade] = await Promise.all(
      (answer.body.revocations as string[]).map((jws) => verified(desk, jws, 'revocation')),
    );
    expect(direct).toMatchObject({
      iss: desk.origin,
      tenant_id: counter.tenantId,
      subject_kind: 'consent',
      subject_id: consentId,
      status: 'revoked',
      reason_code: 'consent_withdrawn',
      revoked_by: 'buyer',
      cause: 'direct',
    });
    expect(cascade).toMatchObject({
      subject_kind: 'passport',
      subject_id: passport.passport_id,
      cause: 'cascade',
      root_subject_id: consentId,
      root_revocation_id: direct?.['jti'],
    });
    expect(await valueAt(desk, slot)).toBe(1);
    expect(await valueAt(desk, passport.slot)).toBe(1);
    expect((await counter.read('consents', consentId)).body.state).toBe('revoked');
    expect((await counter.read('passports', passport.passport_id)).body.state).toBe('revoked');
    const text = await ledgerText(desk, counter.tenantId);
    expect(text).not.toContain('buyer@example.org');
    expect(text).toContain(sha256(proof));
    expect(await counter.differences()).toEqual([]);
  });

  it('is answered the same again, by the same proof and by another one', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, claims } = await consented(counter, buyer);
    const proof = await buyer.proof(claims);
    const first = await withdraw(counter, consentId, proof);
    const count = await counter.entries();
    expect((await withdraw(counter, consentId, proof)).text).toBe(first.text);
    const another = await buyer.proof({ ...claims, jti: drawnId('proof') });
    expect((await withdraw(counter, consentId, another)).text).toBe(first.text);
    expect(await counter.entries()).toBe(count);
  });

  it('finds the record that stands when a merchant was first', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, claims } = await consented(counter, buyer);
    const revoked = await counter.revoke('consent', consentId);
    const answer = await withdraw(counter, consentId, await buyer.proof(claims));
    expect(answer.body).toEqual(revoked.body);
  });

  it('takes back what was denied, suspended or has ended too: INVALID is final', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    for (const prepare of ['denied', 'suspended', 'ended']) {
      const terms = prepare === 'denied' ? { state: 'denied' } : {};
      const { consentId, claims } = await consented(counter, buyer, terms);
      if (prepare === 'suspended') await counter.revoke('consent', consentId, 'suspended');
      if (prepare === 'ended') await counter.clock('2027-01-01T00:00:00Z');
      expect((await withdraw(counter, consentId, await buyer.proof(claims))).status).toBe(200);
      expect((await counter.read('consents', consentId)).body.state).toBe('revoked');
      const restored = await counter.revoke('consent', consentId, 'valid');
      expect(restored.status).toBe(409);
    }
  });
});

describe('at once', () => {
  it('one proof from everywhere makes one change', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, claims } = await consented(counter, buyer);
    const before = await counter.entries();
    const proof = await buyer.proof(claims);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withdraw(counter, consentId, proof)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await counter.entries()).toBe(before + 2);
    expect(await counter.differences()).toEqual([]);
  });

  it('of different proofs under one jti one counts, and stays the only one', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, claims } = await consented(counter, buyer);
    const proofs = await Promise.all(
      [0, 1, 2, 3, 4].map((ago) => buyer.proof({ ...claims, iat: Number(claims['iat']) - ago })),
    );
    const answers = await Promise.all(proofs.map((proof) => withdraw(counter, consentId, proof)));
    const statuses = answers.map(({ status }) => status).sort((left, right) => left - right);
    expect(statuses).toEqual([200, 422, 422, 422, 422]);
    const again = await Promise.all(proofs.map((proof) => withdraw(counter, consentId, proof)));
    expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
  });

  it('a jti of one consent is free for another one', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const [one, two] = [await consented(counter, buyer), await consented(counter, buyer)];
    for (const { consentId, claims } of [one, two]) {
      const proof = await buyer.proof({ ...claims, jti: 'the-same' });
      expect((await withdraw(counter, consentId, proof)).status).toBe(200);
    }
  });
});

describe('a proof that is not good changes nothing', () => {
  const refused = async (
    edit: (draft: { claims: Terms; counter: Counter; buyer: Buyer }) => Promise<unknown>,
    status = 422,
  ) => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, slot, claims } = await consented(counter, buyer);
    const count = await counter.entries();
    const answer = await withdraw(counter, consentId, await edit({ claims, counter, buyer }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await counter.entries()).toBe(count);
    expect(await valueAt(desk, slot)).toBe(0);
    expect((await counter.read('consents', consentId)).body.state).toBe('granted');
    return answer;
  };
  const unverifiable = { code: 'unverifiable', field: '/proof' };

  it.each<[string, (claims: Terms) => Terms]>([
    ['of another buyer', (claims) => ({ ...claims, iss: 'somebody@example.org' })],
    ['for another authority', (claims) => ({ ...claims, aud: 'https://other.example' })],
    ['about another consent', (claims) => ({ ...claims, consent_id: 'con_other' })],
    ['for another tenant', (claims) => ({ ...claims, tenant_id: 'tnt_other' })],
    ['301 s old', (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1_000) - 302 })],
    ['301 s ahead', (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1_000) + 302 })],
    ['without jti', (claims) => ({ ...claims, jti: undefined })],
    ['with a claim nobody knows', (claims) => ({ ...claims, scope: 'all' })],
  ])('%s', async (_name, edit) => {
    const answer = await refused(({ claims, buyer }) => buyer.proof(edit(claims)));
    expect(answer.body).toMatchObject(unverifiable);
  });

  it('of the key of another buyer, also when it comes along in the header', async () => {
    const other = await makeBuyer();
    expect((await refused(({ claims }) => other.proof(claims))).body).toMatchObject(unverifiable);
    for (const header of [{ jwk: other.jwk }, { jku: 'https://attacker.example/jwks.json' }])
      expect((await refused(({ claims }) => other.proof(claims, header))).body).toMatchObject(
        unverifiable,
      );
  });

  it('of another typ', async () => {
    for (const typ of ['jwt', 'consent+jwt', 'kb+jwt'])
      expect(
        (await refused(({ claims, buyer }) => buyer.proof(claims, { typ }))).body,
      ).toMatchObject(unverifiable);
  });

  it('that nobody signed', async () => {
    for (const alg of ['none', 'None', 'HS256']) {
      const header = encoded({ alg, typ: 'consent-withdrawal+jwt' });
      const answer = await refused(({ claims }) =>
        Promise.resolve(`${header}.${encoded(claims)}.`),
      );
      expect(answer.body).toMatchObject(unverifiable);
    }
    const [header, payload] = (await (await makeBuyer()).proof({})).split('.');
    for (const proof of ['a.b.c', '...', `${header}.${payload}`, 'x'.repeat(16_384)])
      await refused(() => Promise.resolve(proof));
  });

  it('that is none at all', async () => {
    for (const proof of ['', 1, null, {}, 'x'.repeat(16_385)])
      await refused(() => Promise.resolve(proof), 400);
    await refused(() => Promise.resolve('x'.repeat(5_000_000)), 413);
  });

  it('because the consent has no buyer key', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { consentId, claims } = await consented(counter, null);
    const answer = await withdraw(counter, consentId, await buyer.proof(claims));
    expect(answer).toMatchObject({ status: 422, body: unverifiable });
    expect(answer.body.detail).toContain('without a buyer key');
  });

  it('because there is no such consent or tenant', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const { claims } = await consented(counter, buyer);
    const proof = await buyer.proof(claims);
    const [one, two] = [
      await withdraw(counter, 'con_nobody', proof),
      await withdraw({ tenantId: 'tnt_nobody' }, 'con_nobody', proof),
    ];
    expect([one.status, two.status]).toEqual([404, 404]);
    expect(one.body.detail).toBe(two.body.detail);
    expect((await withdraw({ tenantId: 'tnt_authority' }, 'con_x', proof)).status).toBe(404);
  });
});
