import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { parsePublicJwk, type ProofFault, type VerificationKey } from '../../core/proofs/index.js';
import { cell, type Command, documentWrite, event, readRow } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type ConsentTerms,
  consentTerms,
  issuedHere,
  noSuch,
  Subjects,
  subjectSalt,
} from '../credentials/index.js';
import { consentWithdrawn, objects, withdrawalProofs } from '../ledger/index.js';
import type { AuthorityRevocations, Revoked } from '../revocations/index.js';
import type { ServedTenant } from '../tenants/index.js';
import { parseWithdrawalProof, withdrawalFault, type WithdrawalProof } from './proof.js';

export interface WithdrawalsParts {
  readonly database: Queryable;
  readonly revocations: Pick<AuthorityRevocations, 'change'>;
  readonly origin: string;
  /** Real time: a proof is made now, whatever the tenant's test clock says. */
  readonly nowMs: () => InstantMs;
}

/** A proof that holds, on its way into the ledger. */
interface Accepted {
  readonly consentId: string;
  readonly proofIdSha256: string;
  readonly compact: string;
  readonly subjectCommitment: string;
}

/** Buyers take consents back themselves, with the key they gave when they consented. */
export class Withdrawals {
  constructor(private readonly parts: WithdrawalsParts) {}

  /**
   * Revokes a consent and the passport that rests on it, and answers with the signed records; the same proof again, or one
   * that comes after another revoke, answers with the records that stand. Problems, in order: unverifiable (the form of
   * the proof), not_found (no such consent was issued here), unverifiable (the consent has no buyer key, then
   * {@link withdrawalFault}, then a `jti` that stands for another proof of this consent), unavailable.
   */
  async withdraw(
    tenant: ServedTenant,
    consentId: string,
    compact: string,
  ): Promise<Result<Revoked, Problem>> {
    const proof = parseWithdrawalProof(compact);
    if (!proof.ok) return err(unverifiable(proof.error));
    const accepted = await this.#accept(tenant, consentId, proof.value);
    if (!accepted.ok) return accepted;
    const request = {
      target: { kind: 'consent', objectId: consentId },
      status: 'revoked',
      reasonCode: 'consent_withdrawn',
      revokedBy: 'buyer',
    } as const;
    const used = { ...accepted.value, consentId, compact };
    return this.parts.revocations.change(tenant, request, (command) => usingProof(command, used));
  }

  async #accept(
    { tenantId }: ServedTenant,
    consentId: string,
    proof: WithdrawalProof,
  ): Promise<Result<Pick<Accepted, 'proofIdSha256' | 'subjectCommitment'>, Problem>> {
    const { database, origin, nowMs } = this.parts;
    const row = await readRow(database, objects, { tenantId, key: ['consent', consentId] });
    if (row === undefined || issuedHere(row.terms) === null) return err(noSuch('consent'));
    const terms = consentTerms.decode(row.terms, 'objects.terms');
    const key = buyerKeyOf(terms);
    if (key === null) return err(noBuyerKey);
    const subjects = new Subjects(await subjectSalt(database, tenantId));
    const found = withdrawalFault(proof, {
      key,
      isSubject: (name) => subjects.isOf(terms.subjectCommitment, name),
      origin,
      consentId,
      tenantId,
      nowMs: nowMs(),
    });
    if (found !== null) return err(unverifiable(found));
    const { subjectCommitment } = terms;
    return ok({ proofIdSha256: subjects.digestOf(proof.id), subjectCommitment });
  }
}

/** The revoke with the proof it rests on, in one transaction: a proof is held only with the change it made. */
function usingProof(command: Command<null>, used: Accepted): Command<null> {
  const { consentId, proofIdSha256, compact, subjectCommitment } = used;
  const { sha256: proofSha256, write } = documentWrite(command.tenantId, {
    mediaType: 'application/jwt',
    bytes: Buffer.from(compact, 'utf8'),
    erasable: true,
    buyerCommitment: subjectCommitment,
  });
  return {
    ...command,
    name: 'authority.withdraw_consent',
    reads: [...command.reads, cell(withdrawalProofs, consentId, proofIdSha256)],
    decide(view, moment) {
      const known = view.get(withdrawalProofs, [consentId, proofIdSha256]);
      if (known !== undefined && known.proofSha256 !== proofSha256) return err(proofReplayed);
      const judged = command.decide(view, moment);
      if (!judged.ok || judged.value.events.length === 0) return judged;
      const withdrawn = event(consentWithdrawn, { consentId, proofIdSha256, proofSha256 });
      return ok({ events: [withdrawn, ...judged.value.events], sideWrites: [write] });
    },
  };
}

function buyerKeyOf({ buyerKey }: ConsentTerms): VerificationKey | null {
  if (buyerKey === null) return null;
  const parsed = parsePublicJwk(buyerKey);
  invariant(parsed.ok, 'a key was read before it was kept');
  return parsed.value;
}

const unverifiable = ({ check, member, detail }: ProofFault): Problem =>
  problem(
    'unverifiable',
    `The check ${check} failed${member === null ? '' : ` at ${member}`}: ${detail}.`,
    {
      fix: "Sign a new proof with the buyer's key for this consent, and send it at once; docs/authority.md gives its form.",
      field: '/proof',
    },
  );

const noBuyerKey = problem('unverifiable', 'The consent was registered without a buyer key.', {
  fix: 'Ask the merchant or the operator to revoke it.',
  field: '/proof',
});

const proofReplayed = problem('unverifiable', 'The jti was used for another proof.', {
  fix: 'Give every proof a jti of its own.',
  field: '/proof',
});
