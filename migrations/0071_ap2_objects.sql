-- AP2 objects that are held, each under the authority's registration of it (decisions 3.9). Object and registration are
-- documents; the status stands at the registration's place.
CREATE TABLE ap2_objects (
  tenant_id text NOT NULL,
  object_sha256 text NOT NULL CHECK (object_sha256 ~ '^[0-9a-f]{64}$'),
  registration_id text NOT NULL,
  family text NOT NULL CHECK (family IN ('checkout', 'payment', 'purchase')),
  is_open boolean NOT NULL,
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  root_key_id text NOT NULL,
  document_sha256 text NOT NULL CHECK (document_sha256 ~ '^[0-9a-f]{64}$'),
  registration_sha256 text NOT NULL CHECK (registration_sha256 ~ '^[0-9a-f]{64}$'),
  parent_id text CONSTRAINT ap2_objects_no_own_parent CHECK (parent_id <> registration_id),
  agent_id text NOT NULL,
  buyer_commitment text NOT NULL CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  issued_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL CONSTRAINT ap2_objects_life CHECK (expires_at_ms > issued_at_ms),
  list_uri text NOT NULL,
  slot_index bigint NOT NULL CHECK (slot_index >= 0),
  registered_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, object_sha256),
  -- INVARIANT: one registration is for one object.
  CONSTRAINT ap2_objects_registration_once UNIQUE (tenant_id, registration_id)
);
SELECT arbiter_declare('ap2_objects', 'projection');

-- For roots that name no issuer.
CREATE INDEX issuer_keys_by_kid ON issuer_keys (tenant_id, kid);
