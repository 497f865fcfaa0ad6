import { rmSync } from 'node:fs';
import { inject } from 'vitest';
import {
  type AuthorityAddress,
  createOutboundClient,
  type OutboundClient,
} from '../../src/base/platform/index.js';
import { type RunningAuthority, startAuthority } from '../../src/trust-authority/start.js';
import { AuthorityClient } from '../../src/trust/authority/index.js';
import { IssuerKeys, SignatureChecker } from '../../src/trust/peers/index.js';
import {
  authorityEnvironment,
  TEST_AUTHORITY_ORIGIN,
  TEST_SERVICE_TOKEN,
} from './authority-settings.js';
import { closeAfterFile } from './closing.js';
import { temporaryDataFolder } from './data-folder.js';
import type { TestHouse } from './tenants.js';

/** A trust authority as its arbiters know it. */
export interface KnownAuthority {
  readonly address: AuthorityAddress;
  /** What a service is told to use it. */
  readonly settings: Readonly<Record<string, string>>;
}

const knownAt = (url: string): KnownAuthority => ({
  address: {
    origin: TEST_AUTHORITY_ORIGIN,
    isEmbedded: false,
    serviceToken: TEST_SERVICE_TOKEN,
    transportOrigin: () => url,
  },
  settings: {
    AUTHORITY_URL: url,
    AUTHORITY_ORIGIN: TEST_AUTHORITY_ORIGIN,
    AUTHORITY_SERVICE_TOKEN: TEST_SERVICE_TOKEN,
  },
});

/** The one of the whole run, on the shared test database. */
export const testAuthority = (): KnownAuthority => knownAt(inject('authorityUrl'));

export interface TestAuthority extends RunningAuthority, KnownAuthority {}

/**
 * One more in this process, on a free port, to be stopped, moved or asked alone: a replica of that of the whole run unless
 * `environment` names another database or other secrets. Stopped after the file's tests.
 */
export async function startTestAuthority(
  environment: Readonly<Record<string, string>> = {},
): Promise<TestAuthority> {
  const folder = temporaryDataFolder('arbiter-authority-');
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const own = { DATABASE_URL: inject('databaseUrl'), DATA_DIR: folder, ...environment };
  const authority = await startAuthority({
    environment: authorityEnvironment(own),
    report: (line) => console.error(line),
  }).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  closeAfterFile(async () => {
    await authority.stop();
    removeFolder();
  });
  return { ...authority, ...knownAt(authority.url) };
}

/** Fetches as a service does that uses this authority. */
export const authorityOutbound = (
  { address }: Pick<KnownAuthority, 'address'> = testAuthority(),
): OutboundClient =>
  createOutboundClient({ allowLoopbackPeers: false, nowMs: Date.now, mapped: address });

/** The arbiter's side of an authority, on a test house. */
export function authorityPort(
  { database, writer }: Pick<TestHouse, 'database' | 'writer'>,
  { address }: Pick<KnownAuthority, 'address'> = testAuthority(),
  nowMs: () => number = Date.now,
): AuthorityClient {
  return new AuthorityClient({
    address,
    outbound: authorityOutbound({ address }),
    database,
    issuerKeys: new IssuerKeys({ database, writer }),
    checker: new SignatureChecker(),
    servesLive: true,
    nowMs,
  });
}
