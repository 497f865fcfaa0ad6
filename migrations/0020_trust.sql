-- Up Migration

-- Keys of issuers that a tenant believes (decisions 3.10). One key per (issuer, kid): the id follows from both.
CREATE TABLE issuer_keys (
  tenant_id text NOT NULL,
  issuer_key_id text NOT NULL,
  issuer text NOT NULL,
  kid text NOT NULL,
  role text NOT NULL CHECK (role IN (
    'fact_issuer', 'credential_issuer', 'agent_provider', 'passport', 'consent', 'psp_evidence', 'countersign')),
  alg text NOT NULL CHECK (alg IN ('ES256', 'EdDSA')),
  jwk text NOT NULL,
  thumbprint text NOT NULL,
  types text NOT NULL,
  not_before_at_ms bigint NOT NULL,
  retired_at_ms bigint,
  compromised_since_at_ms bigint,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, issuer_key_id),
  CONSTRAINT issuer_keys_name UNIQUE (tenant_id, issuer, kid)
);
SELECT arbiter_declare('issuer_keys', 'projection');

-- Places on the tenant's status lists: 0 VALID, 1 INVALID, 2 SUSPENDED (decisions 4.1).
CREATE TABLE status_slots (
  tenant_id text NOT NULL,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL CHECK (slot_index BETWEEN 0 AND 131071),
  value bigint NOT NULL CHECK (value IN (0, 1, 2)),
  lineage text,
  merchant_ids text NOT NULL,
  changed_at_ms bigint,
  revocation_id text,
  reason_code text,
  subject_id text,
  root_subject_id text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, list_uri, slot_index),
  CONSTRAINT status_slots_change CHECK (num_nulls(changed_at_ms, revocation_id, reason_code) IN (0, 3)),
  CONSTRAINT status_slots_withdrawn CHECK (value = 0 OR changed_at_ms IS NOT NULL)
);
SELECT arbiter_declare('status_slots', 'projection');

-- INVARIANT: INVALID never changes again, and a slot never goes over to another lineage.
CREATE FUNCTION arbiter_slot_is_final() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF (OLD.value = 1 AND NEW.value <> 1) OR (OLD.lineage IS NOT NULL AND NEW.lineage IS DISTINCT FROM OLD.lineage) THEN
    RAISE EXCEPTION 'slot % of % is INVALID for ever, or belongs to another lineage', OLD.slot_index, OLD.list_uri
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER status_slots_final BEFORE UPDATE ON status_slots
  FOR EACH ROW EXECUTE FUNCTION arbiter_slot_is_final();

-- Signed merchant facts that were verified. The envelope is the document named by document_sha256.
CREATE TABLE artifacts (
  tenant_id text NOT NULL,
  artifact_id text NOT NULL,
  artifact_type text NOT NULL,
  merchant_id text NOT NULL,
  variant_id text,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  payload_hash text NOT NULL CHECK (payload_hash ~ '^[0-9a-f]{64}$'),
  document_sha256 text NOT NULL,
  issued_at_ms bigint NOT NULL,
  not_before_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL,
  registered_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, artifact_id),
  CONSTRAINT artifacts_life CHECK (expires_at_ms > issued_at_ms)
);
SELECT arbiter_declare('artifacts', 'projection');
CREATE INDEX artifacts_by_entry ON artifacts (tenant_id, entry_seq DESC);
CREATE INDEX artifacts_by_merchant ON artifacts (tenant_id, merchant_id, entry_seq DESC);

-- For each merchant, type and variant the newest artifact; variant_id is '' where the type names none.
CREATE TABLE current_artifacts (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  artifact_type text NOT NULL,
  variant_id text NOT NULL,
  artifact_id text NOT NULL,
  issued_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, artifact_type, variant_id)
);
SELECT arbiter_declare('current_artifacts', 'projection');

-- Mandates as trees. A cycle is impossible: a parent is registered before its child, and depth counts the levels.
CREATE TABLE mandates (
  tenant_id text NOT NULL,
  mandate_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('intent', 'cart', 'payment')),
  parent_id text,
  root_id text NOT NULL,
  depth bigint NOT NULL CHECK (depth BETWEEN 1 AND 64),
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  document_sha256 text NOT NULL,
  agent_id text NOT NULL,
  buyer_commitment text NOT NULL CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  merchant_ids text NOT NULL,
  cart_hash text,
  cap_minor numeric(20, 0) NOT NULL CHECK (cap_minor >= 0),
  currency text NOT NULL,
  buyer_key_bound boolean NOT NULL,
  issued_at_ms bigint NOT NULL,
  not_before_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL,
  registered_at_ms bigint NOT NULL,
  child_count bigint NOT NULL CHECK (child_count >= 0),
  tree_size bigint NOT NULL CHECK (tree_size >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, mandate_id),
  CONSTRAINT mandates_parent FOREIGN KEY (tenant_id, parent_id)
    REFERENCES mandates (tenant_id, mandate_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT mandates_root CHECK ((parent_id IS NULL) = (depth = 1) AND (parent_id IS NULL) = (root_id = mandate_id)),
  CONSTRAINT mandates_no_own_parent CHECK (parent_id IS NULL OR parent_id <> mandate_id)
);
SELECT arbiter_declare('mandates', 'projection');
CREATE INDEX mandates_by_parent ON mandates (tenant_id, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE consents (
  tenant_id text NOT NULL,
  consent_id text NOT NULL,
  merchant_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('granted', 'denied')),
  scopes text NOT NULL,
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  document_sha256 text NOT NULL,
  agent_id text NOT NULL,
  buyer_commitment text NOT NULL CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  issued_at_ms bigint NOT NULL,
  not_before_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL,
  registered_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, consent_id)
);
SELECT arbiter_declare('consents', 'projection');

CREATE TABLE passports (
  tenant_id text NOT NULL,
  passport_id text NOT NULL,
  merchant_id text NOT NULL,
  passport_type text NOT NULL CHECK (passport_type IN ('browse', 'checkout')),
  consent_id text NOT NULL,
  scopes text NOT NULL,
  cap_minor numeric(20, 0) CHECK (cap_minor >= 0),
  currency text,
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  document_sha256 text NOT NULL,
  agent_id text NOT NULL,
  buyer_commitment text NOT NULL CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  issued_at_ms bigint NOT NULL,
  not_before_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL,
  registered_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, passport_id)
);
SELECT arbiter_declare('passports', 'projection');

-- One salt per tenant, known to nobody but this database (decisions 1.8).
CREATE TABLE buyer_salts (
  tenant_id text PRIMARY KEY,
  salt bytea NOT NULL CHECK (length(salt) = 32)
);
SELECT arbiter_declare('buyer_salts', 'operational');

-- Who a commitment stands for. Erasing a row leaves the commitment, and nobody who can read it.
CREATE TABLE buyer_references (
  tenant_id text NOT NULL,
  commitment text NOT NULL CHECK (commitment ~ '^[0-9a-f]{64}$'),
  buyer_ref text NOT NULL,
  PRIMARY KEY (tenant_id, commitment)
);
SELECT arbiter_declare('buyer_references', 'document');
