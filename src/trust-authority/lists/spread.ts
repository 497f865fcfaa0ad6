import { createHash } from 'node:crypto';
import { LIST_CAPACITY } from './list-uri.js';

const LEFT_BITS = 8;
const RIGHT_BITS = 9;
const ROUNDS = 6;

/**
 * The place that is handed out as the `count`-th (from 0) of a list: a permutation of all places under the list's secret,
 * so no place comes twice and neighbours on a list say nothing of what was issued together. An unbalanced Feistel
 * network over 17 bits.
 */
export function placeOf(spread: string, count: number): number {
  let left = count >>> RIGHT_BITS;
  let right = count & (2 ** RIGHT_BITS - 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) left ^= drawn(spread, round, right) & (2 ** LEFT_BITS - 1);
    else right ^= drawn(spread, round, left) & (2 ** RIGHT_BITS - 1);
  }
  return ((left << RIGHT_BITS) | right) % LIST_CAPACITY;
}

const drawn = (spread: string, round: number, half: number): number =>
  createHash('sha256').update(`${spread}\n${round}\n${half}`).digest().readUInt16BE(0);
