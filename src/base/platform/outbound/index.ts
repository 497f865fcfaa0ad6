export type { AddressKind } from './address-policy.js';
export {
  createOutboundClient,
  OUTBOUND,
  OUTBOUND_BODY_BYTES_MAX,
  type OutboundClient,
  type OutboundOptions,
  type OutboundOutcome,
  type OutboundRequest,
} from './outbound-client.js';
export { isPeerUrl } from './peer-url.js';
