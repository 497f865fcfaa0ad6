import { timingSafeEqual } from 'node:crypto';
import { err, ok, type Result } from '../kernel/index.js';
import { EntryForm } from './entry-form.js';
import { entryLink, entryMac, GENESIS_PREV, isDigestHex, isKeyId } from './entry-bytes.js';

/** One entry as it is stored or exported. The four members of the seal are null together while sealing is off. */
export interface ChainEntry {
  readonly seq: number;
  readonly body: string;
  readonly kid: string | null;
  readonly prev: string | null;
  readonly mac: string | null;
  readonly link: string | null;
}

/** What is wrong with an entry. Each entry is checked in this order and only the first break is told (L16, L18). */
export type ChainBreakCode =
  | 'sequence_gap'
  | 'sequence_duplicate'
  | 'previous_link'
  | 'link_hash'
  | 'canonical_form'
  | 'key_unknown'
  | 'signature';

export interface ChainBreak {
  readonly code: ChainBreakCode;
  readonly seq: number;
}

/** Where a verification stands: hand it to {@link verifyEntry} with the next entry. */
export interface ChainProgress {
  readonly tenantId: string;
  readonly nextSeq: number;
  /** Link of the last sealed entry; 64 zeros before the first. A pause of sealing does not restart the chain. */
  readonly lastLink: string;
  /** Whether the entries read so far say that the next one is sealed. */
  readonly sealing: boolean;
  readonly sealedCount: number;
  readonly unsealedCount: number;
}

/** Gives the HMAC key of a kid, or null when the verifier does not hold it: then macs of that kid are not checked. */
export type KeyOf = (kid: string) => Uint8Array | null;

/** Read and forgotten by each call. */
const FORM = new EntryForm();

export const chainStart = (tenantId: string): ChainProgress => ({
  tenantId,
  nextSeq: 0,
  lastLink: GENESIS_PREV,
  sealing: false,
  sealedCount: 0,
  unsealedCount: 0,
});

/**
 * Checks the next entry of a tenant's ledger: number, link to its predecessor, own link, canonical form, mac.
 *
 * An entry that stands unsealed where the ledger says sealing is on, or sealed where it says off, is `link_hash`: its
 * link is not the one these bytes must have. A body that is not an entry's canonical one, or not at its place, is
 * `canonical_form`, and says nothing about sealing. Not checked: that it folds into what the tables say (see base/ledger
 * rebuild); that the chain is as long as somebody else saw it.
 */
export function verifyEntry(
  progress: ChainProgress,
  entry: ChainEntry,
  keyOf: KeyOf,
): Result<ChainProgress, ChainBreak> {
  const broken = (code: ChainBreakCode) => err({ code, seq: entry.seq });
  if (entry.seq !== progress.nextSeq)
    return broken(entry.seq > progress.nextSeq ? 'sequence_gap' : 'sequence_duplicate');
  FORM.readText(entry.body, entry.seq);
  const { isEntry } = FORM;
  const sealing = FORM.declaredSealing ?? progress.sealing;
  const { kid, prev, mac, link } = entry;
  // The entry that switches sealing off is still sealed: it is the last one.
  if (!progress.sealing && !sealing) {
    if (kid !== null || prev !== null || mac !== null || link !== null) return broken('link_hash');
    if (!isEntry) return broken('canonical_form');
    return ok({
      ...progress,
      sealing,
      nextSeq: entry.seq + 1,
      unsealedCount: progress.unsealedCount + 1,
    });
  }
  if (prev !== progress.lastLink) return broken('previous_link');
  if (kid === null || mac === null || link === null) return broken('link_hash');
  if (!isKeyId(kid) || !isDigestHex(mac) || !isDigestHex(link)) return broken('link_hash');
  const sealed = { tenantId: progress.tenantId, seq: entry.seq, kid, prev, body: entry.body };
  if (!sameHex(entryLink(sealed, mac), link)) return broken('link_hash');
  if (!isEntry) return broken('canonical_form');
  const key = keyOf(kid);
  if (key !== null && !sameHex(entryMac(key, sealed), mac)) return broken('signature');
  return ok({
    ...progress,
    sealing,
    lastLink: link,
    nextSeq: entry.seq + 1,
    sealedCount: progress.sealedCount + 1,
  });
}

/** Checks a run of entries; returns the progress after the last, or the first break. */
export function verifyRun(
  progress: ChainProgress,
  entries: Iterable<ChainEntry>,
  keyOf: KeyOf,
): Result<ChainProgress, ChainBreak> {
  let current = progress;
  for (const entry of entries) {
    const next = verifyEntry(current, entry, keyOf);
    if (!next.ok) return next;
    current = next.value;
  }
  return ok(current);
}

/** Constant time for equal lengths (L21). */
function sameHex(left: string, right: string): boolean {
  return (
    left.length === right.length &&
    timingSafeEqual(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'))
  );
}
