import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Moment } from '../ledger/index.js';

/** A fresh id: prefix and a uuidv7 in 32 hex digits (decisions 1.4). */
export const drawId = <Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` =>
  `${prefix}_${uuidv7().replaceAll('-', '')}`;

/** The drawn id, or in a tenant with reproducible ids one that follows from its seed and the place in the ledger. */
export const idAt = <Prefix extends string>(
  prefix: Prefix,
  drawn: `${Prefix}_${string}`,
  { idSeed, nextSeq }: Moment,
): `${Prefix}_${string}` =>
  idSeed === null
    ? drawn
    : `${prefix}_${createHash('sha256').update(`${idSeed}\n${prefix}\n${nextSeq}`).digest('hex').slice(0, 32)}`;
