import { describe, expect, it } from 'vitest';
import { CORPUS } from '../chain/corpus.js';
import { comparable, nodeVerdicts, withCases } from '../chain/verifiers.js';

/** Files whose answer depends on how lines are put together; a few of each kind, for each starts threads of its own. */
const KINDS = [
  'honest exports',
  'lines removed, doubled, swapped, cut, torn',
  'what stands behind a break',
  'witnesses',
  'expected heads',
];
const CASES_A_KIND = 12;

/** Chunks far smaller than a line, of a line or two, and of several. */
const CHUNK_BYTES = [100, 900, 3_000];

describe.each(CORPUS.filter(([kind]) => KINDS.includes(kind)))(
  'scripts/verify-ledger.mjs with threads: %s',
  (_kind, make) => {
    const all = make();
    const stride = Math.ceil(all.length / CASES_A_KIND);
    const cases = all.filter((_case, index) => index % stride === 0);

    it('the answers are those of one thread', () => {
      const [plain = [], ...threaded] = withCases(cases, (argumentLists) => [
        nodeVerdicts(argumentLists.map((list) => [...list, '--threads', '0'])),
        ...CHUNK_BYTES.map((bytes) =>
          nodeVerdicts(argumentLists.map((list) => [...list, '--threads', `2:${bytes}`])),
        ),
      ]);
      expect(plain).toHaveLength(cases.length);
      for (const verdicts of threaded) {
        expect(verdicts.map(comparable)).toEqual(plain.map(comparable));
      }
    });
  },
);
