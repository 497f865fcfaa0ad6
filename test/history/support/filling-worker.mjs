// A process that writes batches of entries into the ledgers of some tenants until it is killed. `failure-table-torn.spec.ts`
// starts it; its first argument is the folder of the compiled sources.
const [folder, connectionString, tenants, masterSecretHex] = process.argv.slice(2);
const { defineEvent, event, LedgerWriter, sessionOpener } = await import(
  `${folder}/base/ledger/index.js`
);
const { codec, ok } = await import(`${folder}/core/kernel/index.js`);
const { PROJECTIONS } = await import(`${folder}/projections.js`);

const filled = defineEvent('history_test.filled', codec.record({ text: codec.text }));

const writer = new LedgerWriter({
  openSession: sessionOpener({ connectionString }),
  projections: PROJECTIONS,
  masterSecret: Buffer.from(masterSecretHex, 'hex'),
  log: { error: (message) => process.stderr.write(`${message}\n`) },
  limits: { flushers: 1 },
});

/** Answers end up on stdout, a line each: `<tenant> <first seq>`. */
async function fillForever(tenantId) {
  for (let turn = 0; ; turn += 1) {
    const result = await writer.execute({
      tenantId,
      name: 'history_test.fill',
      actor: { role: 'system', id: `process-${process.pid}` },
      requestId: `req-${process.pid}-${turn}`,
      idempotency: null,
      reads: [],
      decide: () =>
        ok({
          events: Array.from({ length: 3 }, (_, index) => event(filled, { text: `${index}` })),
        }),
      answer: ([entry]) => entry.seq,
    });
    if (result.ok) process.stdout.write(`${tenantId} ${result.value}\n`);
  }
}

await Promise.all(tenants.split(',').map(fillForever));
