import { expect, it } from 'vitest';
import { parseRevocationRecord } from './revocation-record.js';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const recordOf = (claims: object, header: object = {}): string =>
  [
    encode({ alg: 'EdDSA', kid: 'k1', typ: 'fact-revocation+jwt', ...header }),
    encode(claims),
    Buffer.alloc(64, 1).toString('base64url'),
  ].join('.');

const claims = {
  iss: 'https://0123456789abcdef.authority.internal',
  iat: 1_796_000_000,
  jti: 'rev_1',
  tenant_id: 'tnt_1',
  subject_id: 'price-1',
  subject_kind: 'artifact',
  artifact_type: 'price',
  uri: 'https://0123456789abcdef.authority.internal/status/tnt_1/1',
  idx: 7,
  version: 3,
  status: 'revoked',
  reason_code: 'recall',
  effective_at: '2026-11-30T09:30:00.123Z',
  revoked_by: 'merchant',
  cause: 'direct',
  root_revocation_id: null,
  root_subject_id: null,
};

it('reads a record', () => {
  const parsed = parseRevocationRecord(recordOf(claims));
  expect(parsed.ok && parsed.value.claims).toEqual({
    issuer: claims.iss,
    issuedAtMs: 1_796_000_000_000,
    revocationId: 'rev_1',
    tenantId: 'tnt_1',
    subjectId: 'price-1',
    subjectKind: 'artifact',
    artifactType: 'price',
    slot: { uri: claims.uri, index: 7 },
    listVersion: 3,
    status: 'revoked',
    reasonCode: 'recall',
    effectiveAtMs: Date.parse(claims.effective_at),
    revokedBy: 'merchant',
    cause: 'direct',
    rootRevocationId: null,
    rootSubjectId: null,
  });
});

it.each([
  ['another typ', claims, { typ: 'jwt' }, 'header.typ'],
  ['no kid', claims, { kid: undefined }, 'header.kid'],
  ['a member nobody declared', { ...claims, until: 1 }, {}, 'until'],
  ['no list version', { ...claims, version: '3' }, {}, 'version'],
  ['another status', { ...claims, status: 'gone' }, {}, 'status'],
  ['a time without offset', { ...claims, effective_at: '2026-11-30T09:30:00' }, {}, 'effective_at'],
])('%s is no record', (_name, changed, header, member) => {
  const parsed = parseRevocationRecord(recordOf(changed, header));
  expect(parsed).toMatchObject({ ok: false, error: { check: 'shape', member } });
});
