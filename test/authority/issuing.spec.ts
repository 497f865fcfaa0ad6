import { describe, expect, it } from 'vitest';
import { SIGNING_KEYS, type SigningKeys } from '../../src/base/keys/index.js';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { DATABASE, type Queryable } from '../../src/base/platform/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { Consents } from '../../src/trust-authority/consents/index.js';
import { CredentialIssuer } from '../../src/trust-authority/credentials/index.js';
import type { Place, StatusLists } from '../../src/trust-authority/lists/index.js';
import { Mandates } from '../../src/trust-authority/mandates/index.js';
import { Passports } from '../../src/trust-authority/passports/index.js';
import type { AuthorityTenants, ServedTenant } from '../../src/trust-authority/tenants/index.js';
import { STATUS_LISTS, TENANTS } from '../../src/trust-authority/tokens.js';
import {
  consentTerms,
  type Counter,
  mandateTerms,
  openCounter,
  passportTerms,
  T0_MS,
} from './counter.js';
import { openDesk } from './desk.js';
import { artifact, bind } from './forest.js';

/**
 * What happens between the look and the lock: an issuer with the real parts, whose slot is taken a moment before `meanwhile`
 * runs to its end. What it then does under the lock is what is tested.
 */

const desk = await openDesk();
const part = <Part>(token: symbol): Part => desk.app.get<Part>(token, { strict: false });
const lists = part<StatusLists>(STATUS_LISTS);
const tenants = part<AuthorityTenants>(TENANTS);
const database = part<Queryable>(DATABASE);

function issuing(meanwhile: (place: Place, times: number) => Promise<unknown>) {
  const places: Place[] = [];
  const issuer = new CredentialIssuer({
    database,
    writer: part<Writer>(WRITER),
    signingKeys: part<SigningKeys>(SIGNING_KEYS),
    origin: desk.origin,
    lists: {
      uriOf: (tenantId, listNumber) => lists.uriOf(tenantId, listNumber),
      async reserve(tenant, count) {
        const taken = await lists.reserve(tenant, count);
        const [place] = taken.ok ? taken.value : [];
        if (place === undefined) throw new Error('a place was taken');
        places.push(place);
        await meanwhile(place, places.length);
        return taken;
      },
    },
  });
  const parts = { database, tenants, issuer };
  return {
    places,
    consents: new Consents(parts),
    mandates: new Mandates(parts),
    passports: new Passports(parts),
  };
}

async function served(tenantId: TenantId): Promise<ServedTenant> {
  const tenant = await tenants.publicly(tenantId, 'between');
  if (tenant === null) throw new Error('the tenant was registered');
  return tenant;
}

const mandateWish = (parentId: string | null, mandateId: string | null = null) => ({
  mandateId,
  parentId,
  kind: 'intent' as const,
  subject: 'buyer@example.org',
  agentId: 'agt_1',
  merchantIds: ['shop-1'],
  cartHash: null,
  cap: { amountMinor: 1n, currency: 'INR' },
  notBeforeAtMs: null,
  expiresAtMs: T0_MS + 60_000,
  payment: null,
  buyerJwk: null,
});

const passportWish = (consentId: string) => ({
  consentId,
  passportType: 'checkout' as const,
  scopes: [],
  maxAmount: null,
  lifeSeconds: null,
});

const consentOf = async (counter: Counter): Promise<string> =>
  (await counter.issued('consents', consentTerms())).consent_id;

const objectCount = async (counter: Counter, kind: string): Promise<number> => {
  const { rows } = await desk.pool.query(
    'SELECT 1 FROM objects WHERE tenant_id = $1 AND kind = $2',
    [counter.tenantId, kind],
  );
  return rows.length;
};

describe('between the look and the lock', () => {
  it.each(['revoked', 'suspended'])('a parent that is %s has no child', async (status) => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const { mandate_id: parentId } = await counter.issued('mandates', mandateTerms());
    const { mandates } = issuing(() => counter.revoke('mandate', parentId, status));
    expect(await mandates.issue(tenant, tenant.context, mandateWish(parentId))).toMatchObject({
      ok: false,
      error: { code: 'unverifiable', field: '/parent_id' },
    });
    expect(await objectCount(counter, 'mandate')).toBe(1);
    expect(await counter.differences()).toEqual([]);
  });

  it.each(['revoked', 'suspended'])('a consent that is %s has no passport', async (status) => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const consentId = await consentOf(counter);
    const { passports } = issuing(() => counter.revoke('consent', consentId, status));
    expect(await passports.issue(tenant, tenant.context, passportWish(consentId))).toMatchObject({
      ok: false,
      error: { code: 'conflict', detail: `The consent is ${status}.`, field: '/consent_id' },
    });
    expect(await objectCount(counter, 'passport')).toBe(0);
  });

  it('a consent whose end has come has no passport, and nothing is issued after its end', async () => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const consentId = await consentOf(counter);
    const later = issuing(() => counter.clock(new Date(T0_MS + 86_400_000).toISOString()));
    expect(
      await later.passports.issue(tenant, tenant.context, passportWish(consentId)),
    ).toMatchObject({ ok: false, error: { detail: 'The consent is expired.' } });
    const other = await openCounter(desk);
    const otherTenant = await served(other.tenantId);
    const { mandates } = issuing(() => other.clock(new Date(T0_MS + 60_000).toISOString()));
    expect(await mandates.issue(otherTenant, otherTenant.context, mandateWish(null))).toMatchObject(
      { ok: false, error: { code: 'validation_failed', field: '/expires_at' } },
    );
    expect(await objectCount(other, 'mandate')).toBe(0);
  });

  it('a consent that has its passport by now has no second one', async () => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const consentId = await consentOf(counter);
    const { passports } = issuing(() => counter.issued('passports', passportTerms(consentId)));
    expect(await passports.issue(tenant, tenant.context, passportWish(consentId))).toMatchObject({
      ok: false,
      error: { code: 'conflict', detail: 'The consent has a passport already.' },
    });
    expect(await objectCount(counter, 'passport')).toBe(1);
  });

  it('a chosen id that is taken by now is the same when its grant is, and refused when not', async () => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const wish = mandateWish(null, 'mnd-chosen');
    const plain = issuing(() => Promise.resolve());
    const { mandates } = issuing(() => plain.mandates.issue(tenant, tenant.context, wish));
    expect(await mandates.issue(tenant, tenant.context, wish)).toEqual({
      ok: true,
      value: 'mnd-chosen',
    });
    expect(await objectCount(counter, 'mandate')).toBe(1);
    const second = mandateWish(null, 'mnd-second');
    const rival = issuing(() =>
      plain.mandates.issue(tenant, tenant.context, { ...second, agentId: 'agt_2' }),
    );
    expect(await rival.mandates.issue(tenant, tenant.context, second)).toMatchObject({
      ok: false,
      error: { code: 'conflict', field: '/mandate_id' },
    });
    expect(await counter.differences()).toEqual([]);
  });

  it.each(['bound', 'revoked', 'suspended'])(
    'a place that was guessed and %s is left, and another one taken',
    async (what) => {
      const counter = await openCounter(desk);
      const tenant = await served(counter.tenantId);
      const { mandates, places } = issuing(async ({ listNumber, slotIndex }, times) => {
        if (times > 1) return;
        const slot = { uri: lists.uriOf(counter.tenantId, listNumber), idx: slotIndex };
        if (what === 'bound') await bind(desk, counter.tenantId, [artifact(slot)]);
        else
          await desk.call('POST', `${counter.path}/revocations`, {
            target: { slot },
            status: what,
            reason_code: 'other',
            revoked_by: 'operator',
          });
      });
      const issued = await mandates.issue(tenant, tenant.context, mandateWish(null));
      if (!issued.ok) throw new Error(issued.error.detail);
      expect(places).toHaveLength(2);
      const found = await counter.read('mandates', issued.value);
      expect(found.body).toMatchObject({ state: 'valid', slot: { idx: places[1]?.slotIndex } });
      expect(await counter.differences()).toEqual([]);
    },
  );

  it('gives up when every place is taken away', async () => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const { mandates } = issuing(({ listNumber, slotIndex }) =>
      bind(desk, counter.tenantId, [
        artifact({ uri: lists.uriOf(counter.tenantId, listNumber), idx: slotIndex }),
      ]),
    );
    expect(await mandates.issue(tenant, tenant.context, mandateWish(null))).toMatchObject({
      ok: false,
      error: { code: 'unavailable' },
    });
    expect(await objectCount(counter, 'mandate')).toBe(0);
  });

  it('takes no place and signs nothing for what is refused or there already', async () => {
    const counter = await openCounter(desk);
    const tenant = await served(counter.tenantId);
    const consentId = await consentOf(counter);
    await counter.issued('passports', passportTerms(consentId));
    await counter.issued('mandates', mandateTerms({ mandate_id: 'mnd-there' }));
    const { mandates, passports, places } = issuing(() => Promise.resolve());
    await passports.issue(tenant, tenant.context, passportWish(consentId));
    await mandates.issue(tenant, tenant.context, mandateWish(null, 'mnd-there'));
    expect(places).toEqual([]);
  });
});
