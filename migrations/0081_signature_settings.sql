-- Up Migration

-- What a tenant says about request signatures. No row, or null: what the deployment says. `allowed_agents`: canonical JSON
-- list of agent URLs; null = every agent whose key is found.
CREATE TABLE signature_settings (
  tenant_id text NOT NULL PRIMARY KEY,
  mode text CHECK (mode IN ('log', 'enforce')),
  allowed_agents text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL
);
SELECT arbiter_declare('signature_settings', 'projection');
