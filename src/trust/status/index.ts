export { bindAtAuthority, type SeenPlace, type SlotPlace, slotPlace } from './bind-object.js';
export {
  bindFreeSlots,
  bindSlot,
  isFreeSlot,
  slotCell,
  slotMerchants,
  STATUS_LIST_CAPACITY,
} from './slots.js';
export { listKindOf, originOf } from './list-origin.js';
export { type ListOverview, ListOverviews } from './list-overview.js';
export { LIST_OVERVIEWS, STATUS_SLOTS, StatusModule } from './status.module.js';
export {
  type PlaceQuestion,
  type SlotQuestion,
  STATUS_CHECKER,
  type StatusChecker,
  type StatusMoment,
  unavailableStatus,
} from './status-checker.js';
export { statusUnderLock } from './status-under-lock.js';
export {
  floorCells,
  isBelowFloor,
  statusFloorRaised,
  statusFloors,
} from './status-floors.ledger.js';
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
export { ListKeys } from './list-keys.js';
export { IssuerListTrust } from './list-trust.js';
export { type CopyClock, LIST_TRUST, type ListKey, type ListTrust, processClock } from './ports.js';
export { SignedStatusChecker } from './signed-status-checker.js';
export { StatusLists, type StatusListsDependencies } from './status-lists.js';
export { findSlots } from './status-slots.store.js';
export { SLOTS_PER_REQUEST_MAX, StatusSlots } from './status-slots.js';
