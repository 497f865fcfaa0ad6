import { rmSync } from 'node:fs';
import { type RunningService, type ServiceOverrides, startService } from '../../src/service.js';
import { type KnownAuthority, startTestAuthority, testAuthority } from './authority.js';
import { closeAfterFile } from './closing.js';
import { temporaryDataFolder } from './data-folder.js';
import { testDatabase } from './database.js';

export interface TestService extends RunningService {
  /** Credential of the platform administrator: makes tenants over HTTP. */
  readonly platformAdminKey: string;
  /** Everything logged so far, as JSON lines. */
  readonly logText: () => string;
}

/**
 * The whole service in this process, on a free port, the shared test database and the authority of the run, without the
 * demo seed. On another database it gets another authority: there may be tenants with the same names. Stopped
 * after the file's tests. `environment` overrides single settings by their names.
 */
export async function startTestService(
  environment: Readonly<Record<string, string>> = {},
  { rails }: Pick<ServiceOverrides, 'rails'> = {},
): Promise<TestService> {
  const folder = temporaryDataFolder('arbiter-service-');
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  let text = '';
  const service = await startService({
    environment: {
      PORT: '0',
      DATABASE_URL: testDatabase().connectionString,
      DATA_DIR: folder,
      SEED_DEMO: 'off',
      // Work that waits for an instant is done when a test asks for it.
      JOBS: 'off',
      RATE_LIMIT_PER_MINUTE: '1000000',
      // One for all services on the shared database: what one wrapped or sealed another reads.
      KEY_ENCRYPTION_KEY: '11'.repeat(32),
      LEDGER_HMAC_MASTER: '22'.repeat(32),
      // As it was before an authority that others run was given: who wants countersignatures says so.
      COUNTERSIGNER: 'off',
      ...(await authorityOf(environment)).settings,
      ...environment,
    },
    logStream: { write: (line) => (text += line) },
    ...(rails === undefined ? {} : { rails }),
  }).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  closeAfterFile(async () => {
    await service.stop();
    removeFolder();
  });
  return { ...service, platformAdminKey: service.config.platformAdminKey, logText: () => text };
}

const others = new Map<string, Promise<KnownAuthority>>();

async function authorityOf(
  environment: Readonly<Record<string, string>>,
): Promise<Pick<KnownAuthority, 'settings'>> {
  const { DATABASE_URL: connectionString, AUTHORITY_URL: given } = environment;
  if (connectionString === undefined || given !== undefined) return testAuthority();
  let started = others.get(connectionString);
  if (started === undefined) {
    started = startTestAuthority({ DATABASE_URL: connectionString });
    others.set(connectionString, started);
    closeAfterFile(() => others.delete(connectionString));
  }
  return started;
}
