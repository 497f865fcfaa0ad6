import { at, changed, type Damage, UNREADABLE } from './cases.js';
import {
  type ExportFile,
  type Form,
  type Json,
  type Members,
  membersIn,
  textIn,
} from './export-file.js';
import type { Ledger } from './ledgers.js';

type Kind = 'text' | 'count' | 'flag' | 'list' | 'object';

/** One member of one line. `path` leads to the object that holds it. */
interface Place {
  readonly where: string;
  readonly part: (file: ExportFile) => Members;
  readonly path: readonly string[];
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly nullable: boolean;
}

type Shape = { readonly [member: string]: string | Shape };

const HEAD: Shape = { seq: 'count', hash: 'text?' };
const COUNTS: Shape = { sealed: 'count', unsealed: 'count' };
const HEADER: Shape = {
  ...{ kind: 'text', format: 'text', version: 'count', tenant_id: 'text', exported_at: 'text' },
  sealing: { enabled: 'flag', since_seq: 'count?', kids: 'list' },
  head: HEAD,
  counts: COUNTS,
  ...{ origin: 'text?', log_key: 'text?', self_witnesses: 'list' },
};
const POINT: Shape = { kind: 'text', seq: 'count', hash: 'text', size: 'count', note: 'text' };
const ROW: Shape = {
  ...{ seq: 'count', body: 'text', kid: 'text?', prev: 'text?', mac: 'text?', link: 'text?' },
};
const TRAILER: Shape = { kind: 'text', head: HEAD, counts: COUNTS, digest: 'text' };

function placesOf(
  base: Pick<Place, 'where' | 'part'>,
  shape: Shape,
  path: readonly string[] = [],
): Place[] {
  return Object.entries(shape).flatMap(([name, kind]) => {
    if (typeof kind === 'object')
      return [
        { ...base, path, name, kinds: ['object' as const], nullable: false },
        ...placesOf(base, kind, [...path, name]),
      ];
    const nullable = kind.endsWith('?');
    return [{ ...base, path, name, kinds: [kind.replace('?', '') as Kind], nullable }];
  });
}

const partOfTrailer = ({ trailer }: ExportFile): Members => {
  if (trailer === null) throw new Error('no trailer');
  return trailer;
};

/** The first and the last row, one in the middle, and those around a switch of sealing or of the key. */
export const chosenRows = (rows: readonly Members[]): number[] =>
  rows.flatMap(({ kid }, index) =>
    [0, Math.floor(rows.length / 2), rows.length - 1].includes(index) ||
    kid !== rows[index - 1]?.['kid']
      ? index
      : [],
  );

const placesIn = ({ file }: Ledger): Place[] => [
  ...placesOf({ where: 'header', part: ({ header }) => header }, HEADER),
  ...file.points.flatMap((point, index) =>
    placesOf(
      { where: `${textIn(point, 'kind')} ${index}`, part: ({ points }) => at(points, index) },
      POINT,
    ),
  ),
  ...chosenRows(file.rows).flatMap((index) =>
    placesOf({ where: `row ${index}`, part: ({ rows }) => at(rows, index) }, ROW),
  ),
  ...placesOf({ where: 'trailer', part: partOfTrailer }, TRAILER),
];

const holderOf = ({ part, path }: Place, file: ExportFile): Members =>
  path.reduce(membersIn, part(file));

const SAMPLES: readonly { readonly kind: Kind; readonly value: Json }[] = [
  { kind: 'text', value: '1' },
  { kind: 'count', value: 1 },
  { kind: 'flag', value: true },
  { kind: 'list', value: [] },
  { kind: 'object', value: {} },
];

const DOUBLED = '~doubled';

/** Each member of each line removed, doubled, joined by a stranger and of every other type: never a readable export. */
export function unreadableMembers(ledger: Ledger): Damage[] {
  return placesIn(ledger).flatMap((place) => {
    const { where, path, name, kinds, nullable } = place;
    const label = `${ledger.plan.name}: ${where}: ${[...path, name].join('.')}`;
    // The document has no kinds.
    const forms: readonly Form[] = name === 'kind' ? ['lines'] : ['lines', 'document'];
    const damage = (what: string, change: (members: Members) => void): Damage => ({
      name: `${label} ${what}`,
      file: changed(ledger.file, (file) => change(holderOf(place, file))),
      expected: UNREADABLE,
      forms,
    });
    const value = holderOf(place, ledger.file)[name] ?? null;
    const retyped = SAMPLES.filter(({ kind }) => !kinds.includes(kind)).map(
      ({ kind, value: other }) =>
        damage(`is of type ${kind}`, (members) => (members[name] = other)),
    );
    return [
      damage('removed', (members) => Reflect.deleteProperty(members, name)),
      {
        ...damage('doubled', (members) => (members[DOUBLED] = null)),
        text: (printed: string) =>
          printed.replace(
            `"${DOUBLED}":null`,
            () => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
          ),
      },
      damage('has a stranger beside it', (members) => (members['stranger'] = 1)),
      ...retyped,
      ...(nullable ? [] : [damage('is null', (members) => (members[name] = null))]),
      ...(kinds.includes('count')
        ? [damage('is negative', (members) => (members[name] = -1))]
        : []),
    ];
  });
}
