import type { Problem, Result, TenantId } from '../../../core/kernel/index.js';

/** Injection token of {@link WitnessSources}. */
export const WITNESS_SOURCES = Symbol('WitnessSources');

/** How a witness is reached and known. */
export interface WitnessPlace {
  /** Submission prefix (C2SP tlog-witness), without a slash at its end. */
  readonly url: string;
  /** Verifier keys of type 04 that count now, newest first. */
  readonly vkeys: readonly string[];
}

/** A witness that another room knows how to reach, and that learns of our logs through it: the trust authority. */
export interface WitnessSource {
  /** The name it signs under; known without asking it. */
  readonly name: string;
  /** Whether the operator of this service runs it too. */
  readonly isSelf: boolean;
  /** Problem: unavailable. */
  witness(): Promise<Result<WitnessPlace, Problem>>;
  /** Tells it which keys sign checkpoints of the tenant's log; the list replaces the one before. */
  registerLog(
    tenantId: TenantId,
    log: { readonly origin: string; readonly vkeys: readonly string[] },
  ): Promise<Result<null, Problem>>;
}

/** The sources of every room; a room registers its own when it starts. */
export class WitnessSources {
  readonly #sources: WitnessSource[] = [];

  register(source: WitnessSource): void {
    this.#sources.push(source);
  }

  get all(): readonly WitnessSource[] {
    return this.#sources;
  }
}
