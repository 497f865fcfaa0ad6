import { describe, expect, it } from 'vitest';
import { parseMandateClaims, parseRegistration, parseToken } from '../../src/core/proofs/index.js';
import {
  at,
  type Counter,
  fieldsOf,
  type Issued,
  ledgerText,
  makeBuyer,
  mandateTerms,
  openCounter,
  T0_MS,
  type Terms,
} from './counter.js';
import { openDesk } from './desk.js';
import { bind, claimsOf, drawnId, mandate, sha256, valueAt, verified } from './forest.js';

const desk = await openDesk();
const HASH = sha256('a cart');

const cart = (parentId: string | null, terms: Terms = {}) =>
  mandateTerms({ kind: 'cart', cart_hash: HASH, parent_id: parentId, ...terms });
const child = (parentId: string, terms: Terms = {}) =>
  mandateTerms({ parent_id: parentId, ...terms });

describe('issuing a mandate', () => {
  it('signs it under a key of the purpose credential, readable by who relies on it', async () => {
    const counter = await openCounter(desk);
    const buyer = await makeBuyer('EdDSA');
    const root = await counter.issued('mandates', mandateTerms({ merchant_ids: ['*'] }));
    const middle = await counter.issued('mandates', cart(root.mandate_id));
    const terms = cart(middle.mandate_id, {
      kind: 'payment',
      not_before: at(10),
      payment: { rail: 'upi_autopay', umn: 'umn@bank', mcc: '5411' },
      buyer_jwk: buyer.jwk,
    });
    const { mandate_id: id, token, slot } = await counter.issued('mandates', terms);
    expect(parseToken(token, ['mandate+jwt'])).toMatchObject({ ok: true });
    const claims = await verified(desk, token, 'credential');
    expect(parseMandateClaims(claims)).toMatchObject({
      ok: true,
      value: {
        id,
        issuer: desk.origin,
        subject: 'buyer@example.org',
        audiences: ['grantex-commerce'],
        tenantId: counter.tenantId,
        kind: 'payment',
        parentId: middle.mandate_id,
        merchantIds: ['shop-1', 'shop-2'],
        cartHash: HASH,
        cap: { amountMinor: 10_000n, currency: 'INR' },
        issuedAtMs: T0_MS,
        notBeforeAtMs: T0_MS + 10_000,
        expiresAtMs: T0_MS + 86_400_000,
        status: { uri: slot.uri, index: slot.idx },
        payment: { rail: 'upi_autopay', umn: 'umn@bank', mcc: '5411', event: null },
        buyerKey: { alg: 'EdDSA' },
      },
    });
    expect(await counter.read('mandates', id)).toMatchObject({
      status: 200,
      body: {
        mandate_id: id,
        state: 'valid',
        kind: 'payment',
        parent_id: middle.mandate_id,
        root_id: root.mandate_id,
        depth: 3,
        merchant_ids: ['shop-1', 'shop-2'],
        cap: { amount: '10000', currency: 'INR' },
        not_before: at(10),
        token,
        slot,
      },
    });
    expect(await ledgerText(desk, counter.tenantId)).not.toMatch(/buyer@example\.org|umn@bank/);
    expect(await counter.differences()).toEqual([]);
  });

  it('rounds its times inwards', async () => {
    const counter = await openCounter(desk);
    const terms = mandateTerms({ not_before: at(0.001), expires_at: at(9.999) });
    const { token } = await counter.issued('mandates', terms);
    expect(claimsOf(token)).toMatchObject({ nbf: T0_MS / 1_000 + 1, exp: T0_MS / 1_000 + 9 });
  });

  it('repeats under a chosen id with the same terms, and refuses others', async () => {
    const counter = await openCounter(desk);
    const terms = mandateTerms({ mandate_id: 'mnd-1' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => counter.issue('mandates', terms)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const count = await counter.entries();
    const other = { ...terms, cap: { amount: '9999', currency: 'INR' } };
    expect(await counter.issue('mandates', other)).toMatchObject({
      status: 409,
      body: { field: '/mandate_id' },
    });
    const registration = await counter.issued('registrations', {
      ...mandateTerms(),
      sha256: HASH,
    });
    const taken = mandateTerms({ mandate_id: registration.registration_id });
    expect(await counter.issue('mandates', taken)).toMatchObject({
      status: 409,
      body: { field: '/mandate_id' },
    });
    expect(await counter.entries()).toBeGreaterThan(count);
    const keyed = await counter.keyed('mandates', mandateTerms(), 'key');
    expect((await counter.keyed('mandates', mandateTerms(), 'key')).text).toBe(keyed.text);
    expect(await counter.differences()).toEqual([]);
  });
});

describe('a child', () => {
  const parentTerms = cart(null, { not_before: at(60), merchant_ids: ['shop-1', 'shop-2'] });
  const within = (parentId: string): Terms => ({ ...parentTerms, parent_id: parentId });

  it('equal to its parent is within it', async () => {
    const counter = await openCounter(desk);
    const root = await counter.issued('mandates', parentTerms);
    expect((await counter.issue('mandates', within(root.mandate_id))).status).toBe(201);
  });

  it.each<[string, Terms, string]>([
    ['of an earlier kind', { kind: 'intent', cart_hash: null }, '/kind'],
    ['of another buyer', { subject: 'somebody' }, '/subject'],
    ['of another agent', { agent_id: 'agt_2' }, '/agent_id'],
    ['for a merchant more', { merchant_ids: ['shop-1', 'shop-3'] }, '/merchant_ids'],
    ['of another cart', { cart_hash: sha256('another cart') }, '/cart_hash'],
    ['in another currency', { cap: { amount: '1', currency: 'USD' } }, '/cap/currency'],
    ['for one minor unit more', { cap: { amount: '10001', currency: 'INR' } }, '/cap/amount'],
    ['that begins a second earlier', { not_before: at(59) }, '/not_before'],
    ['that begins at once', { not_before: null }, '/not_before'],
    ['that ends a second later', { expires_at: at(86_401) }, '/expires_at'],
    ['of nobody', { parent_id: 'mnd_unknown' }, '/parent_id'],
  ])('%s is refused and changes nothing that is signed', async (_name, terms, field) => {
    const counter = await openCounter(desk);
    const root = await counter.issued('mandates', parentTerms);
    const refused = await counter.issue('mandates', { ...within(root.mandate_id), ...terms });
    expect(refused).toMatchObject({ status: 422, body: { code: 'unverifiable', field } });
    const { rows } = await desk.pool.query('SELECT object_id FROM objects WHERE tenant_id = $1', [
      counter.tenantId,
    ]);
    expect(rows).toEqual([{ object_id: root.mandate_id }]);
    expect(await counter.differences()).toEqual([]);
  });

  it('of a parent that is revoked, suspended or has ended is refused, to the millisecond', async () => {
    const counter = await openCounter(desk);
    const root = await counter.issued('mandates', mandateTerms({ expires_at: at(100) }));
    const one = child(root.mandate_id, { expires_at: at(100) });
    await counter.revoke('mandate', root.mandate_id, 'suspended');
    expect((await counter.issue('mandates', one)).status).toBe(422);
    await counter.revoke('mandate', root.mandate_id, 'valid');
    await counter.clock(at(98.999));
    expect((await counter.issue('mandates', one)).status).toBe(201);
    await counter.clock(at(100));
    const late = await counter.issue('mandates', one);
    expect(late).toMatchObject({ status: 400, body: { field: '/expires_at' } });
    expect((await counter.read('mandates', root.mandate_id)).body.state).toBe('expired');
    await counter.revoke('mandate', root.mandate_id);
    expect((await counter.read('mandates', root.mandate_id)).body.state).toBe('revoked');
  });

  it('of an object that an arbiter bound is measured by it too, and its view is not here', async () => {
    const counter = await openCounter(desk);
    const [slot] = await desk.slots(counter.tenantId, 1);
    if (slot === undefined) throw new Error('one slot was reserved');
    const foreign = mandate(slot, null);
    await bind(desk, counter.tenantId, [foreign]);
    // Commitments of an arbiter are under its own salts: another buyer, for all that anybody can tell.
    expect(await counter.issue('mandates', child(foreign.object_id))).toMatchObject({
      status: 422,
      body: { field: '/subject' },
    });
    expect((await counter.read('mandates', foreign.object_id)).status).toBe(404);
  });

  it('stands at most at level 64', async () => {
    const counter = await openCounter(desk);
    let above: string | null = null;
    for (let level = 1; level <= 64; level += 1) {
      const issued: { mandate_id: string } = await counter.issued(
        'mandates',
        mandateTerms({ parent_id: above }),
      );
      above = issued.mandate_id;
    }
    expect(await counter.issue('mandates', child(above ?? ''))).toMatchObject({
      status: 422,
      body: { field: '/parent_id' },
    });
    expect((await counter.read('mandates', above ?? '')).body.depth).toBe(64);
  });
});

describe('a revoke and children at once', () => {
  /** Issues children of a mandate until one is refused; answers with those that were born. */
  const bear = async (counter: Counter, target: string, first: () => void) => {
    const born: { id: string; slot: { uri: string; idx: number } }[] = [];
    for (let one = 0; one < 40; one += 1) {
      const answer =
        one % 2 === 0
          ? await counter.issue('mandates', child(target))
          : await counter.issue('registrations', {
              ...child(target),
              sha256: sha256(drawnId('bytes')),
            });
      if (answer.status !== 201) {
        expect(answer).toMatchObject({ status: 422, body: { field: '/parent_id' } });
        return born;
      }
      const {
        mandate_id: mandateId,
        registration_id: registrationId,
        slot,
      } = answer.body as Issued;
      born.push({ id: one % 2 === 0 ? mandateId : registrationId, slot });
      first();
    }
    throw new Error('children were born for ever');
  };

  it('leave no child alive: it is refused, or it falls with its parent', async () => {
    const counter = await openCounter(desk);
    for (let round = 0; round < 4; round += 1) {
      const { mandate_id: target } = await counter.issued('mandates', mandateTerms());
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const [revoked, ...lines] = await Promise.all([
        begun.then(() => counter.revoke('mandate', target)),
        ...[1, 2, 3].map(() => bear(counter, target, begin)),
      ]);
      expect(revoked.status).toBe(200);
      const born = lines.flat();
      const fell = (revoked.body.revocations as string[]).map(claimsOf);
      expect(born.length).toBeGreaterThan(0);
      expect(fell.map((claims) => claims['subject_id']).sort()).toEqual(
        [target, ...born.map(({ id }) => id)].sort(),
      );
      for (const claims of fell.slice(1))
        expect(claims).toMatchObject({
          cause: 'cascade',
          root_subject_id: target,
          status: 'revoked',
        });
      for (const { slot } of born) expect(await valueAt(desk, slot)).toBe(1);
    }
    expect(await counter.differences()).toEqual([]);
  });
});

describe('bad input', () => {
  it.each<[string, Terms, string]>([
    ['a kind nobody knows', { kind: 'order' }, '/kind'],
    ['an intent with a cart', { cart_hash: HASH }, '/cart_hash'],
    ['a cart mandate without a cart', { kind: 'cart' }, '/cart_hash'],
    ['a hash in capitals', { kind: 'cart', cart_hash: HASH.toUpperCase() }, '/cart_hash'],
    ['no merchant', { merchant_ids: [] }, '/merchant_ids'],
    ['any merchant beside one', { merchant_ids: ['*', 'shop-1'] }, '/merchant_ids'],
    [
      'any merchant in a cart mandate',
      { kind: 'cart', cart_hash: HASH, merchant_ids: ['*'] },
      '/merchant_ids',
    ],
    [
      '65 merchants',
      { merchant_ids: Array.from({ length: 65 }, (_, one) => `m${one}`) },
      '/merchant_ids',
    ],
    ['payment terms of an intent', { payment: { rail: 'upi' } }, '/payment'],
    ['payment terms without a rail', { kind: 'payment', payment: {} }, '/payment/rail'],
    ['itself as parent', { mandate_id: 'mnd-me', parent_id: 'mnd-me' }, '/parent_id'],
    ['an end before its begin', { not_before: at(10), expires_at: at(10) }, '/expires_at'],
    ['an end at this very instant', { expires_at: at(0) }, '/expires_at'],
    ['a life of eleven years', { expires_at: '2037-06-01T00:00:00Z' }, '/expires_at'],
    [
      'a cap of nineteen digits',
      { cap: { amount: '1'.repeat(19), currency: 'INR' } },
      '/cap/amount',
    ],
    ['a cap as a number', { cap: { amount: 1, currency: 'INR' } }, '/cap/amount'],
    [
      'a key that is none',
      { buyer_jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } },
      '/buyer_jwk',
    ],
  ])('%s is refused and changes nothing', async (_name, terms, field) => {
    const counter = await openCounter(desk);
    const count = await counter.entries();
    const refused = await counter.issue('mandates', mandateTerms(terms));
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toContain(field);
    expect(await counter.entries()).toBe(count);
  });

  it('keeps others out', async () => {
    const counter = await openCounter(desk);
    const { mandate_id: id } = await counter.issued('mandates', mandateTerms());
    const path = `${counter.path}/mandates`;
    expect((await desk.call('POST', path, mandateTerms(), null)).status).toBe(401);
    expect((await desk.call('POST', path, mandateTerms(), 'stranger')).status).toBe(404);
    expect((await desk.call('GET', `${path}/${id}`, undefined, 'stranger')).status).toBe(404);
    const elsewhere = await openCounter(desk);
    expect((await elsewhere.read('mandates', id)).status).toBe(404);
    expect((await elsewhere.issue('mandates', child(id))).status).toBe(422);
  });
});

describe('a registration of foreign bytes', () => {
  const registration = (terms: Terms = {}) => ({
    ...mandateTerms(),
    sha256: sha256(drawnId('object')),
    ...terms,
  });

  it('says whose bytes take which place; no entry names the buyer', async () => {
    const counter = await openCounter(desk);
    const root = await counter.issued('mandates', mandateTerms());
    const terms = registration({ parent_id: root.mandate_id });
    const { registration_id: id, token, slot } = await counter.issued('registrations', terms);
    expect(parseRegistration(token)).toMatchObject({
      ok: true,
      value: { id, sha256: terms.sha256, parentId: root.mandate_id, subject: 'buyer@example.org' },
    });
    expect(await verified(desk, token, 'credential')).toEqual({
      iss: desk.origin,
      sub: 'buyer@example.org',
      agent_id: 'agt_1',
      aud: counter.tenantId,
      jti: id,
      iat: T0_MS / 1_000,
      exp: T0_MS / 1_000 + 86_400,
      tenant_id: counter.tenantId,
      sha256: terms.sha256,
      parent: root.mandate_id,
      status: { status_list: slot },
    });
    expect(await counter.read('registrations', id)).toMatchObject({
      status: 200,
      body: { registration_id: id, state: 'valid', parent_id: root.mandate_id, depth: 2, token },
    });
    expect(await ledgerText(desk, counter.tenantId)).not.toContain('buyer@example.org');
    const under = await counter.issued('mandates', child(id));
    const revoked = await counter.revoke('mandate', root.mandate_id);
    expect(
      (revoked.body.revocations as string[]).map((jws) => claimsOf(jws)['subject_id']),
    ).toEqual([root.mandate_id, id, under.mandate_id]);
    expect((await counter.read('registrations', id)).body.state).toBe('revoked');
    expect(await counter.differences()).toEqual([]);
  });

  it('takes one place: the same again is the same, other terms are refused, revoked is for ever', async () => {
    const counter = await openCounter(desk);
    const terms = registration();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => counter.issue('registrations', terms)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { registration_id: id } = answers[0]?.body ?? {};
    const count = await counter.entries();
    expect(await counter.issue('registrations', { ...terms, agent_id: 'agt_2' })).toMatchObject({
      status: 409,
      body: { field: '/sha256' },
    });
    expect(await counter.entries()).toBe(count);
    await counter.revoke('registration', id);
    expect((await counter.issue('registrations', terms)).body.registration_id).toBe(id);
    expect((await counter.read('registrations', id)).body.state).toBe('revoked');
  });

  it.each<[string, Terms, number, string]>([
    ['no digest', { sha256: 'x' }, 400, '/sha256'],
    ['a cart without its hash', { kind: 'cart' }, 400, '/cart_hash'],
    ['a parent nobody knows', { parent_id: 'reg_x' }, 422, '/parent_id'],
    ['payment terms', { payment: { rail: 'upi' } }, 400, '/payment'],
  ])('with %s is refused', async (_name, terms, status, field) => {
    const counter = await openCounter(desk);
    const refused = await counter.issue('registrations', registration(terms));
    expect(refused.status).toBe(status);
    expect(fieldsOf(refused)).toContain(field);
  });
});
