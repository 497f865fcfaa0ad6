import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deriveLedgerKey } from '../../src/core/chain/index.js';
import { sealingStory } from '../../src/base/history/export/sealing-spans.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';
import {
  createTestTenant,
  testHouse,
  type TestHouse,
  type TestTenant,
} from '../support/tenants.js';
import { fillLedger, getAs, verdictsOf } from './exporting.js';

let service: TestService;
let house: TestHouse;

beforeAll(async () => {
  service = await startTestService();
  house = testHouse();
});

async function send(
  tenant: TestTenant,
  method: string,
  path: string,
  more: { body?: unknown; key?: string } = {},
) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tenant.adminApiKey}`,
      ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(more.key === undefined ? {} : { 'idempotency-key': more.key }),
    },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

const rotate = (tenant: TestTenant, key?: string) =>
  send(tenant, 'POST', '/v1/ledger/sealing/rotations', key === undefined ? {} : { key });
const seal = (tenant: TestTenant, on: boolean) =>
  send(tenant, 'PUT', '/v1/ledger/sealing', { body: { on } });

describe('keys that seal', () => {
  it('are k1, k2, ... and a key of the past never comes back', async () => {
    const tenant = await createTestTenant(house);
    expect(await rotate(tenant)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await seal(tenant, true)).body.sealing.kid).toBe('k1');
    const rotated = await rotate(tenant);
    expect(rotated).toMatchObject({ status: 201, body: { kid: 'k2' } });
    const head = (await send(tenant, 'GET', '/v1/ledger/head')).body;
    expect(head).toMatchObject({ seq: rotated.body.since_seq, sealing: { on: true, kid: 'k2' } });
    expect((await seal(tenant, false)).body.sealing.kid).toBeNull();
    expect((await rotate(tenant)).status).toBe(409);
    expect((await seal(tenant, true)).body.sealing.kid).toBe('k2');
    expect((await rotate(tenant)).body.kid).toBe('k3');
    expect((await seal(tenant, true)).body.sealing.kid).toBe('k3');
    await seal(tenant, false);
    expect((await seal(tenant, true)).body.sealing.kid).toBe('k3');
    expect(await checkLedger(tenant.tenantId)).toEqual(WHOLE);
  });

  it('of rotations at once are all different, and one repeated answers the same', async () => {
    const tenant = await createTestTenant(house);
    await seal(tenant, true);
    const many = await Promise.all(Array.from({ length: 8 }, () => rotate(tenant)));
    const kids = many.map(({ body }) => body.kid as string);
    expect(kids.sort()).toEqual(['k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9']);
    const key = randomUUID();
    const first = await rotate(tenant, key);
    await rotate(tenant);
    expect(await rotate(tenant, key)).toEqual(first);
    expect(first.body.kid).toBe('k10');
  });

  it('are for administrators to rotate', async () => {
    const tenant = await createTestTenant(house);
    const { body } = await send(tenant, 'POST', '/v1/api-keys', {
      body: { name: 'a', role: 'auditor' },
    });
    const auditor = { ...tenant, adminApiKey: body.api_key as string };
    expect((await rotate(auditor)).status).toBe(403);
    expect((await getAs(service, service.platformAdminKey, '/v1/ledger/head')).status).toBe(403);
  });

  it('of before their table are found in the entries', async () => {
    const tenant = await createTestTenant(house);
    for (const on of [true, false, true]) {
      await seal(tenant, on);
      await rotate(tenant);
    }
    const text = readFileSync(
      new URL('../../migrations/0073_ledger_exports.sql', import.meta.url),
      'utf8',
    );
    const backfill = /WITH named[\s\S]*?;/
      .exec(text)?.[0]
      .replace(/INSERT INTO sealing_keys.*/, '');
    const { rows: found } = await testDatabase().pool.query(
      `SELECT newest_kid, last_number, seq::text FROM (${(backfill ?? '').replace(';', '')}) AS b
        (tenant_id, newest_kid, last_number, seq, tx_id) WHERE tenant_id = $1`,
      [tenant.tenantId],
    );
    const { rows: folded } = await testDatabase().pool.query(
      'SELECT newest_kid, last_number, entry_seq::text AS seq FROM sealing_keys WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(found).toEqual(folded);
    expect(found).toMatchObject([{ newest_kid: 'k3', last_number: '3' }]);
  });
});

describe('the head to keep', () => {
  interface Kept {
    readonly seq: number;
    readonly link: string | null;
    readonly sealed_head: {
      readonly seq: number;
      readonly at: string;
      readonly link: string;
    } | null;
  }
  const headOf = async (tenant: TestTenant): Promise<Kept> =>
    (await send(tenant, 'GET', '/v1/ledger/head')).body as Kept;

  it('is number, instant and link of one sealed entry, whether sealing is on or off', async () => {
    const tenant = await createTestTenant(house);
    expect(await headOf(tenant)).toMatchObject({ link: null, sealed_head: null });
    const kept: Kept[] = [];
    for (const on of [true, false, true, false]) {
      kept.push((await seal(tenant, on)).body as Kept);
      await fillLedger(house, tenant, 2);
      kept.push(await headOf(tenant));
    }
    expect(kept.map(({ seq, sealed_head: sealed }) => seq === sealed?.seq)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
    const { text } = await getAs(service, tenant.adminApiKey, '/v1/ledger/export');
    for (const { link, sealed_head: sealed } of kept) {
      expect(sealed?.link).toBe(link);
      const from = `after_seq=${(sealed?.seq ?? 0) - 1}&limit=1`;
      const entries = await send(tenant, 'GET', `/v1/ledger/entries?${from}`);
      expect(entries.body.items).toMatchObject([{ seq: sealed?.seq, at: sealed?.at, link }]);
      for (const { exit } of verdictsOf(text, [
        '--expected-head',
        `${sealed?.seq ?? ''}:${sealed?.link ?? ''}`,
      ]))
        expect(exit).toBe(0);
    }
  });
});

describe('an auditor with derived keys', () => {
  it('checks what they sealed, and is told what else there is', async () => {
    const tenant = await createTestTenant(house);
    await seal(tenant, true);
    await fillLedger(house, tenant, 3);
    await rotate(tenant);
    await fillLedger(house, tenant, 2);
    const { text } = await getAs(service, tenant.adminApiKey, '/v1/ledger/export');
    const line = (kid: string) =>
      `${kid} ${Buffer.from(deriveLedgerKey(Buffer.alloc(32, 0x22), tenant.tenantId, kid)).toString('hex')}\n`;
    const file = join(temporaryDataFolder('arbiter-secret-'), 'secret');
    writeFileSync(file, line('k1') + line('k2'));
    for (const { exit, answer } of verdictsOf(text, ['--hmac-secret-file', file]))
      expect([exit, answer.signatures]).toEqual([0, 'verified']);
    writeFileSync(file, line('k1'));
    for (const { exit, answer } of verdictsOf(text, ['--hmac-secret-file', file]))
      expect([exit, answer.signatures, answer.unverifiable.kids]).toEqual([
        0,
        'unverifiable',
        ['k2'],
      ]);
    writeFileSync(file, line('k1').replace(/.{2}\n/, '00\n'));
    for (const { exit, answer } of verdictsOf(text, ['--hmac-secret-file', file]))
      expect([exit, answer.break]).toEqual([1, 'signature']);
  });
});

describe('the story of sealing', () => {
  const story = (changes: readonly (readonly [number, string | null])[], throughSeq: number) =>
    sealingStory(
      changes.map(([seq, kid]) => ({ seq, kid })),
      throughSeq,
    );

  it.each([
    ['never', [], 4, [0, 5, null, null, []]],
    ['from birth', [[0, 'k1']], 4, [5, 0, 0, 4, ['k1']]],
    ['the last entry switches on', [[4, 'k1']], 4, [1, 4, 4, 4, ['k1']]],
    [
      'the last entry switches off',
      [
        [1, 'k1'],
        [4, null],
      ],
      4,
      [4, 1, null, 4, ['k1']],
    ],
    [
      'off, then on at once',
      [
        [1, 'k1'],
        [2, null],
        [3, 'k1'],
      ],
      3,
      [3, 1, 3, 3, ['k1']],
    ],
    [
      'a rotation keeps since',
      [
        [1, 'k1'],
        [3, 'k2'],
      ],
      9,
      [9, 1, 1, 9, ['k1', 'k2']],
    ],
    [
      'a key that sealed nothing but its end',
      [
        [2, 'k2'],
        [3, null],
        [7, 'k10'],
      ],
      7,
      [3, 5, 7, 7, ['k10', 'k2']],
    ],
  ] as const)(
    '%s',
    (_name, changes, throughSeq, [sealed, unsealed, sinceSeq, lastSealedSeq, kids]) => {
      const told = story(changes, throughSeq);
      expect(told).toMatchObject({ counts: { sealed, unsealed }, sinceSeq, lastSealedSeq, kids });
      const lengths = told.spans.map(({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(throughSeq + 1);
    },
  );
});
