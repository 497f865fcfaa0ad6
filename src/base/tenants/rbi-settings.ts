import { codec, err, ok, problem, type Problem, type Result } from '../../core/kernel/index.js';
import {
  AFA_RAILS,
  type AfaRail,
  DEFAULT_SWITCHED_ON_RAILS,
  RBI_PROFILES,
} from '../../core/rules/index.js';

export type RbiProfile = (typeof RBI_PROFILES)[number];

/** Rails that the profile can be switched on for; what is none of these is never judged by the Indian tables. */
export const SWITCHABLE_RAILS = AFA_RAILS.filter((rail) => rail !== 'other');
export type SwitchableRail = Exclude<AfaRail, 'other'>;

export interface RbiSettings {
  readonly country: string;
  readonly rbiProfile: RbiProfile | null;
  readonly rbiRails: readonly SwitchableRail[];
}

/**
 * Fills in the rails a profile has by default and refuses what cannot be meant.
 * Problems, in order: `none` inside India, rails without the profile that reads them.
 */
export function settleRbi(settings: {
  readonly country: string;
  readonly rbiProfile: RbiProfile | null;
  readonly rbiRails: readonly SwitchableRail[] | null;
}): Result<RbiSettings, Problem> {
  const { country, rbiProfile, rbiRails } = settings;
  if (rbiProfile === 'none' && country === 'IN') {
    return err(
      problem('validation_failed', 'A merchant in India cannot opt out of the Indian rules.', {
        fix: 'Use the profile in-rbi-2026-04, or null until it is decided.',
        field: '/rbi_profile',
      }),
    );
  }
  if (rbiProfile !== 'in-rbi-2026-04') {
    if (rbiRails === null || rbiRails.length === 0)
      return ok({ country, rbiProfile, rbiRails: [] });
    return err(
      problem('validation_failed', 'Rails are switched on for the profile in-rbi-2026-04 only.', {
        fix: 'Leave rbi_rails out, or choose that profile.',
        field: '/rbi_rails',
      }),
    );
  }
  const chosen = new Set<AfaRail>(rbiRails ?? DEFAULT_SWITCHED_ON_RAILS);
  return ok({ country, rbiProfile, rbiRails: SWITCHABLE_RAILS.filter((rail) => chosen.has(rail)) });
}

const profile = codec.nullable(codec.oneOf(...RBI_PROFILES));
const rails = codec.list(codec.oneOf(...SWITCHABLE_RAILS));

/** As a row stores them. */
export const profileOf = (stored: string | null): RbiProfile | null =>
  profile.decode(stored, 'merchants.rbi_profile');
export const railsOf = (stored: unknown): readonly SwitchableRail[] =>
  rails.decode(stored, 'merchants.rbi_rails');
