import type { CanonicalValue } from '../../src/core/kernel/index.js';
import { type Draft, type Ledger, ledgerOf, type LedgerPlan } from './ledgers.js';
import { WITNESSES } from './signers.js';

/** Data whose spelling goes wrong where somebody prints it again: scripts, escapes, order of names, large integers. */
const DATA: readonly CanonicalValue[] = [
  {},
  { text: 'café ₹ नमस्ते 日本語 😀', escaped: '"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028' },
  { '\u{1f602}': 1, '\ufb33': 2, é: 3, z: 4, Z: 5, '10': 6, '9': 7, '': 8 },
  { largest: Number.MAX_SAFE_INTEGER, smallest: Number.MIN_SAFE_INTEGER, none: 0, minus: -1 },
  {
    money: { amount: '900719925474099312345', currency: 'INR' },
    list: [[], {}, [null, true, false]],
  },
  { type: 'ledger.sealing_switched', on: false, nested: '{"type":"ledger.opened"}' },
  { decomposed: 'A\u030a', composed: '\u00c5', tag: '</script>', arrow: '\u2192' },
];

const happened = (count: number, kid: string | null): Draft[] =>
  Array.from({ length: count }, (_, index) => ({ kid, data: DATA[index % DATA.length] }));

const opened = (kid: string | null): Draft => ({
  type: 'ledger.opened',
  data: { format: 'arbiter-ledger/1', sealing: { on: kid !== null, kid } },
  kid,
});

/** `kid` null = off; `sealedWith` = the key of this entry itself. */
const switched = (kid: string | null, sealedWith: string): Draft => ({
  type: 'ledger.sealing_switched',
  data: { on: kid !== null, kid, entriesBefore: 1 },
  kid: sealedWith,
});

const always = { enabled: true, sinceSeq: 0 };
const never = { enabled: false, sinceSeq: null };

const PLANS: readonly LedgerPlan[] = [
  {
    name: 'sealed from birth',
    tenantId: 'tnt_birth',
    drafts: [opened('k1'), ...happened(9, 'k1')],
    sealing: always,
    anchoredAt: [4, 9],
    witnessedAt: [2, 4, 7],
  },
  {
    name: 'sealed late',
    tenantId: 'tnt_late',
    drafts: [opened(null), ...happened(3, null), switched('k1', 'k1'), ...happened(4, 'k1')],
    sealing: { enabled: true, sinceSeq: 4 },
    anchoredAt: [8],
    witnessedAt: [8],
    lastWitnesses: WITNESSES.slice(0, 1),
  },
  {
    name: 'off and on again',
    tenantId: 'tnt_paused',
    drafts: [
      ...[opened('k1'), ...happened(2, 'k1'), switched(null, 'k1'), ...happened(2, null)],
      ...[switched('k1', 'k1'), ...happened(2, 'k1')],
    ],
    sealing: { enabled: true, sinceSeq: 6 },
    anchoredAt: [3, 8],
    witnessedAt: [3, 6],
  },
  {
    name: 'key rotated',
    tenantId: 'tnt_rotated',
    drafts: [
      ...[opened('k1'), ...happened(2, 'k1'), switched('k2', 'k2'), ...happened(2, 'k2')],
      ...[switched('k3', 'k3'), ...happened(1, 'k3')],
    ],
    sealing: always,
    anchoredAt: [7],
    witnessedAt: [],
  },
  {
    name: 'switched off for good',
    tenantId: 'tnt_off',
    drafts: [opened('k1'), ...happened(2, 'k1'), switched(null, 'k1'), ...happened(3, null)],
    sealing: never,
    anchoredAt: [3],
    witnessedAt: [3],
  },
  {
    name: 'unsealed',
    tenantId: 'tnt_unsealed',
    drafts: [opened(null), ...happened(6, null)],
    sealing: never,
    anchoredAt: [],
    witnessedAt: [],
  },
  {
    name: 'one sealed row',
    tenantId: 'tnt_one',
    drafts: [opened('k1')],
    sealing: always,
    anchoredAt: [0],
    witnessedAt: [0],
  },
  {
    name: 'one unsealed row',
    tenantId: 'tnt_oneunsealed',
    drafts: [opened(null)],
    sealing: never,
    anchoredAt: [],
    witnessedAt: [],
  },
  {
    name: '300 rows',
    tenantId: 'tnt_long',
    drafts: [opened('k1'), ...happened(149, 'k1'), switched('k2', 'k2'), ...happened(149, 'k2')],
    sealing: always,
    anchoredAt: [0, 127, 128, 299],
    witnessedAt: [255, 256],
  },
];

/** Ledgers as an honest writer exports them. */
export const HONEST: readonly Ledger[] = PLANS.map(ledgerOf);

export const honest = (name: string): Ledger => {
  const found = HONEST.find(({ plan }) => plan.name === name);
  if (found === undefined) throw new Error(`no ledger ${name}`);
  return found;
};

/** Those that damage is done to one member and one line at a time. */
export const DAMAGED: readonly Ledger[] = HONEST.filter(({ headSeq }) => headSeq < 20);
