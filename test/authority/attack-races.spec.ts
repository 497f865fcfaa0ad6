import { describe, expect, it } from 'vitest';
import { type Answer, openDesk } from './desk.js';
import { bind, claimsOf, mandate, plain, revoke, valueAt, type WireSlot } from './forest.js';

/** Two processes on one database. */
const desks = [await openDesk(), await openDesk()] as const;
const [desk] = desks;
const either = (turn: number) => desks[turn % 2 === 0 ? 0 : 1];

const TREE = {
  kind: 'intent',
  subject: 'buyer-1',
  agent_id: 'agt_1',
  merchant_ids: ['shop-1'],
  cart_hash: null,
  cap: { amount: '10', currency: 'INR' },
  expires_at: '2036-01-01T00:00:00.000Z',
};
const STATUSES = ['revoked', 'suspended', 'valid'] as const;
const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map((one) => one.status))];

describe('many at once', () => {
  it('50 revokes of one tree while children are issued below it', async () => {
    const tenantId = await desk.tenant();
    const issue = (turn: number, parentId: string | null) =>
      either(turn).call('POST', `/v1/tenants/${tenantId}/mandates`, {
        ...TREE,
        parent_id: parentId,
      });
    const root = await issue(0, null);
    const rootId = String(root.body.mandate_id);
    const first = await issue(1, rootId);
    const target = { kind: 'mandate', object_id: rootId };
    const [revokes, children] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, (_, turn) => revoke(either(turn), tenantId, target))),
      Promise.all(
        Array.from({ length: 20 }, (_, turn) =>
          issue(turn, turn % 2 === 0 ? rootId : String(first.body.mandate_id)),
        ),
      ),
    ]);
    expect(statusesOf(revokes)).toEqual([200]);
    // One record of the root, whoever asked.
    const direct = new Set(revokes.map(({ body }) => String(body.revocations[0])));
    expect(direct.size).toBe(1);
    expect(claimsOf([...direct][0] ?? '')).toMatchObject({ cause: 'direct', subject_id: rootId });
    const born = children.filter(({ status }) => status === 201);
    for (const { status, text } of children) expect([201, 422], text).toContain(status);
    for (const { body } of [root, first, ...born])
      expect(await valueAt(desk, body.slot as WireSlot)).toBe(1);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('suspend, resume and revoke in any order: INVALID stays, and versions tell each change', async () => {
    const tenantId = await desk.tenant();
    const slots = await desk.slots(tenantId, 4);
    const objects = slots.map((slot) => mandate(slot));
    await bind(desk, tenantId, objects);
    await Promise.all(
      objects.map(async (object, place) => {
        const target = { kind: 'mandate', object_id: object.object_id };
        const answers = await Promise.all(
          Array.from({ length: 24 }, (_, turn) =>
            revoke(either(turn), tenantId, target, STATUSES[(turn * 7 + place) % 3]),
          ),
        );
        for (const { status, text } of answers) expect([200, 409], text).toContain(status);
      }),
    );
    for (const slot of slots) expect(await valueAt(desk, slot)).toBe(1);
    const listed = await desk.pool.query<{ version: string; changes: string }>(
      `SELECT (SELECT sum(version) FROM status_lists WHERE tenant_id = $1) AS version,
              (SELECT count(*) FROM entries WHERE tenant_id = $1 AND type = 'authority.status_changed') AS changes`,
      [tenantId],
    );
    expect(Number(listed.rows[0]?.changes)).toBeGreaterThan(0);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('a consent that is revoked while its passport is asked for many times', async () => {
    const tenantId = await desk.tenant();
    const base = `/v1/tenants/${tenantId}`;
    for (let round = 0; round < 6; round += 1) {
      const consent = await desk.call('POST', `${base}/consents`, {
        merchant_id: 'shop-1',
        agent_id: 'agt_1',
        subject: 'buyer-1',
        scopes: ['commerce:browse'],
        state: 'granted',
        expires_at: '2036-01-01T00:00:00.000Z',
      });
      const consentId = String(consent.body.consent_id);
      const [revoked, ...passports] = await Promise.all([
        revoke(either(round), tenantId, { kind: 'consent', object_id: consentId }),
        ...Array.from({ length: 6 }, (_, turn) =>
          either(turn).call('POST', `${base}/passports`, {
            consent_id: consentId,
            passport_type: 'browse',
            scopes: ['commerce:browse'],
            max_amount: null,
          }),
        ),
      ]);
      expect(revoked.status).toBe(200);
      const born = passports.filter(({ status }) => status === 201);
      for (const { status, text } of passports) expect([201, 409, 422], text).toContain(status);
      expect(born.length).toBeLessThanOrEqual(1);
      for (const { body } of born) expect(await valueAt(desk, body.slot as WireSlot)).toBe(1);
    }
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('clock moves while tokens are issued and lists are read', async () => {
    const tenantId = await desk.tenant('test', '2026-11-30T09:00:00.000Z');
    const base = `/v1/tenants/${tenantId}`;
    const [slot] = (await desk.slots(tenantId, 1)) as [WireSlot];
    await bind(desk, tenantId, [plain('consent', slot)]);
    const at = (minute: number) =>
      new Date(Date.UTC(2026, 10, 30, 9) + minute * 60_000).toISOString();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => [
        either(turn).call('POST', `${base}/clock`, { now: at((turn * 13) % 40) }),
        either(turn + 1).call('POST', `${base}/mandates`, { ...TREE, expires_at: at(20 + turn) }),
        either(turn).call('GET', slot.uri.slice(desk.origin.length), undefined, null),
      ]).flat(),
    );
    for (const { status, text } of answers) expect([200, 201, 400], text).toContain(status);
    const clock = await desk.call('POST', `${base}/clock`, { now: at(-60) });
    expect(clock.body.now).toBe(at(39));
    for (const { status, body } of answers) {
      if (status !== 201) continue;
      const { iat, exp } = claimsOf(String(body.token)) as { iat: number; exp: number };
      expect(iat).toBeLessThan(exp);
    }
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('one tenant registered by two services at once belongs to one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = { tenant_id: `tnt_race${Date.now()}${round}`, world: 'test' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, turn) =>
          either(turn).call('POST', '/v1/tenants', body, turn < 4 ? 'arbiter' : 'stranger'),
        ),
      );
      const won = answers.map(({ status }) => status < 300);
      expect(won.slice(0, 4).every((one) => one === won[0])).toBe(true);
      expect(won.slice(4).every((one) => one === !won[0])).toBe(true);
      for (const { status, text } of answers) expect([200, 201, 409], text).toContain(status);
    }
  });

  it('no service takes the tenant of the authority itself, or speaks for it', async () => {
    for (const world of ['live', 'test'] as const) {
      const body = { tenant_id: 'tnt_authority', world };
      expect((await desk.call('POST', '/v1/tenants', body)).status).toBe(409);
    }
    for (const path of ['slots', 'clock', 'mandates'])
      expect([400, 404]).toContain(
        (await desk.call('POST', `/v1/tenants/tnt_authority/${path}`, { count: 1 })).status,
      );
    expect((await desk.call('POST', '/v1/tenants/tnt_authority/slots', { count: 1 })).status).toBe(
      404,
    );
    expect((await desk.call('GET', '/status/tnt_authority/1', undefined, null)).status).toBe(404);
  });
});
