/**
 * The checks of one signed object in the order in which they are made; the first that fails is the finding
 * (decisions 3.1). `binding` covers audience, tenant and world of a token; `scope` the same of an artifact;
 * `lineage` whether a child mandate stays within its parent.
 */
export const PROOF_CHECKS = [
  'shape',
  'scope',
  'issuer_key',
  'issuer_key_state',
  'algorithm',
  'signature',
  'payload_hash',
  'binding',
  'not_before',
  'expiry',
  'freshness',
  'status',
  'lineage',
] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

/** The first failing check, the member of the object it is about (`cap.amount`; null = the object as a whole), and why. */
export interface ProofFault {
  readonly check: ProofCheck;
  readonly member: string | null;
  readonly detail: string;
}

export const fault = (check: ProofCheck, member: string | null, detail: string): ProofFault => ({
  check,
  member,
  detail,
});
