export { type ConsentState, consentStateOf } from './consent-state.js';
export { ConsentsController } from './consents.controller.js';
export { Consents, type NewConsent } from './consents.js';
