import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { describeWithOracle } from '../../../test/support/oracles.js';
import {
  type CompactRange,
  consistencySpans,
  EMPTY_RANGE,
  EMPTY_ROOT,
  inclusionSpans,
  leafHash,
  nodeHash,
  rootOf,
  spanHash,
  subtreesOf,
  TreeBuilder,
  verifyConsistency,
  verifyInclusion,
} from './index.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string, encoding: 'hex' | 'base64' = 'hex'): Buffer =>
  Buffer.from(text, encoding);
const leaf = (index: number): Buffer => leafHash(Buffer.from(String(index)));

/** The definition of RFC 6962 section 2.1, word by word. */
function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return first;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)));
}

/** A tree with every complete subtree kept, as a store keeps them. */
function grown(size: number) {
  const nodes = new Map<string, Uint8Array>();
  const builder = new TreeBuilder(EMPTY_RANGE, (level, index, hash) => {
    expect(nodes.has(`${level}/${index}`)).toBe(false);
    nodes.set(`${level}/${index}`, hash);
  });
  const roots: Uint8Array[] = [builder.root()];
  for (let index = 0; index < size; index += 1) {
    builder.pushLeafHash(leaf(index));
    roots.push(builder.root());
  }
  const nodeOf = (level: number, index: number): Uint8Array => {
    const node = nodes.get(`${level}/${index}`);
    if (node === undefined) throw new Error(`no node ${level}/${index}`);
    return node;
  };
  return { builder, roots, nodeOf };
}

const LARGEST = 70;
const TREE = grown(LARGEST);
const sizes = fc.integer({ min: 1, max: LARGEST });

/** Each hash with one bit changed, one after the other. */
function* bitFlips(hashes: readonly Uint8Array[]): Generator<Uint8Array[]> {
  for (const [place, hash] of hashes.entries()) {
    for (let bit = 0; bit < hash.length * 8; bit += 1) {
      const changed = Buffer.from(hash);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      yield hashes.with(place, changed);
    }
  }
}

describe('a tree', () => {
  it('built leaf by leaf has the root of the recursive definition at every size', () => {
    const leaves = Array.from({ length: LARGEST }, (_, index) => leaf(index));
    for (let size = 0; size <= LARGEST; size += 1) {
      expect(hex(TREE.roots[size] ?? EMPTY_ROOT)).toBe(hex(definedRoot(leaves.slice(0, size))));
    }
  });

  it('goes on from its range as if it had never stopped', () => {
    fc.assert(
      fc.property(sizes, sizes, (stop, more) => {
        const stopped: CompactRange = grown(stop).builder.range();
        const resumed = new TreeBuilder(stopped);
        for (let index = stop; index < stop + more; index += 1) resumed.pushLeafHash(leaf(index));
        expect(resumed.size).toBe(stop + more);
        expect(hex(resumed.root())).toBe(hex(grown(stop + more).builder.root()));
        expect(rootOf(stopped)).toEqual(TREE.roots[stop]);
      }),
    );
  });

  it('takes no range whose hashes are not those of its size', () => {
    const peaks = [leaf(0)];
    expect(() => new TreeBuilder({ size: 3, peaks })).toThrow('one hash for each');
    expect(() => new TreeBuilder({ size: 1, peaks: [new Uint8Array(31)] })).toThrow('one hash');
    expect(() => new TreeBuilder({ size: 0.5, peaks })).toThrow('whole number');
  });

  it('counts beyond 32 bits', () => {
    const size = 2 ** 33 - 1;
    const peaks = Array.from({ length: 33 }, (_, index) => leaf(index));
    const seen: [number, number][] = [];
    const builder = new TreeBuilder({ size, peaks }, (level, index) => seen.push([level, index]));
    builder.pushLeafHash(leaf(33));
    expect(builder.range()).toMatchObject({ size: 2 ** 33, peaks: { length: 1 } });
    expect(seen.at(0)).toEqual([0, size]);
    expect(seen.at(-1)).toEqual([33, 0]);
  });
});

describe('proofs made from stored subtrees', () => {
  const hashesOf = (spans: ReturnType<typeof inclusionSpans>) =>
    spans.map((span) => spanHash(span, TREE.nodeOf));

  it('of inclusion verify, and no single bit may change', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, any) => {
        const index = any % size;
        const proof = hashesOf(inclusionSpans(index, size));
        const root = TREE.roots[size] ?? EMPTY_ROOT;
        const verify = ([hash, top, ...rest]: readonly Uint8Array[], at = index, of = size) =>
          verifyInclusion({
            index: BigInt(at),
            size: BigInt(of),
            leafHash: hash ?? EMPTY_ROOT,
            proof: rest,
            root: top ?? EMPTY_ROOT,
          });
        const all = [leaf(index), root, ...proof];
        expect(verify(all)).toBe(true);
        for (const changed of bitFlips(all)) expect(verify(changed)).toBe(false);
        expect(verify([...all, leaf(0)])).toBe(false);
        if (size > 1) expect(verify(all.slice(0, -1))).toBe(false);
        for (let other = -1; other <= size; other += 1) {
          if (other !== index) expect(verify(all, other)).toBe(false);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('of consistency verify, and no single bit may change', () => {
    fc.assert(
      fc.property(sizes, sizes, (one, another) => {
        const [oldSize, newSize] = one < another ? [one, another] : [another, one];
        const proof = hashesOf(consistencySpans(oldSize, newSize));
        const verify = ([oldRoot, newRoot, ...rest]: readonly Uint8Array[]) =>
          verifyConsistency({
            oldSize: BigInt(oldSize),
            newSize: BigInt(newSize),
            oldRoot: oldRoot ?? EMPTY_ROOT,
            newRoot: newRoot ?? EMPTY_ROOT,
            proof: rest,
          });
        const all = [
          TREE.roots[oldSize] ?? EMPTY_ROOT,
          TREE.roots[newSize] ?? EMPTY_ROOT,
          ...proof,
        ];
        expect(verify(all)).toBe(true);
        for (const changed of bitFlips(all)) expect(verify(changed)).toBe(false);
        expect(verify([...all, leaf(0)])).toBe(false);
        if (proof.length > 0) expect(verify(all.slice(0, -1))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it('are asked of a real tree', () => {
    expect(() => inclusionSpans(3, 3)).toThrow('a leaf of the tree');
    expect(() => inclusionSpans(-1, 3)).toThrow('a leaf of the tree');
    expect(() => consistencySpans(0, 3)).toThrow('at least one leaf');
    expect(() => consistencySpans(4, 3)).toThrow('never shrinks');
    expect(() => subtreesOf({ begin: 1, end: 3 })).toThrow('a span starts');
    expect(() => subtreesOf({ begin: 2, end: 2 })).toThrow('a span holds leaves');
  });

  it('name the subtrees of spans beyond 32 bits', () => {
    const size = 2 ** 40 + 5;
    const spans = inclusionSpans(2 ** 40 + 4, size);
    expect(spans.flatMap(subtreesOf)).toEqual([
      { level: 2, index: 2 ** 38 },
      { level: 40, index: 0 },
    ]);
    const [last] = consistencySpans(2 ** 40, size);
    expect(subtreesOf(last ?? { begin: 0, end: 1 })).toEqual([
      { level: 2, index: 2 ** 38 },
      { level: 0, index: 2 ** 40 + 4 },
    ]);
  });
});

interface Vectors {
  readonly leaves: readonly string[];
  readonly leaf_hashes: readonly string[];
  readonly roots: readonly string[];
  readonly hasher: { readonly leaf: { readonly text: string; readonly hash: string } };
  readonly inclusion: readonly { index: number; size: number; proof: readonly string[] }[];
  readonly consistency: readonly { size1: number; size2: number; proof: readonly string[] }[];
  readonly decimal_leaves: { readonly roots: readonly { size: number; root: string }[] };
}

describeWithOracle<Vectors>('trust/rfc6962-merkle.json', 'public vectors', (oracle) => {
  const leaves = oracle.leaves.map((text) => leafHash(bytesOf(text)));
  const nodes = new Map<string, Uint8Array>();
  const builder = new TreeBuilder(EMPTY_RANGE, (level, index, hash) =>
    nodes.set(`${level}/${index}`, hash),
  );
  const roots = [builder.root()];
  for (const hash of leaves) {
    builder.pushLeafHash(hash);
    roots.push(builder.root());
  }
  const nodeOf = (level: number, index: number) => nodes.get(`${level}/${index}`) ?? EMPTY_ROOT;
  const rootAt = (size: number): Buffer => bytesOf(oracle.roots[size] ?? '');

  it('leaf hashes, node hashes and roots are the published ones', () => {
    expect(leaves.map(hex)).toEqual(oracle.leaf_hashes);
    expect(roots.map(hex)).toEqual(oracle.roots);
    const { text, hash } = oracle.hasher.leaf;
    expect(hex(leafHash(Buffer.from(text)))).toBe(hash);
  });

  it('larger trees have the published roots', () => {
    const large = new TreeBuilder();
    const wanted = new Map(oracle.decimal_leaves.roots.map(({ size, root }) => [size, root]));
    for (const size of wanted.keys()) {
      while (large.size < size) large.pushLeafHash(leaf(large.size));
      expect(hex(large.root())).toBe(wanted.get(size));
    }
  });

  it.each(oracle.inclusion)('inclusion of $index in $size', ({ index, size, proof }) => {
    const spans = inclusionSpans(index, size);
    expect(spans.map((span) => hex(spanHash(span, nodeOf)))).toEqual(proof);
    const claim = {
      index: BigInt(index),
      size: BigInt(size),
      leafHash: leaves[index] ?? EMPTY_ROOT,
      proof: proof.map((hash) => bytesOf(hash)),
      root: rootAt(size),
    };
    expect(verifyInclusion(claim)).toBe(true);
  });

  it.each(oracle.consistency)('consistency of $size1 and $size2', ({ size1, size2, proof }) => {
    const spans = consistencySpans(size1, size2);
    expect(spans.map((span) => hex(spanHash(span, nodeOf)))).toEqual(proof);
    const claim = {
      oldSize: BigInt(size1),
      newSize: BigInt(size2),
      oldRoot: rootAt(size1),
      newRoot: rootAt(size2),
      proof: proof.map((hash) => bytesOf(hash)),
    };
    expect(verifyConsistency(claim)).toBe(true);
  });
});

interface Probe {
  readonly id: string;
  readonly proof: readonly string[];
  readonly valid: boolean;
  readonly strict_valid?: boolean;
}
interface Probes {
  readonly consistency: readonly (Probe & Record<'size1' | 'size2' | 'root1' | 'root2', string>)[];
  readonly inclusion: readonly (Probe & Record<'index' | 'size' | 'leaf_hash' | 'root', string>)[];
}

describeWithOracle<Probes>('trust/rfc6962-probes.json', 'public probes', (oracle) => {
  const expected = ({ valid, strict_valid }: Probe): boolean => strict_valid ?? valid;
  const hashes = (proof: readonly string[]) => proof.map((text) => bytesOf(text, 'base64'));

  it('are 98 of each kind', () => {
    expect([oracle.consistency.length, oracle.inclusion.length]).toEqual([98, 98]);
  });

  it.each(oracle.consistency)('$id', (probe) => {
    const claim = {
      oldSize: BigInt(probe.size1),
      newSize: BigInt(probe.size2),
      oldRoot: bytesOf(probe.root1, 'base64'),
      newRoot: bytesOf(probe.root2, 'base64'),
      proof: hashes(probe.proof),
    };
    expect(verifyConsistency(claim)).toBe(expected(probe));
  });

  it.each(oracle.inclusion)('$id', (probe) => {
    const claim = {
      index: BigInt(probe.index),
      size: BigInt(probe.size),
      leafHash: bytesOf(probe.leaf_hash, 'base64'),
      proof: hashes(probe.proof),
      root: bytesOf(probe.root, 'base64'),
    };
    expect(verifyInclusion(claim)).toBe(expected(probe));
  });
});
