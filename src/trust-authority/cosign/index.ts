export { CosignController } from './cosign.controller.js';
export { Witness } from './witness.js';
