import { at, broken, type Expected } from './cases.js';
import { type Change, otherText } from './changes.js';
import { type Members, textIn } from './export-file.js';
import type { Ledger } from './ledgers.js';

export function rowChanges(ledger: Ledger, index: number): Change[] {
  const { file, headSeq } = ledger;
  const row = at(file.rows, index);
  const change = (what: string, members: Members, expected: Expected): Change => ({
    what: `row ${index}: ${what}`,
    change: (edited) => Object.assign(at(edited.rows, index), members),
    expected,
  });
  const found = (code: string): Expected => broken(code, index, index);
  const body = textIn(row, 'body');
  const later = broken(index + 1 > headSeq ? 'extra_rows' : 'sequence_gap', index + 1, index);
  const both = [
    change('seq larger', { seq: index + 1 }, later),
    change(
      'seq far larger',
      { seq: Number.MAX_SAFE_INTEGER },
      broken('extra_rows', Number.MAX_SAFE_INTEGER, index),
    ),
    ...(index === 0
      ? []
      : [
          change('seq smaller', { seq: index - 1 }, broken('sequence_duplicate', index - 1, index)),
        ]),
  ];
  return [...both, ...(row['kid'] === null ? unsealedRowChanges() : sealedRowChanges())];

  function sealedRowChanges(): Change[] {
    const [prev, mac, link] = [textIn(row, 'prev'), textIn(row, 'mac'), textIn(row, 'link')];
    return [
      change(
        'another request in the body',
        { body: body.replace('req_', 'req_x') },
        found('link_hash'),
      ),
      change('another space in the body', { body: body.replace(':', ': ') }, found('link_hash')),
      change('an empty body', { body: '' }, found('link_hash')),
      change('another prev', { prev: otherText(prev) }, found('previous_link')),
      change('a prev in upper case', { prev: `F${prev.slice(1)}` }, found('previous_link')),
      change('an empty prev', { prev: '' }, found('previous_link')),
      change('its link as prev', { prev: link }, found('previous_link')),
      change('another mac', { mac: otherText(mac) }, found('link_hash')),
      change('a mac in upper case', { mac: `F${mac.slice(1)}` }, found('link_hash')),
      change(
        'mac and body shifted',
        { mac: `${mac}\n${body.slice(0, 9)}`, body: body.slice(9) },
        found('link_hash'),
      ),
      change('another link', { link: otherText(link) }, found('link_hash')),
      change('a link that is none', { link: `${link}\n` }, found('link_hash')),
      change('link and mac swapped', { link: mac, mac: link }, found('link_hash')),
      change('another kid', { kid: 'k2'.repeat(2) }, found('link_hash')),
      change('a kid that is none', { kid: 'k1\n' }, found('link_hash')),
      ...['kid', 'mac', 'link'].map((name) =>
        change(`${name} null`, { [name]: null }, found('link_hash')),
      ),
      change('prev null', { prev: null }, found('previous_link')),
      change(
        'the whole seal null',
        { kid: null, prev: null, mac: null, link: null },
        found('previous_link'),
      ),
    ];
  }

  function unsealedRowChanges(): Change[] {
    const digest = broken('digest_mismatch', headSeq, headSeq + 1);
    return [
      change('another request in the body', { body: body.replace('req_', 'req_x') }, digest),
      change(
        'another space in the body',
        { body: body.replace(':', ': ') },
        found('canonical_form'),
      ),
      change('an empty body', { body: '' }, found('canonical_form')),
      change('a kid', { kid: 'k1' }, found('link_hash')),
      change('a prev', { prev: '0'.repeat(64) }, found('link_hash')),
      change('a mac', { mac: '' }, found('link_hash')),
      change('a link', { link: '0'.repeat(64) }, found('link_hash')),
      change(
        'a whole seal',
        { kid: 'k1', prev: '0'.repeat(64), mac: '0'.repeat(64), link: '0'.repeat(64) },
        found('link_hash'),
      ),
    ];
  }
}
