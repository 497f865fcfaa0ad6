export { bindObjects, groundOf, LOOK_AGAIN } from './bind-objects.js';
export { type BindingExtras, isTreeKind, type NewObject, TREE_KINDS } from './new-object.js';
export {
  type AuthorityObjectsParts,
  AuthorityObjects,
  type FoundObject,
  noSuchObject,
} from './objects.js';
export { ObjectsController } from './objects.controller.js';
export { findPlaces, findRestingOn, findTree, type ObjectPlace } from './objects.store.js';
