import { createHash } from 'node:crypto';
import { canonicalize } from '../../src/core/kernel/index.js';

/** Any JSON value; damaged exports hold what no writer of ours would write. */
export type Json = string | number | boolean | null | readonly Json[] | Members;

export interface Members {
  [member: string]: Json;
}

/** An export as values, before it is printed: what a damage changes. `trailer` null = the line is missing. */
export interface ExportFile {
  header: Members;
  /** Anchors and witnessed heads, each with its kind, in the order of the file. */
  points: Members[];
  rows: Members[];
  trailer: Members | null;
}

export type Form = 'lines' | 'document';
export const FORMS: readonly Form[] = ['lines', 'document'];

const printed = (value: Json): string => canonicalize(value);

/** The lines of an export without their LF. */
export const linesOf = ({ header, points, rows, trailer }: ExportFile): string[] =>
  [header, ...points, ...rows, ...(trailer === null ? [] : [trailer])].map(printed);

const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));

/** The single JSON document; a kind that no line of this place may have is lost, a missing trailer stays missing. */
export function documentOf({ header, points, rows, trailer }: ExportFile): string {
  const ofKind = (kind: string): Json =>
    points.filter((point) => point['kind'] === kind).map((point) => without(point, 'kind'));
  return printed({
    ...without(header, 'kind'),
    anchors: ofKind('anchor'),
    witnessed_heads: ofKind('witnessed_head'),
    rows,
    ...(trailer === null ? {} : { trailer: without(trailer, 'kind') }),
  });
}

export const textOfLines = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('');

export const fileOf = (file: ExportFile, form: Form): string =>
  form === 'lines' ? textOfLines(linesOf(file)) : documentOf(file);

/** SHA-256 over the header, the points and the unsealed rows, canonical, each with its LF. */
export function digestOf({ header, points, rows }: ExportFile): string {
  const hash = createHash('sha256');
  const unsealed = rows.filter(({ kid }) => kid === null);
  for (const value of [header, ...points, ...unsealed]) hash.update(`${printed(value)}\n`);
  return hash.digest('hex');
}

/** Writes the digest that fits: what somebody does who hides an edit. */
export function redigest(file: ExportFile): ExportFile {
  if (file.trailer !== null) file.trailer['digest'] = digestOf(file);
  return file;
}

export const numberIn = (members: Members, name: string): number => {
  const value = members[name];
  if (typeof value !== 'number') throw new Error(`${name} is no number`);
  return value;
};

export const textIn = (members: Members, name: string): string => {
  const value = members[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text`);
  return value;
};

export const membersIn = (members: Members, name: string): Members => {
  const value = members[name];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} is no object`);
  return value as Members;
};
