import { err, ok, type Problem, type Result, type TenantId } from '../../core/kernel/index.js';
import { parseRevocationRecord, type UncheckedRecord } from '../../core/proofs/index.js';
import {
  type IssuerKey,
  issuerKeyIdOf,
  type IssuerKeys,
  keyStateFault,
  type SignatureChecker,
} from '../peers/index.js';
import { unavailable, unreadable } from './authority-http.js';
import type { VerifiedRecord } from './contract.js';

export interface RecordTrust {
  readonly origin: string;
  readonly issuerKeys: Pick<IssuerKeys, 'find'>;
  readonly checker: SignatureChecker;
  /** For an unknown kid: enters what the authority publishes by now. */
  readonly refreshKeys: (tenantId: TenantId) => Promise<Result<null, Problem>>;
}

/**
 * Verifies revocation records of the authority: form, issuer, tenant, a list of its own, a key with the role `revocation`
 * that counts at the time of the record, signature. All or nothing; what does not verify is `unavailable`, because the
 * authority may have acted and the same call again tells.
 */
export async function verifyRecords(
  trust: RecordTrust,
  tenantId: TenantId,
  records: readonly string[],
): Promise<Result<readonly VerifiedRecord[], Problem>> {
  const unchecked: { readonly jws: string; readonly record: UncheckedRecord }[] = [];
  for (const jws of records) {
    const parsed = parseRevocationRecord(jws);
    if (!parsed.ok) return err(unreadable);
    const { issuer, tenantId: about, slot } = parsed.value.claims;
    const isOwn =
      issuer === trust.origin &&
      about === tenantId &&
      slot.uri.startsWith(`${trust.origin}/status/${tenantId}/`);
    if (!isOwn) return err(unreadable);
    unchecked.push({ jws, record: parsed.value });
  }
  const kids = [...new Set(unchecked.map(({ record }) => record.kid))];
  const keys = await keysOf(trust, tenantId, kids);
  if (keys === null) return err(unavailable('the keys of its records could not be looked up'));
  const verified: VerifiedRecord[] = [];
  for (const { jws, record } of unchecked) {
    const key = keys.get(record.kid);
    if (key === undefined || !(await counts(trust, { tenantId, key, record })))
      return err(unavailable('a revocation record of its does not verify'));
    verified.push(verifiedOf(jws, record));
  }
  return ok(verified);
}

function verifiedOf(jws: string, { kid, claims }: UncheckedRecord): VerifiedRecord {
  const { revocationId, slot, listVersion, status, reasonCode, subjectId, subjectKind } = claims;
  const { artifactType, effectiveAtMs, revokedBy, cause, rootRevocationId, rootSubjectId } = claims;
  return {
    ...{ jws, kid, revocationId, slot, listVersion, status, reasonCode, subjectId, subjectKind },
    ...{ artifactType, effectiveAtMs, revokedBy, cause, rootRevocationId, rootSubjectId },
  };
}

async function keysOf(
  trust: RecordTrust,
  tenantId: TenantId,
  kids: readonly string[],
): Promise<ReadonlyMap<string, IssuerKey> | null> {
  const find = async () => {
    const ids = kids.map((kid) => issuerKeyIdOf(trust.origin, kid));
    const found = await trust.issuerKeys.find(tenantId, ids);
    return new Map([...found.values()].map((key) => [key.kid, key]));
  };
  try {
    const known = await find();
    if (kids.every((kid) => known.has(kid))) return known;
    await trust.refreshKeys(tenantId);
    return await find();
  } catch {
    return null;
  }
}

async function counts(
  { checker }: RecordTrust,
  { tenantId, key, record }: { tenantId: TenantId; key: IssuerKey; record: UncheckedRecord },
): Promise<boolean> {
  const { issuedAtMs } = record.claims;
  const { header, signingInput, signature } = record.token;
  return (
    key.role === 'revocation' &&
    header.alg === key.key.alg &&
    keyStateFault(key, { issuedAtMs, knownSinceMs: null, atMs: issuedAtMs }) === null &&
    (await checker.isValid({ tenantId, key: key.key, signingInput, signature }))
  );
}
