import type { DirectoryProof } from './directory-proof.js';
import type { KeySet } from './key-set.js';

/** How long a copy counts as fresh, in milliseconds: what HTTP says within these bounds. */
export const COPY_LIFE_MS_MIN = 60_000;
export const COPY_LIFE_MS_MAX = 24 * 60 * 60_000;
export const COPY_LIFE_MS_DEFAULT = 10 * 60_000;
/** A copy that could not be asked for again still counts so long after the directory confirmed it. */
export const COPY_KEPT_MS = 24 * 60 * 60_000;
/** A copy that is used is asked for again in the last part of its life, at a moment drawn for it. */
const REFRESH_FROM = 0.75;
const REFRESH_SPREAD = 0.2;

/** What a directory published when it was asked last. Times are of the clock that never steps back. */
export interface DirectoryCopy {
  readonly keys: KeySet;
  readonly etag: string | null;
  readonly proof: DirectoryProof;
  readonly isExactMediaType: boolean;
  readonly freshUntilMs: number;
  readonly refreshFromMs: number;
  readonly keptUntilMs: number;
}

export interface CopyTimes {
  /** Of the request: ages counted from it are never too short. */
  readonly askedAtMs: number;
  /** As HTTP says; null: it says nothing. */
  readonly lifeMs: number | null;
  /** How long the answer's own signature lives on; null: it has none. */
  readonly proofLifeMs: number | null;
  /** Between 0 and 1. */
  readonly random: number;
}

export function copyTimes({
  askedAtMs,
  lifeMs,
  proofLifeMs,
  random,
}: CopyTimes): Pick<DirectoryCopy, 'freshUntilMs' | 'refreshFromMs' | 'keptUntilMs'> {
  const statedMs = Math.min(lifeMs ?? COPY_LIFE_MS_DEFAULT, proofLifeMs ?? COPY_LIFE_MS_MAX);
  const freshMs = Math.min(Math.max(statedMs, COPY_LIFE_MS_MIN), COPY_LIFE_MS_MAX);
  return {
    freshUntilMs: askedAtMs + freshMs,
    refreshFromMs: askedAtMs + freshMs * (REFRESH_FROM + REFRESH_SPREAD * random),
    keptUntilMs: askedAtMs + COPY_KEPT_MS,
  };
}
