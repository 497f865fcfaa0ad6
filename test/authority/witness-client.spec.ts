import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantId } from '../../src/core/kernel/index.js';
import { vkeyOf } from '../../src/core/chain/index.js';
import { WITNESS_KNOWN_MS } from '../../src/trust/authority/authority-witness.js';
import { type AlteredAuthority, alteredAuthority } from '../support/altered-authority.js';
import { authorityOutbound, authorityPort } from '../support/authority.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';
import { cosignedAt, keyOf, logKey, type TestLog, testLog } from './test-log.js';

/** The authority as a witness, seen from the arbiter. */

const house = testHouse();
const port = authorityPort(house);
const registrationOf = ({ origin, key }: TestLog) => ({ origin, vkeys: [key.vkey.text] });

describe('the log of a tenant', () => {
  it('is registered, found under the name of the authority, and cosigned there', async () => {
    const log = testLog();
    const { tenantId } = await createTestTenant(house);
    valueOf(await port.registerLog(tenantId, registrationOf(log)));
    valueOf(await port.registerLog(tenantId, registrationOf(log)));
    const { url, vkeys } = valueOf(await port.witness());
    expect(url).toBe(`${TEST_AUTHORITY_ORIGIN}/witness`);
    const answer = await authorityOutbound().fetch({
      url: `${url}/add-checkpoint`,
      method: 'POST',
      body: Buffer.from(log.request(0, 5)),
    });
    if (answer.kind !== 'ok') throw new Error(answer.kind);
    expect(answer.status).toBe(200);
    const keys = vkeys.map(keyOf);
    cosignedAt(log.text(5), answer.body.toString('utf8'), keys);
  });

  it('keeps its origin, which is that of no other', async () => {
    const log = testLog();
    const [one, two] = [await createTestTenant(house), await createTestTenant(house)];
    valueOf(await port.registerLog(one.tenantId, registrationOf(log)));
    const taken = problemOf(await port.registerLog(two.tenantId, registrationOf(log)));
    expect(taken).toMatchObject({ code: 'conflict', field: '/origin' });
    const other = { ...registrationOf(log), origin: `${log.origin}/2` };
    expect(problemOf(await port.registerLog(one.tenantId, other))).toMatchObject({
      code: 'conflict',
      field: '/origin',
    });
    const none = { origin: log.origin, vkeys: [] };
    expect(problemOf(await port.registerLog(one.tenantId, none)).field).toBe('/vkeys');
  });

  it('of nobody here is registered nowhere', async () => {
    const registered = await port.registerLog('tnt_nobody', registrationOf(testLog()));
    expect(problemOf(registered).code).toBe('not_found');
  });
});

describe('what the authority publishes about its witness', () => {
  let between: AlteredAuthority;
  let tenantId: TenantId;
  beforeAll(async () => {
    between = await alteredAuthority();
    ({ tenantId } = await createTestTenant(house));
  });
  const vkey = (type: 'ed25519' | 'cosignature', name: string): string =>
    vkeyOf(type, name, logKey(name).publicKey).text;
  const name = `${TEST_AUTHORITY_ORIGIN.slice('https://'.length)}/witness`;
  const own = vkey('cosignature', name);
  const good = { vkeys: [own], submission_prefix: `${TEST_AUTHORITY_ORIGIN}/w` };

  it.each<[string, object]>([
    ['nothing', { witness: undefined }],
    ['no key', { witness: { ...good, vkeys: [] } }],
    ['no verifier key', { witness: { ...good, vkeys: ['x'] } }],
    ['a key of a log', { witness: { ...good, vkeys: [vkey('ed25519', name)] } }],
    ['a key of another name', { witness: { ...good, vkeys: [own, vkey('cosignature', 'a')] } }],
    ['another place', { witness: { ...good, submission_prefix: 'https://elsewhere.example/w' } }],
    [
      'a place that only begins like it',
      { witness: { ...good, submission_prefix: `${TEST_AUTHORITY_ORIGIN}.example/w` } },
    ],
    ['no place', { witness: { ...good, submission_prefix: `${TEST_AUTHORITY_ORIGIN}/` } }],
    ['another name', { witness: good, origin: 'https://elsewhere.example' }],
  ])('%s is no witness', async (_name, members) => {
    between.alter = (_path, answer) => ({ ...answer, body: { ...answer.body, ...members } });
    expect(problemOf(await authorityPort(house, between).witness()).code).toBe('unavailable');
  });

  it('is asked for again after a while, and at once when it failed', async () => {
    const asked = () => between.asked.filter((path) => path.endsWith('/arbiter-authority')).length;
    const clock = { nowMs: 1_000 };
    const asking = authorityPort(house, between, () => clock.nowMs);
    between.alter = () => null;
    problemOf(await asking.witness());
    between.alter = (_path, answer) => answer;
    const before = asked();
    const first = valueOf(await asking.witness());
    expect(valueOf(await asking.witness())).toEqual(first);
    expect(asked()).toBe(before + 1);
    clock.nowMs += WITNESS_KNOWN_MS;
    expect(valueOf(await asking.witness())).toEqual(first);
    expect(asked()).toBe(before + 2);
  });

  it('an answer about another log is no answer', async () => {
    const asking = authorityPort(house, between);
    valueOf(await asking.ensureTenant(tenantId));
    between.alter = (path, answer) =>
      path.endsWith('/log') ? { ...answer, body: { origin: 'another' } } : answer;
    const registered = await asking.registerLog(tenantId, registrationOf(testLog()));
    expect(problemOf(registered).code).toBe('unavailable');
  });
});
