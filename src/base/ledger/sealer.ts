import {
  deriveLedgerKey,
  entryLink,
  entryMac,
  GENESIS_PREV,
  isKeyId,
  LEDGER_KEY_BYTES,
  type SealInput,
} from '../../core/chain/index.js';
import { invariant } from '../../core/kernel/index.js';

export interface Seal {
  readonly kid: string;
  readonly prev: string;
  readonly mac: string;
  readonly link: string;
}

/** Derived keys kept at most; the oldest goes first. Deriving one again costs microseconds. */
export const SEALER_KEYS_MAX = 10_000;

/** Seals entries with keys derived from one master secret, which lives outside the database (decisions 2.6). */
export class Sealer {
  readonly #keys = new Map<string, Uint8Array>();

  constructor(private readonly master: Uint8Array) {
    invariant(
      master.length >= LEDGER_KEY_BYTES,
      `the ledger's master secret has at least ${LEDGER_KEY_BYTES} bytes`,
    );
  }

  seal(entry: Omit<SealInput, 'prev'>, lastLink: string | null): Seal {
    invariant(isKeyId(entry.kid) && !entry.tenantId.includes('\n'), 'sealed names hold no newline');
    const sealed = { ...entry, prev: lastLink ?? GENESIS_PREV };
    const mac = entryMac(this.keyOf(entry.tenantId, entry.kid), sealed);
    return { kid: entry.kid, prev: sealed.prev, mac, link: entryLink(sealed, mac) };
  }

  keyOf(tenantId: string, kid: string): Uint8Array {
    const name = `${tenantId}\n${kid}`;
    const cached = this.#keys.get(name);
    if (cached !== undefined) return cached;
    const key = deriveLedgerKey(this.master, tenantId, kid);
    if (this.#keys.size >= SEALER_KEYS_MAX) {
      const [oldest] = this.#keys.keys();
      if (oldest !== undefined) this.#keys.delete(oldest);
    }
    this.#keys.set(name, key);
    return key;
  }
}
