import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanonicalValue, canonicalize } from '../../core/kernel/index.js';

/**
 * How buyers stand in the authority's books. The name (`sub`) stands in the token alone, an erasable document marked
 * with the buyer's commitment. Entries and rows hold `SHA-256(salt || name)` under a random salt of the tenant, kept in
 * the operational table `subject_salts` and in no entry: whoever has the chain but not that row cannot try names.
 *
 * Limits, on purpose: one salt per tenant, not per buyer as the arbiter has it (ADR 0008), because a mandate has to be
 * compared with its parent by commitment alone, and the authority keeps no register of buyers that could be erased.
 * Erasing one buyer here means erasing the tokens; whoever then still holds the salt can find the commitment of a name
 * he already knows. Commitments of an arbiter are under its own salts, so they never equal ours: a tree that mixes
 * mandates issued here with foreign ones takes those as registrations, which are given the name.
 */
export class Subjects {
  constructor(private readonly salt: Buffer) {}

  commitmentOf(subject: string): string {
    return this.#digest(subject).toString('hex');
  }

  isOf(commitment: string, subject: string): boolean {
    const expected = Buffer.from(commitment, 'hex');
    const digest = this.#digest(subject);
    return expected.length === digest.length && timingSafeEqual(expected, digest);
  }

  /** A digest of a whole request that names a buyer: the same request again is known by it. */
  digestOf(grant: CanonicalValue): string {
    return this.#digest(canonicalize(grant)).toString('hex');
  }

  #digest(text: string): Buffer {
    return createHash('sha256').update(this.salt).update(text, 'utf8').digest();
  }
}
