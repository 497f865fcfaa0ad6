import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type ChainEntry,
  chainStart,
  deriveLedgerKey,
  entryBodyText,
  entryLink,
  entryMac,
  GENESIS_PREV,
  verifyRun,
} from './index.js';

const TENANT = 'tnt_chain';
const MASTER = new Uint8Array(32).fill(7);
const keyOf = (kid: string) => deriveLedgerKey(MASTER, TENANT, kid);

interface Draft {
  readonly type?: string;
  readonly data?: Record<string, boolean | string>;
  readonly kid: string | null;
}

/** A ledger as an honest writer leaves it. `kid` says with which key each entry is sealed. */
function ledgerOf(drafts: readonly Draft[]): ChainEntry[] {
  let prev = GENESIS_PREV;
  return drafts.map(({ type = 'toy.happened', data = {}, kid }, seq) => {
    const body = entryBodyText({
      id: `ent_${seq}`,
      type,
      atMs: seq,
      actor: { role: 'system', id: 'test' },
      requestId: `req_${seq}`,
      data: type === 'ledger.opened' ? { sealing: data } : data,
    });
    if (kid === null) return { seq, body, kid, prev: null, mac: null, link: null };
    const sealed = { tenantId: TENANT, seq, kid, prev, body };
    const mac = entryMac(keyOf(kid), sealed);
    const link = entryLink(sealed, mac);
    const entry = { seq, body, kid, prev, mac, link };
    prev = link;
    return entry;
  });
}

const SEALED = ledgerOf([
  { type: 'ledger.opened', data: { on: true }, kid: 'k1' },
  ...Array.from({ length: 5 }, () => ({ kid: 'k1' })),
]);

const verify = (
  entries: readonly ChainEntry[],
  keys = keyOf as (kid: string) => Uint8Array | null,
) => verifyRun(chainStart(TENANT), entries, keys);

const breakOf = (entries: readonly ChainEntry[]) => {
  const result = verify(entries);
  return result.ok ? null : result.error;
};

const changed = (seq: number, change: Partial<ChainEntry>): ChainEntry[] =>
  SEALED.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry));

describe('verifyEntry', () => {
  it('accepts an honest ledger, sealed from its first entry', () => {
    expect(verify(SEALED)).toMatchObject({
      ok: true,
      value: { nextSeq: 6, sealedCount: 6, unsealedCount: 0 },
    });
  });

  it('accepts sealing that is switched on, to another key, off and on again', () => {
    const entries = ledgerOf([
      { type: 'ledger.opened', data: { on: false }, kid: null },
      { kid: null },
      { type: 'ledger.sealing_switched', data: { on: true }, kid: 'k1' },
      { kid: 'k1' },
      { type: 'ledger.sealing_switched', data: { on: true }, kid: 'k2' },
      { type: 'ledger.sealing_switched', data: { on: false }, kid: 'k2' },
      { kid: null },
      { type: 'ledger.sealing_switched', data: { on: true }, kid: 'k2' },
    ]);
    expect(entries[2]?.prev).toBe(GENESIS_PREV);
    expect(entries[7]?.prev).toBe(entries[5]?.link);
    expect(verify(entries)).toMatchObject({
      ok: true,
      value: { sealedCount: 5, unsealedCount: 3 },
    });
  });

  const other = SEALED[2]?.mac ?? '';
  it.each<[string, readonly ChainEntry[], string, number]>([
    ['a removed entry', SEALED.filter(({ seq }) => seq !== 3), 'sequence_gap', 4],
    ['a repeated entry', [...SEALED.slice(0, 3), ...SEALED.slice(2)], 'sequence_duplicate', 2],
    ['swapped entries', [0, 2, 1, 3].flatMap((seq) => SEALED[seq] ?? []), 'sequence_gap', 2],
    ['a foreign prev', changed(3, { prev: GENESIS_PREV }), 'previous_link', 3],
    ['an edited body', changed(3, { body: SEALED[2]?.body ?? '' }), 'link_hash', 3],
    ['an edited link', changed(3, { link: other }), 'link_hash', 3],
    ['an edited mac', changed(3, { mac: other }), 'link_hash', 3],
    ['an edited kid', changed(3, { kid: 'k2' }), 'link_hash', 3],
    [
      'an upper case link',
      changed(3, { link: SEALED[3]?.link?.toUpperCase() ?? '' }),
      'link_hash',
      3,
    ],
    [
      'a torn off seal',
      changed(5, { kid: null, prev: null, mac: null, link: null }),
      'previous_link',
      5,
    ],
    ['half a seal', changed(5, { mac: null }), 'link_hash', 5],
  ])('%s is found', (_name, entries, code, seq) => {
    expect(breakOf(entries)).toEqual({ code, seq });
  });

  it('a body, mac and link made without the key are found by the mac alone', () => {
    const body = SEALED[5]?.body.replace('req_5', 'req_x') ?? '';
    const sealed = { tenantId: TENANT, seq: 5, kid: 'k1', prev: SEALED[5]?.prev ?? '', body };
    const mac = entryMac(new Uint8Array(32), sealed);
    const forged = changed(5, { body, mac, link: entryLink(sealed, mac) });
    expect(breakOf(forged)).toEqual({ code: 'signature', seq: 5 });
    expect(verify(forged, () => null).ok).toBe(true);
  });

  it('a seal where the ledger says sealing is off is found', () => {
    const entries = ledgerOf([
      { type: 'ledger.opened', data: { on: false }, kid: null },
      { kid: 'k1' },
    ]);
    expect(breakOf(entries)).toEqual({ code: 'link_hash', seq: 1 });
  });

  it('moving text between mac and body does not help: a mac is 64 hex digits', () => {
    const [body = '', mac = ''] = [SEALED[3]?.body, SEALED[3]?.mac];
    expect(
      breakOf(changed(3, { mac: `${mac}\n${body.slice(0, 9)}`, body: body.slice(9) })),
    ).toEqual({
      code: 'link_hash',
      seq: 3,
    });
  });

  it('any edit of any hashed character is found, and garbage never throws', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom('body', 'prev', 'mac', 'link', 'kid'),
        fc.string(),
        (seq, member, text) => {
          fc.pre(SEALED[seq]?.[member as keyof ChainEntry] !== text);
          expect(breakOf(changed(seq, { [member]: text }))?.seq).toBe(seq);
        },
      ),
    );
  });
});
