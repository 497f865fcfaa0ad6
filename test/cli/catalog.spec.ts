import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { read, type ShopCommands, shopCommands } from './shop-commands.js';

let cli: ShopCommands;
beforeAll(async () => {
  cli = await shopCommands();
});

const ofShop = ['--merchant', SHOP];
const imports = (file: string, kind: string, more: readonly string[] = []) =>
  cli.run('merchant_system', ['catalog', 'import', file, '--kind', kind, ...ofShop, ...more]);

const imported = z.object({ products: z.int(), prices: z.int(), counts: z.int() });
const publication = z.object({ published: z.int(), unchanged: z.int(), next_cursor: z.null() });
const revocation = z.object({ status: z.string(), uri: z.string(), idx: z.int() });

describe('arbiter catalog import, facts publish, revoke, status', () => {
  it('takes a shop from two tables to signed facts, and one of them back', async () => {
    const products = cli.file(
      'products.csv',
      'id,title,price\nroses,Bouquet of "Red" Roses,3500\npot,"Pot, white",1500\n',
    );
    const inventory = cli.file('inventory.csv', 'product_id,quantity\nroses,5\npot,2\n');
    const first = await imports(products, 'products', ['--currency', 'INR', '--json']);
    expect(first.code, first.err).toBe(0);
    expect(read(first, imported)).toMatchObject({ products: 2, prices: 2 });
    expect((await imports(inventory, 'inventory')).out).toContain('stock     2');

    const published = await cli.run('merchant_system', ['facts', 'publish', ...ofShop, '--json']);
    expect(read(published, publication)).toMatchObject({ published: 8 });
    const again = await cli.run('merchant_system', [
      ...['facts', 'publish', ...ofShop, '--type', 'price', '--json'],
    ]);
    expect(read(again, publication)).toMatchObject({ published: 0, unchanged: 2 });

    const revoked = await cli.run('merchant_system', [
      ...['revoke', 'price:roses', '--reason', 'recall', ...ofShop, '--json'],
    ]);
    expect(revoked.code, revoked.err).toBe(0);
    const { uri } = read(revoked, revocation);
    const facts = await cli.run('merchant_system', ['facts', 'list', ...ofShop, '--type', 'price']);
    expect(facts.out).toMatch(/price {2}roses .*revoked/);
    expect(facts.out).toMatch(/price {2}pot .*valid/);
    const status = await cli.run('auditor', ['status', uri]);
    expect(status.code, status.err).toBe(0);
    expect(status.out).toMatch(/^usable +yes$/m);
    expect(status.out).toMatch(/^places +131072$/m);
    expect(status.out).toMatch(/^own slots +\d+ reserved, \d+ in use$/m);
    const unknown = await cli.run('auditor', ['status', `${uri}9`]);
    expect([unknown.code, unknown.out]).toEqual([1, 'No slot is reserved on this list.\n']);
  });

  it('recalls what nobody read yet: it is published withdrawn', async () => {
    const file = cli.file('late.csv', 'id,title,price\nlate,Late,1\n');
    await imports(file, 'products', ['--currency', 'INR']);
    const words = ['revoke', 'product:late', '--reason', 'recall', ...ofShop];
    const revoked = await cli.run('merchant_system', words);
    expect(revoked.code, revoked.err).toBe(0);
    expect(revoked.out).toMatch(/^status +revoked$/m);
  });

  it('needs no merchant to be named by a key that has one', async () => {
    const made = await cli.run('tenant_admin', [
      ...[
        'keys',
        'create',
        '--name',
        'till',
        '--role',
        'merchant_system',
        '--merchant',
        SHOP,
        '--json',
      ],
    ]);
    const { api_key: apiKey } = read(made, z.object({ api_key: z.string() }));
    const bound = (words: readonly string[]) => cli.run('auditor', [...words, '--key', apiKey]);
    const file = cli.file('own.csv', 'id,title,price\nown,Own,1\n');
    await imports(file, 'products', ['--currency', 'INR']);
    const published = await bound(['facts', 'publish']);
    expect(published.code, published.err).toBe(0);
    const revoked = await bound(['revoke', 'price:own', '--reason', 'recall']);
    expect(revoked.code, revoked.err).toBe(0);
    const [many, publishing] = await Promise.all([
      cli.run('merchant_system', ['revoke', 'price:own', '--reason', 'recall']),
      cli.run('merchant_system', ['facts', 'publish']),
    ]);
    for (const { code, err } of [many, publishing])
      expect([code, err]).toEqual([2, expect.stringContaining('--merchant')]);
  });

  it('withdraws what an issuer registered, and makes up nothing to withdraw', async () => {
    const words = (what: string) => ['revoke', what, '--reason', 'recall', ...ofShop];
    const entries = await cli.shop.entryCount();
    const odd = await cli.run('merchant_system', words('policy:returns'));
    expect([odd.code, odd.err]).toEqual([2, expect.stringContaining(SHOP)]);
    expect(await cli.shop.entryCount()).toBe(entries);
    for (const [what, reason] of [
      [`price:${PRODUCTS[0].variantId}`, 'artifact_revoked:price'],
      [`policy:${STALL}`, 'artifact_revoked:policy'],
    ] as const) {
      const merchant = reason.endsWith('policy') ? STALL : SHOP;
      const ended = await cli.run('merchant_system', [
        ...['revoke', what, '--reason', 'recall', '--merchant', merchant],
      ]);
      expect(ended.code, ended.err).toBe(0);
      const asked = await cli.shop.ask({ ...ALLOWED_HANDOFF, merchant_id: merchant });
      expect(asked.body).toMatchObject({ outcome: 'refuse', reason });
    }
    await cli.expectProblem('merchant_system', words('price:nothing'), 'not_found');
  });

  it('sends a long table in pieces and tells a line of the whole file', async () => {
    const rows = Array.from({ length: 1_100 }, (_, index) => `long-${index},Tea,100`);
    const good = cli.file('long.csv', `id,title,price\n${rows.join('\n')}\n`);
    const all = await imports(good, 'products', ['--currency', 'INR', '--json']);
    expect(read(all, imported)).toMatchObject({ products: 1_100 });
    rows[1_050] = 'long-1050,Tea,1.00';
    const bad = cli.file('bad.csv', `id,title,price\n${rows.join('\n')}\n`);
    const failed = await imports(bad, 'products', ['--currency', 'INR']);
    expect(failed.code).toBe(3);
    expect(failed.err).toContain('1000 of 1100 rows were imported before this.');
    expect(failed.err).toContain('field: line 1052, column price');
  });

  it('imports JSON', async () => {
    const file = cli.file(
      'shop.json',
      JSON.stringify({ products: [{ product_id: 'j', title: 'J' }] }),
    );
    const ended = await imports(file, 'json', ['--json']);
    expect(read(ended, imported)).toMatchObject({ products: 1 });
  });

  it.each([
    [['catalog', 'import', 'nothing.csv', '--kind', 'products', ...ofShop], 'cannot be read'],
    [['catalog', 'import', 'x', '--kind', 'coupons', ...ofShop], 'Give products or'],
    [['catalog', 'import', 'x', '--kind', 'prices', ...ofShop, '--currency', 'RUPEE'], 'ISO 4217'],
    [['facts', 'publish'], '--merchant'],
    [['revoke', 'price:roses', '--reason', 'whim', ...ofShop], '--reason'],
    [['revoke', 'roses', '--reason', 'recall', ...ofShop], 'price:tea-100g'],
    [['revoke', 'price:roses', '--reason', 'recall'], '--merchant'],
  ])('%j cannot be run as given', async (words, said) => {
    const ended = await cli.run('merchant_system', words);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(said);
  });
});
