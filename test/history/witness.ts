import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cosignatureMessage,
  cosignatureSignature,
  EMPTY_ROOT,
  parseAddCheckpoint,
  parseCheckpoint,
  parseNote,
  signatureLine,
  type VerifierKey,
  verifyConsistency,
  verifyNote,
  vkeyOf,
} from '../../src/core/chain/index.js';
import { closeAfterFile } from '../support/closing.js';

/** What a witness answers. */
export interface WitnessReply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly type?: string;
  /** The connection is cut instead. */
  readonly cut?: true;
  /** Nothing is answered until the caller is gone. */
  readonly silent?: true;
}

/** Changes what a correct witness would answer, or answers instead of it; null = as it is. */
export type Misbehaviour = (request: {
  readonly oldSize: number;
  readonly size: number;
  readonly text: string;
  readonly honest: () => WitnessReply;
  readonly line: (timeSeconds: number, text?: string) => string;
}) => WitnessReply | Promise<WitnessReply>;

export interface TestWitness {
  readonly url: string;
  readonly name: string;
  readonly key: VerifierKey;
  /** What it keeps of each origin. */
  readonly logs: Map<string, { size: number; root: Uint8Array }>;
  /** Keys that sign for an origin; an origin without is unknown to it. */
  readonly trusted: Map<string, readonly VerifierKey[]>;
  /** Every request, as `old size -> new size = status`. */
  readonly told: string[];
  misbehave: Misbehaviour | null;
  /** Seconds that its clock is ahead. */
  clockAheadS: number;
  stop(): Promise<void>;
}

const SIZE_TYPE = 'text/x.tlog.size';

let count = 0;

/** A witness of our own (C2SP tlog-witness, add-checkpoint) on a free port of this machine; stopped after the file's tests. */
export async function startWitness(name = `witness-${(count += 1)}.test`): Promise<TestWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = vkeyOf('cosignature', name, Buffer.from(x, 'base64url'));
  const server = createServer((request, response) => void serve(request, response));
  const witness: TestWitness = {
    ...{ url: '', name, key, logs: new Map(), trusted: new Map(), told: [] },
    misbehave: null,
    clockAheadS: 0,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await answer(witness, privateKey, Buffer.concat(chunks).toString('utf8'));
    if (reply.silent === true) return;
    if (reply.cut === true) return void response.destroy();
    response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/plain' });
    response.end(reply.body ?? '');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterFile(() => witness.stop());
  const { port } = server.address() as AddressInfo;
  return Object.assign(witness, { url: `http://127.0.0.1:${port}` });
}

async function answer(
  witness: TestWitness,
  privateKey: KeyObject,
  body: string,
): Promise<WitnessReply> {
  const request = parseAddCheckpoint(body);
  const note = request.ok ? parseNote(request.value.note) : request;
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : note;
  if (!request.ok || !note.ok || !checkpoint.ok)
    return told(witness, 'unreadable', { status: 400 });
  const oldSize = Number(request.value.oldSize);
  const size = Number(checkpoint.value.size);
  const { text } = note.value;
  const line = (timeSeconds: number, signed = text) => {
    const signature = sign(null, cosignatureMessage(timeSeconds, signed), privateKey);
    return signatureLine(
      witness.name,
      witness.key.keyId,
      cosignatureSignature(timeSeconds, signature),
    );
  };
  const honest = (): WitnessReply => {
    const { origin, root } = checkpoint.value;
    const keys = witness.trusted.get(origin);
    if (keys === undefined) return { status: 404 };
    const verified = verifyNote(note.value, keys);
    if (!verified.ok || verified.value.verified.length === 0) return { status: 403 };
    if (oldSize > size) return { status: 400 };
    const held = witness.logs.get(origin) ?? { size: 0, root: EMPTY_ROOT };
    if (held.size !== oldSize) return { status: 409, type: SIZE_TYPE, body: `${held.size}\n` };
    const sizes = { oldSize: BigInt(oldSize), newSize: BigInt(size) };
    const { proof } = request.value;
    const extendsIt =
      oldSize === 0
        ? proof.length === 0
        : verifyConsistency({ ...sizes, oldRoot: held.root, newRoot: root, proof });
    if (!extendsIt) return { status: 422 };
    witness.logs.set(origin, { size, root });
    return { status: 200, body: `${line(Math.floor(Date.now() / 1000) + witness.clockAheadS)}\n` };
  };
  const reply =
    witness.misbehave === null
      ? honest()
      : await witness.misbehave({ oldSize, size, text, honest, line });
  return told(witness, `${oldSize} -> ${size}`, reply);
}

function told(witness: TestWitness, what: string, reply: WitnessReply): WitnessReply {
  const is = reply.silent === true ? 'silent' : reply.cut === true ? 'cut' : reply.status;
  witness.told.push(`${what} = ${is}`);
  return reply;
}
