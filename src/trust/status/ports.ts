import type { TenantId } from '../../core/kernel/index.js';
import type { IssuerKeyState, VerificationKey } from '../../core/proofs/index.js';

/** A key that may sign status lists, and what the tenant says about it. */
export interface ListKey extends IssuerKeyState {
  readonly key: VerificationKey;
}

/** Whose lists a tenant believes, and whose keys sign them. */
export interface ListTrust {
  /** Permanent origin of the trust authority that keeps our own lists, without a slash at its end. */
  readonly ownOrigin: string;
  /**
   * Whether the tenant believes any key of the list's origin; the allowlist of what is fetched. Rejects only when it
   * cannot be found out now.
   */
  isTrusted(tenantId: TenantId, listUri: string): Promise<boolean>;
  /** The key of this id that may sign this list for this tenant, or null. */
  keyOf(tenantId: TenantId, listUri: string, kid: string): Promise<ListKey | null>;
  /** Asks the list's origin for its keys again. Called for an unknown key id, rarely; no answer is no error. */
  refetchKeys(tenantId: TenantId, listUri: string): Promise<void>;
}

/** Nest token of the {@link ListTrust}. */
export const LIST_TRUST = Symbol('ListTrust');

/** The clock of copies: it never steps back, whatever happens to the time of day. */
export interface CopyClock {
  monotonicMs(): number;
  /** Runs once after that time, and keeps no process alive. Answers how to call it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const processClock: CopyClock = {
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
