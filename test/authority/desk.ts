import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { checkRebuild, Sealer } from '../../src/base/ledger/index.js';
import { createPool, type Pool } from '../../src/base/platform/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { AUTHORITY_PROJECTIONS } from '../../src/trust-authority/ledger/index.js';
import {
  AUTHORITY_SCHEMA,
  type RunningAuthority,
  startAuthority,
  withSearchPath,
} from '../../src/trust-authority/start.js';
import {
  authorityEnvironment,
  TEST_OPERATOR_TOKEN,
  TEST_SERVICE_TOKEN,
} from '../support/authority-settings.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';

const STRANGER_TOKEN = 'stranger-of-the-tests-0123456789abcdef';
const TOKENS = {
  arbiter: TEST_SERVICE_TOKEN,
  operator: TEST_OPERATOR_TOKEN,
  stranger: STRANGER_TOKEN,
} as const;
export type Service = keyof typeof TOKENS;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Answers are read by tests in whatever form they have.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly text: string;
}

/** The authority in this process, with what tests ask of it. */
export interface Desk extends Pick<RunningAuthority, 'url' | 'origin' | 'app' | 'stop'> {
  readonly pool: Pool;
  call(method: string, path: string, body?: unknown, service?: Service | null): Promise<Answer>;
  /** A new tenant of the service `arbiter`. */
  tenant(world?: 'test' | 'live', testClockAt?: string | null): Promise<TenantId>;
  slots(tenantId: TenantId, count: number): Promise<{ uri: string; idx: number }[]>;
  entryCount(tenantId: TenantId): Promise<number>;
  /** Differences between the tables of a tenant, or of all, and what the ledgers fold to. */
  differences(scope: TenantId | 'all'): Promise<readonly unknown[]>;
}

/** Settings of an authority that knows all three services. */
export const deskEnvironment = (
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  authorityEnvironment({
    AUTHORITY_SERVICE_TOKENS: Object.entries(TOKENS)
      .map(([name, token]) => `${name}=${token}`)
      .join(','),
    AUTHORITY_EMBEDDED: 'true',
    LOG_LEVEL: 'warn',
    ...environment,
  });

/** Starts one; stopped after the file's tests. `environment` overrides single settings. */
export async function openDesk(
  environment: Readonly<Record<string, string>> = {},
  connectionString = testDatabase().connectionString,
): Promise<Desk> {
  const folder = temporaryDataFolder('arbiter-authority-');
  const authority = await startAuthority({
    environment: deskEnvironment({
      DATABASE_URL: connectionString,
      DATA_DIR: folder,
      ...environment,
    }),
    logStream: { write: (line) => process.stderr.write(line) },
  });
  const pool = createPool({
    connectionString: withSearchPath(connectionString, AUTHORITY_SCHEMA),
    maxConnections: 4,
  });
  closeAfterFile(async () => {
    await authority.stop();
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...authority, pool, ...deskOf(authority.url, pool) };
}

/** The same questions to an authority anywhere, on the database behind `pool`. */
export function deskOf(
  url: string,
  pool: Pool,
): Omit<Desk, 'url' | 'origin' | 'app' | 'stop' | 'pool'> {
  const call: Desk['call'] = async (method, path, body, service = 'arbiter') => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(service === null ? {} : { authorization: `Bearer ${TOKENS[service]}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  };
  return {
    call,
    async tenant(world = 'test', testClockAt = null) {
      const tenantId: TenantId = `tnt_${randomUUID().replaceAll('-', '')}`;
      const made = await call('POST', '/v1/tenants', {
        tenant_id: tenantId,
        world,
        test_clock_at: testClockAt,
      });
      if (made.status !== 201) throw new Error(made.text);
      return tenantId;
    },
    async slots(tenantId, count) {
      const taken = await call('POST', `/v1/tenants/${tenantId}/slots`, { count });
      if (taken.status !== 201) throw new Error(taken.text);
      return taken.body.slots as { uri: string; idx: number }[];
    },
    async entryCount(tenantId) {
      const { rows } = await pool.query<{ count: string }>(
        'SELECT count(*) FROM entries WHERE tenant_id = $1',
        [tenantId],
      );
      return Number(rows[0]?.count);
    },
    async differences(scope) {
      const client = await pool.connect();
      try {
        const { differences } = await checkRebuild(client, scope, {
          projections: AUTHORITY_PROJECTIONS,
          sealer: new Sealer(Buffer.alloc(32, 0x44)),
        });
        return differences;
      } finally {
        client.release();
      }
    },
  };
}
