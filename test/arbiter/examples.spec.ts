import { beforeAll, describe, expect, it } from 'vitest';
import { API_MODULES } from '../../src/app.module.js';
import { controllersOf, routesOf } from '../../src/base/platform/index.js';
import { parseArtifact } from '../../src/core/proofs/index.js';
import { ARTIFACT_EXAMPLES } from '../../src/doors/api/trust/examples.js';
import { openShop, type Shop, startTestService } from './shop.js';

/** What the docs page offers to start from has to be read by the route that offers it. */

const routes = routesOf(API_MODULES.flatMap(controllersOf)).map(({ name, contract }) => ({
  name,
  contract,
}));
const examples = routes.flatMap(({ name, contract }) =>
  Object.entries(contract.examples ?? {}).map(([title, body]) => ({ name, title, body, contract })),
);

/** What the paths name; nothing stands under the ids of decisions, payments and refunds. */
const NAMED: Readonly<Record<string, string>> = {
  merchant_id: 'chai-house',
  variant_id: 'masala-chai-250g',
  decision_id: 'arbdec_000000000000',
  payment_id: 'pay_000000000000',
  refund_id: 'rfd_000000000000',
  kind: 'products',
};
/** A table says in the query whose it is. */
const TABLE_QUERY = '?merchant_id=chai-house&currency=INR';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

describe('examples of the docs page', () => {
  it('stand at every main route, one per flow of a decision', () => {
    const titles = (name: string) =>
      examples.filter((example) => example.name === name).map(({ title }) => title);
    expect(titles('POST /v1/decisions')).toEqual(['handoff', 'agent_payment', 'refund']);
    for (const name of [
      'POST /v1/simulate',
      'POST /v1/captures',
      'POST /v1/merchants',
      'PUT /v1/merchants/{merchant_id}/limits',
      'POST /v1/agents',
      'POST /v1/api-keys',
      'POST /v1/issuer-keys',
      'POST /v1/artifacts',
      'POST /v1/mandates',
      'POST /v1/consents',
      'POST /v1/passports',
    ])
      expect([name, titles(name).length > 0]).toEqual([name, true]);
  });

  it.each(examples)('$name $title is read by its own schema', ({ body, contract }) => {
    expect(contract.body?.safeParse(body)).toMatchObject({ success: true });
  });

  it.each(examples)('$name $title is answered, not called malformed', async (example) => {
    const { name, title, body, contract } = example;
    const place = contract.path.replace(/\{(\w+)\}/, (_, named: string) => NAMED[named] ?? named);
    const path = contract.csv === true ? place + TABLE_QUERY : place;
    const role = (['tenant_admin', 'merchant_system'] as const).find((one) =>
      contract.access.includes(one),
    );
    const { status, body: answer } = await shop.call(contract.method, path, {
      as: role ?? 'tenant_admin',
      idempotencyKey: `${name} ${title}`.replaceAll(' ', '-'),
      body,
      csv: contract.csv === true,
    });
    // What needs an own issuer, tenant, agent, decision or switch stops there, behind every check of form.
    if (status === 403) expect(answer.code, JSON.stringify(answer)).toBe('arbiter_refused');
    else expect([200, 201, 404, 422], JSON.stringify(answer)).toContain(status);
    expect(answer.detail ?? '').not.toMatch(/shape/);
  });

  it('show a whole artifact', () => {
    expect(parseArtifact(ARTIFACT_EXAMPLES.price.artifact)).toMatchObject({ ok: true });
  });
});
