import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import {
  KEY_DIRECTORIES,
  type KeyDirectories,
  SIGNATURE_NONCES,
  type SignatureNonces,
} from '../../src/trust/peers/index.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';
import { directoryAt } from './directory-house.js';
import { agentKey, answering, directoryOf, DirectoryServer } from './directory-server.js';

const [pinned, tap, published] = [agentKey(), agentKey({ kid: 'tap-1' }), agentKey()];
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  const folder = temporaryDataFolder('arbiter-peers-');
  closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, key: typeof tap) => {
    writeFileSync(join(folder, name), directoryOf(key));
    return join(folder, name);
  };
  service = await startTestService({
    ALLOW_LOOPBACK_PEERS: 'true',
    SIGNATURE_PINNED_DIRECTORIES: `https://agent.example=${file('pinned.json', pinned)}`,
    SIGNATURE_TAP_KEYS: file('tap.json', tap),
  });
});

it('the service finds keys in files and in directories of this machine, by its settings', async () => {
  const server = (await DirectoryServer.start()).otherwise(answering(directoryOf(published)));
  const directories = service.app.get<KeyDirectories>(KEY_DIRECTORIES, { strict: false });
  const options = { waitMs: 30_000, clientAddress: null, isStrict: true } as const;
  const test = { ...options, world: 'test' } as const;
  const live = { ...options, world: 'live' } as const;
  expect(await directories.resolve({ kind: 'pinned' }, 'tap-1', live)).toMatchObject({
    key: { thumbprint: tap.thumbprint },
  });
  const agent = directoryAt('https://agent.example');
  expect(await directories.resolve(agent, pinned.thumbprint, live)).toMatchObject({
    key: { thumbprint: pinned.thumbprint },
  });
  const here = directoryAt(server.url(''));
  expect(await directories.resolve(here, published.thumbprint, test)).toMatchObject({
    key: { thumbprint: published.thumbprint },
  });
  expect(await directories.resolve(here, published.thumbprint, live)).toEqual({
    kind: 'none',
    reason: 'agent_url_refused',
  });
});

it('the service claims words, and its tick sweeps those that are over', async () => {
  const nonces = service.app.get<SignatureNonces>(SIGNATURE_NONCES, { strict: false });
  const claim = {
    profile: 'wba',
    source: 'https://agent.example/',
    keyId: 'k',
    nonceHash: randomUUID(),
    expiresAtMs: Date.now() + 60_000,
  } as const;
  expect(await nonces.claim(claim)).toBe('claimed');
  expect(await nonces.claim(claim)).toBe('replayed');
  const { pool } = testDatabase();
  await pool.query(
    'INSERT INTO signature_nonces VALUES (sha256($1::bytea), 1, 2), (sha256($2::bytea), 1, 3)',
    [randomUUID(), randomUUID()],
  );
  const dueWorks = service.app.get<DueWorks>(DUE_WORKS, { strict: false });
  const swept = (await dueWorks.sweep(null)).find(({ name }) => name === 'peers.signature_nonces');
  expect(swept).toMatchObject({ failed: false });
  expect(swept?.handled).toBeGreaterThanOrEqual(2);
  expect(await nonces.claim(claim)).toBe('replayed');
});
