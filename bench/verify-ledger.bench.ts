import { hash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENESIS_PREV, RowJudge } from '../src/core/chain/index.js';
import { RowBytes } from '../src/core/chain/row-bytes.js';
import { exportedRows, KEY, TENANT_ID, wholeExport } from './lib/ledger-export.js';
import { type Contestant, race, report } from './lib/ratio.js';

// What verifying an export costs on one processor, beside one crypto.hash per line over the same bytes; then what threads
// bring for a large file, beside the same program without them: that takes a second processor which is free.
//
// Seen in profiles, for lines of 740 bytes with bodies of 480, in parts of the bare hash of a line (0.8 us): the hash of a
// link 0.9, copying the body out of its JSON string 0.7 (four bytes at once; single bytes 1.0), the rest of reading a row
// 0.6, the canonical form 0.9, the tree (two hashes) 1.3. What was gained: hashes as strings (a Buffer costs four times
// as much), one layout in which all that a link hashes stands in one piece, views of it that are kept by length.
// What did not help: `replace` over strings of many lines (3 to 5 a line, each match costs 70 ns), JSON.parse (1.0), the
// hash of a string instead of bytes (0.5 more), copying and judging the canonical form in one pass (1.6, which is what both
// cost apart), four bytes at once in the canonical form (its strings are too short), not making a string of prev, one
// write for both halves of a node.
//
// Of 200,000 lines the start of the threads takes a good part. 5 million lines (3.7 GB) took 21.7 s and 58 MB without
// threads, 12.1 s and 108 MB with two.

const ROWS = exportedRows(20_000);
const LINE_FEED = 0x0a;

/** Goes over all lines again and again until the time is over; lines a second. */
const overLines =
  (start: () => (begin: number, end: number) => void): Contestant =>
  (durationMs) => {
    const startMs = performance.now();
    let count = 0;
    while (performance.now() - startMs < durationMs) {
      const judge = start();
      for (let begin = 0; begin < ROWS.length; count += 1) {
        const end = ROWS.indexOf(LINE_FEED, begin);
        judge(begin, end);
        begin = end + 1;
      }
    }
    return (count * 1000) / (performance.now() - startMs);
  };

const demand = (holds: boolean): void => {
  if (!holds) throw new Error('the rows are honest');
};

const bareHash = overLines(
  () => (begin, end) => void hash('sha256', ROWS.subarray(begin, end), 'hex'),
);

const linksOnly = overLines(() => {
  const row = new RowBytes(TENANT_ID);
  let last = GENESIS_PREV;
  return (begin, end) => {
    demand(row.readLine(ROWS, begin, end) && row.prev === last);
    last = hash('sha256', row.linkInput(), 'hex');
    demand(row.link === last);
  };
});

const everyCheck = (keys: ReadonlyMap<string, Uint8Array>) =>
  overLines(() => {
    const judge = new RowJudge(
      {
        tenantId: TENANT_ID,
        headSeq: Number.MAX_SAFE_INTEGER,
        kids: ['k1'],
        keys,
        stops: [],
        expectedLink: null,
      },
      { onUnsealed: () => undefined, onStop: () => undefined },
    );
    return (begin, end) => demand(judge.acceptLine(ROWS, begin, end));
  });

const CONTESTANTS = [
  { name: 'verify-ledger-links', what: 'links', candidate: linksOnly },
  {
    name: 'verify-ledger',
    what: 'every check without a secret, canonical form and Merkle tree included',
    candidate: everyCheck(new Map()),
  },
  {
    name: 'verify-ledger-macs',
    what: 'every check, macs included',
    candidate: everyCheck(new Map([['k1', KEY]])),
  },
];

for (const { name, what, candidate } of CONTESTANTS) {
  report(
    await race({
      name,
      claim: `lines verified: ${what} / one crypto.hash per line of the same bytes`,
      candidate,
      baseline: bareHash,
    }),
  );
}

const LARGE_ROWS = 200_000;
const folder = mkdtempSync(join(tmpdir(), 'verify-ledger-'));
const file = join(folder, 'export.jsonl');

/** Runs the program over the large file until the time is over; lines a second, starting included. */
const program =
  (threads: number): Contestant =>
  (durationMs) => {
    const startMs = performance.now();
    let count = 0;
    while (performance.now() - startMs < durationMs) {
      // It throws unless the file is verified.
      execFileSync(process.execPath, [
        'scripts/verify-ledger.mjs',
        file,
        `--threads=${threads}`,
        '--no-progress',
      ]);
      count += LARGE_ROWS;
    }
    return (count * 1000) / (performance.now() - startMs);
  };

try {
  writeFileSync(file, wholeExport(LARGE_ROWS));
  report(
    await race({
      name: 'verify-ledger-threads',
      claim: `an export of ${LARGE_ROWS} lines verified: two threads / no threads`,
      candidate: program(2),
      baseline: program(0),
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
