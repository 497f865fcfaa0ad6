import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { AuthorityClient } from '../../src/trust/authority/index.js';
import { IssuerKeys } from '../../src/trust/peers/index.js';
import {
  type AlteredAnswer,
  type AlteredAuthority,
  alteredAuthority,
  type PassingAnswer,
  type PassingBody,
} from '../support/altered-authority.js';
import { authorityPort } from '../support/authority.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';

const house = testHouse();
const issuerKeys = new IssuerKeys({ database: house.database, writer: house.writer });
let between: AlteredAuthority;
let tenantId: TenantId;
let port: AuthorityClient;

beforeAll(async () => {
  between = await alteredAuthority();
  ({ tenantId } = await createTestTenant(house));
  port = authorityPort(house, between);
  valueOf(await port.ensureTenant(tenantId));
});

/** Answers of paths that end so are changed, until the next call. */
const alter = (end: string, change: (answer: PassingAnswer) => AlteredAnswer | null): void => {
  between.alter = (path, answer) => (path.endsWith(end) ? change(answer) : answer);
};
const changed = (body: object) => (answer: PassingAnswer) => ({
  ...answer,
  body: { ...answer.body, ...body },
});

describe('an authority that misbehaves is unavailable', () => {
  it.each<[string, (answer: PassingAnswer) => AlteredAnswer | null]>([
    ['cuts the connection', () => null],
    ['breaks', (answer) => ({ ...answer, status: 500 })],
    ['is away', (answer) => ({ ...answer, status: 503 })],
    ['sends us elsewhere', (answer) => ({ ...answer, status: 302 })],
    ['speaks HTML', (answer) => ({ ...answer, contentType: 'text/html', body: '<html>' })],
    ['refuses without a reason', (answer) => ({ ...answer, status: 422, body: {} })],
    [
      'refuses by a code that nobody knows',
      (answer) => ({ ...answer, status: 409, body: { code: 'moon', detail: 'd' } }),
    ],
    [
      'names too few places',
      (answer) => ({ ...answer, body: { slots: answer.body.slots.slice(1) } }),
    ],
    [
      'names a place of another tenant',
      ({ body, ...answer }) => ({
        ...answer,
        body: {
          slots: body.slots.map(({ uri, idx }) => ({
            uri: uri.replace(tenantId, 'tnt_other'),
            idx,
          })),
        },
      }),
    ],
    [
      'names a place that no list has',
      ({ body, ...answer }) => ({
        ...answer,
        body: { slots: [body.slots[0], { uri: body.slots[1]?.uri, idx: 131_072 }] },
      }),
    ],
  ])('when it %s', async (_name, change) => {
    alter('/slots', change);
    expect(problemOf(await port.reserveSlots(tenantId, 2))).toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('its own refusals are told as they are', async () => {
    alter('/slots', (answer) => ({
      ...answer,
      status: 409,
      body: { code: 'conflict', detail: 'no', fix: 'f', field: '/count' },
    }));
    expect(problemOf(await port.reserveSlots(tenantId, 2))).toEqual({
      code: 'conflict',
      detail: 'no',
      fix: 'f',
      field: '/count',
    });
  });
});

describe('revocation records', () => {
  const tampered = (jws: string): string => {
    const [head = '', payload = '', signature = ''] = jws.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, reason_code: 'other' }));
    return [head, other.toString('base64url'), signature].join('.');
  };
  const revoke = async (status: 'suspended' | 'revoked' = 'suspended') => {
    const [slot] = valueOf(await port.reserveSlots(tenantId, 1));
    if (slot === undefined) throw new Error('one place was asked for');
    const request = { target: { slot }, status, reasonCode: 'recall', revokedBy: 'operator' };
    return { slot, revoked: await port.revoke(tenantId, request) };
  };

  it('count with the version from which on the list shows them', async () => {
    alter('nothing', () => null);
    const { slot, revoked } = await revoke('revoked');
    const { records, lists } = valueOf(revoked);
    expect(records).toMatchObject([
      { slot, status: 'revoked', reasonCode: 'recall', cause: 'direct', subjectKind: 'slot' },
    ]);
    expect(lists).toEqual([{ uri: slot.uri, version: records[0]?.listVersion }]);
  });

  it.each<[string, (answer: PassingAnswer) => AlteredAnswer]>([
    [
      'a changed record',
      (answer) => changed({ revocations: answer.body.revocations.map(tampered) })(answer),
    ],
    ['no record', changed({ revocations: [] })],
    ['no token', changed({ revocations: ['a.b.c'] })],
    ['no list', changed({ lists: [] })],
    [
      'a version before the change',
      (answer) =>
        changed({ lists: answer.body.lists.map((list) => ({ ...list, version: 0 })) })(answer),
    ],
    [
      'a list of somebody else',
      (answer) =>
        changed({ lists: [...answer.body.lists, { uri: 'https://x.example/1', version: 9 }] })(
          answer,
        ),
    ],
  ])('do not count with %s', async (_name, change) => {
    alter('/revocations', change);
    const { revoked } = await revoke();
    expect(problemOf(revoked).code).toBe('unavailable');
  });

  it('of another tenant or of something else than was asked do not count', async () => {
    alter('nothing', () => null);
    const other = await createTestTenant(house);
    const [slot] = valueOf(await port.reserveSlots(other.tenantId, 1));
    if (slot === undefined) throw new Error('one place was asked for');
    const foreign = valueOf(
      await port.revoke(other.tenantId, {
        ...{ target: { slot }, status: 'suspended', reasonCode: 'recall', revokedBy: 'operator' },
      }),
    );
    const [record] = foreign.records;
    alter('/revocations', changed({ revocations: [record?.jws], lists: foreign.lists }));
    expect(problemOf((await revoke()).revoked).code).toBe('unavailable');
    expect(problemOf((await revoke('revoked')).revoked).code).toBe('unavailable');
  });
});

describe('published keys', () => {
  /** A process of its own: it has looked at nothing yet. */
  const fresh = () => authorityPort(house, between);
  const without = (purpose: string) => (answer: PassingAnswer) => ({
    ...answer,
    body: {
      keys: answer.body.keys.filter((key) => key['purpose'] !== purpose),
    },
  });
  const listed = async (role: string) =>
    (await issuerKeys.list(tenantId)).filter((key) => key.role === role);

  it('half a set is not taken', async () => {
    alter('jwks.json', without('revocation'));
    const known = await listed('revocation');
    expect(problemOf(await fresh().ensureTenant(tenantId)).code).toBe('unavailable');
    expect(await listed('revocation')).toEqual(known);
  });

  it('another key under a known name is not taken', async () => {
    alter('jwks.json', (answer) => ({
      ...answer,
      body: {
        keys: answer.body.keys.map((key, _index, all) =>
          isOf('status_list')(key) ? { ...key, x: all.find(isOf('revocation'))?.['x'] } : key,
        ),
      },
    }));
    const [before] = await listed('status_list');
    expect(problemOf(await fresh().ensureTenant(tenantId)).code).toBe('unavailable');
    expect((await listed('status_list'))[0]?.key).toEqual(before?.key);
  });

  it('a key that is gone is retired from now on, and never comes back', async () => {
    const extra = { kty: 'OKP', crv: 'Ed25519', kid: 'old', purpose: 'status_list' };
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    const withOld = (answer: PassingAnswer) => ({
      ...answer,
      body: { keys: [...answer.body.keys, { ...extra, x, alg: 'EdDSA', use: 'sig' }] },
    });
    alter('jwks.json', withOld);
    valueOf(await fresh().ensureTenant(tenantId));
    const old = async () => (await listed('status_list')).find(({ kid }) => kid === 'old');
    expect(await old()).toMatchObject({ notBeforeAtMs: 0, retiredAtMs: null });
    alter('nothing', () => null);
    valueOf(await fresh().ensureTenant(tenantId));
    const retiredAtMs = (await old())?.retiredAtMs;
    expect(retiredAtMs).toBeGreaterThan(0);
    expect((await listed('status_list')).filter((key) => key.retiredAtMs === null)).toHaveLength(1);
    alter('jwks.json', withOld);
    valueOf(await fresh().ensureTenant(tenantId));
    expect((await old())?.retiredAtMs).toBe(retiredAtMs);
  });

  it('are looked at again after ten minutes, and for unknown names at most every 30 seconds', async () => {
    alter('nothing', () => null);
    let nowMs = 1_000_000;
    const at = authorityPort(house, between, () => nowMs);
    const looks = () => between.asked.filter((path) => path.endsWith('jwks.json')).length;
    const before = looks();
    valueOf(await at.ensureTenant(tenantId));
    valueOf(await at.refreshKeys(tenantId));
    nowMs += 29_999;
    valueOf(await at.refreshKeys(tenantId));
    expect(looks() - before).toBe(1);
    nowMs += 1;
    await Promise.all([1, 2, 3].map(() => at.refreshKeys(tenantId)));
    expect(looks() - before).toBe(2);
    nowMs += 599_999;
    valueOf(await at.ensureTenant(tenantId));
    expect(looks() - before).toBe(2);
    nowMs += 1;
    valueOf(await at.ensureTenant(tenantId));
    expect(looks() - before).toBe(3);
  });

  it('go on counting while the authority does not answer', async () => {
    let nowMs = 1_000_000;
    const at = authorityPort(house, between, () => nowMs);
    alter('nothing', () => null);
    valueOf(await at.ensureTenant(tenantId));
    between.alter = () => null;
    nowMs += 600_000;
    expect(valueOf(await at.ensureTenant(tenantId))).toBeNull();
  });
});

const isOf = (purpose: string) => (key: PassingBody['keys'][number]) => key['purpose'] === purpose;
