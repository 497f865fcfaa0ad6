import type { CanonicalValue, InstantMs } from '../../core/kernel/index.js';
import {
  type Claims,
  type CredentialPlan,
  endsTooEarly,
  type Issuance,
  type MandateGrant,
  moneyText,
  type Subjects,
  treeTerms,
  wholeSecond,
  wholeSecondFrom,
} from '../credentials/index.js';

/** The times of a token in whole seconds: never earlier, never longer than asked for. */
export const inWholeSeconds = (grant: MandateGrant): MandateGrant => ({
  ...grant,
  notBeforeAtMs: grant.notBeforeAtMs === null ? null : wholeSecondFrom(grant.notBeforeAtMs),
  expiresAtMs: wholeSecond(grant.expiresAtMs),
});

export interface TreeDraft {
  readonly kind: 'mandate' | 'registration';
  readonly objectId: string;
  readonly issuedAtMs: InstantMs;
  readonly typ: string;
  readonly grant: MandateGrant;
  /** Digest of the foreign bytes of a registration. */
  readonly sha256: string | null;
  readonly claims: (issuance: Issuance) => Claims;
}

/** The plan of something that takes a place in the tree of mandates; binding judges it against its parent. */
export function treePlan(draft: TreeDraft, subjects: Subjects): CredentialPlan {
  const { kind, objectId, issuedAtMs, typ, grant, sha256, claims } = draft;
  const { agentId, cartHash, cap, merchantIds, parentId, expiresAtMs } = grant;
  const subjectCommitment = subjects.commitmentOf(grant.subject);
  const asked: CanonicalValue = { ...grant, cap: moneyText(cap), sha256 };
  const digest = subjects.digestOf(asked);
  return {
    kind,
    objectId,
    grant: digest,
    purpose: 'credential',
    typ,
    subjectCommitment,
    issuedAtMs,
    object: {
      sha256,
      merchantIds,
      mandate: {
        mandateKind: grant.kind,
        subjectCommitment,
        agentId,
        cartHash,
        cap,
        notBeforeAtMs: grant.notBeforeAtMs ?? issuedAtMs,
        expiresAtMs,
      },
      parentId,
      consentId: null,
      expiresAtMs,
      terms: (tokenSha256) => treeTerms.encode({ tokenSha256, grant: digest, issuedAtMs }),
    },
    claims,
    reads: [],
    judge: (_view, atMs) => (atMs >= expiresAtMs ? endsTooEarly : null),
  };
}
