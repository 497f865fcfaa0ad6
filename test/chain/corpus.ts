import { bodyCases, declarations } from './bodies.js';
import { type Case, casesOf, type Damage } from './cases.js';
import { changedMembers } from './changed-members.js';
import { endOrder, rowBeforeEnd, rowOrder } from './check-order.js';
import { rewritten } from './forged.js';
import { DAMAGED, HONEST, honest } from './honest.js';
import { honestAnswers } from './honest-answers.js';
import { jsonDamage, longDocument, longLines, strangeFiles } from './json-damage.js';
import type { Ledger } from './ledgers.js';
import { lineDamage, rowRuns, splices, unreadBehindBreak } from './line-damage.js';
import { boundCases, logCases } from './logs.js';
import { unreadableMembers } from './members.js';
import { expectedHeads, optionCases, sealedDemand } from './option-cases.js';
import { secretCases, secretFileCases } from './secrets.js';
import { forgedCosignatures, keyFileCases, quorumCases } from './witnessing.js';

const BIRTH = honest('sealed from birth');
const LATE = honest('sealed late');
const LONG = honest('300 rows');

const several = ({ headSeq }: Ledger): boolean => headSeq > 1;
const sealed = ({ kids }: Ledger): boolean => kids.length > 0;
const allOf = (ledgers: readonly Ledger[], damage: (ledger: Ledger) => readonly Damage[]): Case[] =>
  ledgers.flatMap(damage).flatMap(casesOf);

/** The shared corpus by kind of damage: every file has one right answer, and both verifiers give it. */
export const CORPUS: readonly (readonly [kind: string, make: () => readonly Case[]])[] = [
  ['honest exports', () => HONEST.flatMap(honestAnswers)],
  ['members removed, doubled, retyped', () => allOf([BIRTH, LATE], unreadableMembers)],
  ['members changed', () => allOf(DAMAGED, changedMembers)],
  ['lines removed, doubled, swapped, cut, torn', () => allOf(DAMAGED, lineDamage)],
  ['runs of rows', () => allOf(HONEST.filter(several), rowRuns)],
  ['lines of another tenant', () => allOf(DAMAGED, splices)],
  ['what stands behind a break', () => allOf(HONEST.filter(several), unreadBehindBreak)],
  ['everything rewritten', () => allOf(DAMAGED.filter(sealed), rewritten)],
  ['forms of a body', () => [...bodyCases(), ...declarations()].flatMap(casesOf)],
  ['JSON', () => [...jsonDamage(BIRTH), ...jsonDamage(LATE), ...strangeFiles(LATE)]],
  ['long lines', () => [...longLines(LATE), longDocument(LATE)]],
  ['secrets', () => [...HONEST.flatMap(secretCases), ...secretFileCases(BIRTH)]],
  [
    'witnesses',
    () => [...HONEST.flatMap(quorumCases), ...forgedCosignatures(BIRTH).flatMap(casesOf)],
  ],
  ['logs', () => logCases(BIRTH)],
  ['bounds', () => boundCases(LATE)],
  ['expected heads', () => HONEST.filter((ledger) => ledger !== LONG).flatMap(expectedHeads)],
  ['options', () => [...optionCases(BIRTH), ...HONEST.flatMap(sealedDemand)]],
  ['order of checks', () => [...rowOrder(BIRTH), ...endOrder(BIRTH), ...rowBeforeEnd(BIRTH)]],
];

/** Files of witness keys, with the small-order keys of the oracle. */
export const keyFiles = (smallOrder: readonly string[]): Case[] => keyFileCases(BIRTH, smallOrder);
