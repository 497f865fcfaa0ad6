export { listNumberOf, listUriOf } from './list-uri.js';
export { readListVersions } from './lists.store.js';
export { ListsController } from './lists.controller.js';
export type { Place } from './reserve-slots.js';
export { type SignedList, StatusLists } from './status-lists.js';
