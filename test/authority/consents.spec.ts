import { describe, expect, it } from 'vitest';
import { parseConsentClaims, parseToken } from '../../src/core/proofs/index.js';
import {
  at,
  consentTerms,
  fieldsOf,
  ledgerText,
  makeBuyer,
  openCounter,
  T0_MS,
  type Terms,
} from './counter.js';
import { openDesk } from './desk.js';
import { drawnId, sha256, valueAt, verified } from './forest.js';

const desk = await openDesk();

describe('registering a consent', () => {
  it('signs it under a key of the purpose consent, readable by who relies on it', async () => {
    const counter = await openCounter(desk);
    const { consent_id: id, token, slot } = await counter.issued('consents', consentTerms());
    const claims = await verified(desk, token, 'consent');
    expect(parseToken(token, ['consent+jwt'])).toMatchObject({ ok: true });
    expect(parseConsentClaims(claims)).toEqual({
      ok: true,
      value: {
        id,
        issuer: desk.origin,
        subject: 'buyer@example.org',
        audiences: ['grantex-commerce'],
        tenantId: counter.tenantId,
        agentId: 'agt_1',
        issuedAtMs: T0_MS,
        notBeforeAtMs: T0_MS,
        expiresAtMs: T0_MS + 86_400_000,
        status: { uri: slot.uri, index: slot.idx },
        merchantId: 'shop-1',
        state: 'granted',
        scopes: ['commerce:catalog.read', 'commerce:checkout.create'],
      },
    });
    expect(await valueAt(desk, slot)).toBe(0);
    expect(await counter.read('consents', id)).toMatchObject({
      status: 200,
      body: {
        consent_id: id,
        state: 'granted',
        merchant_id: 'shop-1',
        max_amount: null,
        buyer_can_withdraw: false,
        issued_at: at(0),
        expires_at: at(86_400),
        sha256: sha256(token),
        revocation_id: null,
        slot,
        token,
      },
    });
    expect(await counter.differences()).toEqual([]);
  });

  it('keeps the name of the buyer out of every entry and row, and the key that withdraws', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer();
    const terms = consentTerms({
      buyer_jwk: { ...buyer.jwk, kid: 'k' },
      max_amount: { amount: '7', currency: 'INR' },
    });
    const { consent_id: id } = await counter.issued('consents', terms);
    const text = await ledgerText(desk, counter.tenantId);
    expect(text).not.toContain('buyer@example.org');
    expect(text).not.toContain(sha256('buyer@example.org'));
    expect((await counter.read('consents', id)).body).toMatchObject({
      buyer_can_withdraw: true,
      max_amount: { amount: '7', currency: 'INR' },
    });
    const { rows } = await desk.pool.query(
      'SELECT erasable, buyer_commitment FROM documents WHERE tenant_id = $1',
      [counter.tenantId],
    );
    expect(rows).toEqual([
      { erasable: true, buyer_commitment: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('names the same buyer by the same commitment, and by another one in another tenant', async () => {
    const [one, two] = [await openCounter(desk), await openCounter(desk)];
    const commitments = async ({ tenantId }: typeof one) => {
      const { rows } = await desk.pool.query<{ buyer_commitment: string }>(
        'SELECT DISTINCT buyer_commitment FROM documents WHERE tenant_id = $1',
        [tenantId],
      );
      return rows.map(({ buyer_commitment: commitment }) => commitment);
    };
    await Promise.all([one, one, one, two].map((at) => at.issued('consents', consentTerms())));
    const [ofOne, ofTwo] = [await commitments(one), await commitments(two)];
    expect([ofOne.length, ofTwo.length]).toEqual([1, 1]);
    expect(ofOne).not.toEqual(ofTwo);
  });

  it.each([
    ['granted', {}, 'granted'],
    ['denied', { state: 'denied' }, 'denied'],
  ])('of a buyer who answered %s', async (_name, terms, state) => {
    const counter = await openCounter(desk);
    const { consent_id: id, token } = await counter.issued('consents', consentTerms(terms));
    expect((await verified(desk, token, 'consent'))['state']).toBe(state);
    expect((await counter.read('consents', id)).body.state).toBe(state);
  });

  it('ends to the millisecond, and what was revoked stays revoked after its end', async () => {
    const counter = await openCounter(desk);
    const state = async (id: string) => (await counter.read('consents', id)).body.state as string;
    const until = (terms: Terms = {}) =>
      counter.issued('consents', consentTerms({ expires_at: at(60), ...terms }));
    const [kept, taken, denied] = [await until(), await until(), await until({ state: 'denied' })];
    await counter.revoke('consent', taken.consent_id);
    await counter.clock(at(59.999));
    expect(await state(kept.consent_id)).toBe('granted');
    await counter.clock(at(60));
    expect(await state(kept.consent_id)).toBe('expired');
    expect(await state(taken.consent_id)).toBe('revoked');
    expect(await state(denied.consent_id)).toBe('denied');
  });

  it('is suspended and restored by its list', async () => {
    const counter = await openCounter(desk);
    const { consent_id: id } = await counter.issued('consents', consentTerms());
    await counter.revoke('consent', id, 'suspended');
    expect((await counter.read('consents', id)).body).toMatchObject({
      state: 'suspended',
      revocation_id: expect.stringMatching(/^rev_/),
    });
    await counter.revoke('consent', id, 'valid');
    expect((await counter.read('consents', id)).body.state).toBe('granted');
  });

  it('never lasts longer than was asked for: a fraction of a second is cut', async () => {
    const counter = await openCounter(desk);
    const answer = await counter.issued('consents', consentTerms({ expires_at: at(1.999) }));
    expect((await verified(desk, answer.token, 'consent'))['exp']).toBe(T0_MS / 1_000 + 1);
    expect((await counter.read('consents', answer.consent_id)).body.expires_at).toBe(at(1));
  });
});

describe('a repeat', () => {
  it('under a chosen id with the same terms answers with the first token, at once and in a row', async () => {
    const counter = await openCounter(desk);
    const terms = consentTerms({ consent_id: 'con-chosen' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => counter.issue('consents', terms)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const count = await counter.entries();
    expect((await counter.issue('consents', terms)).text).toBe(answers[0]?.text);
    expect(await counter.entries()).toBe(count);
    await counter.clock(at(86_400));
    expect((await counter.issue('consents', terms)).text).toBe(answers[0]?.text);
    expect(await counter.differences()).toEqual([]);
  });

  it.each<[string, Terms]>([
    ['merchant', { merchant_id: 'shop-2' }],
    ['agent', { agent_id: 'agt_2' }],
    ['buyer', { subject: 'somebody' }],
    ['scopes', { scopes: [] }],
    ['answer', { state: 'denied' }],
    ['end', { expires_at: at(86_399) }],
    ['amount', { max_amount: { amount: '1', currency: 'INR' } }],
  ])('under a chosen id with another %s is refused and changes nothing', async (_name, terms) => {
    const counter = await openCounter(desk);
    await counter.issued('consents', consentTerms({ consent_id: 'con-1' }));
    const count = await counter.entries();
    expect(
      await counter.issue('consents', consentTerms({ consent_id: 'con-1', ...terms })),
    ).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: '/consent_id' },
    });
    expect(await counter.entries()).toBe(count);
  });

  it('under an idempotency key answers with the first one; another request under it does not', async () => {
    const counter = await openCounter(desk);
    const first = await counter.keyed('consents', consentTerms(), 'k1');
    expect(first.status).toBe(201);
    expect((await counter.keyed('consents', consentTerms(), 'k1')).text).toBe(first.text);
    expect((await counter.keyed('consents', consentTerms(), 'k2')).body.consent_id).not.toBe(
      first.body.consent_id,
    );
    expect(await counter.keyed('consents', consentTerms({ state: 'denied' }), 'k1')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
  });
});

describe('bad input', () => {
  it.each<[string, Terms, string]>([
    ['an end at this very instant', { expires_at: at(0) }, '/expires_at'],
    ['an end before the next second', { expires_at: at(0.999) }, '/expires_at'],
    ['an end in 1970', { expires_at: '1970-01-01T00:00:00Z' }, '/expires_at'],
    ['an end in eleven years', { expires_at: '2037-06-01T00:00:00Z' }, '/expires_at'],
    ['an end without offset', { expires_at: '2026-03-01T00:00:00' }, '/expires_at'],
    ['an unknown state', { state: 'withdrawn' }, '/state'],
    ['a scope twice', { scopes: ['a', 'a'] }, '/scopes'],
    ['a scope with a space', { scopes: ['a b'] }, '/scopes/0'],
    ['65 scopes', { scopes: Array.from({ length: 65 }, (_, one) => `s${one}`) }, '/scopes'],
    ['no buyer', { subject: '' }, '/subject'],
    ['a buyer of 513 characters', { subject: 'x'.repeat(513) }, '/subject'],
    ['a NUL', { subject: 'a\0b' }, '/subject'],
    ['an id with a space', { consent_id: 'a b' }, '/consent_id'],
    ['a negative amount', { max_amount: { amount: '-1', currency: 'INR' } }, '/max_amount/amount'],
    [
      'a private key',
      { buyer_jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'AA' } },
      '/buyer_jwk',
    ],
    ['an RSA key', { buyer_jwk: { kty: 'RSA', n: 'AA', e: 'AQAB' } }, '/buyer_jwk'],
    ['a member nobody knows', { expires: at(1) }, '/expires'],
  ])('%s is refused and changes nothing', async (_name, terms, field) => {
    const counter = await openCounter(desk);
    const count = await counter.entries();
    const refused = await counter.issue('consents', consentTerms(terms));
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toContain(field);
    expect(await counter.entries()).toBe(count);
  });

  it('keeps others out: no token, another service, another tenant, an unknown id', async () => {
    const counter = await openCounter(desk);
    const { consent_id: id } = await counter.issued('consents', consentTerms());
    const path = `${counter.path}/consents`;
    const count = await counter.entries();
    expect((await desk.call('POST', path, consentTerms(), null)).status).toBe(401);
    expect((await desk.call('POST', path, consentTerms(), 'stranger')).status).toBe(404);
    expect((await desk.call('GET', `${path}/${id}`, undefined, 'stranger')).status).toBe(404);
    expect((await counter.read('consents', drawnId('con'))).status).toBe(404);
    const elsewhere = await openCounter(desk);
    expect((await elsewhere.read('consents', id)).status).toBe(404);
    expect(await counter.entries()).toBe(count);
  });
});
