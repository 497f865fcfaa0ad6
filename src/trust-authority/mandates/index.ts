export { printTree, treeMembers, treeView } from './mandates.contract.js';
export { MandatesController } from './mandates.controller.js';
export { Mandates, type NewMandate, type NewRegistration } from './mandates.js';
export { treeTermsOf } from './tree-terms.js';
