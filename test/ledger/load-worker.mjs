// A process that adds to the counters of some tenants as fast as it is answered, and prints each answer on a line of its
// own: `<tenant> <seq> <receipt>`. Started by processes.spec.ts; its first argument is the folder of compiled sources.
import { randomUUID } from 'node:crypto';

const [folder, connectionString, tenants, commands] = process.argv.slice(2);
const ledger = await import(`${folder}/base/ledger/index.js`);
const { codec, ok } = await import(`${folder}/core/kernel/index.js`);
const { cell, column, defineEvent, defineProjection, event, LedgerWriter, sessionOpener, when } =
  ledger;

const added = defineEvent(
  'toy.added',
  codec.record({ counter: codec.text, amount: codec.integer, receipt: codec.text }),
);
const counters = defineProjection({
  table: 'toy_counters',
  mode: 'update',
  key: ['counter'],
  columns: { counter: column.text, value: column.integer, additions: column.integer },
  on: [
    when(added, {
      keys: ({ counter }) => [[counter]],
      evolve: (row, { counter, amount }) => ({
        counter,
        value: (row?.value ?? 0) + amount,
        additions: (row?.additions ?? 0) + 1,
      }),
    }),
  ],
});
const receipts = defineProjection({
  table: 'toy_receipts',
  mode: 'append',
  key: ['receipt'],
  columns: { receipt: column.text, counter: column.text, amount: column.amountMinor },
  on: [
    when(added, {
      keys: ({ receipt }) => [[receipt]],
      evolve: (_row, { receipt, counter, amount }) => ({
        receipt,
        counter,
        amount: BigInt(amount),
      }),
    }),
  ],
});
const totals = defineProjection({
  table: 'toy_totals',
  mode: 'update',
  key: ['name'],
  columns: { name: column.text, value: column.integer },
  on: [
    when(added, {
      keys: () => [['all']],
      evolve: (row, { amount }) => ({ name: 'all', value: (row?.value ?? 0) + amount }),
    }),
  ],
});

const writer = new LedgerWriter({
  openSession: sessionOpener({ connectionString }),
  projections: [counters, receipts, totals],
  masterSecret: new Uint8Array(32).fill(42),
  log: {
    error: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  },
});

async function addForever(tenantId, count) {
  for (let index = 0; index < count; index += 1) {
    const receipt = randomUUID();
    const result = await writer.execute({
      tenantId,
      name: 'toy.add',
      actor: { role: 'system', id: `process-${process.pid}` },
      requestId: receipt,
      idempotency: null,
      reads: [cell(counters, 'c')],
      decide: () => ok({ events: [event(added, { counter: 'c', amount: 1, receipt })] }),
      answer: ([entry]) => entry.seq,
    });
    if (result.ok) process.stdout.write(`${tenantId} ${result.value} ${receipt}\n`);
  }
}

const lanes = tenants.split(',').flatMap((tenantId) => Array.from({ length: 8 }, () => tenantId));
await Promise.all(lanes.map((tenantId) => addForever(tenantId, Number(commands))));
await writer.close();
