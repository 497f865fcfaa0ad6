-- Up Migration

-- The random salt under which a tenant's entries name buyers. Without the row nobody can try names against an entry.
CREATE TABLE subject_salts (
  tenant_id text PRIMARY KEY,
  salt bytea NOT NULL CHECK (length(salt) = 32)
);
SELECT arbiter_declare('subject_salts', 'operational');
CREATE TRIGGER subject_salts_kept BEFORE UPDATE ON subject_salts
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- Withdrawal proofs that were used, by the consent and the digest of their jti: each is used once.
CREATE TABLE withdrawal_proofs (
  tenant_id text NOT NULL,
  consent_id text NOT NULL,
  proof_id_sha256 text NOT NULL CHECK (proof_id_sha256 ~ '^[0-9a-f]{64}$'),
  proof_sha256 text NOT NULL CHECK (proof_sha256 ~ '^[0-9a-f]{64}$'),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, consent_id, proof_id_sha256)
);
SELECT arbiter_declare('withdrawal_proofs', 'projection');
CREATE TRIGGER withdrawal_proofs_immutable BEFORE UPDATE ON withdrawal_proofs
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();
