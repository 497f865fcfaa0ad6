import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatInstant } from '../../src/core/kernel/index.js';
import { SHOP } from '../../src/demo/demo-world.js';
import { arbiter } from './run.js';
import { read, type ShopCommands, shopCommands } from './shop-commands.js';

let at: ShopCommands;
beforeAll(async () => {
  at = await shopCommands();
});

describe('tenants', () => {
  const made = z.strictObject({
    tenant: z.object({ tenant_id: z.string(), world: z.literal('test') }),
    admin_api_key: z.strictObject({ api_key_id: z.string(), api_key: z.string().nullable() }),
  });

  it('create: the key is shown, or put into a file of its owner', async () => {
    const environment = {
      ARBITER_URL: at.service.baseUrl,
      ARBITER_API_KEY: at.service.platformAdminKey,
    };
    const create = ['tenants', 'create', '--world', 'test', '--name', 'A shop', '--json'];
    const shown = read(await arbiter(create, { environment }), made);
    expect(shown.admin_api_key.api_key).toMatch(/^ak_test_/);
    const path = join(at.folder, 'admin.key');
    const kept = await arbiter([...create, '--key-out', path], { environment });
    expect(read(kept, made).admin_api_key.api_key).toBeNull();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const show = await arbiter(['tenants', 'show', '--json', '--key-file', path], {
      environment: { ARBITER_URL: at.service.baseUrl },
    });
    expect(read(show, z.object({ name: z.string() })).name).toBe('A shop');
    const again = await arbiter([...create, '--key-out', path], { environment });
    expect(again).toMatchObject({ code: 2, out: '' });
    expect(again.err).toContain('EEXIST');
  });

  it('create: a key that may not leaves no file behind', async () => {
    const path = join(at.folder, 'never.key');
    const words = ['tenants', 'create', '--world', 'test', '--name', 'A shop', '--key-out', path];
    await at.expectProblem('tenant_admin', words, 'forbidden');
    expect(existsSync(path)).toBe(false);
  });

  it('show', async () => {
    const { code, out } = await at.run('auditor', ['tenants', 'show']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^tenant +${at.shop.tenantId}$`, 'm'));
    await at.expectProblem('agent', ['tenants', 'show'], 'forbidden');
  });
});

describe('keys', () => {
  const shown = z.strictObject({ api_key_id: z.string(), api_key: z.string() });

  it('create, list, revoke', async () => {
    const create = ['keys', 'create', '--name', 'shop', '--role', 'merchant_system'];
    const bound = [...create, '--merchant', SHOP, '--scope', 'decisions', '--json'];
    const { api_key_id: id } = read(await at.run('tenant_admin', bound), shown);
    const listed = await at.run('auditor', ['keys', 'list', '--all', '--json']);
    expect(listed.err).toBe('');
    const keys = listed.out
      .trim()
      .split('\n')
      .map((line) =>
        z
          .object({ api_key_id: z.string(), revoked_at: z.string().nullable() })
          .parse(JSON.parse(line)),
      );
    expect(keys.find((key) => key.api_key_id === id)?.revoked_at).toBeNull();
    const revoked = await at.run('tenant_admin', ['keys', 'revoke', id, '--json']);
    expect(read(revoked, z.unknown())).toEqual({ api_key_id: id, revoked: true });
    const table = await at.run('auditor', ['keys', 'list', '--all']);
    expect(table.out).toMatch(/^KEY +ROLE +NAME +STATE +ONLY FOR\n/);
    expect(table.out).toMatch(new RegExp(`^${id} +merchant_system +shop +revoked `, 'm'));
    await at.expectProblem('auditor', create, 'forbidden');
    await at.expectProblem('agent', ['keys', 'list'], 'forbidden');
    await at.expectProblem('tenant_admin', ['keys', 'revoke', 'key_none'], 'not_found');
  });

  it('signing keys: list, rotate', async () => {
    const before = await at.run('auditor', ['keys', 'signing', 'list', '--json']);
    const keys = z.object({ keys: z.array(z.object({ purpose: z.string(), state: z.string() })) });
    const rotate = await at.run('tenant_admin', ['keys', 'signing', 'rotate', 'receipt', '--json']);
    expect(rotate.code, rotate.err).toBe(0);
    const { kid } = read(rotate, z.strictObject({ kid: z.string() }));
    const after = await at.run('auditor', ['keys', 'signing', 'list']);
    expect(read(before, keys).keys.length).toBeLessThan(after.out.split('\n').length - 1);
    expect(after.out).toMatch(new RegExp(`^receipt +signing +\\w+ +${kid} `, 'm'));
    await at.expectProblem('auditor', ['keys', 'signing', 'rotate', 'ucp'], 'forbidden');
    await at.expectProblem('agent', ['keys', 'signing', 'list'], 'forbidden');
  });
});

describe('limits', () => {
  const limits = z.object({ version: z.int(), items_max: z.int() });

  it('show, versions, set from options and from a file, diff', async () => {
    const { version } = read(await at.run('auditor', ['limits', 'show', SHOP, '--json']), limits);
    const byOptions = [
      '--order-max',
      '500.00 INR',
      '--daily-max',
      '5000000 INR',
      '--items-max',
      '7',
    ];
    const set = read(
      await at.run('tenant_admin', ['limits', 'set', SHOP, ...byOptions, '--json']),
      z.unknown(),
    );
    expect(set).toMatchObject({
      version: version + 1,
      currencies: [{ currency: 'INR', order_max_minor: '50000', daily_max_minor: '5000000' }],
      items_max: 7,
      not_present: null,
    });
    const text = await at.run('auditor', ['limits', 'show', SHOP]);
    expect(text.out).toMatch(/^present +INR +500\.00 INR +50000\.00 INR +7$/m);
    const document = {
      currencies: [{ currency: 'INR', order_max_minor: '60000', daily_max_minor: '5000000' }],
      items_max: 7,
    };
    const path = at.file('limits.json', JSON.stringify(document));
    const differs = await at.run('auditor', ['limits', 'diff', SHOP, '--file', path, '--json']);
    expect(differs.code).toBe(1);
    expect(read(differs, z.unknown())).toEqual({
      from: version + 1,
      to: 'file',
      changes: [{ at: 'currencies.INR.order_max_minor', from: '50000', to: '60000' }],
    });
    const fromFile = await at.run(
      'tenant_admin',
      ['limits', 'set', SHOP, '--file', '-', '--json'],
      {
        input: JSON.stringify(document),
      },
    );
    expect(read(fromFile, limits).version).toBe(version + 2);
    const same = await at.run('auditor', ['limits', 'diff', SHOP, '--file', path]);
    expect(same).toEqual({ code: 0, out: 'No difference.\n', err: '' });
    const older = ['limits', 'diff', SHOP, '--from', `${version + 1}`, '--to', `${version + 2}`];
    expect((await at.run('auditor', older)).out).toMatch(/order_max_minor +50000 +60000$/m);
    const versions = await at.run('auditor', [
      'limits',
      'versions',
      SHOP,
      '--json',
      '--limit',
      '1',
    ]);
    expect(limits.parse(JSON.parse(versions.out)).version).toBe(version + 2);
    expect(versions.err).toMatch(/^There is more: --cursor \d+, or --all\.\n$/);
  });

  it('problems', async () => {
    await at.expectProblem('auditor', ['limits', 'show', 'nowhere'], 'not_found');
    await at.expectProblem('auditor', ['limits', 'show', SHOP, '999'], 'not_found');
    await at.expectProblem('auditor', ['limits', 'versions', 'nowhere'], 'not_found');
    await at.expectProblem('auditor', ['limits', 'diff', 'nowhere', '--to', '1'], 'not_found');
    const wrong = at.file('wrong.json', '{"currencies":[],"items_max":0}');
    const set = ['limits', 'set', SHOP, '--file', wrong];
    await at.expectProblem('tenant_admin', set, 'validation_failed');
    await at.expectProblem(
      'auditor',
      ['limits', 'set', SHOP, '--order-max', '1 INR', '--items-max', '1'],
      'forbidden',
    );
  });
});

describe('clock and ledger', () => {
  const clock = z.strictObject({ now: z.string(), frozen: z.boolean() });

  it('clock show, move to and by', async () => {
    const { now } = read(await at.run('auditor', ['clock', 'show', '--json']), clock);
    const later = formatInstant(Date.parse(now) + 600_000);
    const moved = await at.run('tenant_admin', ['clock', 'move', '--by', '10m', '--json']);
    expect(read(moved, clock)).toEqual({ now: later, frozen: true });
    const to = await at.run('tenant_admin', ['clock', 'move', '--to', '2026-12-24T18:00:00+05:30']);
    expect(to.out).toMatch(/^now +2026-12-24T12:30:00\.000Z$/m);
    await at.expectProblem('tenant_admin', ['clock', 'move', '--to', now], 'validation_failed');
    await at.expectProblem('agent', ['clock', 'show'], 'forbidden');
    await at.expectProblem('merchant_system', ['clock', 'move', '--by', '1d'], 'forbidden');
  });

  it('ledger head, sealing', async () => {
    const head = z.object({ seq: z.int(), sealing: z.object({ on: z.boolean() }) });
    const before = read(await at.run('auditor', ['ledger', 'head', '--json']), head);
    const off = read(await at.run('tenant_admin', ['ledger', 'sealing', 'off', '--json']), head);
    expect(off).toMatchObject({ seq: before.seq + 1, sealing: { on: false } });
    const said = await at.run('auditor', ['ledger', 'head']);
    expect(said.out).toMatch(new RegExp(`^head +${before.seq + 1}:[0-9a-f]{64}$`, 'm'));
    expect(said.out).not.toMatch(/^link/m);
    const on = read(await at.run('tenant_admin', ['ledger', 'sealing', 'on', '--json']), head);
    expect(on).toMatchObject({ seq: before.seq + 2, sealing: { on: true } });
    expect((await at.run('auditor', ['ledger', 'head'])).out).toMatch(
      /^sealing +on since entry \d+$/m,
    );
    await at.expectProblem('agent', ['ledger', 'head'], 'forbidden');
    await at.expectProblem('auditor', ['ledger', 'sealing', 'off'], 'forbidden');
  });
});
