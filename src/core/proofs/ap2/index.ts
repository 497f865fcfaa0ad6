export { AP2_LENGTH_MAX, type Ap2Chain } from './chain.js';
export type { ConstraintFinding, ConstraintVerdict } from './constraints.js';
export { AP2_ERROR_OF_VERDICT, type Ap2Error } from './errors.js';
export {
  type Ap2Judged,
  type Ap2Object,
  type Ap2Proof,
  isAp2Text,
  judgeAp2Objects,
  parseAp2Object,
} from './evidence.js';
export { type BuyerMandate } from './mandate.js';
export { parseRegistration, REGISTRATION_TYP, type RegistrationClaims } from './registration.js';
export { ap2Hash } from './sd-jwt.js';
