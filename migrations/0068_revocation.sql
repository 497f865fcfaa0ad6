-- Up Migration

-- The least version of a status list that may still be believed: what was signed before a revoke answered is no copy any
-- more, on any replica (decisions 4.3).
CREATE TABLE status_floors (
  tenant_id text NOT NULL,
  list_uri text NOT NULL,
  min_version bigint NOT NULL CHECK (min_version >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, list_uri)
);
SELECT arbiter_declare('status_floors', 'projection');

-- INVARIANT: a floor only grows.
CREATE FUNCTION arbiter_floor_only_grows() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.min_version < OLD.min_version OR (NEW.tenant_id, NEW.list_uri) <> (OLD.tenant_id, OLD.list_uri) THEN
    RAISE EXCEPTION 'the floor of % only grows', OLD.list_uri
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER status_floors_grow BEFORE UPDATE ON status_floors
  FOR EACH ROW EXECUTE FUNCTION arbiter_floor_only_grows();

-- Revocation records of the authority that were verified here. The record is the document named by record_sha256.
CREATE TABLE revocation_observations (
  tenant_id text NOT NULL,
  revocation_id text NOT NULL,
  subject_kind text NOT NULL
    CHECK (subject_kind IN ('artifact', 'mandate', 'consent', 'passport', 'registration', 'slot')),
  subject_id text,
  artifact_type text,
  list_uri text NOT NULL,
  slot_index bigint NOT NULL CHECK (slot_index >= 0),
  list_version bigint NOT NULL CHECK (list_version >= 0),
  status text NOT NULL CHECK (status IN ('valid', 'revoked', 'suspended')),
  reason_code text NOT NULL,
  revoked_by text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('direct', 'cascade')),
  root_revocation_id text,
  root_subject_id text,
  position bigint NOT NULL CHECK (position >= 0),
  effective_at_ms bigint NOT NULL,
  record_sha256 text NOT NULL CHECK (record_sha256 ~ '^[0-9a-f]{64}$'),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, revocation_id),
  CONSTRAINT revocation_observations_cause CHECK ((cause = 'cascade') = (root_revocation_id IS NOT NULL))
);
SELECT arbiter_declare('revocation_observations', 'projection');
CREATE INDEX revocation_observations_by_root ON revocation_observations (tenant_id, root_revocation_id)
  WHERE root_revocation_id IS NOT NULL;

-- INVARIANT: a record is signed; nothing of it ever changes.
CREATE TRIGGER revocation_observations_final BEFORE UPDATE ON revocation_observations
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The version of its list at which a slot changed last: of two changes that are written down out of order the later stays.
ALTER TABLE status_slots ADD COLUMN changed_version bigint;
