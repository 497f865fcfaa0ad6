import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AMOUNT_MINOR_MAX, CURRENCY_CODES } from '../core/kernel/index.js';
import { bodyOf } from './commands/limits.js';
import { connectionOf } from './connection.js';
import { explainText, type Decision } from './explain.js';
import { changesOf } from './limits-text.js';
import { clipped, jsonText, printable } from './printable.js';
import { progressLine, ProgressLine } from './progress.js';
import { columnWidths, printFields, printRow, printTable } from './table.js';
import {
  parseAmount,
  parseCount,
  parseDuration,
  parseIdempotencyKey,
  parseLabel,
  parseTime,
  printAmount,
} from './values.js';

describe('amounts', () => {
  it.each([
    ['2099 INR', 2_099n],
    ['20.99 INR', 2_099n],
    ['20.9 INR', 2_090n],
    ['0.01 INR', 1n],
    ['2099 JPY', 2_099n],
    ['1.005 KWD', 1_005n],
    ['19.99 USD', 1_999n],
    ['999999999999999999 INR', AMOUNT_MINOR_MAX],
    ['9999999999999999.99 INR', AMOUNT_MINOR_MAX],
  ])('%s', (text, amountMinor) => {
    const parsed = parseAmount(text);
    expect(parsed.ok && parsed.value.amountMinor).toBe(amountMinor);
  });

  it.each([
    '20.999 INR',
    '20.0 JPY',
    '1000000000000000000 INR',
    '10000000000000000.00 INR',
    '-1 INR',
    '+1 INR',
    '1e3 INR',
    '1,000 INR',
    '01 INR',
    '20. INR',
    '.5 INR',
    '1.2.3 INR',
    '20.99',
    'INR 20.99',
    '20.99 inr',
    '20.99  INR',
    ' 20.99 INR',
    '20.99 INR\n',
    '20.99 XYZ',
    '2099 XYZ',
    '20.99 XAU',
    '٢ INR',
    '',
  ])('refused: "%s"', (text) => expect(parseAmount(text).ok).toBe(false));

  it('what is printed can be given again', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: AMOUNT_MINOR_MAX }),
        fc.constantFrom(...CURRENCY_CODES),
        (amountMinor, currency) => {
          const printed = printAmount({ amount: amountMinor.toString(), currency });
          expect(parseAmount(printed)).toEqual({ ok: true, value: { amountMinor, currency } });
        },
      ),
    );
  });

  it('what no table knows stays as it came', () => {
    expect(printAmount({ amount: '5', currency: 'XYZ' })).toBe('5 XYZ');
    expect(printAmount({ amount: '1e5', currency: 'INR' })).toBe('1e5 INR');
    expect(printAmount({ amount: '-5', currency: 'INR' })).toBe('-0.05 INR');
  });
});

describe('other values', () => {
  it('durations', () => {
    expect(parseDuration('90s')).toEqual({ ok: true, value: 90_000 });
    expect(parseDuration('3d')).toEqual({ ok: true, value: 259_200_000 });
    for (const text of ['', '0s', '1.5h', '-1d', '10', '10w', '12345678s'])
      expect(parseDuration(text).ok).toBe(false);
  });
  it('times come out in the one form of the wire', () => {
    expect(parseTime('2026-12-24T18:00:00+05:30')).toEqual({
      ok: true,
      value: '2026-12-24T12:30:00.000Z',
    });
    expect(parseTime('2026-02-30T00:00:00Z').ok).toBe(false);
    expect(parseTime('tomorrow').ok).toBe(false);
  });
  it('counts, labels and keys are bounded', () => {
    const count = parseCount(1, 200);
    expect(count('200')).toEqual({ ok: true, value: 200 });
    for (const text of ['0', '201', '-1', '1.0', '1e2', '']) expect(count(text).ok).toBe(false);
    expect(parseLabel('चाय').ok).toBe(true);
    expect(parseLabel('a\nb').ok || parseLabel('').ok || parseLabel('a'.repeat(201)).ok).toBe(
      false,
    );
    expect(parseIdempotencyKey('a b').ok || parseIdempotencyKey('a'.repeat(256)).ok).toBe(false);
  });
});

describe('text of others on a terminal', () => {
  it('moves no cursor and turns no writing', () => {
    expect(printable('a\u001b[2Jb\u009b\u202e\nc')).toBe('a\\u001b[2Jb\\u009b\\u202e\\u000ac');
    const nasty = { name: '\u001b]0;x\u0007\u009b\u202e' };
    expect(jsonText(nasty)).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(jsonText(nasty))).toEqual(nasty);
  });
  it('is cut at whole characters', () => {
    expect(clipped('ab', 2)).toBe('ab');
    expect(clipped('a😀b', 2)).toBe('a😀...');
  });
  it('stands in columns', () => {
    const columns = [{ title: 'A' }, { title: 'AMOUNT', align: 'right' }] as const;
    const rows = [
      ['one', '5'],
      ['x\ny', '1234567'],
    ];
    expect(printTable(columns, rows).split('\n')).toEqual([
      'A          AMOUNT',
      'one             5',
      'x\\u000ay  1234567',
    ]);
    const wide = columnWidths(columns, [['a', 'b']], [9, 1]);
    expect(wide).toEqual([9, 6]);
    expect(printRow(columns, ['a', 'b'], wide)).toBe('a               b');
    expect(
      printFields([
        ['a', null],
        ['long name', 'x\u0007'],
      ]),
    ).toBe('a          -\nlong name  x\\u0007');
  });
});

describe('progress', () => {
  const bar = (cells: number): string => `[${'#'.repeat(cells).padEnd(40, '.')}]`;
  it.each([
    [0, 100, 0],
    [1, 100, 0],
    [50, 100, 20],
    [99, 100, 39],
    [100, 100, 40],
    [101, 100, 40],
    [0, 0, 40],
  ])('%i of %i', (done, total, cells) =>
    expect(progressLine({ done, total, unit: 'entries' })).toBe(
      `${bar(cells)} ${done} of ${total} entries`,
    ),
  );
  it('is written once for each state, and taken away', () => {
    const written: string[] = [];
    const line = new ProgressLine((text) => written.push(text));
    line.clear();
    line.show({ done: 1, total: 2, unit: 'entries' });
    line.show({ done: 1, total: 2, unit: 'entries' });
    line.clear();
    line.clear();
    expect(written).toEqual([`\r${bar(20)} 1 of 2 entries`, '\r\u001b[K']);
  });
});

describe('limits', () => {
  const inr = { currency: 'INR', order_max_minor: '5', daily_max_minor: null };
  it('differences name their place; order of currencies, nulls and versions are none', () => {
    const usd = { currency: 'USD', order_max_minor: '7' };
    const from = {
      version: 1,
      set_at: 'a',
      currencies: [inr, usd],
      items_max: 3,
      not_present: null,
    };
    const to = { currencies: [usd, { currency: 'INR', order_max_minor: '6' }], items_max: 3 };
    expect(changesOf(from, to)).toEqual([
      { at: 'currencies.INR.order_max_minor', from: '5', to: '6' },
    ]);
    expect(changesOf(from, from)).toEqual([]);
    expect(changesOf({}, { not_present: { items_max: 1 } })).toEqual([
      { at: 'not_present.items_max', from: null, to: '1' },
    ]);
  });
  const money = (amountMinor: bigint, currency = 'INR') => ({ amountMinor, currency });
  it.each([
    ['nothing', {}],
    ['no items', { orderMax: [money(1n)] }],
    ['a file and options', { file: 'x', itemsMax: 1 }],
    ['a currency twice', { orderMax: [money(1n), money(2n)], itemsMax: 1 }],
    [
      'a day without its order',
      { orderMax: [money(1n)], dailyMax: [money(1n, 'USD')], itemsMax: 1 },
    ],
    ['a day twice', { orderMax: [money(1n)], dailyMax: [money(1n), money(2n)], itemsMax: 1 }],
    ['half of the absent', { orderMax: [money(1n)], itemsMax: 1, absentItemsMax: 1 }],
    [
      'the absent in two currencies',
      {
        orderMax: [money(1n)],
        itemsMax: 1,
        absentItemsMax: 1,
        absentOrderMax: money(1n),
        absentDailyMax: money(1n, 'USD'),
      },
    ],
  ])('options refused: %s', (_what, options) => expect(bodyOf(options).ok).toBe(false));
});

describe('the connection', () => {
  const nothing = { url: null, apiKey: null, keyFile: null };
  const key = 'ak_test_12345678';
  it('an option goes before the environment', () => {
    const environment = { ...nothing, url: 'http://127.0.0.1:1', apiKey: 'ak_test_other' };
    const found = connectionOf({ url: 'https://arbiter.example/', key }, environment);
    expect(found).toEqual({
      ok: true,
      value: { baseUrl: 'https://arbiter.example', apiKey: key, warnings: [] },
    });
  });
  it('plain http beyond this machine is warned about', () => {
    const warned = (url: string) => {
      const found = connectionOf({ url, key }, nothing);
      return found.ok && found.value.warnings.length === 1;
    };
    expect(warned('http://arbiter.example')).toBe(true);
    expect(warned('http://localhost.example')).toBe(true);
    expect(warned('http://127.0.0.1:8080') || warned('http://[::1]:8080')).toBe(false);
  });
  it.each([
    ['no key', {}, nothing],
    ['two keys', { key, keyFile: 'x' }, nothing],
    ['two keys in the environment', {}, { ...nothing, apiKey: key, keyFile: 'x' }],
    ['a key with a space', { key: 'ak test 12345678' }, nothing],
    ['no address', { url: 'localhost', key }, nothing],
    ['a password in the address', { url: 'http://a:hunter2@h', key }, nothing],
    ['a query in the address', { url: 'http://h?x=1', key }, nothing],
  ])('refused: %s', (what, options, environment) => {
    const found = connectionOf(options, environment);
    expect(found.ok).toBe(false);
    if (what.startsWith('two keys')) expect(JSON.stringify(found)).toContain('both given');
    expect(JSON.stringify(found)).not.toMatch(/12345678|hunter2/);
  });
});

describe('explain', () => {
  const refused = {
    code: 'arbiter_refused',
    failing_rule: 'refund_within_captured',
    reason: 'refund_exceeds_captured',
    decision_id: 'arbdec_000000000001',
    action: 'refused',
    required_config: 'refund.amount',
    reason_page: '/docs/reasons/x/y',
    not_before: null,
    outcome: 'refuse',
    flow: 'refund',
    merchant_id: 'shop',
    agent_id: null,
    order_id: 'order-1',
    amount: { amount: '100', currency: 'INR' },
    decided_at: '2026-11-30T09:30:00.000Z',
    ruleset: '2',
    dry_run: false,
    usable: false,
    usable_reason: null,
    usable_action: null,
  } as const satisfies Decision;
  const text = (decision: Decision) => explainText(decision, (page) => `http://h${page}`);

  it('says what mends it, from the catalogue', () => {
    expect(text(refused)).toContain('Ask for no more than what is left of the captured amount');
    expect(text(refused)).toContain('http://h/docs/reasons/x/y');
  });
  it('a reason that this program does not know yet falls back on the refusal itself', () => {
    expect(text({ ...refused, reason: 'brand_new' })).toMatch(/^fix +refund\.amount$/m);
  });
  it('shows each kind of observation', () => {
    const observations = [
      { kind: 'amount', name: 'a', observed: '100', limit: '90' },
      { kind: 'age_ms', name: 'b', observed: 1_500, limit: 60_000 },
      { kind: 'instant', name: 'c', observed: 0, limit: null },
      { kind: 'text', name: 'd', observed: '\u001b[31m', limit: 'x' },
    ] as const;
    const shown = text({
      ...refused,
      judged: { kind: 'refund' },
      trace: [
        {
          rule: 'refund_within_captured',
          failure: null,
          observations: [...observations],
          notes: ['n'],
        },
      ],
      entry: { entry_id: 'ent_1', seq: 4, link: null },
    });
    expect(shown).toMatch(/a +100 minor +90 minor/);
    expect(shown).toMatch(/b +1500 ms +60 s/);
    expect(shown).toMatch(/c +1970-01-01T00:00:00\.000Z +-/);
    expect(shown).toContain('\\u001b[31m');
    expect(shown).not.toContain('\u001b');
    expect(shown).toContain('Entry 4 of the ledger, ent_1, not sealed');
  });
});
