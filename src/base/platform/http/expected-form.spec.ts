import { expect, it } from 'vitest';
import { z } from 'zod';
import { inputReader } from './read-input.js';

const amount = z
  .string()
  .regex(/^\d+$/, 'Minor units as text.')
  .meta({ description: 'Minor units as text.', example: '500' });

const read = inputReader({
  method: 'POST',
  path: '/v1/sums',
  summary: 'Sums',
  tag: 'sums',
  access: 'public',
  idempotency: 'none',
  query: z.strictObject({ mode: z.enum(['dry', 'wet']).optional() }),
  body: z.strictObject({
    name: z.string().optional(),
    total: z.strictObject({ amount, currency: z.string() }).transform((sum) => sum.amount),
    either: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('free') }),
        z.strictObject({ kind: z.literal('paid'), price: amount }),
      ])
      .optional(),
    lines: z
      .array(z.strictObject({ amount: amount.optional(), quantity: z.int().optional() }))
      .nullable(),
  }),
  success: { status: 200, body: null },
  problems: [],
});

const fixFor = (body: unknown, query: object = {}): string | null => {
  const input = read({ params: undefined, query, body });
  return input.ok ? null : input.error.problem.fix;
};

const total = { amount: '1', currency: 'INR' };

const EXPECTED =
  'as text in quotes, such as "500" (Minor units as text). /openapi.json describes the form of this route.';

it('describes an amount where one was sent as a number, however deep, and repeats nothing of the caller’s', () => {
  expect(fixFor({ total: { ...total, amount: 4711 }, lines: null })).toBe(
    `Give /total/amount ${EXPECTED}`,
  );
  expect(fixFor({ total, lines: [{}, { amount: 4711 }] })).toBe(`Give /lines/1/amount ${EXPECTED}`);
  expect(fixFor({ total: { ...total, amount: '4711.00' }, lines: null })).toBe(
    `Give /total/amount ${EXPECTED}`,
  );
  expect(fixFor({ total, lines: null, either: { kind: 'paid', price: 4711 } })).toBe(
    `Give /either/price ${EXPECTED}`,
  );
  expect(fixFor({ total, lines: null })).toBeNull();
});

it.each<[string, object | undefined, object, string]>([
  ['no body', undefined, {}, 'Send one.'],
  ['a number for a text', { total, lines: [], name: 5 }, {}, 'Give /name as text in quotes.'],
  ['a text for a list', { total, lines: 'a' }, {}, 'Give /lines as a list in brackets.'],
  [
    'a text for a number within a list',
    { total, lines: [{ quantity: '1' }] },
    {},
    'Give /lines/0/quantity as a number, without quotes.',
  ],
  ['a word that is none of a few', {}, { mode: 'x' }, 'Give ?mode as one of "dry", "wet".'],
  ['an unknown member', { total, lines: [], more: 1 }, {}, 'Leave /more out.'],
])('says what to send in place of %s', (_name, body, query, fix) => {
  expect(fixFor(body, query)).toBe(`${fix} /openapi.json describes the form of this route.`);
});
