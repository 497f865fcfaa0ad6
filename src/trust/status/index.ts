export { bindSlot, slotCell, slotMerchants, STATUS_LIST_CAPACITY, statusListUri } from './slots.js';
export { STATUS_SLOTS, StatusModule } from './status.module.js';
export {
  LocalStatusChecker,
  type SlotQuestion,
  STATUS_CHECKER,
  type StatusChecker,
  statusUnderLock,
  unavailableStatus,
} from './status-checker.js';
export {
  REVOCATION_REASONS,
  type RevocationReason,
  SLOT_STATUSES,
  type SlotStatus,
  slotStatusOf,
  type StatusChanged,
  statusChanged,
  type StatusSlotRow,
  statusSlots,
} from './status-slots.ledger.js';
export { findSlots } from './status-slots.store.js';
export { SLOTS_PER_REQUEST_MAX, StatusSlots } from './status-slots.js';
