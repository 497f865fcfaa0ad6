import { type VerificationSettings } from './settings.js';
import {
  type SignatureCoverage,
  type SignatureFault,
  type SignatureProfile,
  type SignatureReason,
  type SignatureStatus,
} from './vocabulary.js';

/** Where the key of a candidate is published. The pair (source, keyid) names a key, a keyid alone never does. */
export type KeySource =
  /** Configured here: Visa TAP. */
  | { readonly kind: 'pinned' }
  /** `https://host/.well-known/http-message-signatures-directory`. */
  | { readonly kind: 'directory'; readonly url: string }
  /** A JWK Set at a URL of its own. */
  | { readonly kind: 'jwks'; readonly url: string }
  /** The `signing_keys` of a UCP platform profile. */
  | { readonly kind: 'ucp_profile'; readonly url: string };

/** How the agent was written: a bare string, a dictionary member, or one with the parameter `type`. */
export type AgentForm = 'string' | 'dict' | 'dict+type';

/** What is inserted once after a signature verified; the key is (profile, source, keyId, nonceHash). */
export interface NonceClaim {
  readonly profile: SignatureProfile;
  /** URL of the key source, or `pinned`. */
  readonly source: string;
  readonly keyId: string;
  /** SHA-256 of the nonce, base64url. */
  readonly nonceHash: string;
  /** Real time, epoch milliseconds; after it the signature is refused for its age. */
  readonly expiresAtMs: number;
}

/** A signature that passed every check that needs no key (steps 1 to 7 and 11 of facts/signatures.md 1.1). */
export interface SignatureCandidate {
  readonly label: string;
  readonly profile: SignatureProfile;
  readonly keySource: KeySource;
  readonly keyId: string;
  /** The signature base, ASCII. */
  readonly base: Buffer;
  readonly signature: Buffer;
  /** The parameter `alg` as sent; it may only agree with the key. */
  readonly alg: string | null;
  readonly tag: string | null;
  readonly createdSeconds: number | null;
  readonly expiresSeconds: number | null;
  readonly nonce: string | null;
  /** To be claimed after the signature verified and before that is an outcome; null: there is no nonce. */
  readonly nonceClaim: NonceClaim | null;
  readonly coverage: SignatureCoverage;
  /** Canonical texts of the covered components, in order. */
  readonly covered: readonly string[];
  /** Normalised URL of the agent (Signature-Agent, UCP-Agent); null for TAP. A claim until the signature verified. */
  readonly agent: string | null;
  readonly agentForm: AgentForm | null;
  readonly nowSeconds: number;
  readonly settings: VerificationSettings;
}

/** A label that was refused without a key; profile null: whom it is meant for cannot be read. */
export interface FailedLabel {
  readonly label: string;
  readonly profile: SignatureProfile | null;
  readonly fault: SignatureFault;
  readonly keyId: string | null;
  readonly tag: string | null;
}

export type VerificationPlan =
  | { readonly kind: 'ended'; readonly verdict: SignatureVerdict }
  | {
      readonly kind: 'candidates';
      /** At least one, in the order of Signature-Input. */
      readonly candidates: readonly SignatureCandidate[];
      readonly failed: readonly FailedLabel[];
    };

/** How one candidate ended: `verified`, or why not (a reason of the key look-up, of verifyCall, bad_signature, replayed). */
export interface CandidateOutcome {
  readonly label: string;
  readonly outcome: 'verified' | SignatureReason;
}

/**
 * The one answer about a message. For `verified` every member speaks of the label that verified and of nothing else.
 * Otherwise keyId, agent and the rest are claims of the label that the reason speaks of: for logs only.
 */
export interface SignatureVerdict {
  readonly status: SignatureStatus;
  readonly reason: SignatureReason | null;
  /** A sentence for the log and the signature check; `unsupported_tag` for what another protocol may have signed. */
  readonly note: string | null;
  readonly profile: SignatureProfile | null;
  readonly label: string | null;
  readonly keyId: string | null;
  readonly keySource: KeySource | null;
  readonly agent: string | null;
  readonly agentForm: AgentForm | null;
  readonly tag: string | null;
  readonly createdSeconds: number | null;
  readonly expiresSeconds: number | null;
  readonly nonceHash: string | null;
  readonly coverage: SignatureCoverage | null;
  readonly covered: readonly string[];
}
