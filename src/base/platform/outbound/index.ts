export { type AddressKind, addressKind } from './address-policy.js';
export { OUTBOUND_URL_CHARACTERS_MAX } from './guarded-url.js';
export {
  createOutboundClient,
  OUTBOUND,
  OUTBOUND_BODY_BYTES_MAX,
  OUTBOUND_DEADLINE_MS,
  type OutboundClient,
  type OutboundOptions,
  type OutboundOutcome,
  type OutboundRequest,
} from './outbound-client.js';
