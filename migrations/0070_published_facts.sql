-- Up Migration

-- Which state of the merchant's record an artifact was made from; part of its lineage.
ALTER TABLE artifacts ADD COLUMN source_revision text;

-- The fact that stands for each published subject: of a product its catalogue entry, of a variant its price and its
-- stock, of the merchant itself policy and protocol. One row per subject, whatever its slot was before.
CREATE TABLE fact_lineages (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  artifact_type text NOT NULL CONSTRAINT fact_lineages_type
    CHECK (artifact_type IN ('catalog_snapshot', 'price', 'inventory', 'policy', 'protocol_adapter')),
  subject text NOT NULL,
  revision bigint NOT NULL CONSTRAINT fact_lineages_revision CHECK (revision >= 0),
  list_uri text NOT NULL,
  slot_index bigint NOT NULL,
  artifact_id text NOT NULL,
  issued_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  quantity bigint CONSTRAINT fact_lineages_quantity CHECK (quantity >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, artifact_type, subject),
  CONSTRAINT fact_lineages_artifact FOREIGN KEY (tenant_id, artifact_id)
    REFERENCES artifacts (tenant_id, artifact_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT fact_lineages_slot FOREIGN KEY (tenant_id, list_uri, slot_index)
    REFERENCES status_slots (tenant_id, list_uri, slot_index) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT fact_lineages_own_slot UNIQUE (tenant_id, list_uri, slot_index),
  CONSTRAINT fact_lineages_life CHECK (expires_at_ms > issued_at_ms),
  CONSTRAINT fact_lineages_counted CHECK ((quantity IS NOT NULL) = (artifact_type = 'inventory'))
);
SELECT arbiter_declare('fact_lineages', 'projection');

-- INVARIANT: a renewal keeps the slot and moves on in time; another slot needs a new revision.
CREATE FUNCTION arbiter_lineage_goes_on() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.revision < OLD.revision OR NEW.issued_at_ms < OLD.issued_at_ms
    OR (NEW.revision = OLD.revision) <> ((NEW.list_uri, NEW.slot_index) = (OLD.list_uri, OLD.slot_index)) THEN
    RAISE EXCEPTION 'a renewed fact keeps its slot, and only a new revision has another'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER fact_lineages_go_on BEFORE UPDATE ON fact_lineages
  FOR EACH ROW EXECUTE FUNCTION arbiter_lineage_goes_on();
