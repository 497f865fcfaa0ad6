import { createHash, createHmac, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  defineEvent,
  event,
  LedgerWriter,
  openLedger,
  sessionOpener,
  type Command,
} from '../src/base/ledger/index.js';
import { createPool, migrate, openDatabase } from '../src/base/platform/index.js';
import { codec, ok, type TenantId } from '../src/core/kernel/index.js';
import { temporaryDataFolder } from '../test/support/data-folder.js';
import { closedLoop, race, report } from './lib/ratio.js';

// The chain serialises writers: each entry needs its predecessor. The baseline is the plain way, one transaction per
// entry that locks the head, inserts and commits; the candidate is the batching writer. Both seal, both on one tenant,
// both durable before they answer.
const CALLERS = 32;
const BODY = 'x'.repeat(500);

const noted = defineEvent('bench.noted', codec.record({ text: codec.text }));
const tenantId: TenantId = `tnt_${randomBytes(8).toString('hex')}`;
const actor = { role: 'system', id: 'bench' } as const;
const context = { tenantId, actor, requestId: 'bench', idempotency: null };

const dataDir = temporaryDataFolder('arbiter-bench-');
const database = await openDatabase({ databaseUrl: null, dataDir });
await migrate(database);
const writer = new LedgerWriter({
  openSession: sessionOpener({ connectionString: database.connectionString }),
  projections: [],
  masterSecret: randomBytes(32),
  log: { error: (message, details) => console.error(message, details) },
});

const note: Command<null> = {
  ...context,
  name: 'note',
  reads: [],
  decide: () => ok({ events: [event(noted, { text: BODY })] }),
  answer: () => null,
};

const opened = await writer.open<null>({
  ...context,
  name: 'open',
  reads: [],
  decide: () => ok({ events: [openLedger({ world: 'test', sealingKid: 'lk1' })] }),
  answer: () => null,
});
if (!opened.ok) throw new Error(opened.error.detail);

const batched = closedLoop(CALLERS, async () => {
  const answer = await writer.execute(note);
  if (!answer.ok) throw new Error(answer.error.detail);
});

await database.pool.query(`
  CREATE TABLE plain_heads (tenant_id text PRIMARY KEY, last_seq bigint NOT NULL, last_link text NOT NULL);
  CREATE TABLE plain_entries (tenant_id text, seq bigint, body text, mac text, link text, PRIMARY KEY (tenant_id, seq));
  INSERT INTO plain_heads VALUES ('${tenantId}', -1, '${'0'.repeat(64)}')`);
const plainPool = createPool({ connectionString: database.connectionString });
const macKey = randomBytes(32);

async function appendPlainly(): Promise<void> {
  const client = await plainPool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ last_seq: string; last_link: string }>(
      'SELECT last_seq, last_link FROM plain_heads WHERE tenant_id = $1 FOR UPDATE',
      [tenantId],
    );
    const head = rows[0];
    if (head === undefined) throw new Error('the head is there');
    const seq = Number(head.last_seq) + 1;
    const mac = createHmac('sha256', macKey)
      .update(`${seq}\n${head.last_link}\n${BODY}`)
      .digest('hex');
    const link = createHash('sha256')
      .update(`${seq}\n${head.last_link}\n${mac}\n${BODY}`)
      .digest('hex');
    await client.query('INSERT INTO plain_entries VALUES ($1, $2, $3, $4, $5)', [
      tenantId,
      seq,
      BODY,
      mac,
      link,
    ]);
    await client.query(
      'UPDATE plain_heads SET last_seq = $2, last_link = $3 WHERE tenant_id = $1',
      [tenantId, seq, link],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

try {
  report(
    await race({
      name: 'ledger-append',
      claim: `sealed appends through the batching writer / one transaction per append, ${CALLERS} callers, one tenant`,
      candidate: batched,
      baseline: closedLoop(CALLERS, appendPlainly),
    }),
  );
} finally {
  await writer.close();
  await plainPool.end();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
}
