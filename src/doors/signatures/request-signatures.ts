import { verify } from 'node:crypto';
import {
  type CandidateOutcome,
  DEFAULT_VERIFICATION_SETTINGS,
  type HttpRequestMessage,
  type NonceClaim,
  planVerification,
  refusedVerdict,
  type RouteKind,
  settle,
  type SignatureCandidate,
  type SignatureProfile,
  type SignatureVerdict,
  type VerificationSettings,
  type VerifyCall,
  verifyCall,
} from '../../core/httpsig/index.js';
import type { World } from '../../core/kernel/index.js';
import {
  type ClaimOutcome,
  type KeyDirectories,
  SIGNATURE_WAIT_MS,
  type SignatureNonces,
} from '../../trust/peers/index.js';
import type { SignatureMode } from '../../base/tenants/index.js';
import { isAllowedAgent } from './allowed-agents.js';

/** What one request is judged by. */
export interface JudgedRequest {
  readonly message: HttpRequestMessage;
  readonly routeKind: RouteKind;
  readonly profiles: readonly SignatureProfile[];
  readonly mode: SignatureMode;
  readonly world: World;
  /** URLs of agents, or `tap`; null: any. */
  readonly allowedAgents: readonly string[] | null;
  readonly clientAddress: string | null;
  /** False: nonces are left alone, for who only asks how a request would be judged. */
  readonly claimsNonces: boolean;
}

export interface RequestSignaturesDependencies {
  readonly directories: Pick<KeyDirectories, 'resolve'>;
  readonly nonces: Pick<SignatureNonces, 'claim'>;
  readonly allowLoopbackPeers: boolean;
  /** Real time (decisions 2.4). */
  readonly nowMs: () => number;
}

/** Judges the signatures of requests: what the pure policy plans, with keys found, checked and nonces claimed. */
export class RequestSignatures {
  readonly #testSettings: VerificationSettings;

  constructor(private readonly dependencies: RequestSignaturesDependencies) {
    const { allowLoopbackPeers } = dependencies;
    this.#testSettings = {
      ...DEFAULT_VERIFICATION_SETTINGS,
      allowLoopbackAgents: allowLoopbackPeers,
    };
  }

  /**
   * Never rejects: what breaks on the way is `unverified`, verifier_error. Nothing is fetched for a signature that fails
   * without a key, and a nonce is claimed only after its signature verified.
   */
  async judge(request: JudgedRequest): Promise<SignatureVerdict> {
    try {
      const plan = planVerification(request.message, {
        nowSeconds: Math.floor(this.dependencies.nowMs() / 1_000),
        routeKind: request.routeKind,
        profiles: request.profiles,
        settings: request.world === 'test' ? this.#testSettings : DEFAULT_VERIFICATION_SETTINGS,
      });
      if (plan.kind === 'ended') return plan.verdict;
      const trying = plan.candidates.map((candidate) => this.#outcome(candidate, request));
      const outcomes = await Promise.all(trying);
      if (request.claimsNonces) await this.#claimNonces(plan.candidates, outcomes);
      return settle(plan, outcomes);
    } catch {
      return refusedVerdict('verifier_error', 'Something of ours broke while it was judged.');
    }
  }

  /**
   * INVARIANT: every nonce under which the request verified is used up, not only that of the label the verdict speaks of: the
   * others would let the same request in again. A nonce that several labels share is claimed once (TAP's are). Outcomes stand in
   * the order of their candidates.
   */
  async #claimNonces(
    candidates: readonly SignatureCandidate[],
    outcomes: CandidateOutcome[],
  ): Promise<void> {
    const claims: { readonly claim: NonceClaim; readonly outcome: ClaimOutcome }[] = [];
    for (const [index, { label, nonceClaim }] of candidates.entries()) {
      if (nonceClaim === null || outcomes[index]?.outcome !== 'verified') continue;
      const before = claims.find(({ claim }) => isSameNonce(claim, nonceClaim));
      const outcome = before?.outcome ?? (await this.dependencies.nonces.claim(nonceClaim));
      if (before === undefined) claims.push({ claim: nonceClaim, outcome });
      if (outcome === 'claimed') continue;
      const reason = outcome === 'replayed' ? 'replayed' : 'replay_state_unavailable';
      outcomes[index] = { label, outcome: reason };
    }
  }

  async #outcome(
    candidate: SignatureCandidate,
    { mode, world, allowedAgents, clientAddress }: JudgedRequest,
  ): Promise<CandidateOutcome> {
    const { label } = candidate;
    if (allowedAgents !== null && !isAllowedAgent(candidate, allowedAgents))
      return { label, outcome: 'agent_not_allowed' };
    const resolved = await this.dependencies.directories.resolve(
      candidate.keySource,
      candidate.keyId,
      { waitMs: SIGNATURE_WAIT_MS[mode], clientAddress, world, isStrict: mode === 'enforce' },
    );
    if (resolved.kind === 'none') return { label, outcome: resolved.reason };
    const call = verifyCall(candidate, resolved.key);
    if (!call.ok) return { label, outcome: call.error };
    return { label, outcome: (await isGood(call.value)) ? 'verified' : 'bad_signature' };
  }
}

const isSameNonce = (one: NonceClaim, other: NonceClaim): boolean =>
  one.nonceHash === other.nonceHash &&
  one.keyId === other.keyId &&
  one.source === other.source &&
  one.profile === other.profile;

/** In the thread pool: the loop goes on meanwhile. */
const isGood = ({ digest, data, key, signature }: VerifyCall): Promise<boolean> =>
  new Promise((resolve) => {
    verify(digest, data, key, signature, (error, good) => resolve(error === null && good));
  });
