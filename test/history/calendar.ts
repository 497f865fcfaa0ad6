import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Attestation, type Timestamp, writeTimestamp } from '../../src/core/chain/index.js';
import { closeAfterFile } from '../support/closing.js';

/** What a calendar does instead of its work. */
export type Misbehaviour =
  'silent' | 'garbage' | 'huge' | 'endless' | 'failing' | 'cut' | 'elsewhere' | 'other_commitment';

export interface TestCalendar {
  readonly url: string;
  /** Every request, as `POST /digest`. */
  readonly asked: string[];
  misbehave: Misbehaviour | null;
  /** Puts everything that is pending into a block of this height. Answers with its line for --bitcoin-headers. */
  confirm(height: number): string;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const SHA256 = { kind: 'sha256' } as const;

/** The way from a message to a root, from its end: a timestamp of the message. */
function way(
  message: Uint8Array,
  steps: readonly ({ before: Uint8Array; after: Uint8Array } | 'sha256')[],
  attestation: Attestation,
): Timestamp {
  const [step, ...rest] = steps;
  if (step === undefined) return { message, attestations: [attestation], branches: [] };
  if (step === 'sha256') {
    const timestamp = way(sha256(message), rest, attestation);
    return { message, attestations: [], branches: [{ step: SHA256, timestamp }] };
  }
  const prepended = Buffer.concat([step.before, message]);
  const appended = Buffer.concat([prepended, step.after]);
  const timestamp = way(appended, rest, attestation);
  const append = { step: { kind: 'append', bytes: step.after } as const, timestamp };
  return {
    message,
    attestations: [],
    branches: [
      {
        step: { kind: 'prepend', bytes: step.before },
        timestamp: { message: prepended, attestations: [], branches: [append] },
      },
    ],
  };
}

const endOf = (timestamp: Timestamp): Uint8Array => {
  const [branch] = timestamp.branches;
  return branch === undefined ? timestamp.message : endOf(branch.timestamp);
};

/** Parts of a made-up transaction that carries a commitment, and of the block's tree above it. */
const toRoot = (commitment: Uint8Array) =>
  [
    { before: Buffer.from('0100000001', 'hex'), after: Buffer.from('00000000', 'hex') },
    'sha256',
    'sha256',
    {
      before: sha256(Buffer.concat([Buffer.from('sibling'), commitment.subarray(0, 0)])),
      after: sha256(Buffer.from('x')),
    },
    'sha256',
    'sha256',
  ] as const;

/**
 * A calendar of our own (the HTTP interface of opentimestamps-server) on a free port; no real one is ever reached. It keeps
 * one commitment a block, whose header is made up: nobody worked for it.
 */
export async function startCalendar(): Promise<TestCalendar> {
  const pending = new Map<string, Timestamp | null>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calendar.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (calendar.misbehave === null) answer(request.url ?? '', Buffer.concat(chunks), response);
      else misbehaved(calendar.misbehave, Buffer.concat(chunks), response);
    });
  });
  const promise = (): Attestation => ({ kind: 'pending', calendar: calendar.url });
  const answer = (path: string, body: Buffer, response: ServerResponse): void => {
    if (path === '/digest') {
      const taken = way(body, [{ before: randomBytes(4), after: randomBytes(8) }], promise());
      pending.set(Buffer.from(endOf(taken)).toString('hex'), null);
      response.end(writeTimestamp(taken));
      return;
    }
    const known = pending.get(path.replace('/timestamp/', ''));
    if (known === undefined || known === null) response.writeHead(404).end('Pending confirmation');
    else response.end(writeTimestamp(known));
  };
  const misbehaved = (how: Misbehaviour, body: Buffer, response: ServerResponse): void => {
    switch (how) {
      case 'silent':
        return;
      case 'garbage':
        return void response.end(Buffer.from('<html>503</html>'));
      case 'huge':
        return void response.end(Buffer.alloc(20_000_000, 0x08));
      case 'endless': {
        const more = (): void => {
          if (!response.destroyed)
            response.write(Buffer.alloc(1_000, 0x08), () => setImmediate(more));
        };
        return more();
      }
      case 'failing':
        return void response.writeHead(500).end();
      case 'cut':
        response.write('\u0008');
        return void setImmediate(() => response.destroy());
      case 'elsewhere':
        return void response.writeHead(302, { location: `${calendar.url}/digest` }).end();
      case 'other_commitment': {
        const wrong: Attestation = { kind: 'bitcoin', height: 7 };
        return void response.end(writeTimestamp(way(body, toRoot(Buffer.from('other')), wrong)));
      }
    }
  };
  const calendar: { -readonly [Name in keyof TestCalendar]: TestCalendar[Name] } = {
    url: '',
    asked: [],
    misbehave: null,
    confirm(height) {
      let root: Uint8Array = Buffer.alloc(32);
      for (const [hex, known] of pending) {
        if (known !== null) continue;
        const commitment = Buffer.from(hex, 'hex');
        const timestamp = way(commitment, toRoot(commitment), { kind: 'bitcoin', height });
        pending.set(hex, timestamp);
        root = endOf(timestamp);
      }
      const header = Buffer.alloc(80);
      header.set(root, 36);
      header.writeUInt32LE(1_796_000_000, 68);
      return `${height} ${header.toString('hex')}`;
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterFile(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  calendar.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return calendar;
}
