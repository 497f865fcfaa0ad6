import type { StatusListFault } from '../../core/proofs/index.js';
import type { StatusMark } from './status-marks.store.js';

type Place = Pick<StatusMark, 'version' | 'issuedAtMs'>;

/** Above 0 = `one` is newer. Lists with a version are ordered by it alone, others by `iat` (decisions 4.2). */
export const listOrder = (one: Place, other: Place): number =>
  one.version === null ? one.issuedAtMs - other.issuedAtMs : one.version - (other.version ?? -1);

/**
 * What the highest mark says against a list. status_rollback: it is older. status_equivocation: it is as old and says
 * something else, so somebody is shown another list than we were.
 */
export function markFault(list: StatusMark, mark: StatusMark | null): StatusListFault | null {
  if (mark === null) return null;
  const order = listOrder(list, mark);
  if (order < 0) return 'status_rollback';
  return order === 0 && list.sha256 !== mark.sha256 ? 'status_equivocation' : null;
}
