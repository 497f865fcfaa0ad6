import { entryLink, GENESIS_PREV } from '../../src/core/chain/index.js';
import {
  at,
  broken,
  type CaseOptions,
  changed,
  type Damage,
  type Expected,
  VERIFIED,
} from './cases.js';
import {
  type ExportFile,
  type Members,
  membersIn,
  numberIn,
  redigest,
  textIn,
} from './export-file.js';
import { type Ledger, logKeyOf, originOf, pointOf, sealRow, statementsOf } from './ledgers.js';
import { secretsFile } from './secrets.js';
import { WITNESSES } from './signers.js';

/** Computes prev and link of every sealed row again; the macs stay, which needs no secret. */
export function relink(file: ExportFile): ExportFile {
  let prev = GENESIS_PREV;
  const tenantId = textIn(file.header, 'tenant_id');
  for (const row of file.rows) {
    if (row['kid'] === null) continue;
    const [seq, kid, body, mac] = [
      numberIn(row, 'seq'),
      textIn(row, 'kid'),
      textIn(row, 'body'),
      textIn(row, 'mac'),
    ];
    const link = entryLink({ tenantId, seq, kid, prev, body }, mac);
    Object.assign(row, { prev, link });
    prev = link;
  }
  return file;
}

/** Computes the seals of every sealed row again, macs too: what only the platform can do. */
export function reseal(file: ExportFile): ExportFile {
  let prev = GENESIS_PREV;
  for (const row of file.rows) {
    if (row['kid'] === null) continue;
    prev = sealRow(row, textIn(file.header, 'tenant_id'), { kid: textIn(row, 'kid'), prev });
  }
  return file;
}

/** Writes head and counts that fit the rows into header and trailer. */
export function restate(file: ExportFile): ExportFile {
  Object.assign(file.header, statementsOf(file.rows));
  Object.assign(file.trailer ?? {}, statementsOf(file.rows));
  return file;
}

const editBody = (row: Members): void => {
  row['body'] = textIn(row, 'body').replace('"req_', '"req_forged_');
};

/** The sealed rows at which a rewriting starts: the first, one in the middle, the last. */
function startsIn({ file }: Ledger): number[] {
  const sealed = file.rows.filter(({ kid }) => kid !== null).map((row) => numberIn(row, 'seq'));
  const picked = [sealed[0], sealed[Math.floor(sealed.length / 2)], sealed.at(-1)];
  return [...new Set(picked.filter((seq) => seq !== undefined))];
}

/** The suffix from a row on, or everything, rewritten with fresh links. */
export const rewritten = (ledger: Ledger): Damage[] =>
  startsIn(ledger).flatMap((start) => [...withoutSecret(ledger, start), ...insider(ledger, start)]);

function withoutSecret(ledger: Ledger, start: number): Damage[] {
  const { file, headSeq, plan } = ledger;
  const secrets = { secrets: secretsFile(ledger) };
  const edited = changed(file, ({ rows }) => editBody(at(rows, start)));
  const linked = changed(edited, relink);
  const stated = changed(linked, restate);
  const digested = changed(stated, redigest);
  const dropped = changed(stated, (copy) => {
    copy.points = copy.points.filter((point) => numberIn(point, 'seq') < start);
    redigest(copy);
  });
  const covering = file.points.filter((point) => numberIn(point, 'seq') >= start);
  const first = covering.find(({ kind }) => kind === 'anchor') ?? covering[0];
  const ofPoints = (otherwise: Expected): Expected =>
    first === undefined
      ? otherwise
      : broken(
          first['kind'] === 'anchor' ? 'anchor_mismatch' : 'witness_mismatch',
          numberIn(first, 'seq'),
        );
  const damage = (
    what: string,
    forged: ExportFile,
    expected: Expected,
    options: CaseOptions = {},
  ): Damage => ({
    name: `${plan.name}: rewritten from ${start}: ${what}`,
    ...{ file: forged, expected, options },
  });
  const head = textIn(membersIn(file.header, 'head'), 'hash');
  const sealedHead = numberIn(
    at(
      file.rows.filter(({ kid }) => kid !== null),
      -1,
    ),
    'seq',
  );
  return [
    damage('one body', edited, broken('link_hash', start, start)),
    damage('fresh links', linked, broken('head_mismatch', headSeq)),
    damage('and head', stated, ofPoints(broken('digest_mismatch', headSeq))),
    damage('and digest', digested, ofPoints(VERIFIED)),
    damage('and anchors dropped', dropped, VERIFIED),
    damage('against the secret', dropped, broken('signature', start, start), secrets),
    damage('against the head', dropped, broken('expected_head_mismatch', headSeq), {
      expectedHead: head,
    }),
    damage('against the head at its seq', dropped, broken('expected_head_mismatch', sealedHead), {
      expectedHead: `${sealedHead}:${head}`,
    }),
    damage('against a witness', dropped, quorumBreak(dropped), { keys: witnessKeys }),
    ...(start === 0
      ? []
      : earlierHeads(ledger, start).map((expectedHead) =>
          damage(`against the earlier head ${expectedHead.slice(0, 4)}`, dropped, VERIFIED, {
            expectedHead,
          }),
        )),
  ];
}

const witnessKeys = WITNESSES.map(({ key }) => key.text).join('\n');

const newestHead = ({ points }: ExportFile): Members | undefined =>
  points.filter(({ kind }) => kind === 'witnessed_head').at(-1);

/** No witness signed what replaced the newest head; an older head still carries its cosignatures. */
function quorumBreak(file: ExportFile): Expected {
  return newestHead(file) === undefined
    ? broken('cosignature_quorum', file.rows.length - 1)
    : VERIFIED;
}

/** Heads of the part that was not rewritten. */
const earlierHeads = ({ file }: Ledger, start: number): string[] =>
  file.rows
    .filter((row) => row['kid'] !== null && numberIn(row, 'seq') < start)
    .slice(-1)
    .flatMap((row) => [`${numberIn(row, 'seq')}:${textIn(row, 'link')}`, textIn(row, 'link')]);

/** The platform itself rewrites: seals, signed checkpoints, everything but the cosignatures of others. */
function insider(ledger: Ledger, start: number): Damage[] {
  const { file, headSeq, plan } = ledger;
  if (file.points.length === 0) return [];
  const forged = (remake: (point: Members, rows: readonly Members[]) => Members): ExportFile =>
    changed(file, (copy) => {
      editBody(at(copy.rows, start));
      restate(reseal(copy));
      copy.points = copy.points.map((point) => remake(point, copy.rows));
      redigest(copy);
    });
  const origin = originOf(plan.tenantId);
  const remade = (point: Members, rows: readonly Members[]): Members => {
    const kind = point['kind'] === 'anchor' ? 'anchor' : 'witnessed_head';
    return pointOf(rows, origin, { kind, seq: numberIn(point, 'seq'), witnesses: [] });
  };
  /** A new checkpoint over the signature lines of the old one. */
  const pasted = (point: Members, rows: readonly Members[]): Members => {
    const [text = ''] = textIn(remade(point, rows), 'note').split('\n\n');
    const [, lines = ''] = textIn(point, 'note').split('\n\n');
    return { ...remade(point, rows), note: `${text}\n\n${lines}` };
  };
  const damage = (
    what: string,
    forgedFile: ExportFile,
    expected: Expected,
    options: CaseOptions,
  ): Damage => ({
    name: `${plan.name}: rewritten by the platform from ${start}: ${what}`,
    ...{ file: forgedFile, expected, options },
  });
  const secrets = secretsFile(ledger);
  const resigned = forged(remade);
  const last = newestHead(resigned);
  const quorum = broken('cosignature_quorum', last === undefined ? headSeq : numberIn(last, 'seq'));
  const copied = forged(pasted);
  const touched = file.points.filter((point) => numberIn(point, 'seq') >= start);
  const cosigned = touched.filter(({ kind }) => kind === 'witnessed_head');
  const ofLog =
    touched[0] === undefined ? quorum : broken('checkpoint_signature', numberIn(touched[0], 'seq'));
  const ofWitness =
    cosigned[0] === undefined
      ? last === undefined
        ? quorum
        : VERIFIED
      : broken('witness_signature', numberIn(cosigned[0], 'seq'));
  return [
    damage('nobody from outside asked', resigned, VERIFIED, { secrets }),
    damage('its own key asked', resigned, quorum, { secrets, keys: logKeyOf(ledger) }),
    damage('the witnesses asked', resigned, quorum, { secrets, keys: witnessKeys }),
    damage('old signatures, the log asked', copied, touched[0] === undefined ? quorum : ofLog, {
      keys: `${logKeyOf(ledger)}\n${witnessKeys}`,
    }),
    damage('old signatures, the witnesses asked', copied, ofWitness, { keys: witnessKeys }),
    damage('old signatures, nobody asked', copied, VERIFIED, {}),
    damage('a head kept outside', resigned, broken('expected_head_mismatch', headSeq), {
      expectedHead: textIn(membersIn(file.header, 'head'), 'hash'),
    }),
  ];
}
