import {
  err,
  ok,
  problem,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import {
  type Artifact,
  factLineage,
  parseArtifact,
  type ProofFault,
} from '../../core/proofs/index.js';
import { listNumberOf } from '../lists/index.js';
import type { ObjectInput } from './objects.contract.js';
import { type NewObject, sha256Of } from './new-object.js';
import { neverReserved } from './problems.js';

/** Whose lists the slots have to be on. */
export interface Lists {
  readonly origin: string;
  readonly tenantId: TenantId;
}

/** The objects of a request. Problem: not_found (a slot that is on no list of this tenant here). */
export function readObjects(
  inputs: readonly ObjectInput[],
  { origin, tenantId }: Lists,
): Result<readonly NewObject[], Problem> {
  const read: NewObject[] = [];
  for (const [index, input] of inputs.entries()) {
    const listNumber = listNumberOf(origin, tenantId, input.slot.uri);
    if (listNumber === null) return err(neverReserved(`/objects/${index}`));
    const { mandate } = input;
    read.push({
      kind: input.kind,
      objectId: input.object_id,
      sha256: input.sha256,
      lineage: input.lineage,
      merchantIds: input.merchant_ids,
      listNumber,
      slotIndex: input.slot.idx,
      artifactType: input.artifact_type,
      mandate:
        mandate === null
          ? null
          : {
              mandateKind: mandate.mandate_kind,
              subjectCommitment: mandate.subject_commitment,
              agentId: mandate.agent_id,
              cartHash: mandate.cart_hash,
              cap: mandate.cap,
              notBeforeAtMs: mandate.not_before,
              expiresAtMs: mandate.expires_at,
            },
      parentId: mandate?.parent_id ?? null,
      consentId: input.consent_id,
      expiresAtMs: mandate?.expires_at ?? null,
      terms: null,
    });
  }
  return ok(read);
}

/**
 * Artifacts by their envelopes. Problems of the first wrong one, in order: unverifiable (no artifact of its type, of
 * another tenant, the payload is not the one that was signed), not_found (slot). Not checked: the signature, whose keys
 * the arbiter knows.
 */
export function readArtifacts(
  envelopes: readonly unknown[],
  { origin, tenantId }: Lists,
): Result<readonly NewObject[], Problem> {
  const read: NewObject[] = [];
  for (const [index, envelope] of envelopes.entries()) {
    const at = `/artifacts/${index}`;
    const parsed = parseArtifact(envelope);
    if (!parsed.ok) return err(wrongArtifact(at, parsed.error));
    const artifact = parsed.value;
    if (artifact.tenantId !== tenantId) return err(otherTenant(at));
    if (sha256Of(artifact.payloadText) !== artifact.statedPayloadHash) return err(otherPayload(at));
    const listNumber = listNumberOf(origin, tenantId, artifact.status.uri);
    if (listNumber === null) return err({ ...neverReserved(at), field: `${at}/status` });
    read.push(objectOf(artifact, listNumber));
  }
  return ok(read);
}

const objectOf = (artifact: Artifact, listNumber: number): NewObject => ({
  kind: 'artifact',
  objectId: artifact.id,
  sha256: sha256Of(artifact.envelopeText),
  lineage: factLineage(artifact),
  merchantIds: [artifact.merchantId],
  listNumber,
  slotIndex: artifact.status.index,
  artifactType: artifact.type,
  mandate: null,
  parentId: null,
  consentId: null,
  expiresAtMs: artifact.expiresAtMs,
  terms: null,
});

const wrongArtifact = (at: string, { check, member, detail }: ProofFault): Problem =>
  problem('unverifiable', `${check}: ${detail}`, {
    fix: 'Send the envelope exactly as it was signed.',
    field: member === null ? at : `${at}/${member.replaceAll('.', '/')}`,
  });

const otherTenant = (at: string): Problem =>
  problem('unverifiable', 'scope: the artifact is of another tenant', {
    fix: 'Send artifacts of the tenant in the path.',
    field: `${at}/tenant_id`,
  });

const otherPayload = (at: string): Problem =>
  problem('unverifiable', 'payload_hash: it is not the SHA-256 of the canonical payload', {
    fix: 'Send the envelope exactly as it was signed.',
    field: `${at}/payload_hash`,
  });
