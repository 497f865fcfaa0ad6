export { addressGroupOf } from './address-group.js';
export type { AddressKind } from './address-policy.js';
export { answerLifeMs } from './answer-life.js';
export {
  createOutboundClient,
  OUTBOUND,
  OUTBOUND_BODY_BYTES_MAX,
  type OutboundClient,
  type OutboundOptions,
  type OutboundOutcome,
  type OutboundRequest,
} from './outbound-client.js';
export { OUTBOUND_URL_CHARACTERS_MAX } from './guarded-url.js';
export type { MappedOrigin } from './mapped-origin.js';
export { pageUrlOf } from './page-url.js';
export { namedPeerUrlOf } from './named-peer-url.js';
export { peerUrlOf } from './peer-url.js';
