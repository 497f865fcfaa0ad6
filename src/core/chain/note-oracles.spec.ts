import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import {
  checkpointText,
  cosignatureMessage,
  cosignatureSignature,
  formatAddCheckpoint,
  formatTlogProof,
  isQuorum,
  isSmallOrder,
  leafHash,
  parseAddCheckpoint,
  parseCheckpoint,
  parseNote,
  parsePolicy,
  parseTlogProof,
  parseVkey,
  signatureLine,
  type VerifierKey,
  verifyEd25519,
  verifyInclusion,
  verifyNote,
  vkeyOf,
} from './index.js';

/** The value, or a failing test. */
function value<Value>(result: { ok: true; value: Value } | { ok: false; error: unknown }): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** Test keys: the seed is what RFC 8410 wraps. */
const privateKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
interface VerifiedKey {
  readonly name: string;
  readonly key_id: string;
}
interface NoteCase {
  readonly id: string;
  readonly vkeys: readonly string[];
  readonly note:
    string | { readonly repeat: number; readonly prefix: string; readonly line: string };
  readonly expect: string;
  readonly text?: string;
  readonly verified?: readonly VerifiedKey[];
}
interface Notes {
  readonly notes: readonly NoteCase[];
  readonly bad_vkeys: readonly { readonly vkey: string; readonly why: string }[];
  readonly checkpoints: readonly (Omit<NoteCase, 'expect'> & {
    readonly origin: string;
    readonly size: string;
    readonly root_base64: string;
    readonly extensions: readonly string[];
  })[];
  readonly checkpoint_body_rejects: readonly string[];
  readonly cosignatures: readonly {
    readonly vkey: string;
    readonly time: number;
    readonly seed_hex: string;
    readonly signed_message: string;
    readonly line: string;
  }[];
  readonly cosignature_rejects: readonly NoteCase[];
  readonly quorum: {
    readonly policy: string;
    readonly checkpoint: string;
    readonly cosignatures: Readonly<Record<string, string>>;
    readonly cases: readonly { readonly lines: readonly string[]; readonly met: boolean }[];
  };
  readonly tlog_proof: {
    readonly text: string;
    readonly index: number;
    readonly leaf_hex: string;
    readonly rejects: readonly string[];
  };
}

describeWithOracle<Notes>('trust/c2sp-notes.json', 'public notes', (oracle) => {
  const keysOf = (texts: readonly string[]): VerifierKey[] =>
    texts.map((text) => value(parseVkey(text)));
  const outcome = ({ note, vkeys }: Pick<NoteCase, 'note' | 'vkeys'>) => {
    const text = typeof note === 'string' ? note : note.prefix + note.line.repeat(note.repeat);
    const parsed = parseNote(text);
    if (!parsed.ok) return { expect: 'malformed' };
    const result = verifyNote(parsed.value, keysOf(vkeys));
    if (!result.ok)
      return { expect: result.error.code === 'ambiguous_key' ? 'ambiguous' : 'invalid_signature' };
    if (result.value.verified.length === 0) return { expect: 'unverified' };
    return { expect: 'ok', text: parsed.value.text, verified: result.value.verified };
  };
  const namesOf = (verified: readonly VerifiedKey[] = []) =>
    verified.map(({ name, key_id: keyId }) => expect.objectContaining({ name, keyId }) as unknown);

  it.each(oracle.notes)('note $id', (one) => {
    const ok = { expect: 'ok', text: one.text, verified: namesOf(one.verified) };
    expect(outcome(one)).toEqual(one.expect === 'ok' ? ok : { expect: one.expect });
  });

  it.each(oracle.cosignature_rejects)('cosignature $id', (one) => {
    expect(outcome(one).expect).toBe(one.expect);
  });

  it.each(oracle.bad_vkeys)('vkey with $why', ({ vkey }) => {
    expect(parseVkey(vkey).ok).toBe(false);
  });

  it.each(oracle.checkpoints)('checkpoint $id', (one) => {
    const { text = '', verified } = outcome(one);
    const checkpoint = value(parseCheckpoint(text));
    expect(checkpoint).toEqual({
      origin: one.origin,
      size: BigInt(one.size),
      root: Buffer.from(one.root_base64, 'base64'),
      extensions: one.extensions,
    });
    expect(checkpointText(checkpoint)).toBe(text);
    expect(verified).toEqual(namesOf(one.verified));
  });

  it.each(oracle.checkpoint_body_rejects)('checkpoint body %j is refused', (text) => {
    expect(parseCheckpoint(text).ok).toBe(false);
  });

  it.each(oracle.cosignatures)('the cosignature of $cosigner', (one) => {
    const key = value(parseVkey(one.vkey));
    const text = one.signed_message.split('\n').slice(2).join('\n');
    const message = cosignatureMessage(one.time, text);
    expect(message.toString('utf8')).toBe(one.signed_message);
    const signature = sign(null, message, privateKey(Buffer.from(one.seed_hex, 'hex')));
    const line = signatureLine(key.name, key.keyId, cosignatureSignature(one.time, signature));
    expect(`${line}\n`).toBe(one.line.endsWith('\n') ? one.line : `${one.line}\n`);
  });

  it.each(oracle.quorum.cases)('the quorum with $lines', ({ lines, met }) => {
    const policy = value(parsePolicy(oracle.quorum.policy));
    const cosigned = lines.map((name) => oracle.quorum.cosignatures[name] ?? '').join('');
    const note = value(parseNote(oracle.quorum.checkpoint + cosigned));
    const keys = policy.witnesses.map(({ key }) => key);
    expect(isQuorum(policy, value(verifyNote(note, keys)).verified)).toBe(met);
  });

  it('a tlog-proof proves its leaf, and is written as it was', () => {
    const proof = value(parseTlogProof(oracle.tlog_proof.text));
    expect(formatTlogProof(proof)).toBe(oracle.tlog_proof.text);
    const { size, root } = value(parseCheckpoint(value(parseNote(proof.checkpoint)).text));
    const leaf = leafHash(Buffer.from(oracle.tlog_proof.leaf_hex, 'hex'));
    expect(proof.index).toBe(BigInt(oracle.tlog_proof.index));
    expect(
      verifyInclusion({ index: proof.index, size, leafHash: leaf, proof: proof.hashes, root }),
    ).toBe(true);
  });

  it.each(oracle.tlog_proof.rejects)('tlog-proof %j is refused', (text) => {
    expect(parseTlogProof(text).ok).toBe(false);
  });
});

interface Points {
  readonly encodings: readonly { readonly hex: string }[];
  readonly vectors: {
    readonly items: readonly Record<'key' | 'msg' | 'sig', string>[];
  };
  readonly good_key: Record<'hex' | 'message_hex' | 'signature_hex', string>;
  readonly not_on_curve_key: { readonly hex: string };
  readonly malleable: Record<'key' | 'message_hex' | 'signature_hex', string>;
}

describeWithOracle<Points>('trust/ed25519-small-order.json', 'public points', (oracle) => {
  const bytes = (text: string): Buffer => Buffer.from(text, 'hex');

  it.each(oracle.encodings)('$hex is refused wherever it is given', ({ hex }) => {
    expect(isSmallOrder(bytes(hex))).toBe(true);
    const zeros = Buffer.concat([bytes(`01${'00'.repeat(31)}`), Buffer.alloc(32)]);
    expect(verifyEd25519(bytes(hex), Buffer.from('message 0'), zeros)).toBe(false);
    for (const kind of ['ed25519', 'cosignature'] as const) {
      expect(parseVkey(vkeyOf(kind, 'w.example', bytes(hex)).text)).toMatchObject({
        error: expect.stringContaining('small order') as unknown,
      });
    }
  });

  it('no signature under such a key verifies', () => {
    for (const { key, msg, sig } of oracle.vectors.items) {
      expect(verifyEd25519(bytes(key), Buffer.from(msg), bytes(sig))).toBe(false);
    }
  });

  it('an honest key verifies, its signature plus L, a key off the curve and other lengths do not', () => {
    const { good_key: good, malleable } = oracle;
    const [key, message] = [bytes(good.hex), bytes(good.message_hex)];
    expect(isSmallOrder(key)).toBe(false);
    expect(verifyEd25519(key, message, bytes(good.signature_hex))).toBe(true);
    expect(verifyEd25519(key, message, bytes(malleable.signature_hex))).toBe(false);
    expect(verifyEd25519(key, message, bytes(good.signature_hex).subarray(1))).toBe(false);
    expect(verifyEd25519(key.subarray(1), message, bytes(good.signature_hex))).toBe(false);
    const off = bytes(oracle.not_on_curve_key.hex);
    expect(verifyEd25519(off, message, bytes(good.signature_hex))).toBe(false);
  });
});

interface Sequences {
  readonly sequences: readonly {
    readonly name: string;
    readonly steps: readonly {
      readonly what: string;
      readonly request: string;
      readonly status: number;
      readonly note?: string;
    }[];
  }[];
}

describeWithOracle<Sequences>('trust/witness-add-checkpoint.json', 'public requests', (oracle) => {
  const steps = oracle.sequences.flatMap(({ name, steps: all }) =>
    all.map((step) => ({ ...step, name })),
  );

  it.each(steps)('$name: $what', ({ request, status, note = '' }) => {
    const read = parseAddCheckpoint(request);
    // Only what the form says is judged here; an old size beyond the checkpoint's is read and refused later.
    if (status === 400 && note.startsWith('malformed')) return expect(read.ok).toBe(false);
    const parsed = value(read);
    expect(formatAddCheckpoint(parsed)).toBe(request);
    expect(parseCheckpoint(value(parseNote(parsed.note)).text).ok).toBe(true);
  });
});
