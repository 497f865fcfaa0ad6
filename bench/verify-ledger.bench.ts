import { hash } from 'node:crypto';
import { GENESIS_PREV, RowJudge } from '../src/core/chain/index.js';
import { RowBytes } from '../src/core/chain/row-bytes.js';
import { exportedRows, KEY, TENANT_ID } from './lib/ledger-export.js';
import { type Contestant, race, report } from './lib/ratio.js';

// What verifying an export costs on one processor, beside one crypto.hash per line over the same bytes.
//
// Seen in profiles, for lines of 777 bytes with bodies of 480: the one-shot hash of a line takes 0.8 us, and so does ours.
// Reading the row is the next largest part (1.3 us, of which copying the body out of its JSON string 0.8: runs between escapes are too
// short for native copies, for JSON.parse and for four bytes at once, all of which were tried and are slower), then the
// canonical form (0.7 us) and the tree (two hashes, 0.8 us). What was gained: hashes as strings (a Buffer costs four times
// as much), one layout in which all that a link hashes stands in one piece, lookups in constants that are no `var`.
// So links alone cannot reach half of the bare hash while bodies stand in the file as JSON strings.

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
    last = hash('sha256', row.linkInput(last), 'hex');
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
    return (begin, end) => demand(judge.judgeLine(ROWS, begin, end) === null);
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
