export {
  acceptSignature,
  type AcceptedSignature,
  readAcceptSignature,
  type WantedSignature,
} from './accept-signature.js';
export { agentNameOf, WELL_KNOWN_DIRECTORY } from './agent-url.js';
export {
  HTTP_SIGNATURE_ALGORITHMS,
  type HttpSignatureAlgorithm,
  PRIMITIVES,
} from './algorithms.js';
export * from './candidate.js';
export { type ComponentIdentifier, parseComponent } from './component.js';
export { componentValue, type FieldTypes } from './component-value.js';
export { checkContentDigest, contentDigest, type DigestAlgorithm } from './content-digest.js';
export { directoryProof, type DirectoryAnswer } from './directory-proof.js';
export { type BaseComparison, basesOf, explainBase, type LabelledBase } from './explain.js';
export { BASE_ADVICE, type BaseCause } from './explain-cause.js';
export { LIMITS as SIGNATURE_LIMITS } from './limits.js';
export * from './message.js';
export { planVerification } from './plan.js';
export { TAP_BROWSE_TAG, TAP_PAY_TAG } from './profiles/tap.js';
export { WEB_BOT_AUTH_TAG } from './profiles/web-bot-auth.js';
export * from './public-key.js';
export { refused as refusedVerdict, settle, unsigned as unsignedVerdict } from './settle.js';
export * from './settings.js';
export { draftSignature, type SignatureDraft, type SignatureRequest } from './sign.js';
export { signatureBase, type SignatureSubject } from './signature-base.js';
export {
  type LabelledSignature,
  readSignatures,
  type SignatureParameters,
} from './signature-input.js';
export { normalisedAuthority } from './target.js';
export { type VerifyCall, verifyCall } from './verify-call.js';
export {
  INVALID_REASONS,
  type InvalidReason,
  type SignatureFault,
  type SignatureProfile,
  type SignatureCoverage,
  type SignatureReason,
  type SignatureStatus,
  UNVERIFIED_REASONS,
  type UnverifiedReason,
} from './vocabulary.js';
