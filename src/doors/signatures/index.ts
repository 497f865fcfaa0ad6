export { SignaturesModule } from './signatures.module.js';
export { SIGNATURE_GUARD } from './tokens.js';
