import { expect, it } from 'vitest';
import {
  inWholeTable,
  PART_LENGTH_MAX,
  PART_ROWS_MAX,
  type TablePart,
  tableParts,
} from './table-parts.js';

function partsOf(text: string): readonly TablePart[] {
  const parts = tableParts(text);
  if (!parts.ok) throw new Error(parts.error);
  return parts.value;
}

const rows = (count: number): string =>
  Array.from({ length: count }, (_, index) => `p${index},Tea,100`).join('\n');

it('cuts between rows and repeats the header', () => {
  const parts = partsOf(`id,title,price\n${rows(PART_ROWS_MAX * 2 + 1)}\n`);
  expect(parts.map(({ rows: count }) => count)).toEqual([PART_ROWS_MAX, PART_ROWS_MAX, 1]);
  expect(parts[2]?.text).toBe(`id,title,price\np${PART_ROWS_MAX * 2},Tea,100`);
  const long = partsOf(
    `id,title\n${Array.from({ length: 100 }, () => `a,${'x'.repeat(3_000)}`).join('\n')}`,
  );
  expect(long.length).toBeGreaterThan(2);
  for (const { text } of long) expect(text.length).toBeLessThan(PART_LENGTH_MAX + 100);
});

it('keeps cells with line breaks and quotes whole, and knows each row by its line', () => {
  const text = '\ufeffid,title,price\r\na,"two\r\nlines",1\r\n\r\nb,5" pot,2\r\nc,"a ""b""",3';
  const [part] = partsOf(text);
  expect(part?.text).toBe('id,title,price\na,"two\r\nlines",1\nb,5" pot,2\nc,"a ""b""",3');
  expect(Object.fromEntries(part?.lines ?? [])).toEqual({ 1: 1, 3: 3, 4: 5, 5: 6 });
});

it('tells a line of a piece by that of the whole', () => {
  const parts = partsOf(`id,title,price\n${rows(PART_ROWS_MAX)}\n\nx,Tea,bad`);
  const last = parts[1];
  if (last === undefined) throw new Error('there are two pieces');
  expect(inWholeTable('line 2, column price', last)).toBe(
    `line ${PART_ROWS_MAX + 3}, column price`,
  );
  expect(inWholeTable('Line 2: it is bad.', last)).toBe(`Line ${PART_ROWS_MAX + 3}: it is bad.`);
  expect(inWholeTable('line 1, column 4', last)).toBe('line 1, column 4');
  expect(inWholeTable('/merchant_id', last)).toBe('/merchant_id');
});

it.each(['', 'id,title\n', '\n\n'])('a table without rows: %j', (text) => {
  expect(tableParts(text).ok).toBe(false);
});

it('says where a quote is not closed', () => {
  const parts = tableParts('id,title\na,"open\n');
  expect(parts.ok ? '' : parts.error).toContain('line 2');
});
