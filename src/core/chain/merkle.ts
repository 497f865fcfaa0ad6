import { hash } from 'node:crypto';
import { invariant } from '../kernel/index.js';

/** Bytes of every hash of the tree. */
export const HASH_BYTES = 32;

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

const sha256 = (bytes: Uint8Array | string): Buffer => hash('sha256', bytes, 'buffer');

/** SHA-256 of nothing: the root of a tree without leaves (RFC 6962 section 2.1). */
export const EMPTY_ROOT: Uint8Array = sha256('');

/** `SHA-256(00 || data)` (RFC 6962 section 2.1). */
export function leafHash(data: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + data.length);
  bytes[0] = LEAF_PREFIX;
  bytes.set(data, 1);
  return sha256(bytes);
}

/** `SHA-256(01 || left || right)` (RFC 6962 section 2.1). Both are hashes of {@link HASH_BYTES}. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = NODE_PREFIX;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** All that must be kept of a tree to append to it: the roots of its complete subtrees, largest (leftmost) first. */
export interface CompactRange {
  readonly size: number;
  readonly peaks: readonly Uint8Array[];
}

export const EMPTY_RANGE: CompactRange = { size: 0, peaks: [] };

export function rootOf(range: CompactRange): Uint8Array {
  return foldRight(range.peaks) ?? EMPTY_ROOT;
}

/** The smaller subtrees stand on the right and are joined first. */
function foldRight(peaks: readonly Uint8Array[]): Uint8Array | undefined {
  let root = peaks.at(-1);
  for (let index = peaks.length - 2; index >= 0; index -= 1) {
    const left = peaks[index];
    if (left !== undefined && root !== undefined) root = nodeHash(left, root);
  }
  return root;
}

/** Leaves of the largest complete subtree on the left of a tree of `size` leaves, which are at least two. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** How many ones a size has in binary: the number of its complete subtrees. */
function peakCount(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/** A complete subtree: `2 ** level` leaves from leaf `index * 2 ** level` on; level 0 is a leaf. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Called for each subtree that becomes complete, leaves included. The hash is the caller's to keep. */
export type OnNode = (level: number, index: number, hash: Uint8Array) => void;

/** A complete subtree with its hash. */
export interface SubtreeHash {
  readonly level: number;
  readonly hash: Uint8Array;
}

/**
 * Appends leaves to a tree that is kept as its {@link CompactRange}.
 * Hashes stand in it as strings of 32 latin1 characters: node:crypto makes those four times as fast as buffers.
 */
export class TreeBuilder {
  #size: number;
  /** Leaves in front of `begin` are not known: only subtrees behind it are joined. */
  #begin = 0;
  /** Complete subtrees whose left sibling starts before `begin`; the smaller ones first, as they stand. */
  readonly #left: { readonly level: number; readonly hash: string }[] = [];
  /** Roots of complete subtrees; the place is the level. What no bit of the size stands for is left over. */
  readonly #byLevel: string[] = [];
  readonly #leaf = Buffer.alloc(1 + HASH_BYTES, LEAF_PREFIX);
  readonly #node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX);

  constructor(
    range: CompactRange = EMPTY_RANGE,
    private readonly onNode?: OnNode,
  ) {
    invariant(
      Number.isSafeInteger(range.size) && range.size >= 0,
      'a tree has a whole number of leaves',
    );
    invariant(
      range.peaks.length === peakCount(range.size) &&
        range.peaks.every(({ length }) => length === HASH_BYTES),
      'a range has one hash for each complete subtree',
    );
    this.#size = range.size;
    let next = range.peaks.length - 1;
    for (let rest = range.size; rest > 0; rest = Math.floor(rest / 2)) {
      this.#byLevel.push(rest % 2 === 1 ? textOf(range.peaks[next--] ?? EMPTY_ROOT) : '');
    }
  }

  /** A part of a tree from leaf `begin` on, whose leaves before are somebody else's: see {@link subtrees}. */
  static from(begin: number): TreeBuilder {
    const builder = new TreeBuilder();
    builder.#begin = begin;
    builder.#size = begin;
    return builder;
  }

  get size(): number {
    return this.#size;
  }

  pushLeafHash(leaf: Uint8Array): void {
    this.#push(0, textOf(leaf));
  }

  /** Appends the leaf of a sealed entry: its data are the 32 bytes of its link, given in hex. */
  pushLink(link: string): void {
    this.#leaf.write(link, 1, 'hex');
    this.#push(0, hash('sha256', this.#leaf, 'binary'));
  }

  /** Appends all leaves of a complete subtree, which fits here: the size is a multiple of its leaves. */
  pushSubtree(subtree: SubtreeHash): void {
    invariant(
      this.#size % 2 ** subtree.level === 0,
      'a subtree stands where one of its size starts',
    );
    this.#push(subtree.level, textOf(subtree.hash));
  }

  /** The complete subtrees that hold the leaves from `begin` on, left to right. */
  subtrees(): SubtreeHash[] {
    const right: { readonly level: number; readonly hash: string }[] = [];
    for (let level = 0, rest = this.#size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      const hash = this.#byLevel[level];
      if (rest % 2 === 0 || hash === undefined || (rest - 1) * 2 ** level < this.#begin) continue;
      right.unshift({ level, hash });
    }
    return [...this.#left, ...right].map(({ level, hash: text }) => ({
      level,
      hash: Buffer.from(text, 'latin1'),
    }));
  }

  range(): CompactRange {
    return { size: this.#size, peaks: this.subtrees().map((subtree) => subtree.hash) };
  }

  root(): Uint8Array {
    return rootOf(this.range());
  }

  #push(fromLevel: number, fromHash: string): void {
    let level = fromLevel;
    let complete = fromHash;
    let width = 2 ** level;
    let index = this.#size / width;
    this.#size += width;
    this.#told(level, index, complete);
    // One subtree of this level stands on the left for each low bit that is one: the two become the next level's.
    while (index % 2 === 1) {
      if ((index - 1) * width < this.#begin) {
        this.#left.push({ level, hash: complete });
        return;
      }
      this.#node.write(this.#byLevel[level] ?? '', 1, 'latin1');
      this.#node.write(complete, 1 + HASH_BYTES, 'latin1');
      complete = hash('sha256', this.#node, 'binary');
      level += 1;
      width *= 2;
      index = (index - 1) / 2;
      this.#told(level, index, complete);
    }
    this.#byLevel[level] = complete;
  }

  #told(level: number, index: number, text: string): void {
    if (this.onNode !== undefined) this.onNode(level, index, Buffer.from(text, 'latin1'));
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;
const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  Buffer.compare(left, right) === 0;

export interface InclusionClaim {
  readonly index: bigint;
  readonly size: bigint;
  readonly leafHash: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** Whether the leaf stands at `index` in the tree of that size and root (RFC 9162 section 2.1.3.2). */
export function verifyInclusion(claim: InclusionClaim): boolean {
  const { index, size, proof } = claim;
  if (index < 0n || index >= size) return false;
  if (![claim.leafHash, claim.root, ...proof].every(isHash)) return false;
  let node = index;
  let last = size - 1n;
  let root = claim.leafHash;
  for (const sibling of proof) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      root = nodeHash(sibling, root);
      // A last node without a sibling is lifted until it has one.
      while (node % 2n === 0n && node !== 0n) {
        node /= 2n;
        last /= 2n;
      }
    } else {
      root = nodeHash(root, sibling);
    }
    node /= 2n;
    last /= 2n;
  }
  return last === 0n && sameBytes(root, claim.root);
}

export interface ConsistencyClaim {
  readonly oldSize: bigint;
  readonly newSize: bigint;
  readonly oldRoot: Uint8Array;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Whether the old tree is a prefix of the new one (RFC 9162 section 2.1.4.2). Old size 0 is refused: everything extends
 * an empty tree and no proof says so; equal sizes take equal roots and an empty proof.
 */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { oldSize, newSize, oldRoot, newRoot, proof } = claim;
  if (oldSize <= 0n || oldSize > newSize) return false;
  if (![oldRoot, newRoot, ...proof].every(isHash)) return false;
  if (oldSize === newSize) return proof.length === 0 && sameBytes(oldRoot, newRoot);
  // A complete old tree is itself the first node, and is not repeated in the proof.
  const isComplete = (oldSize & (oldSize - 1n)) === 0n;
  const [first, ...rest] = isComplete ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let node = oldSize - 1n;
  let last = newSize - 1n;
  while (node % 2n === 1n) {
    node /= 2n;
    last /= 2n;
  }
  let oldNode = first;
  let newNode = first;
  for (const sibling of rest) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      oldNode = nodeHash(sibling, oldNode);
      newNode = nodeHash(sibling, newNode);
      while (node % 2n === 0n && node !== 0n) {
        node /= 2n;
        last /= 2n;
      }
    } else {
      newNode = nodeHash(newNode, sibling);
    }
    node /= 2n;
    last /= 2n;
  }
  return last === 0n && sameBytes(oldNode, oldRoot) && sameBytes(newNode, newRoot);
}

/** The leaves `begin <= i < end` of a tree. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The spans whose hashes prove that leaf `index` stands in the tree of `size` leaves, from the leaf to the root. */
export function inclusionSpans(index: number, size: number): readonly Span[] {
  invariant(
    Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size,
    'a proof of inclusion is of a leaf of the tree',
  );
  const fromRoot: Span[] = [];
  let begin = 0;
  let end = size;
  while (end - begin > 1) {
    const middle = begin + leftSize(end - begin);
    if (index < middle) {
      fromRoot.push({ begin: middle, end });
      end = middle;
    } else {
      fromRoot.push({ begin, end: middle });
      begin = middle;
    }
  }
  return fromRoot.reverse();
}

/** The spans whose hashes prove that the tree of `oldSize` leaves is a prefix of that of `newSize` (RFC 6962 2.1.2). */
export function consistencySpans(oldSize: number, newSize: number): readonly Span[] {
  invariant(
    Number.isSafeInteger(newSize) && Number.isSafeInteger(oldSize) && oldSize > 0,
    'a proof of consistency starts from at least one leaf',
  );
  invariant(oldSize <= newSize, 'a tree never shrinks');
  const fromRoot: Span[] = [];
  let begin = 0;
  let end = newSize;
  while (oldSize < end) {
    const middle = begin + leftSize(end - begin);
    if (oldSize <= middle) {
      fromRoot.push({ begin: middle, end });
      end = middle;
    } else {
      fromRoot.push({ begin, end: middle });
      begin = middle;
    }
  }
  // The old tree itself is known to the verifier; a part of it is not.
  if (begin > 0) fromRoot.push({ begin, end });
  return fromRoot.reverse();
}

/**
 * The complete subtrees of a span, left to right, each smaller than the one before. The span is one that a proof names:
 * it starts at a multiple of a power of two that is not smaller than it.
 */
export function subtreesOf(span: Span): readonly Subtree[] {
  const { begin, end } = span;
  invariant(begin >= 0 && begin < end, 'a span holds leaves');
  let width = 1;
  let level = 0;
  while (width < end - begin) {
    width *= 2;
    level += 1;
  }
  invariant(begin % width === 0, 'a span starts where a subtree of its size starts');
  const subtrees: Subtree[] = [];
  for (let at = begin; at < end; width /= 2, level -= 1) {
    if (width > end - at) continue;
    subtrees.push({ level, index: at / width });
    at += width;
  }
  return subtrees;
}

/** The hash of a span (see {@link subtreesOf}), of the hashes of its complete subtrees. */
export function spanHash(
  span: Span,
  nodeOf: (level: number, index: number) => Uint8Array,
): Uint8Array {
  const root = foldRight(subtreesOf(span).map(({ level, index }) => nodeOf(level, index)));
  invariant(root !== undefined, 'a span has a hash');
  return root;
}
