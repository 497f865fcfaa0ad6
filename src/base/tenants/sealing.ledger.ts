import { column, defineProjection, ledgerOpened, sealingSwitched, when } from '../ledger/index.js';

/** Names the first key that seals a tenant's entries, derived from the deployment's master (decisions 2.6). */
export const FIRST_SEALING_KID = 'k1';

/** The keys that ever sealed a tenant's entries: the newest, and the largest number of one named k1, k2, ... */
export interface SealingKeysRow {
  readonly newestKid: string;
  readonly lastNumber: number;
}

const NUMBERED = /^k([1-9]\d{0,8})$/;

const withKid = (row: SealingKeysRow | undefined, kid: string): SealingKeysRow => ({
  newestKid: kid,
  lastNumber: Math.max(row?.lastNumber ?? 0, Number(NUMBERED.exec(kid)?.[1] ?? 0)),
});

/** INVARIANT: a key that was left is never named again, so its secret can be given away. */
export const nextKidOf = ({ lastNumber }: SealingKeysRow): string => `k${lastNumber + 1}`;

export const sealingKeys = defineProjection<SealingKeysRow>({
  table: 'sealing_keys',
  mode: 'update',
  key: [],
  columns: { newestKid: column.text, lastNumber: column.integer },
  on: [
    when(ledgerOpened, {
      keys: ({ sealing }) => (sealing.kid === null ? [] : [[]]),
      evolve: (row, { sealing }) => withKid(row, sealing.kid ?? FIRST_SEALING_KID),
    }),
    when(sealingSwitched, {
      keys: ({ kid }) => (kid === null ? [] : [[]]),
      evolve: (row, { kid }) => withKid(row, kid ?? FIRST_SEALING_KID),
    }),
  ],
});
