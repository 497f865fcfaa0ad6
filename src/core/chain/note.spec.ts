import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type Checkpoint,
  checkpointText,
  cosignatureMessage,
  cosignatureSignature,
  formatAddCheckpoint,
  formatNote,
  formatTlogProof,
  isQuorum,
  parseAddCheckpoint,
  parseCheckpoint,
  parseCosignature,
  parseNote,
  parsePolicy,
  parseSignatureLine,
  parseTlogProof,
  signatureLine,
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
const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12);

function signer(name: string, fill: number) {
  const key = privateKey(new Uint8Array(32).fill(fill));
  return {
    log: vkeyOf('ed25519', name, publicBytes(key)),
    witness: vkeyOf('cosignature', name, publicBytes(key)),
    sign: (message: Uint8Array) => sign(null, message, key),
  };
}

const LOG = signer('log.example/a', 1);
const WITNESS = signer('witness.example/b', 2);
const TEXT = checkpointText({
  origin: 'log.example/a',
  size: 7n,
  root: new Uint8Array(32).fill(9),
  extensions: [],
});
const LOG_LINE = signatureLine(LOG.log.name, LOG.log.keyId, LOG.sign(Buffer.from(TEXT)));
const WITNESS_LINE = signatureLine(
  WITNESS.witness.name,
  WITNESS.witness.keyId,
  cosignatureSignature(1_800_000_000, WITNESS.sign(cosignatureMessage(1_800_000_000, TEXT))),
);
const NOTE = formatNote(TEXT, [LOG_LINE, WITNESS_LINE]);

describe('a signed note', () => {
  it('that we write is read and verified: the log, the witness, neither twice', () => {
    const note = value(parseNote(formatNote(TEXT, [LOG_LINE, WITNESS_LINE, WITNESS_LINE])));
    expect(note.text).toBe(TEXT);
    expect(note.signatures.map(({ line }) => line)).toEqual([LOG_LINE, WITNESS_LINE, WITNESS_LINE]);
    expect(parseSignatureLine(LOG_LINE)).toEqual(note.signatures[0]);
    expect(value(verifyNote(note, [WITNESS.witness, LOG.log])).verified).toEqual([
      LOG.log,
      WITNESS.witness,
    ]);
    expect(value(verifyNote(note, [])).verified).toEqual([]);
  });

  it('names the key whose line fails', () => {
    const note = value(parseNote(NOTE.replace('\n7\n', '\n8\n')));
    expect(verifyNote(note, [WITNESS.witness])).toEqual({
      ok: false,
      error: { code: 'bad_signature', key: WITNESS.witness },
    });
  });

  it('of which any single bit is changed verifies no more under both keys', () => {
    const bytes = Buffer.from(NOTE);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const note = parseNote(changed.toString('utf8'));
        const verified = note.ok ? verifyNote(note.value, [LOG.log, WITNESS.witness]) : note;
        expect(verified.ok && verified.value.verified.length === 2).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['no blank line', TEXT],
    ['no signatures', `${TEXT}\n`],
    ['no last line feed', NOTE.slice(0, -1)],
    ['a control character', NOTE.replace('7', '\u0007')],
    ['a carriage return', NOTE.replace('7\n', '7\r\n')],
    ['a lone surrogate', NOTE.replace('7', '\ud800')],
    ['a hyphen for the dash', NOTE.replaceAll('\u2014', '-')],
    ['a name with a plus', NOTE.replace('\u2014 log', '\u2014 l+g')],
    ['a name with a hidden space', NOTE.replace('\u2014 log', '\u2014 l\u2003g')],
    ['a key id alone', formatNote(TEXT, [`\u2014 a ${Buffer.alloc(4).toString('base64')}`])],
    ['bits behind the last byte', formatNote(TEXT, [LOG_LINE.replace(/.=$/u, '/=')])],
    ['101 signatures', formatNote(TEXT, Array<string>(101).fill(LOG_LINE))],
  ])('with %s is refused', (_name, text) => {
    expect(parseNote(text).ok).toBe(false);
  });

  it('may carry 100 signatures', () => {
    expect(parseNote(formatNote(TEXT, Array<string>(100).fill(LOG_LINE))).ok).toBe(true);
  });
});

describe('a cosignature', () => {
  it('carries its time in front of the signature', () => {
    const bytes = cosignatureSignature(1_800_000_000, new Uint8Array(64).fill(5));
    expect(bytes).toHaveLength(72);
    expect(parseCosignature(bytes)).toEqual({
      timeSeconds: 1_800_000_000,
      signature: Buffer.alloc(64, 5),
    });
    expect(parseCosignature(bytes.subarray(1))).toBeNull();
    expect(parseCosignature(Buffer.alloc(72, 0xff))).toBeNull();
  });
});

describe('a checkpoint', () => {
  it('is read as it was written', () => {
    const origin = fc
      .string({ minLength: 1, unit: 'grapheme' })
      // eslint-disable-next-line no-control-regex -- what a line cannot hold
      .filter((text) => !/[\u0000-\u001f]/u.test(text));
    fc.assert(
      fc.property(
        fc.record<Checkpoint>({
          origin,
          size: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          root: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
          extensions: fc.array(origin, { maxLength: 2 }),
        }),
        (checkpoint) => {
          expect(value(parseCheckpoint(checkpointText(checkpoint)))).toEqual(checkpoint);
        },
      ),
    );
  });

  it.each(['a\n1\n', 'a\n1\nAA==\n', `${TEXT}\n`, TEXT.replace('7', '07'), TEXT.slice(0, -1)])(
    'is not %j',
    (text) => {
      expect(parseCheckpoint(text).ok).toBe(false);
    },
  );
});

describe('the forms around a checkpoint', () => {
  it('add-checkpoint is read as it was written', () => {
    const request = { oldSize: 3n, proof: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], note: NOTE };
    expect(value(parseAddCheckpoint(formatAddCheckpoint(request)))).toEqual(request);
    const most = { oldSize: 3n, proof: Array<Buffer>(63).fill(Buffer.alloc(32)), note: NOTE };
    expect(value(parseAddCheckpoint(formatAddCheckpoint(most)))).toEqual(most);
    const more = { ...most, proof: [...most.proof, Buffer.alloc(32)] };
    expect(parseAddCheckpoint(formatAddCheckpoint(more)).ok).toBe(false);
  });

  it('a tlog-proof is read as it was written, with and without extra bytes', () => {
    const proof = { index: 5n, hashes: [Buffer.alloc(32, 1)], checkpoint: NOTE };
    expect(value(parseTlogProof(formatTlogProof(proof)))).toEqual({ ...proof, extra: null });
    const extra = { ...proof, extra: Buffer.from('more') };
    expect(value(parseTlogProof(formatTlogProof(extra)))).toEqual(extra);
  });
});

describe('a policy', () => {
  const witnesses = [3, 4, 5].map((fill) => signer(`w.example/${fill}`, fill).witness);
  const lines = witnesses.map((key, index) => `witness w${index} ${key.text} https://w/${index}`);
  const policy = (...more: string[]) => [...lines, ...more, ''].join('\n');
  const isMet = (text: string, count: number): boolean =>
    isQuorum(value(parsePolicy(text)), [LOG.log, ...witnesses.slice(0, count)]);

  it.each([
    [['quorum none'], 0],
    [['quorum w1'], 2],
    [['group g any w2 w1', 'quorum g'], 2],
    [['group g 2 w0 w1 w2', 'quorum g'], 2],
    [['group g all w0 w1 w2', 'quorum g'], 3],
    [['group g any w0 w1', 'group h all g w2', 'quorum h'], 3],
    [['\tgroup  g\t1 w0 ', '# comment', '', ' quorum g'], 1],
  ])('%j asks for %i', (more, needed) => {
    for (let count = 0; count <= 3; count += 1) {
      expect(isMet(policy(...more), count)).toBe(count >= needed);
    }
  });

  it('keeps urls and logs', () => {
    const read = value(parsePolicy(policy(`log ${LOG.log.text} https://log/`, `quorum none`)));
    expect(read.logs).toEqual([{ key: LOG.log, url: 'https://log/' }]);
    expect(read.witnesses[1]).toEqual({ name: 'w1', key: witnesses[1], url: 'https://w/1' });
    expect(read.quorum).toBeNull();
  });

  it.each([
    ['no quorum', []],
    ['two quorums', ['quorum none', 'quorum w1']],
    ['an unknown name', ['quorum w9']],
    ['a group before its member', ['group g any h', 'group h any w0', 'quorum g']],
    ['a member of two groups', ['group g any w0', 'group h any w0', 'quorum g']],
    ['a member twice', ['group g any w0 w0', 'quorum g']],
    ['a threshold too high', ['group g 4 w0 w1 w2', 'quorum g']],
    ['a threshold of zero', ['group g 0 w0', 'quorum g']],
    ['an empty group', ['group g any', 'quorum g']],
    ['a name twice', [`witness w0 ${WITNESS.witness.text}`, 'quorum none']],
    ['the name none', [`witness none ${WITNESS.witness.text}`, 'quorum none']],
    ['none as a member', ['group g any none', 'quorum g']],
    ['a key twice', [`witness again ${witnesses[0]?.text ?? ''}`, 'quorum none']],
    ['a log key as a witness', [`witness w3 ${LOG.log.text}`, 'quorum none']],
    ['a witness key as a log', [`log ${WITNESS.witness.text}`, 'quorum none']],
    ['a bad key', ['log log.example+00000000+AAAA', 'quorum none']],
    ['another line', ['mirror w0', 'quorum none']],
    ['a line too long', ['quorum none none']],
    ['a carriage return', ['quorum none\r']],
  ])('with %s is refused', (_name, more) => {
    expect(parsePolicy(policy(...more)).ok).toBe(false);
  });
});
