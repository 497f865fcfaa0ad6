import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { openShop, type Shop, startTestService } from './shop.js';

/** Hostile requests for every published route: never a 5xx, and what is refused has written nothing. */

// A schema is walked as it comes.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Schema = Readonly<Record<string, any>>;
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly queryNames: readonly string[];
  readonly body: Schema | null;
}

let shop: Shop;
let operations: readonly Operation[] = [];
let schemas: Readonly<Record<string, Schema>> = {};

beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  const response = await fetch(`${shop.service.baseUrl}/openapi.json`);
  const document = (await response.json()) as Schema;
  schemas = document['components']?.schemas ?? {};
  operations = Object.entries<Schema>(document['paths']).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      queryNames: ((operation['parameters'] ?? []) as Schema[])
        .filter((parameter) => parameter['in'] === 'query')
        .map((parameter) => String(parameter['name'])),
      body: operation['requestBody']?.content?.['application/json']?.schema ?? null,
    })),
  );
});

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  "'; DROP TABLE entries; --",
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '💥'.repeat(50),
  'a'.repeat(5_000),
  '-1',
  '1e309',
  '999999999999999999999999',
  '0x10',
  'NaN',
  '2026-02-30T00:00:00Z',
  'INR',
  'chai-house',
  'arbdec_000000000000',
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    9_007_199_254_740_992,
    [],
    {},
    [[[[[]]]]],
    { __proto__: { admin: true } },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly of the form the schema describes, with a hostile value somewhere. */
function shaped(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string')
    return shaped(schemas[schema['$ref'].split('/').at(-1) ?? ''] ?? {}, depth);
  if (depth > 6) return hostile;
  const oneOf: Schema[] | undefined = schema['oneOf'] ?? schema['anyOf'];
  if (oneOf !== undefined) return fc.oneof(...oneOf.map((one) => shaped(one, depth)));
  if (Array.isArray(schema['enum'])) return mostly(fc.constantFrom(...schema['enum']));
  switch (schema['type']) {
    case 'object': {
      const properties = Object.entries<Schema>(schema['properties'] ?? {});
      const members = Object.fromEntries(
        properties.map(([name, inner]) => [name, shaped(inner, depth + 1)]),
      );
      return mostly(fc.record(members, { requiredKeys: schema['required'] ?? [] }));
    }
    case 'array':
      return mostly(fc.array(shaped(schema['items'] ?? {}, depth + 1), { maxLength: 4 }));
    case 'integer':
    case 'number':
      return mostly(fc.integer());
    case 'boolean':
      return mostly(fc.boolean());
    case 'string':
      return mostly(fc.constantFrom(...HOSTILE_TEXTS, schema['example'] ?? 'x'));
    default:
      return hostile;
  }
}

const mostly = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: hostile });

/** A sound body with one member replaced. */
function withOneMember(body: unknown): fc.Arbitrary<unknown> {
  const places: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    places.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      walk(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  walk(body, []);
  return fc
    .tuple(fc.constantFrom(...places.slice(1)), hostile)
    .map(([path, value]) => replaced(body, path, value));
}

function replaced(body: unknown, [step, ...rest]: (string | number)[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) =>
      index === step ? replaced(item, rest, value) : (item as unknown),
    );
  const members = body as Record<string, unknown>;
  return { ...members, [step]: replaced(members[step], rest, value) };
}

const CALLERS = ['tenant_admin', 'agent', 'merchant_system', 'auditor', 'platform_admin'] as const;

interface Attempt {
  /** The path with every parameter filled, and its query. */
  readonly target: string;
  readonly caller: (typeof CALLERS)[number];
  readonly body: unknown;
}

/** What can stand in an address: a lone surrogate cannot, so it is replaced. */
const addressText = fc
  .oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 20 }))
  .map((text) => encodeURIComponent(Buffer.from(text).toString()));

/** One query member at a time: of two bad ones the first would hide the second. */
const targetOf = ({ path, queryNames }: Operation): fc.Arbitrary<string> => {
  const names = path.match(/\{\w+\}/g) ?? [];
  const query = fc.tuple(fc.constantFrom('', ...queryNames), addressText);
  return fc.tuple(fc.tuple(...names.map(() => addressText)), query).map(([values, member]) => {
    const filled = names.reduce(
      (text, name, at) => text.replace(name, () => values[at] ?? ''),
      path,
    );
    return member[0] === '' ? filled : `${filled}?${member.join('=')}`;
  });
};

let count = 0;
async function survives(method: string, { target, caller, body }: Attempt) {
  const before = await shop.entryCount();
  const answer = await shop.call(method, target, {
    ...(caller === 'platform_admin' ? { apiKey: shop.service.platformAdminKey } : { as: caller }),
    ...(method === 'GET' || body === undefined ? {} : { body }),
    idempotencyKey: `fuzz-${(count += 1)}`,
  });
  expect(answer.status, `${method} ${target} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  if (answer.status < 400) return;
  // What A2A answers itself has the form of that protocol; whatever was sent, it says what is wrong.
  const isForeign = target.startsWith('/a2a/') && answer.body.detail === undefined;
  if (isForeign) expect((answer.body.error ?? answer.body).message, target).toMatch(/./);
  // A problem says what is wrong and what to do.
  else
    expect(answer.body, `${method} ${target}`).toMatchObject({
      status: answer.status,
      code: expect.stringMatching(/^[a-z_]+$/) as string,
      detail: expect.stringMatching(/./) as string,
    });
  expect(await shop.entryCount()).toBe(before);
}

it('every route of /openapi.json with addresses, queries and bodies of its form and hostile values', async () => {
  expect(operations.length).toBeGreaterThan(20);
  for (const operation of operations) {
    const attempt = fc.record({
      target: targetOf(operation),
      caller: fc.constantFrom(...CALLERS),
      body: operation.body === null ? fc.constant(undefined) : shaped(operation.body),
    });
    await fc.assert(
      fc.asyncProperty(attempt, (made) => survives(operation.method, made)),
      { numRuns: 25 + 8 * operation.queryNames.length, endOnFailure: true },
    );
  }
});

it.each([
  ['handoff', ALLOWED_HANDOFF],
  ['agent_payment', ALLOWED_PURCHASE],
  [
    'refund',
    {
      flow: 'refund',
      merchant_id: 'chai-house',
      order_id: 'o',
      amount: { amount: '1', currency: 'INR' },
    },
  ],
])('a sound %s body with one member replaced', async (_flow, sound) => {
  const caller = sound['flow'] === 'refund' ? 'merchant_system' : 'agent';
  await fc.assert(
    fc.asyncProperty(withOneMember(sound), (body) =>
      survives('POST', { target: '/v1/decisions', caller, body }),
    ),
    { numRuns: 120, endOnFailure: true },
  );
});

it.each([
  ['no JSON', '{"flow":'],
  ['a byte order mark', '\ufeff{}'],
  ['a member twice', '{"flow":"handoff","flow":"refund"}'],
  ['nesting without end', '['.repeat(10_000)],
  ['a number without end', `{"flow":${'9'.repeat(1_000)}}`],
  ['a prototype', '{"__proto__":{"flow":"handoff"}}'],
  ['nothing', ''],
])('bytes that are %s', async (_name, text) => {
  const before = await shop.entryCount();
  const response = await fetch(`${shop.service.baseUrl}/v1/decisions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.apiKeys.agent}`,
      'content-type': 'application/json',
    },
    body: text,
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get('content-type')).toContain('problem+json');
  expect(await shop.entryCount()).toBe(before);
});

it('hundreds of named artifacts are bounded, not a broken entry', async () => {
  const junk = Array.from({ length: 256 }, (_, index) => `${'a'.repeat(120)}${index}`);
  const cart = {
    currency: 'INR',
    lines: Array.from({ length: 100 }, (_, index) => ({
      product_id: `${'p'.repeat(120)}${index}`,
      variant_id: `${'v'.repeat(120)}${index}`,
      quantity: 1,
      unit_price: { amount: '1', currency: 'INR' },
    })),
    total: { amount: '100', currency: 'INR' },
  };
  const answer = await shop.ask({
    flow: 'handoff',
    merchant_id: 'chai-house',
    cart,
    artifacts: junk,
  });
  expect(answer.status).toBeLessThan(500);
  const envelopes = Array.from({ length: 200 }, () => ({
    artifact_type: 'price',
    artifact_id: 'x',
  }));
  const other = await shop.ask({
    flow: 'handoff',
    merchant_id: 'chai-house',
    cart,
    artifacts: envelopes,
  });
  expect(other.status).toBeLessThan(500);
});
