/** Keccak-f[1600] of 24 rounds, as Ethereum and OpenTimestamps use it; node:crypto has only its standardised successor. */

const LANES = 25;
const RATE_BYTES = 136;
const LANE_MASK = (1n << 64n) - 1n;

/** Offsets of the rho step in the order in which the pi step visits the lanes, beginning at lane 1. */
const ROTATIONS = [
  1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
] as const;
const VISITED = [
  10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
] as const;

const rotated = (lane: bigint, by: number): bigint =>
  ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & LANE_MASK;

/** The iota step's constants: bits 2^j - 1 of each are drawn from an LFSR over x^8 + x^6 + x^5 + x^4 + 1. */
const ROUND_CONSTANTS: readonly bigint[] = (() => {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = (register << 1) ^ (register >= 128 ? 0x171 : 0);
    }
    return constant;
  });
})();

function permute(state: bigint[]): void {
  const at = (lane: number): bigint => state[lane] ?? 0n;
  for (const constant of ROUND_CONSTANTS) {
    const parity = Array.from(
      { length: 5 },
      (_, x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20),
    );
    for (let lane = 0; lane < LANES; lane += 1) {
      const x = lane % 5;
      state[lane] = at(lane) ^ (parity[(x + 4) % 5] ?? 0n) ^ rotated(parity[(x + 1) % 5] ?? 0n, 1);
    }
    let carried = at(1);
    VISITED.forEach((lane, step) => {
      const next = at(lane);
      state[lane] = rotated(carried, ROTATIONS[step] ?? 0);
      carried = next;
    });
    for (let row = 0; row < LANES; row += 5) {
      const before = state.slice(row, row + 5);
      for (let x = 0; x < 5; x += 1)
        state[row + x] =
          (before[x] ?? 0n) ^
          ((LANE_MASK ^ (before[(x + 1) % 5] ?? 0n)) & (before[(x + 2) % 5] ?? 0n));
    }
    state[0] = at(0) ^ constant;
  }
}

/** Keccak-256 with its first padding (0x01), which is not SHA3-256. Slow: for short messages. */
export function keccak256(message: Uint8Array): Uint8Array {
  const padded = Buffer.alloc((Math.floor(message.length / RATE_BYTES) + 1) * RATE_BYTES);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const state = Array.from({ length: LANES }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE_BYTES) {
    for (let lane = 0; lane < RATE_BYTES / 8; lane += 1)
      state[lane] = (state[lane] ?? 0n) ^ padded.readBigUInt64LE(block + lane * 8);
    permute(state);
  }
  const digest = Buffer.alloc(32);
  for (let lane = 0; lane < 4; lane += 1) digest.writeBigUInt64LE(state[lane] ?? 0n, lane * 8);
  return digest;
}
