-- Up Migration

-- Two more roles: who signs status lists, and who signs revocation records.
ALTER TABLE issuer_keys
  DROP CONSTRAINT issuer_keys_role_check,
  ADD CONSTRAINT issuer_keys_role CHECK (role IN (
    'fact_issuer', 'credential_issuer', 'agent_provider', 'passport', 'consent', 'psp_evidence', 'countersign',
    'status_list', 'revocation'));

-- Tenants that the trust authority knows, and up to which instant of their commerce time it was told. Only a clock of
-- the test world is told again: it stands still until it is moved. A lost row is told once more.
CREATE TABLE authority_clocks (
  tenant_id text PRIMARY KEY,
  told_at_ms bigint NOT NULL
);
SELECT arbiter_declare('authority_clocks', 'operational');
