import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { type RunningService, type ServiceOverrides, startService } from '../../src/service.js';
import { temporaryDataFolder } from './data-folder.js';
import { testDatabase } from './database.js';

export interface TestService extends RunningService {
  /** Credential of the platform administrator: makes tenants over HTTP. */
  readonly platformAdminKey: string;
  /** Everything logged so far, as JSON lines. */
  readonly logText: () => string;
}

const toStop: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(toStop.splice(0).map((stop) => stop()));
});

/**
 * The whole service in this process, on a free port and the shared test database, without the demo seed. Stopped
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
      ...environment,
    },
    logStream: { write: (line) => (text += line) },
    ...(rails === undefined ? {} : { rails }),
  }).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  toStop.push(async () => {
    await service.stop();
    removeFolder();
  });
  return { ...service, platformAdminKey: service.config.platformAdminKey, logText: () => text };
}
