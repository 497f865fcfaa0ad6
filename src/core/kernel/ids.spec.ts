import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHOSEN_ID_LENGTH_MAX,
  decisionIdOf,
  isChosenId,
  isDecisionId,
  isPrefixedId,
} from './index.js';

describe('ids that callers chose', () => {
  it.each([
    ...['a', '0', 'A1', 'shop-1', 'ORDER_7', 'gid://shop/Product/1', 'urn:x:1', 'a@b.c', '1+1'],
    'x'.repeat(CHOSEN_ID_LENGTH_MAX),
  ])('%s', (text) => {
    expect(isChosenId(text)).toBe(true);
  });

  it.each([
    ...['', ' ', 'a b', 'a\n', '\na', 'a\u0000', '-a', '.a', '/a', '_a', 'ä', 'a%20', 'a?b', 'a#b'],
    ...['a\\b', "a'b", 'a"b', '<a>', 'a,b', 'a;b', '😂', 'a\u200b', 'a\u00a0b'],
    'x'.repeat(CHOSEN_ID_LENGTH_MAX + 1),
  ])('%j is none', (text) => {
    expect(isChosenId(text)).toBe(false);
  });
});

describe('decision ids', () => {
  it('are arbdec_ and twelve lowercase hex digits', () => {
    expect(isDecisionId('arbdec_0123456789ab')).toBe(true);
    for (const text of [
      ...[
        'arbdec_0123456789a',
        'arbdec_0123456789abc',
        'arbdec_0123456789AB',
        'arbdec_0123456789ag',
      ],
      ...['ARBDEC_0123456789ab', ' arbdec_0123456789ab', 'arbdec_0123456789ab\n', 'arbdec_', ''],
    ]) {
      expect(isDecisionId(text)).toBe(false);
    }
  });

  it('come from the first six bytes of a longer hex', () => {
    const hex = fc
      .uint8Array({ minLength: 6, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(hex, (digits) => {
        const id = decisionIdOf(digits);
        expect(isDecisionId(id)).toBe(true);
        expect(digits.startsWith(id.slice('arbdec_'.length))).toBe(true);
      }),
    );
  });
});

describe('ids with a prefix', () => {
  it('need their own prefix and lowercase letters or digits behind it', () => {
    expect(isPrefixedId('tnt', 'tnt_019f00000000000000000000000000')).toBe(true);
    for (const text of [
      'agt_01',
      'tnt_',
      'tnt',
      'tnt_A',
      'tnt_0-1',
      'tnt_0\n',
      'xtnt_01',
      'TNT_01',
    ]) {
      expect(isPrefixedId('tnt', text)).toBe(false);
    }
    expect(isPrefixedId('tnt', `tnt_${'0'.repeat(64)}`)).toBe(true);
    expect(isPrefixedId('tnt', `tnt_${'0'.repeat(65)}`)).toBe(false);
  });
});
