import { changed, type Damage } from './cases.js';
import { pointChanges } from './changed-points.js';
import { rowChanges } from './changed-rows.js';
import { headerChanges, trailerChanges } from './changed-statements.js';
import type { Ledger } from './ledgers.js';
import { chosenRows } from './members.js';

/** Each member of each line with a value of the right type that is not the right one. */
export const changedMembers = (ledger: Ledger): Damage[] =>
  [
    ...headerChanges(ledger),
    ...ledger.file.points.flatMap((_, index) => pointChanges(ledger, index)),
    ...chosenRows(ledger.file.rows).flatMap((index) => rowChanges(ledger, index)),
    ...trailerChanges(ledger),
  ].map(({ what, change, ...rest }) => ({
    ...rest,
    name: `${ledger.plan.name}: ${what}`,
    file: changed(ledger.file, change),
  }));
