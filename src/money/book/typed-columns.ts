import { type Column, column } from '../../base/ledger/index.js';
import { canonicalize, type Codec } from '../../core/kernel/index.js';

/** One of a closed list of words, stored as it stands. */
export const wordColumn = <Word extends string>(words: Codec<Word>): Column<Word> => ({
  ...column.text,
  fromSql: (value) => words.decode(value, 'column'),
});

/** A value of a codec, stored as canonical JSON text. */
export const codecColumn = <Value>(inner: Codec<Value>): Column<Value> => ({
  pgType: 'text',
  toSql: (value) => canonicalize(inner.encode(value)),
  fromSql: (value) => inner.decode(JSON.parse(value as string), 'column'),
});
