import { checkpointText, formatNote, vkeyOf } from '../../src/core/chain/index.js';
import {
  at,
  broken,
  type Case,
  casesOf,
  type CaseOptions,
  changed,
  type Damage,
  type Expected,
  UNREADABLE,
  VERIFIED,
} from './cases.js';
import { type ExportFile, type Members, numberIn, redigest, textIn } from './export-file.js';
import { type Ledger, logKeyOf, originOf, treeAt } from './ledgers.js';
import {
  COSIGNED_AT_S,
  cosignatureLine,
  logLine,
  type Signer,
  signerOf,
  WITNESSES,
} from './signers.js';

const texts = (signers: readonly Signer[]): string[] => signers.map(({ key }) => key.text);
export const keysFile = (...lines: readonly string[]): CaseOptions => ({ keys: lines.join('\n') });
/** The key of its log and those of all witnesses. */
export const keysOf = (ledger: Ledger): CaseOptions =>
  keysFile(logKeyOf(ledger), ...texts(WITNESSES));
const quorumOf = (count: number): Pick<CaseOptions, 'more'> => ({
  more: ['--witness-quorum', String(count)],
});

/** The newest witnessed head is the last one; the ledger has one that all three witnesses signed. */
const newestIn = ({ points }: ExportFile): Members =>
  at(
    points.filter(({ kind }) => kind === 'witnessed_head'),
    -1,
  );

/** Keys, quorums and what they ask of an honest export. */
export function quorumCases(ledger: Ledger): Case[] {
  const { file, headSeq, plan } = ledger;
  const heads = file.points.filter(({ kind }) => kind === 'witnessed_head');
  const signers = plan.lastWitnesses ?? WITNESSES;
  const signed = heads.length === 0 ? 0 : signers.length;
  const failed = broken(
    'cosignature_quorum',
    heads.length === 0 ? headSeq : numberIn(at(heads, -1), 'seq'),
    headSeq + 1,
  );
  /** A ledger without checkpoints names no log. */
  const ofNoLog = broken('checkpoint_signature', headSeq, headSeq + 1);
  const withLog = (expected: Expected): Expected => (file.points.length === 0 ? ofNoLog : expected);
  const damage = (what: string, options: CaseOptions, expected: Expected): Damage => ({
    name: `${plan.name}: witnesses: ${what}`,
    ...{ file, options, expected },
  });
  const stranger = signerOf('cosignature', 'witness.example/stranger');
  const sameName = signerOf('cosignature', WITNESSES[0].name, 'another key of that name');
  return [
    ...[1, 2, 3, 4].map((count) =>
      damage(
        `${count} of three`,
        { ...keysOf(ledger), ...quorumOf(count) },
        count > WITNESSES.length ? UNREADABLE : withLog(count <= signed ? VERIFIED : failed),
      ),
    ),
    damage('one asked', keysFile(WITNESSES[0].key.text), signed > 0 ? VERIFIED : failed),
    damage('the last asked', keysFile(WITNESSES[2].key.text), signed > 2 ? VERIFIED : failed),
    damage('a stranger asked', keysFile(stranger.key.text), failed),
    damage('another key of the name asked', keysFile(sameName.key.text), failed),
    damage('only the log asked', keysFile(logKeyOf(ledger)), withLog(failed)),
    damage(
      'a witness as a log',
      keysFile(signerOf('ed25519', WITNESSES[0].name).key.text),
      ofNoLog,
    ),
  ].flatMap(casesOf);
}

interface Forgery {
  readonly what: string;
  readonly note: (text: string) => string;
  readonly expected: (seq: number) => Expected;
  /** Added to the keys of the log and of all witnesses, or in their place. */
  readonly options?: CaseOptions;
}

const [FIRST, SECOND] = WITNESSES;
const ALIAS = signerOf('cosignature', 'witness.example/alias', FIRST.name);

const rebuilt = (line: string, edit: (bytes: Buffer) => Buffer): string =>
  line.replace(/[^ ]+$/, (encoded) => edit(Buffer.from(encoded, 'base64')).toString('base64'));

const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** S + L: the same signature to a verifier that does not look whether S is below the order of the group. */
function malleated(bytes: Buffer): Buffer {
  const signature = Buffer.from(bytes);
  const scalar = signature.subarray(-32).reverse();
  const larger = BigInt(`0x${scalar.toString('hex')}`) + GROUP_ORDER;
  Buffer.from(larger.toString(16).padStart(64, '0'), 'hex')
    .reverse()
    .copy(signature, signature.length - 32);
  return signature;
}

export const flipped =
  (place: number) =>
  (bytes: Buffer): Buffer => {
    const edited = Buffer.from(bytes);
    edited[place] = (edited[place] ?? 0) ^ 1;
    return edited;
  };

const ofLog = (seq: number) => broken('checkpoint_signature', seq);
const ofWitness = (seq: number) => broken('witness_signature', seq);
const ofQuorum = (seq: number) => broken('cosignature_quorum', seq);
const fine = () => VERIFIED;

export const lines =
  (...make: readonly ((text: string) => string)[]) =>
  (text: string): string =>
    formatNote(
      text,
      make.map((line) => line(text)),
    );
const log = (text: string) => logLine(text);
export const by = (witness: Signer, timeSeconds?: number) => (text: string) =>
  cosignatureLine(text, witness, timeSeconds);
export const edited =
  (line: (text: string) => string, edit: (bytes: Buffer) => Buffer) => (text: string) =>
    rebuilt(line(text), edit);
const overOther = (line: (text: string) => string) => (text: string) =>
  line(text.replace(/\n\d+\n/, '\n4\n'));

/** Notes put in the place of the newest witnessed head, with a fresh digest. */
const FORGERIES: readonly Forgery[] = [
  {
    what: 'a bit of the log signature',
    note: lines(edited(log, flipped(30)), by(FIRST)),
    expected: ofLog,
  },
  {
    what: 'R of the log signature',
    note: lines(edited(log, flipped(4)), by(FIRST)),
    expected: ofLog,
  },
  {
    what: 'S + L in the log signature',
    note: lines(edited(log, malleated), by(FIRST)),
    expected: ofLog,
  },
  {
    what: 'a short log signature',
    note: lines(
      edited(log, (bytes) => bytes.subarray(0, -1)),
      by(FIRST),
    ),
    expected: ofLog,
  },
  {
    what: 'a long log signature',
    note: lines(
      edited(log, (bytes) => Buffer.concat([bytes, Buffer.of(0)])),
      by(FIRST),
    ),
    expected: ofLog,
  },
  {
    what: 'the log signature of another size',
    note: lines(overOther(log), by(FIRST)),
    expected: ofLog,
  },
  {
    what: 'one good and one bad log line',
    note: lines(log, edited(log, flipped(30)), by(FIRST)),
    expected: ofLog,
  },
  {
    what: 'a bit of the key id of the log',
    note: lines(edited(log, flipped(0)), by(FIRST)),
    expected: ofLog,
  },
  { what: 'no line of the log', note: lines(by(FIRST)), expected: ofLog },
  {
    what: 'a bit of a cosignature',
    note: lines(log, edited(by(FIRST), flipped(40))),
    expected: ofWitness,
  },
  { what: 'another time', note: lines(log, edited(by(FIRST), flipped(11))), expected: ofWitness },
  {
    what: 'S + L in a cosignature',
    note: lines(log, edited(by(FIRST), malleated)),
    expected: ofWitness,
  },
  {
    what: 'a cosignature of another size',
    note: lines(log, overOther(by(FIRST))),
    expected: ofWitness,
  },
  {
    what: 'a cosignature without time',
    note: lines(
      log,
      edited(by(FIRST), (bytes) => Buffer.concat([bytes.subarray(0, 4), bytes.subarray(12)])),
    ),
    expected: ofWitness,
  },
  {
    what: 'a good and a bad cosignature',
    note: lines(log, by(SECOND), edited(by(FIRST), flipped(40))),
    expected: ofWitness,
  },
  {
    what: 'a bad log line and a bad cosignature',
    note: lines(edited(by(FIRST), flipped(40)), edited(log, flipped(30))),
    expected: ofLog,
  },
  {
    what: 'a cosignature of a stranger',
    note: lines(log, by(signerOf('cosignature', 'witness.example/stranger'))),
    expected: ofQuorum,
  },
  { what: 'time zero', note: lines(log, by(FIRST, 0)), expected: fine },
  {
    what: 'the largest time',
    note: lines(log, by(FIRST, Number.MAX_SAFE_INTEGER)),
    expected: fine,
  },
  {
    what: 'a witness twice',
    note: lines(log, by(FIRST), by(FIRST, COSIGNED_AT_S + 60)),
    expected: ofQuorum,
    options: quorumOf(2),
  },
  {
    what: 'a witness twice, one bad',
    note: lines(log, by(FIRST), edited(by(FIRST), flipped(40))),
    expected: ofWitness,
  },
  {
    what: 'one key under two names',
    note: lines(log, by(FIRST), by(ALIAS)),
    expected: ofQuorum,
    options: { ...keysFile(FIRST.key.text, ALIAS.key.text, SECOND.key.text), ...quorumOf(2) },
  },
  {
    what: 'one key under two names, no other given',
    note: lines(log, by(FIRST), by(ALIAS)),
    expected: () => UNREADABLE,
    options: { ...keysFile(FIRST.key.text, ALIAS.key.text), ...quorumOf(2) },
  },
  {
    what: 'two witnesses',
    note: lines(log, by(FIRST), by(SECOND)),
    expected: fine,
    options: quorumOf(2),
  },
  {
    what: '100 lines',
    note: lines(
      log,
      ...Array.from({ length: 98 }, (_, index) => by(signerOf('cosignature', `w${index}`))),
      by(FIRST),
    ),
    expected: fine,
  },
];

export function forgedCosignatures(ledger: Ledger): Damage[] {
  const { file, plan } = ledger;
  const all = keysOf(ledger);
  const seq = numberIn(newestIn(file), 'seq');
  const { size, root } = treeAt(file.rows, seq);
  const text = checkpointText({
    origin: originOf(plan.tenantId),
    size: BigInt(size),
    root,
    extensions: [],
  });
  const withNote = (note: string): ExportFile =>
    changed(file, (copy) => {
      newestIn(copy)['note'] = note;
      redigest(copy);
    });
  const extended = `${text}an extension\n`;
  return [
    ...FORGERIES.flatMap(({ what, note, expected, options = {} }) => [
      {
        name: `cosignatures: ${what}`,
        file: withNote(note(text)),
        expected: expected(seq),
        options: { ...all, ...options },
      },
      {
        name: `cosignatures: ${what}, nobody asked`,
        file: withNote(note(text)),
        expected: VERIFIED,
      },
    ]),
    {
      name: 'cosignatures: an extension that is signed',
      file: withNote(lines(log, by(FIRST))(extended)),
      expected: VERIFIED,
      options: all,
    },
    {
      name: 'cosignatures: an extension that is not signed',
      file: withNote(lines(log, by(FIRST))(text).replace(text, extended)),
      expected: ofLog(seq),
      options: all,
    },
    {
      name: 'cosignatures: a bad line in an anchor',
      file: changed(file, (copy) => {
        const anchor = at(
          copy.points.filter(({ kind }) => kind === 'anchor'),
          0,
        );
        const [start = ''] = textIn(anchor, 'note').split('\n\n');
        anchor['note'] = lines(log, edited(by(FIRST), flipped(40)))(`${start}\n`);
        redigest(copy);
      }),
      expected: ofWitness(
        numberIn(
          at(
            file.points.filter(({ kind }) => kind === 'anchor'),
            0,
          ),
          'seq',
        ),
      ),
      options: all,
    },
  ];
}

const MLDSA = Buffer.concat([Buffer.of(6), Buffer.alloc(1312)]).toString('base64');
const good = FIRST.key.text;
const [, goodId = ''] = good.split('+');

/** Files of --witness-keys. The oracle gives the keys of small order. */
export const keyFileCases = ({ file }: Ledger, smallOrder: readonly string[]): Case[] => {
  const of = (what: string, keys: string, expected: Expected): Damage => ({
    name: `key file: ${what}`,
    ...{ file, expected, options: { keys }, forms: ['lines'] },
  });
  const small = smallOrder.flatMap((hex) => [
    vkeyOf('cosignature', 'w.example', Buffer.from(hex, 'hex')).text,
    vkeyOf('ed25519', 'w.example', Buffer.from(hex, 'hex')).text,
  ]);
  const offCurve = vkeyOf(
    'cosignature',
    'w.example',
    Buffer.from(`02${'0'.repeat(62)}`, 'hex'),
  ).text;
  return [
    of('comments and blanks', `# keys\r\n\r\n \t${good} \t\r\n  # end`, VERIFIED),
    of('a key that is no point', `${good}\n${offCurve}`, VERIFIED),
    of('empty', '', UNREADABLE),
    of('only comments', '#\n\n# x', UNREADABLE),
    of('a key twice', `${good}\n${good}`, UNREADABLE),
    of('a note', 'shop.example\n1\n', UNREADABLE),
    of('a name missing', good.slice(good.indexOf('+')), UNREADABLE),
    of('a name with a blank', `a ${good}`, UNREADABLE),
    of('a name with a no-break space', `a\u00a0${good}`, UNREADABLE),
    of('another name', `a${good}`, UNREADABLE),
    of('another id', good.replace(goodId, '00000000'), UNREADABLE),
    of(
      'an id in upper case',
      good.replace(goodId, goodId.toUpperCase()),
      /[a-f]/.test(goodId) ? UNREADABLE : VERIFIED,
    ),
    of('a short id', good.replace(goodId, goodId.slice(1)), UNREADABLE),
    of('a byte less', vkeyOf('cosignature', 'w.example', Buffer.alloc(31, 9)).text, UNREADABLE),
    of('a byte more', vkeyOf('cosignature', 'w.example', Buffer.alloc(33, 9)).text, UNREADABLE),
    of('no key bytes', 'w.example+00000000+', UNREADABLE),
    of('ML-DSA', `w.example+00000000+${MLDSA}`, UNREADABLE),
    of('ECDSA', `w.example+00000000+${Buffer.of(2, 1, 2, 3).toString('base64')}`, UNREADABLE),
    of(
      'spare bits in base64',
      good.replace(/.$/, (digit) =>
        digit === '=' ? '' : String.fromCharCode(digit.charCodeAt(0) + 1),
      ),
      UNREADABLE,
    ),
    of('padding more', `${good}=`, UNREADABLE),
    of('a comment behind', `${good} # w`, UNREADABLE),
    of('a byte order mark', `\ufeff${good}`, UNREADABLE),
    ...small.map((key, index) => of(`small order ${index}`, `${good}\n${key}`, UNREADABLE)),
  ].flatMap(casesOf);
};
