export { CosignController } from './cosign.controller.js';
export { Witness, type WitnessParts } from './witness.js';
export { WITNESS_PATH, witnessNameOf, witnessVkeys } from './witness-keys.js';
