import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { err, invariant, ok, type Result } from '../../core/kernel/index.js';

export const KEY_ENCRYPTION_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a wrapped key belongs to. It is authenticated with the key: a row moved to another place does not open. */
export interface WrappingContext {
  readonly tenantId: string;
  readonly purpose: string;
  readonly kid: string;
}

/** `kek_mismatch`: wrapped under another key-encryption key. `tampered`: bytes or place were changed. */
export type UnwrapFault = 'kek_mismatch' | 'tampered';

export interface WrappedKey {
  /** nonce (12 bytes) || ciphertext || tag (16 bytes), AES-256-GCM. */
  readonly wrapped: Buffer;
  readonly kekId: string;
}

/**
 * Wraps private keys under one key-encryption key that never touches the database.
 * A stolen database dump alone signs nothing; who holds dump and key-encryption key holds every signing key.
 */
export class KeyWrapping {
  /** 16 hex digits that tell one key-encryption key from another and reveal nothing about either. */
  readonly kekId: string;

  constructor(private readonly keyEncryptionKey: Buffer) {
    invariant(
      keyEncryptionKey.length === KEY_ENCRYPTION_KEY_BYTES,
      `the key-encryption key has ${KEY_ENCRYPTION_KEY_BYTES} bytes`,
    );
    this.kekId = createHmac('sha256', keyEncryptionKey)
      .update('arbiter-kek-id/1\n')
      .digest('hex')
      .slice(0, 16);
  }

  wrap(privateKeyDer: Buffer, context: WrappingContext): WrappedKey {
    // Random 96-bit nonces are safe for 2^32 wraps under one key (NIST SP 800-38D, 8.3); we make a few per tenant.
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyEncryptionKey, nonce);
    cipher.setAAD(additionalData(context));
    const ciphertext = Buffer.concat([cipher.update(privateKeyDer), cipher.final()]);
    return { wrapped: Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]), kekId: this.kekId };
  }

  unwrap({ wrapped, kekId }: WrappedKey, context: WrappingContext): Result<Buffer, UnwrapFault> {
    if (kekId !== this.kekId) return err('kek_mismatch');
    if (wrapped.length <= NONCE_BYTES + TAG_BYTES) return err('tampered');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.keyEncryptionKey,
      wrapped.subarray(0, NONCE_BYTES),
      { authTagLength: TAG_BYTES },
    );
    decipher.setAAD(additionalData(context));
    decipher.setAuthTag(wrapped.subarray(wrapped.length - TAG_BYTES));
    const ciphertext = wrapped.subarray(NONCE_BYTES, wrapped.length - TAG_BYTES);
    try {
      return ok(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
    } catch {
      return err('tampered');
    }
  }
}

/** No member can hold a newline: tenant ids and kids are ours, purposes a closed list. */
const additionalData = ({ tenantId, purpose, kid }: WrappingContext): Buffer =>
  Buffer.from(`arbiter-key/1\n${tenantId}\n${purpose}\n${kid}`);
