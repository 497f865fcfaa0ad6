import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeHead, type LedgerHead } from './head-rule.js';

const known: LedgerHead = { seq: 7, link: 'aa' };

describe('a head that is to be cosigned', () => {
  it.each<[string, LedgerHead | undefined, LedgerHead]>([
    ['new', undefined, { seq: 0, link: 'aa' }],
    ['new', known, { seq: 8, link: 'bb' }],
    ['same', known, { seq: 7, link: 'aa' }],
    ['other_link', known, { seq: 7, link: 'ab' }],
    ['lower', known, { seq: 6, link: 'aa' }],
  ])('%s', (verdict, before, head) => {
    expect(judgeHead(before, head)).toBe(verdict);
  });

  it('whatever heads come, those that are signed never fall and never fork', () => {
    const head = fc.record({ seq: fc.nat(5), link: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(head), (heads) => {
        const signed: LedgerHead[] = [];
        for (const one of heads) {
          const verdict = judgeHead(signed.at(-1), one);
          if (verdict === 'new' || verdict === 'same') signed.push(one);
        }
        return signed.every((one, index) => {
          const before = signed[index - 1];
          return (
            before === undefined ||
            one.seq > before.seq ||
            (one.seq === before.seq && one.link === before.link)
          );
        });
      }),
      { seed: 20_261_130 },
    );
  });
});
