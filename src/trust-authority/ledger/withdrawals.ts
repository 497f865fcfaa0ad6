import { codec } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/**
 * A buyer took a consent back; the changes of status stand in the entries beside this one. The proof is the document
 * `proofSha256`; its `jti` stands as a salted digest, because the buyer chose it.
 */
export const consentWithdrawn = defineEvent(
  'authority.consent_withdrawn',
  codec.record({ consentId: codec.text, proofIdSha256: codec.text, proofSha256: codec.text }),
);

export interface WithdrawalProofRow {
  readonly consentId: string;
  readonly proofIdSha256: string;
  readonly proofSha256: string;
}

/** Proofs that were used. INVARIANT: a `jti` stands for one proof of a consent. */
export const withdrawalProofs = defineProjection<WithdrawalProofRow>({
  table: 'withdrawal_proofs',
  mode: 'append',
  key: ['consentId', 'proofIdSha256'],
  columns: { consentId: column.text, proofIdSha256: column.text, proofSha256: column.text },
  on: [
    when(consentWithdrawn, {
      keys: ({ consentId, proofIdSha256 }) => [[consentId, proofIdSha256]],
      evolve: (_row, data) => data,
    }),
  ],
});
