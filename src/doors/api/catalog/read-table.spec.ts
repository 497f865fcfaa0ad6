import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANGE_ROWS_MAX } from '../../../trust/facts/index.js';
import {
  atLine,
  readTable,
  RECORD_CHARACTERS_MAX,
  TABLE_KINDS,
  type TableKind,
} from './read-table.js';

const read = (kind: TableKind, text: string, currency: string | null = 'USD') =>
  readTable({ merchantId: 'shop', kind, text, currency });

function changeOf(kind: TableKind, text: string) {
  const table = read(kind, text);
  if (!table.ok) throw new Error(`${table.error.field}: ${table.error.detail}`);
  return table.value.change;
}

function faultOf(kind: TableKind, text: string, currency: string | null = 'USD') {
  const table = read(kind, text, currency);
  return table.ok ? null : table.error.field;
}

describe('products', () => {
  const FLOWERS = [
    'id,title,price,image_url',
    'bouquet_roses,Bouquet of Red Roses,3500,https://example.com/roses.jpg',
    'pot_ceramic,Ceramic Pot,1500,https://example.com/pot.jpg',
    'gardenias,Gardenias,2000,',
  ].join('\n');

  it('each with one variant of the same id, and a price in minor units', () => {
    const change = changeOf('products', FLOWERS);
    expect(change.products[0]).toEqual({
      productId: 'bouquet_roses',
      title: 'Bouquet of Red Roses',
      imageUrl: 'https://example.com/roses.jpg',
      isListed: true,
    });
    expect(change.variants[1]).toEqual({
      variantId: 'pot_ceramic',
      productId: 'pot_ceramic',
      title: null,
    });
    expect(change.prices[2]).toEqual({
      variantId: 'gardenias',
      amountMinor: 2000n,
      currency: 'USD',
    });
    expect(change.products[2]?.imageUrl).toBeNull();
    expect(change.counts).toEqual([]);
  });

  it.each([
    [
      'CRLF, a last line without an end, a byte order mark',
      '\ufeffid,title,price\r\na,A,1\r\nb,B,2',
      2,
    ],
    [
      'another order of columns, spaces around names and cells',
      ' price , title , id \n 7 , A , a \n',
      1,
    ],
    ['empty lines', 'id,title,price\n\na,A,1\n\n\nb,B,2\n', 2],
    ['a quoted cell over two quotes', 'id,title,price\na,"5"" pot, white",1\n', 1],
    ['a quote inside an unquoted cell', 'id,title,price\na,5" pot,1\nb,the "best" pot,2\n', 2],
  ])('%s', (_what, text, count) => {
    expect(changeOf('products', text).prices).toHaveLength(count);
  });

  it('keeps relaxed quotes as they are', () => {
    const change = changeOf('products', 'id,title,price\na,5" pot,1\nb,"5"" pot, white",2\n');
    expect(change.products.map(({ title }) => title)).toEqual(['5" pot', '5" pot, white']);
  });

  it.each([
    ['line 2, column price', 'id,title,price\na,A,35.00\n'],
    ['line 2, column price', 'id,title,price\na,A,-1\n'],
    ['line 2, column price', 'id,title,price\na,A,\n'],
    ['line 2, column price', 'id,title,price\na,A,9007199254740992\n'],
    ['line 2, column price', 'id,title,price\na,A,1e3\n'],
    ['line 3, column id', 'id,title,price\na,A,1\na b,B,2\n'],
    ['line 3, column id', 'id,title,price\na,A,1\n,B,2\n'],
    ['line 4, column title', 'id,title,price\na,A,1\nb,B,2\nc,,3\n'],
    ['line 2, column image_url', 'id,title,price,image_url\na,A,1,javascript:alert(1)\n'],
    ['line 3', 'id,title,price\na,A,1\nb,B\n'],
    ['line 3', 'id,title,price\na,A,1\nb,B,2,3\n'],
    ['line 5, column price', 'id,title,price\n\na,A,1\n\nb,B,x\n'],
    ['line 1, column price', 'id,title\na,A\n'],
    ['line 1, column id', ''],
    ['line 1, column 4', 'id,title,price,prize\na,A,1,2\n'],
    ['line 1, column 4', 'id,title,price,price\na,A,1,2\n'],
    ['line 2', 'id,title,price\na,"open,1\n'],
    ['line 2', 'id,title,price\n'],
  ])('names %s of %j', (field, text) => {
    expect(faultOf('products', text)?.startsWith(field)).toBe(true);
  });

  it('a price needs a currency', () => {
    expect(faultOf('products', FLOWERS, null)).toBe('?currency');
    expect(read('inventory', 'product_id,quantity\na,1\n', null).ok).toBe(true);
  });

  it('bounds rows and their length', () => {
    const rows = (count: number) =>
      `id,title,price\n${Array.from({ length: count }, (_, index) => `p${index},A,1`).join('\n')}`;
    expect(changeOf('products', rows(CHANGE_ROWS_MAX)).products).toHaveLength(CHANGE_ROWS_MAX);
    expect(faultOf('products', rows(CHANGE_ROWS_MAX + 1))).toBe(`line ${CHANGE_ROWS_MAX + 2}`);
    expect(
      faultOf('products', `id,title,price\na,${'x'.repeat(RECORD_CHARACTERS_MAX)},1`),
    ).not.toBeNull();
  });
});

describe('other tables', () => {
  it('variants, with and without titles and prices', () => {
    expect(
      changeOf('variants', 'id,product_id,title,price\nv1,p,100 g,5\nv2,p,,6\n'),
    ).toMatchObject({
      variants: [
        { variantId: 'v1', productId: 'p', title: '100 g' },
        { variantId: 'v2', productId: 'p', title: null },
      ],
      prices: [{ amountMinor: 5n }, { amountMinor: 6n }],
    });
    expect(changeOf('variants', 'id,product_id\nv1,p\n').prices).toEqual([]);
  });

  it('prices', () => {
    expect(changeOf('prices', 'id,price\nv1,0\n').prices).toEqual([
      { variantId: 'v1', amountMinor: 0n, currency: 'USD' },
    ]);
  });

  it('inventory, by product_id or variant_id, never both', () => {
    expect(changeOf('inventory', 'product_id,quantity\nroses,1000\n').counts).toEqual([
      { variantId: 'roses', onHand: 1000 },
    ]);
    expect(changeOf('inventory', 'quantity,variant_id\n0,v1\n').counts).toEqual([
      { variantId: 'v1', onHand: 0 },
    ]);
    expect(faultOf('inventory', 'product_id,variant_id,quantity\na,b,1\n')).toMatch(/^line 1/);
    expect(faultOf('inventory', 'quantity\n1\n')).toMatch(/^line 1/);
    for (const quantity of ['-1', '1.5', '1000000001', 'many', ''])
      expect(faultOf('inventory', `product_id,quantity\na,${quantity}\n`)).toBe(
        'line 2, column quantity',
      );
  });
});

it('a problem of the catalogue is told by line and column', () => {
  const table = read('inventory', 'product_id,quantity\na,1\n\nb,2\n');
  if (!table.ok) throw new Error('the table is good');
  const found = { code: 'conflict', detail: 'They are held.', fix: 'Wait.' } as const;
  expect(atLine({ ...found, field: '/counts/1/on_hand' }, table.value)).toMatchObject({
    field: 'line 4, column quantity',
    detail: 'Line 4, column quantity: They are held.',
  });
  expect(atLine({ ...found, field: '/merchant_id' }, table.value).field).toBe('/merchant_id');
});

it('answers any text with a change or a problem that names a place', () => {
  const cell = fc.oneof(
    fc.constantFrom('id', 'title', 'price', 'quantity', 'product_id', '"', '""', '', '1', 'a', ' '),
    fc.string({ maxLength: 12 }),
  );
  const line = fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(','));
  const table = fc.tuple(
    fc.constantFrom('id,title,price', 'product_id,quantity', 'id,product_id', 'id,price', ''),
    fc.array(line, { maxLength: 6 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  );
  const text = fc.oneof(
    table.map(([header, lines, end]) => [header, ...lines].join(end)),
    fc.string({ maxLength: 200 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...TABLE_KINDS), text, (kind, given) => {
      const found = read(kind, given);
      if (found.ok) expect(found.value.lines.length).toBeGreaterThan(0);
      else expect(found.error.field).toMatch(/^line \d+/);
    }),
    { numRuns: 500 },
  );
});
