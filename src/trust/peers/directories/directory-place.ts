import { type KeySource, WELL_KNOWN_DIRECTORY } from '../../../core/httpsig/index.js';
import { namedPeerUrlOf } from '../../../base/platform/index.js';
import type { KeyNaming } from './key-set.js';

/** A key source that is asked over the network. */
export type RemoteSource = Exclude<KeySource, { readonly kind: 'pinned' }>;

/** What is fetched for a key source, and how its answer is read. */
export interface DirectoryPlace {
  /** What is asked, query included. */
  readonly href: string;
  readonly host: string;
  /** Who is named by it: without query. */
  readonly identity: string;
  /** The one place of its host that the draft fixes: exact media type, and a `kid` is the thumbprint. */
  readonly isWellKnown: boolean;
  readonly list: 'keys' | 'signing_keys';
  readonly naming: KeyNaming;
  readonly allowsLoopback: boolean;
  /** What its copy is kept under: the same URL read in another way, or asked with other rights, is another copy. */
  readonly name: string;
}

/** Null: the URL may not be asked, see {@link namedPeerUrlOf}. */
export function directoryPlace(
  source: RemoteSource,
  allowLoopbackPeers: boolean,
): DirectoryPlace | null {
  const href = namedPeerUrlOf(source.url, allowLoopbackPeers);
  if (href === null) return null;
  const { host, pathname } = new URL(href);
  const list = listOf(source);
  return {
    href,
    host,
    identity: identityOf(href),
    isWellKnown: list === 'keys' && pathname === WELL_KNOWN_DIRECTORY,
    list,
    naming: namingOf(source),
    allowsLoopback: allowLoopbackPeers,
    name: `${allowLoopbackPeers ? 'loopback' : 'public'} ${list} ${href}`,
  };
}

export const namingOf = ({ kind }: KeySource): KeyNaming =>
  kind === 'pinned' || kind === 'ucp_profile' ? 'kid' : 'thumbprint';

const listOf = ({ kind }: RemoteSource): 'keys' | 'signing_keys' =>
  kind === 'ucp_profile' ? 'signing_keys' : 'keys';

/** A canonical URL without query and fragment. */
export function identityOf(href: string): string {
  const url = new URL(href);
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Under what an operator's named directory is found: an origin alone means its well-known directory as well. */
export function namedHrefs(url: string): readonly string[] {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? [url, `${origin}${WELL_KNOWN_DIRECTORY}`] : [url];
}
