import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { oracleText } from '../support/oracles.js';
import type { Case, Expected } from './cases.js';
import { CORPUS, keyFiles } from './corpus.js';
import {
  comparable,
  hasPython,
  nodeVerdicts,
  pythonVerdicts,
  type Verdict,
  withCases,
} from './verifiers.js';

interface SmallOrder {
  readonly encodings: readonly { readonly hex: string }[];
}

const smallOrder = (): string[] => {
  const text = oracleText('trust/ed25519-small-order.json');
  return text === null ? [] : (JSON.parse(text) as SmallOrder).encodings.map(({ hex }) => hex);
};

const KINDS = [...CORPUS, ['key files', () => keyFiles(smallOrder())] as const];

/** The cases that a verifier judges in another way than the contract. */
const wrong = (cases: readonly Case[], verdicts: readonly Verdict[]): unknown[] =>
  cases
    .map(({ name, expected, answer }, index) => ({
      name,
      expected,
      answer,
      verdict: verdicts[index],
    }))
    .filter(({ expected, answer, verdict }) => {
      if (verdict === undefined || !fits(verdict, expected)) return true;
      return (
        answer !== undefined &&
        !isDeepStrictEqual({ ...answer, message: null }, { ...verdict.answer, message: null })
      );
    });

const RESULTS = ['verified', 'broken', 'unreadable'] as const;

const fits = ({ exit, answer }: Verdict, expected: Expected): boolean =>
  exit === expected.exit &&
  answer['result'] === RESULTS[exit] &&
  (exit === 2 || (answer['break'] === expected.break && answer['seq'] === expected.seq)) &&
  (expected.entries === undefined || answer['entries'] === expected.entries);

const python = hasPython();

/** Both verifiers on every file; what one of them judges wrongly, or the two differently, is told by name. */
describe.each(KINDS)('the corpus of exports: %s', (_kind, make) => {
  const cases = make();

  it('both verifiers give the right answer, and the same', () => {
    expect(cases.length).toBeGreaterThan(0);
    const [byNode, byPython] = withCases(cases, (argumentLists) => [
      nodeVerdicts(argumentLists),
      python ? pythonVerdicts(argumentLists) : null,
    ]);
    expect(wrong(cases, byNode ?? []).slice(0, 5)).toEqual([]);
    if (!byPython) return;
    expect(wrong(cases, byPython).slice(0, 5)).toEqual([]);
    expect(byPython.map(comparable)).toEqual(byNode?.map(comparable));
  }, 300_000);
});

it.skipIf(python)('scripts/verify_ledger.py (DID NOT RUN: python3 is missing)', () => undefined);
