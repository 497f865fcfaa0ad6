import type { World } from '../../../core/kernel/index.js';
import type { PublicSigningKey } from '../../../core/httpsig/index.js';
import type { OutboundClient, SignatureSources } from '../../../base/platform/index.js';
import type { DirectoryProof } from './directory-proof.js';
import type { DirectoryFault, FetchLimits } from './fetch-directory.js';

export interface ResolveOptions {
  /** See SIGNATURE_WAIT_MS. The fetch goes on behind it. */
  readonly waitMs: number;
  /** Who made the request, for the budget; null: no caller is counted. */
  readonly clientAddress: string | null;
  /** Loopback peers and published test keys count in the test world only, and there by a setting. */
  readonly world: World;
  /** Whether the well-known directory must answer with its exact media type; else it is only told. */
  readonly isStrict: boolean;
}

export interface DirectoryNotes {
  readonly proof: DirectoryProof;
  readonly isExactMediaType: boolean;
  /** The copy is past its life and the directory could not be asked. */
  readonly isStale: boolean;
  /** From a file of the operator's. */
  readonly isPinned: boolean;
}

export type UnresolvedReason =
  | 'agent_url_refused'
  | 'key_source_not_allowed'
  | 'key_source_unavailable'
  | 'key_not_found'
  | 'key_pending'
  | 'busy'
  | 'test_key';

export type ResolvedKey =
  | {
      readonly kind: 'found';
      readonly key: PublicSigningKey;
      /** Whose key it is: the source without query; null: pinned keys of TAP. */
      readonly url: string | null;
      readonly notes: DirectoryNotes;
    }
  | { readonly kind: 'none'; readonly reason: UnresolvedReason };

/** How asking a directory ended, for metrics: a closed list. The host is for logs and never a label. */
export interface DirectoryFetch {
  readonly outcome: 'fetched' | 'not_modified' | 'over_budget' | 'queue_full' | DirectoryFault;
  readonly host: string;
  readonly durationMs: number;
}

export interface DirectoryClock {
  /** Never steps back: ages of copies. */
  monotonicMs(): number;
  /** Real time: the signatures of directories. */
  realMs(): number;
}

export interface KeyDirectoryOptions {
  readonly sources: SignatureSources;
  readonly outbound: {
    /** For test tenants where loopback peers are allowed; null: nowhere. */
    readonly loopback: OutboundClient | null;
    readonly public: OutboundClient;
  };
  readonly clock: DirectoryClock;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** One line about a directory that could not be read. */
  readonly log: { error(line: string, details?: object): void };
  readonly limits?: FetchLimits;
}
