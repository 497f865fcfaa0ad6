export { CountersignController } from './countersign.controller.js';
export { Countersignatures } from './countersignatures.js';
