import { closeSync, openSync, readSync } from 'node:fs';

const BLOCK_BYTES = 64 * 1024;

/**
 * The bytes of a file, or null when it has more than so many: a device or a file that grows has no end. Throws what the
 * system says when it cannot be opened or read. The same stands in src/verifiers: those programs stand alone, and core/ reads
 * no files.
 */
export function readBounded(path: string, bytesMax: number): Buffer | null {
  const descriptor = openSync(path, 'r');
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes <= bytesMax;) {
      const count = readSync(descriptor, block, 0, BLOCK_BYTES, null);
      if (count === 0) return Buffer.concat(parts);
      bytes += count;
      parts.push(Buffer.from(block.subarray(0, count)));
    }
    return null;
  } finally {
    closeSync(descriptor);
  }
}
