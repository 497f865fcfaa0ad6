import { describe, expect, it } from 'vitest';
import {
  countersignatureFault,
  parseCountersignatureClaims,
  parseToken,
} from '../../src/core/proofs/index.js';
import { at, type Counter, openCounter, T0_MS, type Terms } from './counter.js';
import { openDesk } from './desk.js';
import { artifact, bind, sha256, verified, type WireSlot } from './forest.js';

const desk = await openDesk();
const CART = sha256('a cart');

const allow = (slots: readonly WireSlot[], terms: Terms = {}): Terms => ({
  decision_id: 'arbdec_0123456789ab',
  flow: 'handoff',
  cart_hash: CART,
  order_id: null,
  amount_minor: '2099',
  currency: 'INR',
  merchant_id: 'shop-1',
  decided_at: at(0),
  expires_at: at(600),
  artifacts: slots.map((slot, one) => ({ id: `art_${one}`, payload_hash: null, slot })),
  ...terms,
});

const ask = (counter: Pick<Counter, 'path'>, requests: readonly Terms[]) =>
  desk.call('POST', `${counter.path}/countersignatures`, { requests });

/** Artifacts that are bound to slots of a tenant. */
async function bound(counter: Counter, count: number) {
  const slots = await desk.slots(counter.tenantId, count);
  const objects = slots.map((slot) => artifact(slot));
  const answer = await bind(desk, counter.tenantId, objects);
  if (answer.status !== 200) throw new Error(answer.text);
  return { slots, ids: objects.map(({ object_id: id }) => id) };
}

const [first, second] = [0, 1].map((index) => (slots: readonly WireSlot[]) => {
  const slot = slots[index];
  if (slot === undefined) throw new Error('enough slots were reserved');
  return slot;
}) as [(slots: readonly WireSlot[]) => WireSlot, (slots: readonly WireSlot[]) => WireSlot];

describe('a countersignature', () => {
  it('says the allow in the claims that arbiters read, and is about this one only', async () => {
    const counter = await openCounter(desk);
    const { slots } = await bound(counter, 2);
    const answer = await ask(counter, [allow(slots)]);
    expect(answer.status).toBe(200);
    const { jws } = answer.body.answers[0];
    expect(parseToken(jws, ['arbiter-countersignature+jwt'])).toMatchObject({ ok: true });
    const claims = await verified(desk, jws, 'countersign');
    expect(claims).toEqual({
      iss: desk.origin,
      aud: counter.tenantId,
      jti: 'csig_0123456789ab',
      iat: T0_MS / 1_000,
      exp: T0_MS / 1_000 + 600,
      decision_id: 'arbdec_0123456789ab',
      flow: 'handoff',
      cart_hash: CART,
      amount_minor: '2099',
      currency: 'INR',
    });
    const parsed = parseCountersignatureClaims(claims);
    if (!parsed.ok) throw new Error(parsed.error.detail);
    const whole = {
      tenantId: counter.tenantId,
      decisionId: 'arbdec_0123456789ab',
      flow: 'handoff',
      cartHash: CART,
      orderId: null,
      amountMinor: 2_099n,
      currency: 'INR',
      expiresAtMs: T0_MS + 600_000,
    } as const;
    const now = { atMs: T0_MS, aheadMsMax: 0 };
    expect(countersignatureFault(parsed.value, whole, now)).toBe(null);
    expect(
      countersignatureFault(parsed.value, { ...whole, amountMinor: 2_098n }, now)?.member,
    ).toBe('amount_minor');
  });

  it('of a refund names the order, and looks at no artifact', async () => {
    const counter = await openCounter(desk);
    const { slots, ids } = await bound(counter, 1);
    await counter.revoke('artifact', ids[0] ?? '');
    const refund = allow(slots, { flow: 'refund', cart_hash: null, order_id: 'order-1' });
    const { body } = await ask(counter, [refund, allow(slots)]);
    expect(await verified(desk, body.answers[0].jws, 'countersign')).toMatchObject({
      flow: 'refund',
      order_id: 'order-1',
    });
    expect(body.answers[1]).toEqual({ refused: 'art_0 is revoked' });
  });

  it('is refused from the very moment a revoke was answered, and given again when a suspension ends', async () => {
    // The test clock stands: the revoke and the question are of the same millisecond.
    const counter = await openCounter(desk);
    const { slots, ids } = await bound(counter, 2);
    const outcome = async (): Promise<unknown> =>
      (await ask(counter, [allow(slots)])).body.answers[0];
    expect(await outcome()).toEqual({ jws: expect.any(String) });
    await counter.revoke('artifact', ids[1] ?? '', 'suspended');
    expect(await outcome()).toEqual({ refused: 'art_1 is suspended' });
    await counter.revoke('artifact', ids[1] ?? '', 'valid');
    expect(await outcome()).toEqual({ jws: expect.any(String) });
    await counter.revoke('artifact', ids[0] ?? '');
    expect(await outcome()).toEqual({ refused: 'art_0 is revoked' });
  });

  it('never stands beside an earlier answer of a revoke, whoever asks at once', async () => {
    const counter = await openCounter(desk);
    for (let round = 0; round < 8; round += 1) {
      const { slots, ids } = await bound(counter, 1);
      let isRevoked = false;
      const askUntilRefused = async () => {
        for (;;) {
          const wasRevoked = isRevoked;
          const [answer] = (await ask(counter, [allow(slots)])).body.answers;
          if (answer.refused !== undefined) return;
          expect(wasRevoked).toBe(false);
        }
      };
      await Promise.all([
        askUntilRefused(),
        askUntilRefused(),
        counter.revoke('artifact', ids[0] ?? '').then(() => (isRevoked = true)),
      ]);
    }
  });

  it('of 64 allows is answered in order, by one statement', async () => {
    const counter = await openCounter(desk);
    const { slots, ids } = await bound(counter, 64);
    const odd = ids.filter((_id, one) => one % 2 === 1);
    for (const id of odd) await counter.revoke('artifact', id);
    const asked = slots.map((slot, one) =>
      allow([slot], { decision_id: `arbdec_${String(one).padStart(12, '0')}` }),
    );
    // The warm-up opens the key and remembers the tenant.
    await ask(counter, [allow([])]);
    const statements = await statementsOn(() => ask(counter, asked));
    expect(statements.during.filter((text) => text.includes('slots'))).toHaveLength(1);
    expect(statements.during).toHaveLength(1);
    const { answers } = statements.answer.body as { answers: { jws: string }[] };
    expect(answers).toHaveLength(64);
    for (const [one, answer] of answers.entries()) {
      if (one % 2 === 1) expect(answer).toEqual({ refused: 'art_0 is revoked' });
      else
        expect((await verified(desk, answer.jws, 'countersign'))['decision_id']).toBe(
          `arbdec_${String(one).padStart(12, '0')}`,
        );
    }
    expect((await ask(counter, [...asked, ...asked.slice(0, 1)])).status).toBe(400);
  });

  it.each([
    ['of exactly ten minutes', { expires_at: at(600) }, null],
    ['of a millisecond more', { expires_at: at(600.001) }, 'an allow lives at most 600 s'],
    ['that ends as it begins', { expires_at: at(0) }, 'an allow lives at most 600 s'],
    ['decided 30 s ahead', { decided_at: at(30), expires_at: at(600) }, null],
    [
      'decided a millisecond more ahead',
      { decided_at: at(30.001), expires_at: at(600) },
      'the decision is ahead of the time of this tenant here',
    ],
    ['at its last millisecond', { decided_at: at(-600), expires_at: at(0) }, null],
    [
      'after its last millisecond',
      { decided_at: at(-600), expires_at: at(-0.001) },
      'the allow has ended',
    ],
  ])('of an allow %s', async (_name, terms, refused) => {
    const counter = await openCounter(desk);
    const { body } = await ask(counter, [allow([], terms)]);
    expect(body.answers).toEqual([refused === null ? { jws: expect.any(String) } : { refused }]);
  });

  it('looks at own lists only, and at no place of somebody else there', async () => {
    const counter = await openCounter(desk);
    const other = await openCounter(desk);
    const { slots } = await bound(counter, 2);
    const theirs = await bound(other, 3);
    const foreign =
      theirs.slots.find(({ idx }) => slots.every((own) => own.idx !== idx))?.idx ?? -1;
    const never = 'the slot of art_0 was never reserved for this tenant';
    const free = { uri: first(slots).uri, idx: first(slots).idx === 0 ? 1 : 0 };
    const places: readonly [WireSlot, object][] = [
      [{ uri: 'https://lists.example/1', idx: 2 ** 31 - 1 }, { jws: expect.any(String) }],
      [first(theirs.slots), { refused: never }],
      [{ uri: `${desk.origin}/elsewhere`, idx: 0 }, { refused: never }],
      [{ ...first(slots), uri: `${first(slots).uri}0` }, { refused: never }],
      [{ ...first(slots), idx: 2 ** 31 - 1 }, { refused: never }],
      // A place that another tenant has on its list of the same number.
      [{ ...first(slots), idx: foreign }, { refused: never }],
      [free.idx === second(slots).idx ? { ...free, idx: 2 } : free, { refused: never }],
    ];
    const { body } = await ask(
      counter,
      places.map(([slot]) => allow([slot])),
    );
    expect(body.answers).toEqual(places.map(([, answer]) => answer));
    const unnamed = { ...allow([]), artifacts: [{ id: 'art', payload_hash: CART, slot: null }] };
    expect((await ask(counter, [unnamed])).body.answers).toEqual([{ jws: expect.any(String) }]);
  });

  it.each<[string, Terms]>([
    ['no request', {}],
    ['an amount with a sign', { amount_minor: '-1' }],
    ['an amount as a number', { amount_minor: 1 }],
    ['a currency nobody pays in', { currency: 'XXX' }],
    ['a flow nobody knows', { flow: 'charge' }],
    ['a hash that is none', { cart_hash: 'x' }],
    ['a time without offset', { decided_at: '2026-02-01T00:00:00' }],
    [
      'a negative place',
      { artifacts: [{ id: 'a', payload_hash: null, slot: { uri: 'u', idx: -1 } }] },
    ],
  ])('is refused for %s', async (name, terms) => {
    const counter = await openCounter(desk);
    const requests = name === 'no request' ? [] : [allow([], terms)];
    const refused = await ask(counter, requests);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('is for the service of the tenant', async () => {
    const counter = await openCounter(desk);
    const path = `${counter.path}/countersignatures`;
    const body = { requests: [allow([])] };
    expect((await desk.call('POST', path, body, 'stranger')).status).toBe(404);
    expect((await desk.call('POST', path, body, null)).status).toBe(401);
  });
});

/** The statements that the authority sent while something ran, seen from its own pool. */
async function statementsOn<Value>(work: () => Promise<Value>) {
  const { DATABASE } = await import('../../src/base/platform/index.js');
  const pool = desk.app.get<{ query: (...parts: unknown[]) => Promise<unknown> }>(DATABASE, {
    strict: false,
  });
  const during: string[] = [];
  const { query } = pool;
  pool.query = (...parts) => {
    during.push(String(parts[0]));
    return query.apply(pool, parts);
  };
  try {
    return { answer: await work(), during };
  } finally {
    pool.query = query;
  }
}
