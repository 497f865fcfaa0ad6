import { createHash, createHmac, hkdfSync } from 'node:crypto';
import {
  type Actor,
  type CallerSignature,
  callerSignatureBody,
  type CanonicalValue,
  canonicalize,
  formatInstant,
  type InstantMs,
} from '../kernel/index.js';

/** `prev` of the first sealed entry of a tenant, whatever its seq. */
export const GENESIS_PREV = '0'.repeat(64);

/** Bytes of a derived HMAC key, and of a master secret at least. */
export const LEDGER_KEY_BYTES = 32;

const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const DIGEST_HEX = /^[0-9a-f]{64}$/;

/** Names of HMAC keys: letters, digits and `._-`, at most 64. No newline, which separates the fields that are hashed. */
export const isKeyId = (text: string): boolean => KEY_ID.test(text);

/** SHA-256 as it stands in entries: 64 lowercase hex digits. */
export const isDigestHex = (text: string): boolean => DIGEST_HEX.test(text);

/** The members of an entry's body, the only authoritative part of an entry. */
export interface EntryBody {
  readonly id: string;
  readonly type: string;
  readonly atMs: InstantMs;
  readonly actor: Actor;
  readonly requestId: string;
  readonly data: CanonicalValue;
  /** Of the request that caused the entry, when it verified. */
  readonly signature?: CallerSignature | null;
}

/**
 * `{"actor":{"id":..,"role":..},"at":..,"data":..,"id":..,"request_id":..,"type":..,"v":1}`, RFC 8785; with
 * `"signature":{..}` between request_id and type when the request was signed well.
 */
export const entryBodyText = (body: EntryBody): string =>
  canonicalize({
    v: 1,
    id: body.id,
    type: body.type,
    at: formatInstant(body.atMs),
    actor: { role: body.actor.role, id: body.actor.id },
    request_id: body.requestId,
    data: body.data,
    ...(body.signature ? { signature: callerSignatureBody(body.signature) } : {}),
  });

/** What is sealed: an entry and its place. `tenantId` and `kid` hold no newline ({@link isKeyId}); `prev` is a link. */
export interface SealInput {
  readonly tenantId: string;
  readonly seq: number;
  readonly kid: string;
  readonly prev: string;
  readonly body: string;
}

/**
 * `HMAC-SHA256(key[kid], "arbiter-mac/1\n" tenant "\n" seq "\n" kid "\n" prev "\n" body)` in hex (decisions 2.6).
 * Does not check the form of its input: the writer asserts it, the verifier reports it.
 */
export const entryMac = (key: Uint8Array, entry: SealInput): string =>
  createHmac('sha256', key)
    .update(
      `arbiter-mac/1\n${entry.tenantId}\n${entry.seq}\n${entry.kid}\n${entry.prev}\n${entry.body}`,
    )
    .digest('hex');

/** `SHA-256("arbiter-link/1\n" tenant "\n" seq "\n" kid "\n" prev "\n" mac "\n" body)` in hex (decisions 2.6). */
export const entryLink = (entry: SealInput, mac: string): string =>
  createHash('sha256')
    .update(
      `arbiter-link/1\n${entry.tenantId}\n${entry.seq}\n${entry.kid}\n${entry.prev}\n${mac}\n${entry.body}`,
    )
    .digest('hex');

/**
 * The HMAC key of one tenant and kid: HKDF-SHA256 of the deployment's master secret, empty salt,
 * info `"arbiter-ledger-key/1\n" tenant "\n" kid`, 32 bytes. An auditor is given this key, never the master.
 */
export const deriveLedgerKey = (master: Uint8Array, tenantId: string, kid: string): Uint8Array =>
  new Uint8Array(
    hkdfSync(
      'sha256',
      master,
      new Uint8Array(0),
      `arbiter-ledger-key/1\n${tenantId}\n${kid}`,
      LEDGER_KEY_BYTES,
    ),
  );
