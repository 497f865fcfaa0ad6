import { describe, expect, it } from 'vitest';
import { parsePassportClaims, parseToken, passportLifeFault } from '../../src/core/proofs/index.js';
import {
  at,
  consentTerms,
  fieldsOf,
  type Counter,
  ledgerText,
  openCounter,
  passportTerms,
  T0_MS,
  type Terms,
} from './counter.js';
import { openDesk } from './desk.js';
import { claimsOf, headerOf, valueAt, verified } from './forest.js';

const desk = await openDesk();

const granted = async (counter: Counter, terms: Terms = {}): Promise<string> =>
  (await counter.issued('consents', consentTerms(terms))).consent_id;

describe('issuing a passport', () => {
  it('signs it with the claims of a commerce passport, under a key of that name', async () => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter);
    const {
      passport_id: id,
      token,
      slot,
    } = await counter.issued('passports', passportTerms(consentId));
    expect(headerOf(token)).toEqual({
      alg: 'ES256',
      typ: 'passport+jwt',
      kid: expect.stringMatching(/^commerce-passport-\d{8}-[0-9a-z]{8}$/),
    });
    expect(parseToken(token, ['passport+jwt'])).toMatchObject({ ok: true });
    const claims = await verified(desk, token, 'passport');
    expect(claims).toMatchObject({
      aud: 'grantex-commerce',
      env: 'test',
      ver: '1',
      max_amount: 5_000,
    });
    const parsed = parsePassportClaims(claims);
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        id,
        issuer: desk.origin,
        subject: 'buyer@example.org',
        agentId: 'agt_1',
        merchantId: 'shop-1',
        consentId,
        passportType: 'checkout',
        scopes: ['commerce:checkout.create'],
        capMinor: 5_000n,
        currency: 'INR',
        world: 'test',
        issuedAtMs: T0_MS,
        notBeforeAtMs: T0_MS,
        expiresAtMs: T0_MS + 600_000,
        status: { uri: slot.uri, index: slot.idx },
      },
    });
    expect(parsed.ok && passportLifeFault(parsed.value)).toBe(null);
    expect(await counter.read('passports', id)).toMatchObject({
      status: 200,
      body: {
        passport_id: id,
        state: 'valid',
        passport_type: 'checkout',
        consent_id: consentId,
        merchant_id: 'shop-1',
        agent_id: 'agt_1',
        max_amount: { amount: '5000', currency: 'INR' },
        expires_at: at(600),
        token,
        slot,
      },
    });
    expect(await ledgerText(desk, counter.tenantId)).not.toContain('buyer@example.org');
    expect(await counter.differences()).toEqual([]);
  });

  it.each([
    ['browse', null, 3_600],
    ['browse', 3_600, 3_600],
    ['checkout', null, 600],
    ['checkout', 1, 1],
  ])('of type %s for %s s lives %i s', async (type, life, seconds) => {
    const counter = await openCounter(desk);
    const terms = passportTerms(await granted(counter), {
      passport_type: type,
      life_seconds: life,
    });
    const { passport_id: id, token } = await counter.issued('passports', terms);
    const { iat, exp } = claimsOf(token) as { iat: number; exp: number };
    expect(exp - iat).toBe(seconds);
    await counter.clock(at(seconds - 0.001));
    expect((await counter.read('passports', id)).body.state).toBe('valid');
    await counter.clock(at(seconds));
    expect((await counter.read('passports', id)).body.state).toBe('expired');
  });

  it('without a life asked for ends with its consent at the latest', async () => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter, { expires_at: at(30) });
    const { token } = await counter.issued('passports', passportTerms(consentId));
    expect(claimsOf(token)['exp']).toBe(T0_MS / 1_000 + 30);
  });

  it('of a live tenant says live', async () => {
    const tenantId = await desk.tenant('live');
    const path = `/v1/tenants/${tenantId}`;
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const consent = await desk.call('POST', `${path}/consents`, consentTerms({ expires_at: soon }));
    const passport = await desk.call(
      'POST',
      `${path}/passports`,
      passportTerms(consent.body.consent_id),
    );
    expect(claimsOf(passport.body.token)['env']).toBe('live');
  });
});

describe('a passport beyond its consent', () => {
  const bounded = { max_amount: { amount: '5000', currency: 'INR' }, expires_at: at(300) };

  it.each<[string, Terms, number, string]>([
    ['a scope more', { scopes: ['commerce:payment.initiate'] }, 422, '/scopes'],
    [
      'one minor unit more',
      { max_amount: { amount: '5001', currency: 'INR' } },
      422,
      '/max_amount/amount',
    ],
    [
      'another currency',
      { max_amount: { amount: '1', currency: 'USD' } },
      422,
      '/max_amount/currency',
    ],
    ['no amount', { max_amount: null }, 422, '/max_amount'],
    ['a second more than its consent', { life_seconds: 301 }, 422, '/life_seconds'],
    ['a second more than its type', { life_seconds: 601 }, 422, '/life_seconds'],
    [
      'a second more than any type',
      { passport_type: 'browse', life_seconds: 3_601 },
      400,
      '/life_seconds',
    ],
    ['no life', { life_seconds: 0 }, 400, '/life_seconds'],
    [
      'an amount that is no safe number',
      { max_amount: { amount: '9007199254740992', currency: 'INR' } },
      400,
      '/max_amount',
    ],
    ['a type nobody knows', { passport_type: 'payout' }, 400, '/passport_type'],
    ['a consent nobody knows', { consent_id: 'con_nobody' }, 404, '/consent_id'],
  ])('%s is refused and takes nothing', async (_name, terms, status, field) => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter, bounded);
    const count = await counter.entries();
    const refused = await counter.issue('passports', passportTerms(consentId, terms));
    expect(refused.status).toBe(status);
    expect(fieldsOf(refused)).toContain(field);
    expect(await counter.entries()).toBe(count);
    expect((await counter.issue('passports', passportTerms(consentId))).status).toBe(201);
  });

  it('equal is within', async () => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter, bounded);
    const terms = passportTerms(consentId, { life_seconds: 300 });
    expect((await counter.issue('passports', terms)).status).toBe(201);
  });
});

describe('a consent that carries no passport', () => {
  const refuse = async (counter: Counter, consentId: string) => {
    const count = await counter.entries();
    const refused = await counter.issue('passports', passportTerms(consentId));
    expect(refused).toMatchObject({ status: 409, body: { field: '/consent_id' } });
    expect(await counter.entries()).toBe(count);
    return String(refused.body.detail);
  };

  it('because it is denied, suspended or revoked', async () => {
    const counter = await openCounter(desk);
    expect(await refuse(counter, await granted(counter, { state: 'denied' }))).toContain('denied');
    const held = await granted(counter);
    await counter.revoke('consent', held, 'suspended');
    expect(await refuse(counter, held)).toContain('suspended');
    await counter.revoke('consent', held, 'revoked');
    expect(await refuse(counter, held)).toContain('revoked');
  });

  it('because it has ended, at the very millisecond', async () => {
    const counter = await openCounter(desk);
    const [first, second] = [
      await granted(counter, { expires_at: at(60) }),
      await granted(counter, { expires_at: at(60) }),
    ];
    await counter.clock(at(59.999));
    const last = await counter.issued('passports', passportTerms(first));
    expect(claimsOf(last.token)).toMatchObject({
      iat: T0_MS / 1_000 + 59,
      exp: T0_MS / 1_000 + 60,
    });
    await counter.clock(at(60));
    expect(await refuse(counter, second)).toContain('expired');
  });

  it('because it carried one: even revoked or ended it is the only one', async () => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter);
    const { passport_id: id } = await counter.issued('passports', passportTerms(consentId));
    expect(await refuse(counter, consentId)).toContain('passport already');
    await counter.revoke('passport', id);
    expect((await counter.read('passports', id)).body.state).toBe('revoked');
    expect((await counter.read('consents', consentId)).body.state).toBe('granted');
    expect(await refuse(counter, consentId)).toContain('passport already');
  });
});

describe('at once', () => {
  it('of many passports of one consent one is issued', async () => {
    const counter = await openCounter(desk);
    const consentId = await granted(counter);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => counter.issue('passports', passportTerms(consentId))),
    );
    const statuses = answers.map(({ status }) => status).sort((left, right) => left - right);
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await counter.differences()).toEqual([]);
  });

  it('under one idempotency key all are the same one, also after the passport is there', async () => {
    const counter = await openCounter(desk);
    const terms = passportTerms(await granted(counter));
    const first = await counter.keyed('passports', terms, 'key');
    expect(first.status).toBe(201);
    const again = await counter.keyed('passports', terms, 'key');
    expect(again.text).toBe(first.text);
    await counter.clock(at(7_200));
    expect((await counter.keyed('passports', terms, 'key')).text).toBe(first.text);
  });

  it('with a withdrawal of its consent it is refused or falls', async () => {
    const counter = await openCounter(desk);
    let born = 0;
    for (let round = 0; round < 24; round += 1) {
      const consentId = await granted(counter);
      const passport = counter.issue('passports', passportTerms(consentId));
      // The revoke begins a few round trips later each time, from before the look to after the end.
      for (let trip = 0; trip < round / 2; trip += 1)
        await desk.call('GET', '/.well-known/arbiter-authority', undefined, null);
      const revoked = await counter.revoke('consent', consentId);
      const answer = await passport;
      expect(revoked.status).toBe(200);
      expect([201, 409]).toContain(answer.status);
      expect(revoked.body.revocations).toHaveLength(answer.status === 201 ? 2 : 1);
      if (answer.status !== 201) continue;
      born += 1;
      expect(await valueAt(desk, answer.body.slot)).toBe(1);
    }
    console.log(`${born} of 24 passports were born before the revoke`);
    expect(await counter.differences()).toEqual([]);
  });
});
