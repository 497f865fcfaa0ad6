import {
  at,
  broken,
  type Case,
  casesOf,
  type CaseOptions,
  changed,
  type Damage,
  type Expected,
} from './cases.js';
import {
  type ExportFile,
  type Members,
  membersIn,
  numberIn,
  redigest,
  textIn,
} from './export-file.js';
import { relink } from './forged.js';
import { type Ledger, logKeyOf, originOf } from './ledgers.js';
import { secretsFile } from './secrets.js';
import { signerOf, WITNESSES } from './signers.js';

/** A fault and what it is called; the list has the order in which the faults are looked for. */
interface Fault {
  readonly code: string;
  readonly seq: number;
  readonly inject: (file: ExportFile) => void;
  readonly options?: CaseOptions;
}

const ROW = 3;

/** Faults of one row. Where links must be right, they are made right again afterwards, see {@link rowOrder}. */
const rowFaults = ({ headSeq }: Ledger): readonly Fault[] => {
  const row = (change: (row: Members) => void) => (file: ExportFile) => change(at(file.rows, ROW));
  return [
    { code: 'extra_rows', seq: headSeq + 1, inject: row((it) => (it['seq'] = headSeq + 1)) },
    { code: 'sequence_gap', seq: ROW + 1, inject: row((it) => (it['seq'] = ROW + 1)) },
    { code: 'previous_link', seq: ROW, inject: row((it) => (it['prev'] = '0'.repeat(64))) },
    { code: 'link_hash', seq: ROW, inject: row((it) => (it['link'] = 'f'.repeat(64))) },
    {
      code: 'canonical_form',
      seq: ROW,
      inject: row((it) => (it['body'] = `${textIn(it, 'body')} `)),
    },
    { code: 'key_unknown', seq: ROW, inject: row((it) => (it['kid'] = 'k-unknown')) },
    { code: 'signature', seq: ROW, inject: row((it) => (it['mac'] = '1'.repeat(64))) },
  ];
};

/** A row with every pair of faults, and with all from each on: the first in the order is told. */
export function rowOrder(ledger: Ledger): Case[] {
  const faults = rowFaults(ledger);
  const { file } = ledger;
  const damage = (chosen: readonly Fault[]): Damage => {
    const first = at(chosen, 0);
    return {
      name: `order of a row: ${chosen.map(({ code }) => code).join(', ')}`,
      file: changed(file, (copy) => {
        // The last faults are in what the link covers: done first, and linked.
        for (const fault of chosen.toReversed()) {
          fault.inject(copy);
          if (LINKED.has(fault.code)) relink(copy);
        }
      }),
      expected: broken(first.code, first.seq, ROW),
      options: { secrets: `${secretsFile(ledger)}\nk-unknown ${'2'.repeat(64)}` },
    };
  };
  return [...pairsOf(faults), ...faults.map((_, index) => faults.slice(index))]
    .filter(compatible)
    .map(damage)
    .flatMap(casesOf);
}

const LINKED = new Set(['canonical_form', 'key_unknown', 'signature']);

/** Both are written into the same member. */
const compatible = (chosen: readonly Fault[]): boolean =>
  !(at(chosen, 0).code === 'extra_rows' && at(chosen, -1).code === 'sequence_gap');

const pairsOf = <Item>(items: readonly Item[]): Item[][] =>
  items.flatMap((first, index) => items.slice(index + 1).map((second) => [first, second]));

const pointOf = ({ points }: ExportFile, kind: string): Members =>
  at(
    points.filter((point) => point['kind'] === kind),
    -1,
  );

/** Faults that are found at the end. What is signed or counted stays right, so that each stands alone. */
function endFaults(ledger: Ledger): readonly Fault[] {
  const { file, headSeq, plan } = ledger;
  const seqOf = (kind: string): number => numberIn(pointOf(file, kind), 'seq');
  const newest = seqOf('witnessed_head');
  const resign = (signer: string) => (copy: ExportFile) => {
    const point = pointOf(copy, 'witnessed_head');
    const start = `— ${signer} `;
    const note = textIn(point, 'note');
    const place = note.indexOf(start) + start.length + 20;
    point['note'] =
      `${note.slice(0, place)}${note[place] === 'A' ? 'B' : 'A'}${note.slice(place + 1)}`;
  };
  const keys = { keys: [logKeyOf(ledger), ...WITNESSES.map(({ key }) => key.text)].join('\n') };
  const stranger = signerOf('cosignature', 'witness.example/stranger');
  const mismatch = (kind: string) => (copy: ExportFile) =>
    (pointOf(copy, kind)['hash'] = 'f'.repeat(64));
  return [
    { code: 'truncated', seq: headSeq, inject: ({ rows }) => rows.pop() },
    {
      code: 'head_mismatch',
      seq: headSeq,
      inject: ({ header }) => (membersIn(header, 'counts')['unsealed'] = 7),
    },
    { code: 'anchor_mismatch', seq: seqOf('anchor'), inject: mismatch('anchor') },
    { code: 'witness_mismatch', seq: newest, inject: mismatch('witnessed_head') },
    {
      code: 'digest_mismatch',
      seq: headSeq,
      inject: ({ header }) => (header['exported_at'] = '2026-11-30T10:00:00.999Z'),
    },
    {
      code: 'expected_head_mismatch',
      seq: headSeq,
      inject: () => undefined,
      options: { expectedHead: 'f'.repeat(64) },
    },
    {
      code: 'checkpoint_signature',
      seq: newest,
      inject: resign(originOf(plan.tenantId)),
      options: keys,
    },
    { code: 'witness_signature', seq: newest, inject: resign(WITNESSES[1].name), options: keys },
    {
      code: 'cosignature_quorum',
      seq: newest,
      inject: () => undefined,
      options: {
        keys: `${keys.keys}\n${stranger.key.text}`,
        more: ['--witness-quorum', String(WITNESSES.length + 1)],
      },
    },
    {
      code: 'signatures_unverifiable',
      seq: headSeq,
      inject: () => undefined,
      options: { more: ['--require-signatures'] },
    },
  ];
}

const joined = (all: readonly CaseOptions[]): CaseOptions => ({
  ...all.reduce((one, other) => ({ ...one, ...other }), {}),
  more: all.flatMap(({ more = [] }) => more),
});

/** A file with every pair of end faults, and with all from each on. The digest is made to fit unless it is the fault. */
export function endOrder(ledger: Ledger): Case[] {
  const faults = endFaults(ledger);
  const damage = (chosen: readonly Fault[]): Damage => {
    const first = at(chosen, 0);
    const expected: Expected = broken(first.code, first.seq);
    return {
      name: `order of the end: ${chosen.map(({ code }) => code).join(', ')}`,
      file: changed(ledger.file, (copy) => {
        const of = (digest: boolean) =>
          chosen.filter(({ code }) => (code === 'digest_mismatch') === digest);
        for (const fault of of(false)) fault.inject(copy);
        redigest(copy);
        for (const fault of of(true)) fault.inject(copy);
      }),
      expected,
      options: joined(chosen.map(({ options = {} }) => options)),
    };
  };
  return [
    ...faults.map((fault) => [fault]),
    ...pairsOf(faults),
    ...faults.map((_, index) => faults.slice(index)),
  ]
    .map(damage)
    .flatMap(casesOf);
}

/** A row fault is told before any fault of the end, whatever its place. */
export const rowBeforeEnd = (ledger: Ledger): Case[] => {
  const rows = rowFaults(ledger).filter(({ code }) => !LINKED.has(code));
  return endFaults(ledger)
    .filter(({ code }) => code !== 'truncated')
    .flatMap((end) =>
      rows.map((row) => ({
        name: `order: ${row.code} before ${end.code}`,
        file: changed(ledger.file, (copy) => {
          end.inject(copy);
          row.inject(copy);
        }),
        expected: broken(row.code, row.seq, ROW),
        options: end.options,
      })),
    )
    .flatMap(casesOf);
};
