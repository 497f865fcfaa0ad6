import { compactVerify, createLocalJWKSet, flattenedVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  OVERLAP_SECONDS_MIN,
  PURPOSE_ALGORITHMS,
  SIGNING_PURPOSES,
  type SigningKeys,
} from '../../src/base/keys/index.js';
import type { JSONWebKeySet } from 'jose';
import { freshDatabase } from '../support/database.js';
import {
  createTestTenant,
  problemOf,
  testHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';

const house = testHouse({ quiet: true });
const { signingKeys } = house;
const payload = Buffer.from('{"total":"2099"}');

async function verifies(jws: string, tenant: TestTenant, keys: SigningKeys = signingKeys) {
  const jwks = (await keys.jwks(tenant.tenantId)) as unknown as JSONWebKeySet;
  return compactVerify(jws, createLocalJWKSet(jwks)).then(
    () => true,
    () => false,
  );
}

const signFact = async (tenant: TestTenant, keys: SigningKeys = signingKeys): Promise<string> =>
  valueOf(await keys.signJws(tenant.tenantId, 'fact', { header: { typ: 'fact+jws' }, payload }));

describe('signing keys', () => {
  it('are made at first use, one a purpose, each with the algorithm of the closed list', async () => {
    const tenant = await createTestTenant(house);
    expect(await signingKeys.jwks(tenant.tenantId)).toEqual({ keys: [] });
    for (const purpose of SIGNING_PURPOSES) {
      const signature = valueOf(await signingKeys.sign(tenant.tenantId, purpose, payload));
      expect(signature.algorithm).toBe(PURPOSE_ALGORITHMS[purpose]);
      expect(signature.signature).toHaveLength(64);
      const again = valueOf(await signingKeys.sign(tenant.tenantId, purpose, payload));
      expect(again.kid).toBe(signature.kid);
    }
    const keys = await signingKeys.list(tenant.tenantId);
    expect(keys.map(({ purpose, state }) => `${purpose} ${state}`).sort()).toEqual(
      SIGNING_PURPOSES.map((purpose) => `${purpose} signing`).sort(),
    );
  });

  it('are one even when many first uses come at once, in two processes', async () => {
    const tenant = await createTestTenant(house);
    const other = testHouse({ quiet: true });
    const kids = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const keys = index % 2 === 0 ? signingKeys : other.signingKeys;
        return valueOf(await keys.sign(tenant.tenantId, 'receipt', payload)).kid;
      }),
    );
    expect(new Set(kids).size).toBe(1);
    expect(await signingKeys.list(tenant.tenantId)).toHaveLength(1);
  });

  it('sign JWS that jose verifies by the JWK Set, attached and detached', async () => {
    const tenant = await createTestTenant(house);
    for (const purpose of SIGNING_PURPOSES) {
      const jws = valueOf(
        await signingKeys.signJws(tenant.tenantId, purpose, { header: { typ: 'x' }, payload }),
      );
      const jwks = createLocalJWKSet(
        (await signingKeys.jwks(tenant.tenantId)) as unknown as JSONWebKeySet,
      );
      const verified = await compactVerify(jws, jwks);
      expect(Buffer.from(verified.payload)).toEqual(payload);
      expect(verified.protectedHeader).toMatchObject({
        alg: PURPOSE_ALGORITHMS[purpose],
        typ: 'x',
      });
      const detached = valueOf(
        await signingKeys.signJws(tenant.tenantId, purpose, {
          header: {},
          payload,
          detached: true,
        }),
      );
      const [header = '', middle, signature = ''] = detached.split('.');
      expect(middle).toBe('');
      await flattenedVerify(
        { protected: header, payload: payload.toString('base64url'), signature },
        jwks,
      );
    }
  });

  it('of one tenant verify nothing of another', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    await signFact(theirs);
    const jws = await signFact(ours);
    expect([await verifies(jws, ours), await verifies(jws, theirs)]).toEqual([true, false]);
  });

  it('show no private member anywhere: not in the JWK Set, not in an entry', async () => {
    const tenant = await createTestTenant(house);
    await signFact(tenant);
    valueOf(await signingKeys.sign(tenant.tenantId, 'card', payload));
    const shown = JSON.stringify([
      await signingKeys.jwks(tenant.tenantId),
      await signingKeys.list(tenant.tenantId),
    ]);
    expect(shown).not.toContain('"d"');
    const { rows } = await house.database.query<{ body: string }>(
      `SELECT body FROM entries WHERE tenant_id = $1 AND type = 'signing_key.created'`,
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(2);
    for (const { body } of rows) expect(body).not.toMatch(/"d"|wrapped|private/);
  });

  it('answer not_found for a tenant that does not exist', async () => {
    const answer = await signingKeys.sign('tnt_nobody', 'fact', payload);
    expect(problemOf(answer).code).toBe('not_found');
  });
});

describe('rotation of a signing key', () => {
  const rotate = (tenant: TestTenant, overlapSeconds = OVERLAP_SECONDS_MIN) =>
    signingKeys.rotate(tenant.context(), { purpose: 'fact', overlapSeconds });

  it('signs with the new key at once; the old one verifies until its last millisecond', async () => {
    const tenant = await createTestTenant(house);
    const old = await signFact(tenant);
    const rotatedAtMs = house.clock.nowMs;
    const kid = valueOf(await rotate(tenant));
    const fresh = await signFact(tenant);
    expect(
      JSON.parse(Buffer.from(fresh.split('.')[0] ?? '', 'base64url').toString()),
    ).toMatchObject({ kid });
    house.clock.nowMs = rotatedAtMs + OVERLAP_SECONDS_MIN * 1000 - 1;
    expect([await verifies(old, tenant), await verifies(fresh, tenant)]).toEqual([true, true]);
    house.clock.nowMs += 1;
    expect([await verifies(old, tenant), await verifies(fresh, tenant)]).toEqual([false, true]);
    const states = (await signingKeys.list(tenant.tenantId)).map(({ state }) => state);
    expect(states).toEqual(['ended', 'signing']);
  });

  it('has an overlap of 7 days at least', async () => {
    const tenant = await createTestTenant(house);
    await signFact(tenant);
    expect(problemOf(await rotate(tenant, OVERLAP_SECONDS_MIN - 1))).toMatchObject({
      code: 'validation_failed',
      field: '/overlap_seconds',
    });
  });

  it('by two at the same moment makes one new key', async () => {
    const tenant = await createTestTenant(house);
    await signFact(tenant);
    const outcomes = await Promise.all([rotate(tenant), rotate(tenant)]);
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(outcomes.find((outcome) => !outcome.ok)).toMatchObject({ error: { code: 'conflict' } });
  });

  it('repeated under one idempotency key answers the first kid', async () => {
    const tenant = await createTestTenant(house);
    await signFact(tenant);
    const claim = { scope: 's', key: 'k', requestHash: 'h' };
    const rotation = { purpose: 'fact', overlapSeconds: OVERLAP_SECONDS_MIN } as const;
    const first = valueOf(await signingKeys.rotate(tenant.context(claim), rotation));
    expect(valueOf(await signingKeys.rotate(tenant.context(claim), rotation))).toBe(first);
    expect(await signingKeys.list(tenant.tenantId)).toHaveLength(2);
    expect(valueOf(await signingKeys.sign(tenant.tenantId, 'fact', payload)).kid).toBe(first);
  });

  it('may be followed by ending the old key at once, but never the one that signs', async () => {
    const tenant = await createTestTenant(house);
    const old = await signFact(tenant);
    const oldKid = (await signingKeys.list(tenant.tenantId))[0]?.jwk.kid ?? '';
    const retire = (kid: string) => signingKeys.retire(tenant.context(), { purpose: 'fact', kid });
    expect(problemOf(await retire(oldKid)).code).toBe('conflict');
    valueOf(await rotate(tenant));
    valueOf(await retire(oldKid));
    expect(await verifies(old, tenant)).toBe(false);
    expect(problemOf(await retire(oldKid)).code).toBe('conflict');
    const stranger = await createTestTenant(house);
    const foreign = await signingKeys.retire(stranger.context(), {
      purpose: 'fact',
      kid: oldKid,
    });
    expect(problemOf(foreign).code).toBe('not_found');
  });
});

describe('a key that does not open', () => {
  it('under another key-encryption key is unavailable, named at the start, and never replaced', async () => {
    const database = await freshDatabase();
    const right = testHouse({ database, quiet: true });
    const tenant = await createTestTenant(right);
    await signFact(tenant, right.signingKeys);
    expect(await right.signingKeys.startFault()).toBeNull();

    const wrong = testHouse({ database, quiet: true, keyEncryptionKey: Buffer.alloc(32, 8) });
    expect(await wrong.signingKeys.startFault()).toMatch(
      /wrapped under key-encryption key [0-9a-f]{16}, not under the configured [0-9a-f]{16}/,
    );
    const answer = await wrong.signingKeys.sign(tenant.tenantId, 'fact', payload);
    expect(problemOf(answer).code).toBe('unavailable');
    expect(await right.signingKeys.list(tenant.tenantId)).toHaveLength(1);
  });

  it('because its bytes were changed or are gone is unavailable, and never replaced', async () => {
    for (const damage of [
      `UPDATE signing_key_secrets SET wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1) WHERE tenant_id = $1`,
      'DELETE FROM signing_key_secrets WHERE tenant_id = $1',
    ]) {
      const tenant = await createTestTenant(house);
      await signFact(tenant);
      await house.database.query(damage, [tenant.tenantId]);
      const restarted = testHouse({ quiet: true });
      const answer = await restarted.signingKeys.sign(tenant.tenantId, 'fact', payload);
      expect(problemOf(answer).code).toBe('unavailable');
      expect(await signingKeys.list(tenant.tenantId)).toHaveLength(1);
    }
  });

  it('because it was moved to another tenant is unavailable', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    await signFact(ours);
    await signFact(theirs);
    await house.database.query(
      `UPDATE signing_key_secrets AS t SET wrapped = s.wrapped FROM signing_key_secrets AS s
        WHERE t.tenant_id = $1 AND s.tenant_id = $2`,
      [theirs.tenantId, ours.tenantId],
    );
    const restarted = testHouse({ quiet: true });
    const answer = await restarted.signingKeys.sign(theirs.tenantId, 'fact', payload);
    expect(problemOf(answer).code).toBe('unavailable');
  });
});
