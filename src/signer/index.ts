/** Signs requests of agents by RFC 9421, with Visa TAP or Web Bot Auth. Needs Node 20 or newer and no framework. */
export { signMessage, type MadeSignature, type MessageToSign } from './sign-message.js';
export {
  type RequestToSign,
  type SignedRequest,
  type SigningOptions,
  type SigningProfile,
  signRequest,
  signRequestWithBase,
} from './sign-request.js';
export { type FetchFunction, signingFetch, type SigningFetchOptions } from './signing-fetch.js';
export { SigningError } from './signing-error.js';
