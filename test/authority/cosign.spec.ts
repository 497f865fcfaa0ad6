import { describe, expect, it } from 'vitest';
import { SIGNING_KEYS, type SigningKeys } from '../../src/base/keys/index.js';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { DATABASE, type Queryable } from '../../src/base/platform/index.js';
import { parseToken } from '../../src/core/proofs/index.js';
import { Witness } from '../../src/trust-authority/cosign/index.js';
import type { AuthorityTenants } from '../../src/trust-authority/tenants/index.js';
import { TENANTS } from '../../src/trust-authority/tokens.js';
import { at, type Counter, openCounter, T0_MS } from './counter.js';
import { openDesk } from './desk.js';
import { sha256, verified } from './forest.js';

const desk = await openDesk();
const part = <Part>(token: symbol): Part => desk.app.get<Part>(token, { strict: false });

const cosign = (
  counter: Pick<Counter, 'path'>,
  seq: number,
  link = sha256(`entry ${seq}`),
  id = 'ledger-1',
) => desk.call('POST', `${counter.path}/head-cosignatures`, { ledger_id: id, seq, link });

describe('witnessing a ledger', () => {
  it('signs a head under the key of the witness', async () => {
    const counter = await openCounter(desk);
    const { status, body } = await cosign(counter, 0);
    expect(status).toBe(200);
    expect(parseToken(body.jws, ['ledger-head+jwt'])).toMatchObject({ ok: true });
    expect(await verified(desk, body.jws, 'witness')).toEqual({
      iss: desk.origin,
      sub: 'ledger-1',
      tenant_id: counter.tenantId,
      seq: 0,
      link: sha256('entry 0'),
      iat: T0_MS / 1_000,
    });
    expect(await counter.differences()).toEqual([]);
  });

  it('goes up, never down, and answers the same head with the same bytes', async () => {
    const counter = await openCounter(desk);
    await cosign(counter, 7);
    const high = await cosign(counter, 9);
    await counter.clock(at(60));
    const count = await counter.entries();
    expect((await cosign(counter, 9)).text).toBe(high.text);
    const refusals = [
      [8, sha256('entry 8'), '/seq'],
      [7, sha256('entry 7'), '/seq'],
      [0, sha256('entry 0'), '/seq'],
      [9, sha256('another entry'), '/link'],
    ] as const;
    for (const [seq, link, field] of refusals)
      expect(await cosign(counter, seq, link)).toMatchObject({
        status: 409,
        body: { code: 'conflict', field },
      });
    expect(await counter.entries()).toBe(count);
    expect((await cosign(counter, 10)).status).toBe(200);
  });

  it('knows each ledger of each tenant by itself', async () => {
    const [one, two] = [await openCounter(desk), await openCounter(desk)];
    expect((await cosign(one, 9)).status).toBe(200);
    expect((await cosign(one, 1, sha256('x'), 'ledger-2')).status).toBe(200);
    expect((await cosign(two, 1, sha256('x'))).status).toBe(200);
  });

  it('of two heads at one place signs one, whoever asks at once', async () => {
    const counter = await openCounter(desk);
    for (let seq = 0; seq < 10; seq += 1) {
      const links = ['a', 'b', 'a', 'b'].map((name) => sha256(`${name} ${seq}`));
      const answers = await Promise.all(links.map((link) => cosign(counter, seq, link)));
      const signed = new Set(links.filter((_link, one) => answers[one]?.status === 200));
      expect(signed.size).toBe(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    }
    expect(await counter.differences()).toEqual([]);
  });

  it('of heads that come at once signs what never went down', async () => {
    const counter = await openCounter(desk);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, seq) => cosign(counter, 19 - seq)),
    );
    expect(answers[0]?.status).toBe(200);
    const { rows } = await desk.pool.query<{ seq: string }>(
      'SELECT seq FROM witnessed_heads WHERE tenant_id = $1',
      [counter.tenantId],
    );
    expect(rows).toEqual([{ seq: '19' }]);
  });

  it('does not answer again for a head that was passed at this very moment', async () => {
    const counter = await openCounter(desk);
    const tenant = await part<AuthorityTenants>(TENANTS).publicly(counter.tenantId, 'passed');
    if (tenant === null) throw new Error('the tenant was registered');
    await cosign(counter, 5);
    const database = part<Queryable>(DATABASE);
    const query = (async (...parts: Parameters<Queryable['query']>) => {
      await cosign(counter, 6);
      return database.query(...parts);
    }) as Queryable['query'];
    const witness = new Witness({
      database: { query },
      writer: part<Writer>(WRITER),
      signingKeys: part<SigningKeys>(SIGNING_KEYS),
      origin: desk.origin,
    });
    const head = { ledgerId: 'ledger-1', seq: 5, link: sha256('entry 5') };
    expect(await witness.cosign(tenant, head)).toMatchObject({
      ok: false,
      error: { code: 'conflict', field: '/seq' },
    });
  });

  it.each([
    ['a negative place', { seq: -1 }],
    ['a broken place', { seq: 1.5 }],
    ['a place beyond all numbers', { seq: 2 ** 53 }],
    ['a place as text', { seq: '1' }],
    ['a link that is none', { link: 'abc' }],
    ['a link in capitals', { link: sha256('x').toUpperCase() }],
    ['no ledger', { ledger_id: '' }],
    ['a member nobody knows', { kid: 'x' }],
  ])('refuses %s', async (_name, edit) => {
    const counter = await openCounter(desk);
    const count = await counter.entries();
    const head = { ledger_id: 'ledger-1', seq: 1, link: sha256('x'), ...edit };
    const refused = await desk.call('POST', `${counter.path}/head-cosignatures`, head);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await counter.entries()).toBe(count);
  });

  it('is for the service of the tenant', async () => {
    const counter = await openCounter(desk);
    const head = { ledger_id: 'ledger-1', seq: 1, link: sha256('x') };
    const path = `${counter.path}/head-cosignatures`;
    expect((await desk.call('POST', path, head, 'stranger')).status).toBe(404);
    expect((await desk.call('POST', path, head, null)).status).toBe(401);
  });
});
