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
import { type Ledger, ledgerOf, logKeyOf, originOf, pointOf } from './ledgers.js';
import { logLine, logOf, type Signer, signerOf, WITNESSES } from './signers.js';
import { by, edited, flipped, keysFile, keysOf, lines } from './witnessing.js';

const witnesses = WITNESSES.map(({ key }) => key.text);

/** A file with other points, and the digest that fits. */
const withPoints = (file: ExportFile, change: (points: Members[]) => Members[]): ExportFile =>
  changed(file, (copy) => {
    copy.points = change(copy.points);
    redigest(copy);
  });

/** The log that a file names, and the one whose key the auditor has. */
export function logCases(ledger: Ledger): Case[] {
  return [...otherLogs(ledger), ...changedKeys(ledger), ...missingLines(ledger)].flatMap(casesOf);
}

/**
 * Whoever runs the service writes another history and has it witnessed under another name: it is honest in itself, and
 * so are the witnesses, who never saw the name before.
 */
function otherLogs(ledger: Ledger): Damage[] {
  const { plan, headSeq } = ledger;
  const [opened, ...others] = plan.drafts;
  if (opened === undefined) throw new Error('no entries');
  const forged = (origin: string): Ledger =>
    ledgerOf({
      ...plan,
      origin,
      drafts: [opened, ...others.map((draft) => ({ ...draft, data: { rewritten: true } }))],
    });
  const second = forged(originOf('tnt_second'));
  const unnamed = changed(ledger.file, (copy) => {
    Object.assign(copy, { points: [] });
    Object.assign(copy.header, { origin: null, log_key: null });
    redigest(copy);
  });
  const otherLog = broken('checkpoint_signature', headSeq, headSeq + 1);
  const quorum = { more: ['--witness-quorum', '3'] };
  const damage = (
    what: string,
    file: ExportFile,
    [options, expected]: readonly [CaseOptions, Expected],
  ): Damage => ({ name: `logs: ${what}`, file, options, expected });
  const composed = forged('shop.example/caf\u00e9');
  const decomposed = logOf('shop.example/cafe\u0301').key.text;
  const early = withPoints(second.file, ([first, ...rest]) => [
    { ...first, note: badLine(textIn(first ?? {}, 'note')) },
    ...rest,
  ]);
  return [
    damage('the one whose key was given', ledger.file, [
      { ...keysOf(ledger), ...quorum },
      VERIFIED,
    ]),
    damage('another one', second.file, [{ ...keysOf(ledger), ...quorum }, otherLog]),
    damage('another one, its own key too', second.file, [
      keysFile(logKeyOf(second), logKeyOf(ledger), ...witnesses),
      VERIFIED,
    ]),
    damage('another one, only witnesses asked', second.file, [
      { ...keysFile(...witnesses), ...quorum },
      VERIFIED,
    ]),
    damage('another one, a witness of the name of the log asked', second.file, [
      keysFile(signerOf('cosignature', originOf(plan.tenantId)).key.text, ...witnesses),
      VERIFIED,
    ]),
    damage('another one that signs badly', early, [keysOf(ledger), otherLog]),
    damage('another one, a key under its name asked', second.file, [
      keysFile(signerOf('ed25519', originOf('tnt_second'), 'another').key.text, ...witnesses),
      broken('checkpoint_signature', numberIn(at(second.file.points, 0), 'seq')),
    ]),
    damage('none named', unnamed, [keysOf(ledger), otherLog]),
    damage('none named, only witnesses asked', unnamed, [
      keysFile(...witnesses),
      broken('cosignature_quorum', headSeq),
    ]),
    damage('a name of the same look', composed.file, [
      keysFile(decomposed, ...witnesses),
      otherLog,
    ]),
    damage('a name beyond ASCII', composed.file, [keysOf(composed), VERIFIED]),
  ];
}

const badLine = (note: string): string =>
  note.replace(/(?<=\n— [^ ]+ .{20})./, (digit) => (digit === 'A' ? 'B' : 'A'));

/** The log signs with a new key from one of its checkpoints on, both under its name. */
function changedKeys(ledger: Ledger): Damage[] {
  const { file, plan } = ledger;
  const origin = originOf(plan.tenantId);
  const [before, after] = [logOf(origin), signerOf('ed25519', origin, `${origin} anew`)];
  const signedBy = (signersAt: (place: number) => readonly Signer[]): ExportFile =>
    withPoints(file, (points) =>
      points.map((point, place) => ({
        ...point,
        note: resigned(textIn(point, 'note'), signersAt(place)),
      })),
    );
  const turn = 2;
  const rotated = signedBy((place) => [place < turn ? before : after]);
  const overlapping = signedBy((place) => (place < turn ? [before] : [before, after]));
  const stray = signedBy((place) => [place < turn ? before : logOf('shop.example/other')]);
  const seqAt = (place: number): number => numberIn(at(file.points, place), 'seq');
  const damage = (
    what: string,
    forged: ExportFile,
    [logs, expected]: readonly [readonly Signer[], Expected],
  ): Damage => ({
    name: `keys of a log: ${what}`,
    file: forged,
    options: keysFile(...logs.map(({ key }) => key.text), ...witnesses),
    expected,
  });
  const failed = (place: number) => broken('checkpoint_signature', seqAt(place));
  return [
    damage('changed, both given', rotated, [[before, after], VERIFIED]),
    damage('changed, the first given', rotated, [[before], failed(turn)]),
    damage('changed, the second given', rotated, [[after], failed(0)]),
    damage('changed with an overlap, the first given', overlapping, [[before], VERIFIED]),
    damage('a line of another log that is given too', stray, [
      [before, logOf('shop.example/other')],
      failed(turn),
    ]),
    damage(
      'a bad line beside a good one',
      signedBy(() => [before, forger(after)]),
      [[before, after], failed(0)],
    ),
  ];
}

/** Signs with another key under the id of this one. */
const forger = (signer: Signer): Signer => ({
  ...signer,
  privateKey: signerOf('ed25519', 'a forger').privateKey,
});

/** The note with these lines of the log in the place of its own. */
function resigned(note: string, logs: readonly Signer[]): string {
  const [start = '', signed = ''] = note.split('\n\n');
  const [, ...cosignatures] = signed.trimEnd().split('\n');
  const own = logs.map((log) => logLine(`${start}\n`, log));
  return `${start}\n\n${[...own, ...cosignatures].join('\n')}\n`;
}

/** Each note needs a line of its log, whatever others over the same text carry; the first without is told. */
function missingLines(ledger: Ledger): Damage[] {
  const { file } = ledger;
  const without = (note: string): string => resigned(note, []);
  const damage = (what: string, change: (points: Members[]) => Members[], seq: number): Damage => ({
    name: `lines of the log: ${what}`,
    file: withPoints(file, change),
    options: keysOf(ledger),
    expected: broken('checkpoint_signature', seq),
  });
  const noteAt = (place: number, edit: (note: string) => string) => (points: Members[]) =>
    points.map((point, index) =>
      index === place ? { ...point, note: edit(textIn(point, 'note')) } : point,
    );
  const cosigned = file.points.flatMap(({ kind }, place) =>
    kind === 'witnessed_head' ? [place] : [],
  );
  const seqAt = (place: number): number => numberIn(at(file.points, place), 'seq');
  const [early, late] = [at(cosigned, 0), at(cosigned, -1)];
  const same = cosigned.find((place) =>
    file.points.some((point) => point['kind'] === 'anchor' && point['seq'] === seqAt(place)),
  );
  if (same === undefined || early === late) throw new Error('not the ledger for it');
  const strangeAnchor = (points: Members[]): Members[] =>
    points.map((point) =>
      point['kind'] === 'anchor' ? { ...point, note: strangers(textIn(point, 'note')) } : point,
    );
  return [
    ...cosigned.map((place) => damage(`none at ${place}`, noteAt(place, without), seqAt(place))),
    damage('none in a head, there in the anchor over the same', noteAt(same, without), seqAt(same)),
    damage(
      'none, then a bad one',
      (points) => noteAt(late, badLine)(noteAt(early, without)(points)),
      seqAt(early),
    ),
    damage(
      'a bad one, then none',
      (points) => noteAt(late, without)(noteAt(early, badLine)(points)),
      seqAt(early),
    ),
    damage(
      'anchors signed by a stranger',
      strangeAnchor,
      numberIn(
        at(
          file.points.filter(({ kind }) => kind === 'anchor'),
          0,
        ),
        'seq',
      ),
    ),
    {
      ...damage('none, and a bad cosignature before it', (points) => points, seqAt(late)),
      file: withPoints(file, (points) => {
        const bad = edited(by(WITNESSES[0]), flipped(40));
        const text = `${textIn(at(points, early), 'note').split('\n\n')[0] ?? ''}\n`;
        const spoilt = noteAt(early, () => lines(logLine, bad)(text))(points);
        return noteAt(late, without)(spoilt);
      }),
    },
  ];
}

const strangers = (note: string): string => resigned(note, [signerOf('ed25519', 'a.stranger')]);

const POINTS_MAX = 10_000;

/** As many anchors and witnessed heads as may be, and one more. */
export function boundCases(ledger: Ledger): Case[] {
  const { file, plan } = ledger;
  const seq = numberIn(at(file.points, -1), 'seq');
  const of = (kind: 'anchor' | 'witnessed_head', count: number): Members[] => {
    const origin = originOf(plan.tenantId);
    const point = pointOf(file.rows, origin, { kind, seq, witnesses: [WITNESSES[0]] });
    return Array.from({ length: count }, () => point);
  };
  const damage = (anchors: number, heads: number, expected: Expected): Damage => ({
    name: `bounds: ${anchors} anchors and ${heads} witnessed heads`,
    file: withPoints(file, () => [...of('anchor', anchors), ...of('witnessed_head', heads)]),
    options: keysOf(ledger),
    expected,
  });
  return [
    damage(POINTS_MAX, POINTS_MAX, VERIFIED),
    damage(POINTS_MAX + 1, 1, UNREADABLE),
    damage(1, POINTS_MAX + 1, UNREADABLE),
    damage(0, POINTS_MAX + 1, UNREADABLE),
  ].flatMap(casesOf);
}
