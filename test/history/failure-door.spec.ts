import { beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from '../arbiter/shop.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';
import { valueOf } from '../support/tenants.js';
import { getAs } from './exporting.js';
import { linksOf } from './house.js';
import { type FailureHouse, openFailureHouse } from './support/failure-house.js';
import { type DatabaseSite, DATABASE_FAULTS } from './support/faults.js';
import { judgeLog } from './support/judge-log.js';
import { installRefusals, refuseNext } from './support/refusals.js';

/**
 * The failure table once more for what a caller gets over HTTP: the checkpoint that a receipt makes on demand, the switch of
 * sealing, the beginning of an export. Each row its own tenant; after each the whole log is verified.
 */
const TABLE = `
  request  | write      | fault             | answer                | while held | next
  receipt  | checkpoint | lost on the way   | 503 unavailable       |            | 200
  receipt  | checkpoint | lost at COMMIT    | 503 unavailable       |            | 200
  receipt  | checkpoint | refused for now   | 503 unavailable       |            | 200
  receipt  | checkpoint | refused for good  | 500 internal          |            | 200
  receipt  | checkpoint | kept, answer lost | 503 unavailable       |            | 200
  receipt  | checkpoint | slow              | 200                   | 200        | 200
  rotation | entries    | lost at COMMIT    | 201                   |            | 201
  rotation | entries    | refused for good  | 500 internal          |            | 201
  rotation | entries    | kept, answer lost | 201                   |            | 201
  export   | checkpoint | lost at COMMIT    | 200                   |            | 200
  export   | checkpoint | kept, answer lost | 200                   |            | 200
  export   | checkpoint | slow              | 200                   | 200        | 200
  export   | front      | refused for now   | 503 unavailable       |            | 200
  export   | front      | refused for good  | 500 internal          |            | 200
  export   | entries    | kept, answer lost | 200                   |            | 200
`;

const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([request = '', write = '', fault = '', answer, held, next]) => ({
    ...{ request, write, fault, answer, held, next },
  }));

const SITES: Readonly<Record<string, DatabaseSite & { readonly table: string }>> = {
  checkpoint: {
    statement: /INSERT INTO ledger_checkpoints/,
    commits: true,
    table: 'ledger_checkpoints',
  },
  entries: { statement: /insert_entries/, commits: true, table: 'entries' },
  front: {
    statement: /INSERT INTO ledger_export_fronts/,
    commits: false,
    table: 'ledger_export_fronts',
  },
};
const SQL_STATES: Readonly<Record<string, string>> = {
  'refused for now': '53100',
  'refused for good': '23514',
};

let proxy: FaultyProxy;
let judge: FailureHouse;
let service: Awaited<ReturnType<typeof startTestService>>;

beforeAll(async () => {
  const { connectionString } = await freshDatabase();
  proxy = await FaultyProxy.start(connectionString);
  closeAfterFile(() => proxy.close());
  judge = openFailureHouse({ connectionString, authority: testAuthority() });
  closeAfterFile(() => judge.close());
  await installRefusals(judge.pool);
  service = await startTestService({
    DATABASE_URL: proxy.connectionString,
    ...testAuthority().settings,
  });
});

const price = (amount: string) => ({ amount, currency: 'INR' });
const TEA = {
  flow: 'handoff',
  merchant_id: 'chai-house',
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: 'masala-chai',
        variant_id: 'masala-chai-250g',
        quantity: 1,
        unit_price: price('45900'),
      },
    ],
    total: price('45900'),
  },
};

async function decide(shop: Shop): Promise<{ status: number; id: string }> {
  const { status, body } = await shop.ask(TEA);
  return { status, id: body.decision_id };
}

/** What the caller gets: the status, and the code of a problem. */
async function sent(shop: Shop, request: string, decisionId: string): Promise<string> {
  const as = 'tenant_admin';
  if (request === 'export') {
    const answer = await getAs(service, shop.apiKeys[as], '/v1/ledger/export');
    return [answer.status, ...(answer.problem === null ? [] : [answer.problem.code])].join(' ');
  }
  const { status, body } =
    request === 'receipt'
      ? await shop.call('GET', `/v1/decisions/${decisionId}/receipt`, { as })
      : await shop.call('POST', '/v1/ledger/sealing/rotations', { as });
  return [status, ...(status < 400 ? [] : [body.code])].join(' ');
}

async function armed({ tenantId }: Shop, write: string, fault: string) {
  const site = SITES[write];
  if (site === undefined) throw new Error(`there is no write "${write}"`);
  const sqlState = SQL_STATES[fault];
  if (sqlState !== undefined)
    return refuseNext(judge.pool, tenantId, { table: site.table, operation: 'INSERT', sqlState });
  return DATABASE_FAULTS[fault as keyof typeof DATABASE_FAULTS](proxy, site);
}

it.each(
  ROWS.map((row): [string, typeof row] => [`${row.request} | ${row.write} | ${row.fault}`, row]),
)('%s', async (_name, { request, write, fault, answer, held, next }) => {
  const shop = await openShop(service);
  const { tenantId } = shop;
  const sealing = { as: 'tenant_admin', body: { on: true } } as const;
  expect((await shop.call('PUT', '/v1/ledger/sealing', sealing)).status).toBe(200);
  valueOf(await judge.house.signingKeys.signer(tenantId, 'checkpoint'));
  const { id } = await decide(shop);
  const meeting = await armed(shop, write, fault);
  const answered = sent(shop, request, id);
  await Promise.race([meeting.met, answered]);
  const whileHeld = fault === 'slow' ? String((await decide(shop)).status) : '';
  if (fault === 'slow') meeting.release();
  const got = await answered;
  expect(await meeting.hasMet(), 'the write met the fault').toBe(true);
  const then = await sent(shop, request, id);
  expect({ answer: got, held: whileHeld, next: then }).toEqual({ answer, held, next });
  const { rows } = await judge.pool.query<{ kid: string }>(
    'SELECT DISTINCT kid FROM entries WHERE tenant_id = $1 AND kid IS NOT NULL ORDER BY kid',
    [tenantId],
  );
  const sealed = (await linksOf(judge.pool, tenantId)).filter((link) => link !== null);
  await judgeLog(
    judge,
    {
      tenantId,
      context: () => ({
        tenantId,
        actor: { role: 'tenant_admin', id: 'judge' },
        requestId: 'judge',
        idempotency: null,
      }),
    },
    { sealed: sealed.length + 1, kids: rows.map(({ kid }) => kid), isWitnessed: false },
  );
});
