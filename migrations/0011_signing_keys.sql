-- Up Migration

-- Public parts and times of signing keys, folded from entries (decisions 5.1).
CREATE TABLE signing_keys (
  tenant_id text NOT NULL,
  kid text NOT NULL,
  purpose text NOT NULL,
  algorithm text NOT NULL,
  public_key text NOT NULL,
  created_at_ms bigint NOT NULL,
  ends_at_ms bigint,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, kid)
);
SELECT arbiter_declare('signing_keys', 'projection');

CREATE TABLE signing_keys_current (
  tenant_id text NOT NULL,
  purpose text NOT NULL,
  kid text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, purpose)
);
SELECT arbiter_declare('signing_keys_current', 'projection');

-- Private keys, wrapped (AES-256-GCM) under a key-encryption key that is not in this database.
CREATE TABLE signing_key_secrets (
  tenant_id text NOT NULL,
  kid text NOT NULL,
  purpose text NOT NULL,
  kek_id text NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (tenant_id, kid)
);
SELECT arbiter_declare('signing_key_secrets', 'operational');
-- The start of the service looks for keys under another key-encryption key.
CREATE INDEX signing_key_secrets_by_kek ON signing_key_secrets (kek_id);
