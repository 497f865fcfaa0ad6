import pg from 'pg';
import { type Found, findPersonalData } from './personal-data.js';

/** One entry with something in it that looks like personal data. */
export interface Finding extends Found {
  readonly database: string;
  readonly ledger: string;
  readonly tenantId: string;
  readonly seq: number;
  readonly type: string;
}

export interface Scan {
  readonly entryCount: number;
  readonly findings: readonly Finding[];
}

interface StoredEntry {
  readonly tenant_id: string;
  readonly seq: string;
  readonly type: string;
  readonly body: string;
}

const PAGE_ENTRIES = 2_000;

/** Looks at every entry of every ledger in a database: the arbiter's and the trust authority's. */
export async function scanEntries(connectionString: string): Promise<Scan> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const database = new URL(connectionString).pathname.slice(1);
    const { rows: ledgers } = await client.query<{ schema: string }>(
      `SELECT table_schema AS schema FROM information_schema.columns
        WHERE table_name = 'entries' AND column_name = 'body' ORDER BY 1`,
    );
    let entryCount = 0;
    const findings: Finding[] = [];
    for (const { schema } of ledgers) {
      for await (const { tenant_id: tenantId, seq, type, body } of entriesOf(client, schema)) {
        entryCount += 1;
        for (const found of findPersonalData(type, body))
          findings.push({ ...found, database, ledger: schema, tenantId, seq: Number(seq), type });
      }
    }
    return { entryCount, findings };
  } finally {
    await client.end();
  }
}

async function* entriesOf(client: pg.Client, schema: string): AsyncGenerator<StoredEntry> {
  let last: readonly [string, string] = ['', '-1'];
  for (;;) {
    const { rows } = await client.query<StoredEntry>(
      `SELECT tenant_id, seq, type, body FROM ${client.escapeIdentifier(schema)}.entries
        WHERE (tenant_id, seq) > ($1, $2::bigint) ORDER BY tenant_id, seq LIMIT ${PAGE_ENTRIES}`,
      [...last],
    );
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [end.tenant_id, end.seq];
  }
}

/** `tenant, entry, type, pointer`: enough to find it, and nothing of what stands there. */
export const findingText = ({ database, ledger, tenantId, seq, type, at, what }: Finding): string =>
  `${what}: ${database}.${ledger}, tenant ${tenantId}, entry ${seq}, ${type}, ${at}`;
