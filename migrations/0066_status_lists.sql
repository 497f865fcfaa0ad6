-- Up Migration

-- The newest signed status list that was ever believed, for each list: an older one is a replay. It outlives the copy, its
-- expiry and every restart (facts/trust.md 2.2). Our own authority's lists are ordered by version, others' by iat.
CREATE TABLE status_marks (
  tenant_id text NOT NULL,
  list_uri text NOT NULL,
  version bigint CHECK (version >= 0),
  issued_at_ms bigint NOT NULL CHECK (issued_at_ms >= 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  kid text NOT NULL,
  PRIMARY KEY (tenant_id, list_uri)
);
SELECT arbiter_declare('status_marks', 'operational');

-- Lists of other authorities may be longer than our own.
ALTER TABLE status_slots DROP CONSTRAINT status_slots_slot_index_check;
ALTER TABLE status_slots ADD CONSTRAINT status_slots_slot_index_check CHECK (slot_index BETWEEN 0 AND 8388607);
