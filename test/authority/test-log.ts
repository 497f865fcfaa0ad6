import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  type Checkpoint,
  checkpointText,
  consistencySpans,
  formatAddCheckpoint,
  formatNote,
  leafHash,
  nodeHash,
  parseCosignature,
  parseSignatureLine,
  parseVkey,
  signatureLine,
  spanHash,
  TreeBuilder,
  type VerifierKey,
  verifyNote,
  vkeyOf,
} from '../../src/core/chain/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { Answer, Desk } from './desk.js';
import { drawnId } from './forest.js';

/** Raw Ed25519 public key behind a private one. */
const rawPublic = (key: KeyObject): Buffer =>
  Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url');

/** A key of a log (type 01), drawn, or made of a published seed. */
export function logKey(name: string, seedHex?: string) {
  const privateKey =
    seedHex === undefined
      ? generateKeyPairSync('ed25519').privateKey
      : createPrivateKey({
          key: Buffer.from(`302e020100300506032b657004220420${seedHex}`, 'hex'),
          format: 'der',
          type: 'pkcs8',
        });
  const publicKey = rawPublic(privateKey);
  const vkey = vkeyOf('ed25519', name, publicKey);
  return {
    vkey,
    publicKey,
    sign: (bytes: Uint8Array): Buffer => sign(null, bytes, privateKey),
    line: (text: string): string =>
      signatureLine(name, vkey.keyId, sign(null, Buffer.from(text, 'utf8'), privateKey)),
  };
}
export type LogKey = ReturnType<typeof logKey>;

const leafOf = (branch: string, index: number): Buffer =>
  leafHash(Buffer.from(`${branch} ${index}`, 'utf8'));

/**
 * A log that grows as far as it is asked to. From leaf `forkAt` on its leaves are those of another history: two logs of
 * one origin and key that differ in `forkAt` alone are a log that was rewritten there.
 */
export function testLog(draft: { origin?: string; key?: LogKey; forkAt?: number } = {}) {
  const origin = draft.origin ?? `log.example/${drawnId('tree')}`;
  const key = draft.key ?? logKey(origin);
  const leaf = (index: number): Buffer =>
    leafOf(index >= (draft.forkAt ?? Number.MAX_SAFE_INTEGER) ? 'fork' : 'leaf', index);
  const nodeOf = (level: number, index: number): Uint8Array =>
    level === 0
      ? leaf(index)
      : nodeHash(nodeOf(level - 1, index * 2), nodeOf(level - 1, index * 2 + 1));
  const rootAt = (size: number): Uint8Array => {
    const tree = new TreeBuilder();
    for (let index = 0; index < size; index += 1) tree.pushLeafHash(leaf(index));
    return tree.root();
  };
  const text = (size: number, edit: Partial<Checkpoint> = {}): string =>
    checkpointText({ origin, size: BigInt(size), root: rootAt(size), extensions: [], ...edit });
  const note = (size: number, edit: Partial<Checkpoint> = {}): string =>
    formatNote(text(size, edit), [key.line(text(size, edit))]);
  const proof = (oldSize: number, size: number): readonly Uint8Array[] =>
    oldSize === 0 || oldSize > size
      ? []
      : consistencySpans(oldSize, size).map((span) => spanHash(span, nodeOf));
  return {
    ...{ origin, key, text, note, proof, rootAt },
    originSha256: createHash('sha256').update(origin).digest('hex'),
    /** The whole body of add-checkpoint. */
    request: (oldSize: number, size: number, edit: Partial<Checkpoint> = {}): string =>
      formatAddCheckpoint({
        oldSize: BigInt(oldSize),
        proof: oldSize === size ? [] : proof(oldSize, size),
        note: note(size, edit),
      }),
  };
}
export type TestLog = ReturnType<typeof testLog>;

type Asked = Pick<Desk, 'call'>;

export const register = (
  desk: Asked,
  tenantId: TenantId,
  { origin, vkeys }: { origin: string; vkeys: readonly string[] },
): Promise<Answer> => desk.call('PUT', `/v1/tenants/${tenantId}/log`, { origin, vkeys });

/** A new tenant whose log is witnessed. */
export async function openLog(desk: Pick<Desk, 'call' | 'tenant'>, log: TestLog = testLog()) {
  const tenantId = await desk.tenant();
  const vkeys = [log.key.vkey.text];
  const registered = await register(desk, tenantId, { origin: log.origin, vkeys });
  if (registered.status !== 200) throw new Error(registered.text);
  return { ...log, tenantId };
}

/** `POST add-checkpoint`, as any log sends it: without a token. */
export async function send(
  { url }: Pick<Desk, 'url'>,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
): Promise<{ status: number; type: string; text: string }> {
  const answer = await fetch(`${url}/witness/add-checkpoint`, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
  });
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, text: await answer.text() };
}

/** Keys that the authority publishes as a witness, that of now first. */
export async function witnessKeys(desk: Asked): Promise<readonly VerifierKey[]> {
  const { body } = await desk.call('GET', '/.well-known/arbiter-authority', undefined, null);
  return (body.witness.vkeys as string[]).map(keyOf);
}

/** A verifier key that has to be one. */
export function keyOf(text: string): VerifierKey {
  const key = parseVkey(text);
  if (!key.ok) throw new Error(key.error);
  return key.value;
}

/** When the lines of an answer were cosigned, in seconds; throws when one of them is no cosignature of `text` by `keys`. */
export function cosignedAt(text: string, lines: string, keys: readonly VerifierKey[]): number {
  const [line = '', ...more] = lines.split('\n');
  if (more.join('') !== '') throw new Error('the answer is one line');
  const signature = parseSignatureLine(line);
  if (signature === null) throw new Error(`no signature line: ${line}`);
  const verified = verifyNote({ text, signatures: [signature] }, keys);
  if (!verified.ok || verified.value.verified.length !== 1) throw new Error('not by these keys');
  return parseCosignature(signature.signature)?.timeSeconds ?? Number.NaN;
}
