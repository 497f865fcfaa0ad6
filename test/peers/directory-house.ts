import { createOutboundClient, type SignatureSources } from '../../src/base/platform/index.js';
import {
  type DirectoryFetch,
  KeyDirectories,
  type KeyDirectoryOptions,
  type ResolvedKey,
  type ResolveOptions,
} from '../../src/trust/peers/index.js';
import { WELL_KNOWN } from './directory-server.js';

export const START_MS = 1_000_000;
export const REAL_MS = 1_796_000_000_000;
/** Longer than any answer of a local server takes. */
export const PATIENT_MS = 30_000;

export interface DirectoryHouse {
  readonly directories: KeyDirectories;
  /** Both clocks; a test moves them together. */
  readonly clock: { ms: number };
  readonly fetches: DirectoryFetch[];
  readonly lines: { readonly line: string; readonly details: unknown }[];
  /** Resolves once this many fetches ended since the house was opened. */
  untilFetched(count: number): Promise<void>;
  resolve(
    source: Parameters<KeyDirectories['resolve']>[0],
    keyId: string,
    options?: Partial<ResolveOptions>,
  ): Promise<ResolvedKey>;
}

export interface HouseOptions extends Partial<KeyDirectoryOptions> {
  readonly sourcesOf?: Partial<SignatureSources>;
}

const OPEN: SignatureSources = {
  directories: 'open',
  named: [],
  tapKeys: [],
  allowTestKeys: false,
};

/** Key directories over the real outbound client; time stands still unless the test moves it. */
export function directoryHouse({ sourcesOf = {}, ...options }: HouseOptions = {}): DirectoryHouse {
  const clock = { ms: 0 };
  const lines: { line: string; details: unknown }[] = [];
  const fetches: DirectoryFetch[] = [];
  const watchers = new Set<() => void>();
  const directories = new KeyDirectories({
    sources: { ...OPEN, ...sourcesOf },
    outbound: {
      loopback: createOutboundClient({ allowLoopbackPeers: true, nowMs: Date.now }),
      public: createOutboundClient({ allowLoopbackPeers: false, nowMs: Date.now }),
    },
    clock: { monotonicMs: () => START_MS + clock.ms, realMs: () => REAL_MS + clock.ms },
    random: () => 0.5,
    log: { error: (line, details) => void lines.push({ line, details }) },
    ...options,
  });
  directories.observe((fetch) => {
    fetches.push(fetch);
    for (const watch of watchers) watch();
  });
  return {
    directories,
    clock,
    fetches,
    lines,
    untilFetched: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (fetches.length < count) return;
          watchers.delete(watch);
          // The slot is settled in the same turn, after this.
          setImmediate(resolve);
        };
        watchers.add(watch);
        watch();
      }),
    resolve: (source, keyId, changes = {}) =>
      directories.resolve(source, keyId, {
        waitMs: PATIENT_MS,
        clientAddress: null,
        world: 'test',
        isStrict: true,
        ...changes,
      }),
  };
}

export const directoryAt = (origin: string) =>
  ({ kind: 'directory', url: `${origin}${WELL_KNOWN}` }) as const;
export const jwksAt = (url: string) => ({ kind: 'jwks', url }) as const;
export const profileAt = (url: string) => ({ kind: 'ucp_profile', url }) as const;
