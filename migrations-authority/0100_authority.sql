-- Up Migration

-- The trust authority: lists, slots, the tree of mandates, revocation records. All of it is folded from entries.

-- Which authority this database is. One row, of the system tenant.
CREATE TABLE authorities (
  tenant_id text PRIMARY KEY,
  origin text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL
);
SELECT arbiter_declare('authorities', 'projection');

CREATE TABLE authority_tenants (
  tenant_id text PRIMARY KEY,
  world text NOT NULL CHECK (world IN ('test', 'live')),
  service text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL
);
SELECT arbiter_declare('authority_tenants', 'projection');

-- INVARIANT: a tenant belongs to the service that registered it, in the world it was registered in.
CREATE FUNCTION authority_tenant_stays() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.world <> OLD.world OR NEW.service <> OLD.service THEN
    RAISE EXCEPTION 'the world and the service of % never change', OLD.tenant_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER authority_tenants_stay BEFORE UPDATE ON authority_tenants
  FOR EACH ROW EXECUTE FUNCTION authority_tenant_stays();

-- `spread` is the secret by which places are taken in an order that tells nobody how many there are.
CREATE TABLE status_lists (
  tenant_id text NOT NULL,
  list_number bigint NOT NULL CHECK (list_number > 0),
  version bigint NOT NULL CHECK (version > 0),
  reserved_count bigint NOT NULL CHECK (reserved_count BETWEEN 1 AND 131072),
  spread text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, list_number)
);
SELECT arbiter_declare('status_lists', 'projection');

-- INVARIANT: a list only grows, in its version and in the places that are taken.
CREATE FUNCTION authority_list_grows() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.version < OLD.version OR NEW.reserved_count < OLD.reserved_count OR NEW.spread <> OLD.spread THEN
    RAISE EXCEPTION 'list % of % only grows', OLD.list_number, OLD.tenant_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER status_lists_grow BEFORE UPDATE ON status_lists
  FOR EACH ROW EXECUTE FUNCTION authority_list_grows();

CREATE TABLE slots (
  tenant_id text NOT NULL,
  list_number bigint NOT NULL,
  slot_index bigint NOT NULL CHECK (slot_index BETWEEN 0 AND 131071),
  value bigint NOT NULL CHECK (value IN (0, 1, 2)),
  lineage text,
  subject_kind text,
  subject_id text,
  changed_at_ms bigint,
  revocation_id text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, list_number, slot_index),
  CONSTRAINT slots_subject CHECK (num_nulls(lineage, subject_kind, subject_id) IN (0, 3)),
  CONSTRAINT slots_change CHECK (num_nulls(changed_at_ms, revocation_id) IN (0, 2))
);
SELECT arbiter_declare('slots', 'projection');
-- A list is printed from what is not VALID; nearly everything is.
CREATE INDEX slots_not_valid ON slots (tenant_id, list_number, slot_index) WHERE value <> 0;

-- INVARIANT: INVALID is final, and a slot stays with the lineage it was bound to.
CREATE FUNCTION authority_slot_stays() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF (OLD.value = 1 AND (NEW.value <> 1 OR NEW.revocation_id <> OLD.revocation_id))
    OR (OLD.lineage IS NOT NULL AND NEW.lineage IS DISTINCT FROM OLD.lineage) THEN
    RAISE EXCEPTION 'INVALID is final and a lineage keeps its slot: % on list % of %',
      OLD.slot_index, OLD.list_number, OLD.tenant_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER slots_stay BEFORE UPDATE ON slots
  FOR EACH ROW EXECUTE FUNCTION authority_slot_stays();

-- What a slot stands for. `mandate` holds what children are measured by, `terms` whatever else its kind has.
-- tree_size counts at the root of a tree, child_count at the parent of a mandate and at the consent of passports.
CREATE TABLE objects (
  tenant_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('artifact', 'mandate', 'consent', 'passport', 'registration')),
  object_id text NOT NULL,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  lineage text NOT NULL,
  list_number bigint NOT NULL,
  slot_index bigint NOT NULL,
  merchant_ids text NOT NULL,
  artifact_type text,
  mandate text,
  terms text NOT NULL,
  parent_kind text,
  parent_id text,
  root_kind text,
  root_id text,
  depth bigint NOT NULL CHECK (depth BETWEEN 0 AND 64),
  child_count bigint NOT NULL CHECK (child_count >= 0),
  tree_size bigint NOT NULL CHECK (tree_size BETWEEN 0 AND 2000),
  consent_id text,
  expires_at_ms bigint,
  bound_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id),
  CONSTRAINT objects_artifact CHECK ((kind = 'artifact') = (artifact_type IS NOT NULL)),
  CONSTRAINT objects_tree CHECK ((kind IN ('mandate', 'registration')) = (root_id IS NOT NULL)),
  CONSTRAINT objects_parent CHECK ((parent_id IS NULL) = (parent_kind IS NULL))
);
SELECT arbiter_declare('objects', 'projection');
CREATE INDEX objects_by_root ON objects (tenant_id, root_kind, root_id) WHERE root_id IS NOT NULL;
CREATE INDEX objects_by_consent ON objects (tenant_id, consent_id) WHERE consent_id IS NOT NULL;

-- INVARIANT: what an object is never changes; only what is counted at it grows.
CREATE FUNCTION authority_object_stays() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF (NEW.sha256, NEW.lineage, NEW.list_number, NEW.slot_index) <> (OLD.sha256, OLD.lineage, OLD.list_number, OLD.slot_index)
    OR (NEW.parent_id, NEW.root_id, NEW.mandate, NEW.terms) IS DISTINCT FROM (OLD.parent_id, OLD.root_id, OLD.mandate, OLD.terms)
    OR NEW.child_count < OLD.child_count OR NEW.tree_size < OLD.tree_size THEN
    RAISE EXCEPTION 'the % % never changes', OLD.kind, OLD.object_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER objects_stay BEFORE UPDATE ON objects
  FOR EACH ROW EXECUTE FUNCTION authority_object_stays();

CREATE TABLE revocation_records (
  tenant_id text NOT NULL,
  revocation_id text NOT NULL,
  claims text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, revocation_id)
);
SELECT arbiter_declare('revocation_records', 'projection');
CREATE TRIGGER revocation_records_immutable BEFORE UPDATE ON revocation_records
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The signed form of a record as it was first handed out: the same bytes for ever, whichever key signs by then.
CREATE TABLE revocation_documents (
  tenant_id text NOT NULL,
  revocation_id text NOT NULL,
  jws text NOT NULL,
  PRIMARY KEY (tenant_id, revocation_id)
);
SELECT arbiter_declare('revocation_documents', 'operational');

-- The last head of each ledger that was witnessed.
CREATE TABLE witnessed_heads (
  tenant_id text NOT NULL,
  ledger_id text NOT NULL,
  seq bigint NOT NULL,
  link text NOT NULL CHECK (link ~ '^[0-9a-f]{64}$'),
  cosigned_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, ledger_id)
);
SELECT arbiter_declare('witnessed_heads', 'projection');

-- INVARIANT: a witness never goes back, and never signs two heads of one place.
CREATE FUNCTION authority_head_advances() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.seq < OLD.seq OR (NEW.seq = OLD.seq AND NEW.link <> OLD.link) THEN
    RAISE EXCEPTION 'the witnessed head of % only advances', OLD.ledger_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER witnessed_heads_advance BEFORE UPDATE ON witnessed_heads
  FOR EACH ROW EXECUTE FUNCTION authority_head_advances();

-- Tokens that the authority issued stand in `documents`; the column is the one that the arbiter's table has.
ALTER TABLE documents ADD COLUMN buyer_commitment text;
