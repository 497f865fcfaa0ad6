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
  body: z.strictObject({
    total: z.strictObject({ amount, currency: z.string() }).transform((sum) => sum.amount),
    lines: z.array(z.strictObject({ amount: amount.optional() })).nullable(),
  }),
  success: { status: 200, body: null },
  problems: [],
});

const fixFor = (body: unknown): string | null => {
  const input = read({ params: undefined, query: undefined, body });
  return input.ok ? null : input.error.problem.fix;
};

const EXPECTED =
  'as text in quotes, such as "500" (Minor units as text). /openapi.json describes the form of this route.';

it('describes an amount where one was sent as a number, however deep, and repeats nothing of the caller’s', () => {
  const total = { amount: '1', currency: 'INR' };
  expect(fixFor({ total: { ...total, amount: 4711 }, lines: null })).toBe(
    `Give /total/amount ${EXPECTED}`,
  );
  expect(fixFor({ total, lines: [{}, { amount: 4711 }] })).toBe(`Give /lines/1/amount ${EXPECTED}`);
  expect(fixFor({ total: { ...total, amount: '4711.00' }, lines: null })).toBe(
    `Give /total/amount ${EXPECTED}`,
  );
  expect(fixFor({ total, lines: null })).toBeNull();
});
