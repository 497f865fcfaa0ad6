import { type SignatureProfile } from './vocabulary.js';

/** Limits of the profiles; the skew always widens a limit. */
export interface VerificationSettings {
  /** Clocks of honest peers may be so far apart. */
  readonly skewSeconds: number;
  readonly tapMaxWindowSeconds: number;
  readonly webBotAuthMaxWindowSeconds: number;
  /** Of `created` where a profile asks for no `expires`. */
  readonly ucpMaxAgeSeconds: number;
  /** Of `created` in every profile; null: the window alone decides. */
  readonly maxAgeSeconds: number | null;
  /** `rsa-pss-sha256`, which TAP samples use and nobody registered. */
  readonly tapRsaPssSha256: boolean;
  /** UCP's own example leaves `ucp-agent` out of what it covers. */
  readonly ucpAgentMustBeCovered: boolean;
  /** http for agents on the loopback interface: the test world only. */
  readonly allowLoopbackAgents: boolean;
  /** Origins (scheme://authority) that are ours; null: the caller has compared already. */
  readonly publicOrigins: readonly string[] | null;
}

export const DEFAULT_VERIFICATION_SETTINGS: VerificationSettings = {
  skewSeconds: 60,
  tapMaxWindowSeconds: 480,
  webBotAuthMaxWindowSeconds: 86_400,
  ucpMaxAgeSeconds: 300,
  maxAgeSeconds: null,
  tapRsaPssSha256: false,
  ucpAgentMustBeCovered: true,
  allowLoopbackAgents: false,
  publicOrigins: null,
};

/** What a route needs: a read needs to know who asks; a write and every A2A call need full coverage. */
export type RouteKind = 'read' | 'write' | 'a2a';

export interface VerificationContext {
  /** Real time. */
  readonly nowSeconds: number;
  readonly routeKind: RouteKind;
  /** `ucp` only on UCP routes and where somebody asks for it. */
  readonly profiles: readonly SignatureProfile[];
  readonly settings: VerificationSettings;
}
