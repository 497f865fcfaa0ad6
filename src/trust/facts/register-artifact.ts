import { err, invariant, ok, type Problem, problem } from '../../core/kernel/index.js';
import { type Artifact, fault, type ProofCheck, type ProofFault } from '../../core/proofs/index.js';
import { artifactFault } from '../../core/rules/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  dataOf,
  documentWrite,
  event,
} from '../../base/ledger/index.js';
import {
  type IssuerKey,
  issuerKeyIdOf,
  issuerKeyOf,
  issuerKeys,
  keyStateFault,
  unverifiable,
} from '../peers/index.js';
import { bindSlot, type SeenPlace, slotCell } from '../status/index.js';
import { artifactFactOf } from './artifact-fact.js';
import { artifactRegistered, type ArtifactRow, artifacts } from './artifacts.ledger.js';
import { lineageOf } from './lineage-of.js';

/**
 * The command that holds one artifact whose form, scope and signature were found good. Under the lock it judges again
 * what may have changed since: the issuer key's state, then times and freshness exactly as rule 5 would at this instant,
 * then the slot. Problems, in order: conflict `/artifact/artifact_id` (the id names another artifact), unverifiable.
 */
export function registerArtifact(
  context: CommandContext,
  artifact: Artifact,
  place: SeenPlace,
): Command<ArtifactRow> {
  const { tenantId } = context;
  const { sha256, write } = documentWrite(tenantId, {
    mediaType: 'application/json',
    bytes: Buffer.from(artifact.envelopeText, 'utf8'),
    erasable: false,
  });
  const issuerKeyId = issuerKeyIdOf(artifact.issuer, artifact.issuerKeyId);
  return {
    ...context,
    name: 'artifact.register',
    reads: [cell(issuerKeys, issuerKeyId), slotCell(artifact.status), cell(artifacts, artifact.id)],
    decide(view, { atMs }) {
      if (view.get(artifacts, [artifact.id]) !== undefined) return err(idTaken(artifact.id));
      const row = view.get(issuerKeys, [issuerKeyId]);
      invariant(row !== undefined, 'the key that verified the artifact is never removed');
      const outdated = timeFault(artifact, issuerKeyOf(row), atMs);
      if (outdated !== null) return err(unverifiable('/artifact', outdated));
      const bound = bindSlot(view, {
        slot: artifact.status,
        place,
        lineage: lineageOf(artifact),
        merchantIds: [artifact.merchantId],
      });
      if (!bound.ok) return err(unverifiable('/artifact', bound.error));
      const registered = event(artifactRegistered, registeredOf(artifact, sha256));
      return ok({ events: [...bound.value, registered], sideWrites: [write] });
    },
    answer(entries) {
      const data = dataOf(entries, artifactRegistered);
      const entry = entries.find(({ type }) => type === artifactRegistered.type);
      invariant(data !== null && entry !== undefined, 'registering records artifact.registered');
      return { ...data, registeredAtMs: entry.atMs };
    },
  };
}

const CHECK_OF_CODE: Readonly<Record<string, ProofCheck>> = {
  artifact_not_yet_valid: 'not_before',
  artifact_expired_or_stale: 'expiry',
  artifact_ttl_exceeds_default: 'expiry',
  artifact_missing_or_invalid: 'shape',
};
const MEMBER_OF_CODE: Readonly<Record<string, string>> = {
  artifact_not_yet_valid: 'not_before',
  artifact_expired_or_stale: 'expires_at',
  artifact_ttl_exceeds_default: 'expires_at',
  artifact_missing_or_invalid: 'payload',
  catalog_stale: 'source_observed_at',
  stale_inventory: 'source_observed_at',
};

function timeFault(artifact: Artifact, key: IssuerKey, atMs: number): ProofFault | null {
  const { issuedAtMs, status } = artifact;
  const state = keyStateFault(key, { issuedAtMs, knownSinceMs: null, atMs });
  if (state !== null) return state;
  // The slot is judged by bindSlot; here it stands for a list that was just read.
  const fresh = {
    verdict: 'valid' as const,
    listUri: status.uri,
    index: status.index,
    listIssuedAtMs: atMs,
    listVersion: null,
    fault: null,
  };
  const code = artifactFault(artifactFactOf(artifact, { verdict: 'valid', status: fresh }), atMs);
  if (code === null) return null;
  return fault(
    CHECK_OF_CODE[code] ?? 'freshness',
    MEMBER_OF_CODE[code] ?? null,
    `a purchase would be refused with ${code}:${artifact.type}`,
  );
}

const registeredOf = (artifact: Artifact, documentSha256: string) => ({
  artifactId: artifact.id,
  artifactType: artifact.type,
  merchantId: artifact.merchantId,
  variantId: artifact.variantId,
  subjectType: artifact.subjectType,
  subjectId: artifact.subjectId,
  sourceRevision: artifact.sourceRevision,
  issuer: artifact.issuer,
  issuerKid: artifact.issuerKeyId,
  payloadHash: artifact.statedPayloadHash,
  documentSha256,
  issuedAtMs: artifact.issuedAtMs,
  notBeforeAtMs: artifact.notBeforeAtMs,
  expiresAtMs: artifact.expiresAtMs,
  listUri: artifact.status.uri,
  slotIndex: artifact.status.index,
});

export const idTaken = (artifactId: string): Problem =>
  problem('conflict', `The id ${artifactId} names another artifact.`, {
    fix: 'Give every artifact an id of its own, a renewal too.',
    field: '/artifact/artifact_id',
  });
