import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../src/base/platform/index.js';
import { type VerifierKey, vkeyOf } from '../../src/core/chain/index.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';

/**
 * litewitness: a witness that others wrote, in Go, on golang.org/x/mod/sumdb/note and tlog. What it cosigns was read and
 * proved by those packages.
 *
 * It is built from its published source, once, into the cache folder of the packages. On a machine without Go
 * 1.24, or that does not reach the module proxy, its tests are skipped and say so; with LITEWITNESS_REQUIRED=true they
 * fail instead. A build that fails for any other reason always fails them.
 */
const MODULE = 'filippo.io/torchwood';
/** The newest version that every supported Go (1.24 and later) builds. */
const MODULE_VERSION = 'v0.6.1';
const PROGRAMS = ['litewitness', 'witnessctl'] as const;
/** Not among the temporary files, which go with a run of the tests. */
const CACHE = join(PACKAGE_ROOT, 'node_modules', '.cache');
const BUILD_MS_MAX = 900_000;

const execute = promisify(execFile);

export interface StockPrograms {
  readonly folder: string;
}

/** The programs, or why they are not there and the tests that need them cannot run. Throws when they should be. */
export async function stockPrograms(): Promise<StockPrograms | { readonly missing: string }> {
  const folder = join(CACHE, `commerce-arbiter-torchwood-${MODULE_VERSION}`);
  if (PROGRAMS.every((name) => existsSync(join(folder, name)))) return { folder };
  const version = await execute('go', ['version']).catch(() => null);
  if (version === null) return missing('Go is not installed');
  mkdirSync(CACHE, { recursive: true });
  const building = mkdtempSync(`${folder}-building-`);
  try {
    await execute(
      'go',
      ['install', ...PROGRAMS.map((name) => `${MODULE}/cmd/${name}@${MODULE_VERSION}`)],
      { env: { ...process.env, GOBIN: building, GOFLAGS: '' }, timeout: BUILD_MS_MAX },
    );
    // Each program appears whole; what somebody else built meanwhile is as good.
    mkdirSync(folder, { recursive: true });
    for (const name of PROGRAMS) renameSync(join(building, name), join(folder, name));
    return { folder };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (stderr.includes('requires go >=')) return missing('Go is older than 1.24');
    if (NO_MODULE_PROXY.test(stderr)) return missing('the Go module proxy is not reached');
    throw new Error(`litewitness could not be built: ${stderr}`, { cause: error });
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

const NO_MODULE_PROXY =
  /dial tcp|no such host|connection refused|i\/o timeout|TLS handshake|network is unreachable|module lookup disabled|proxyconnect|50[0-9] /;

function missing(why: string): { readonly missing: string } {
  if (process.env['LITEWITNESS_REQUIRED'] === 'true')
    throw new Error(`litewitness is required, and ${why}`);
  console.warn(`STOCK WITNESS MISSING: ${why}; the tests against litewitness DID NOT RUN.`);
  return { missing: why };
}

export interface StockWitness {
  readonly key: VerifierKey;
  /** Submission prefix. */
  readonly url: string;
  /** Makes it cosign a log; it may know several keys of one. */
  addLog(origin: string, vkeys: readonly string[]): Promise<void>;
  addKey(origin: string, vkey: string): Promise<void>;
  /** Killed and started again on the same database, at the same address. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts one on a free port with a key of its own; ended after the file's tests. */
export async function startStockWitness(
  { folder }: StockPrograms,
  name: string,
): Promise<StockWitness> {
  const home = temporaryDataFolder('arbiter-witness-');
  const agent = await startAgent(join(home, 'agent'));
  const database = join(home, 'witness.db');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    const killed = child;
    child = null;
    if (killed === null) return;
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;
  };
  const start = async (): Promise<void> => {
    const started = spawn(
      join(folder, 'litewitness'),
      [
        ...['-name', name, '-db', database, '-listen', `127.0.0.1:${port}`],
        ...['-ssh-agent', agent.path, '-key', agent.fingerprint],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child = started;
    let told = '';
    started.stderr.on('data', (bytes: Buffer) => (told += bytes.toString('utf8')));
    while (
      !(await fetch(url).then(
        ({ ok: isUp }) => isUp,
        () => false,
      ))
    ) {
      if (started.exitCode !== null) throw new Error(`litewitness ended: ${told}`);
      await pause(10);
    }
  };
  const control = async (...[command, origin, more]: [string, string, readonly string[]]) => {
    const options = ['-db', database, '-origin', origin, ...more];
    await execute(join(folder, 'witnessctl'), [command, ...options]);
  };
  closeAfterFile(async () => {
    await kill();
    await agent.close();
    rmSync(home, { recursive: true, force: true });
  });
  await start();
  const addKey = (origin: string, vkey: string) => control('add-key', origin, ['-key', vkey]);
  return {
    key: vkeyOf('cosignature', name, agent.publicKey),
    ...{ url, kill, addKey },
    async addLog(origin, vkeys) {
      await control('add-log', origin, []);
      for (const vkey of vkeys) await addKey(origin, vkey);
    },
    async restart() {
      await kill();
      await start();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the SSH agent protocol calls the messages that a witness uses (draft-ietf-sshm-ssh-agent, section 6.1). */
const MESSAGE = { failure: 5, askIdentities: 11, identities: 12, askSignature: 13, signature: 14 };

const field = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** An SSH agent with one Ed25519 key, which a witness keeps its key in: as much of one as it asks for. */
async function startAgent(path: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  const blob = Buffer.concat([field('ssh-ed25519'), field(raw)]);
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    let waiting = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
        const end = 4 + waiting.readUInt32BE();
        socket.write(field(answerOf(waiting.subarray(4, end), { blob, privateKey })));
        waiting = waiting.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    publicKey: raw,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answerOf(
  message: Buffer,
  { blob, privateKey }: { readonly blob: Buffer; readonly privateKey: KeyObject },
): Buffer {
  const [kind] = message;
  if (kind === MESSAGE.askIdentities)
    return Buffer.concat([Buffer.of(MESSAGE.identities, 0, 0, 0, 1), field(blob), field('key')]);
  if (kind !== MESSAGE.askSignature) return Buffer.of(MESSAGE.failure);
  const start = 1 + 4 + message.readUInt32BE(1);
  const data = message.subarray(start + 4, start + 4 + message.readUInt32BE(start));
  const signature = Buffer.concat([field('ssh-ed25519'), field(sign(null, data, privateKey))]);
  return Buffer.concat([Buffer.of(MESSAGE.signature), field(signature)]);
}
