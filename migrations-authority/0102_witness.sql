-- Up Migration

-- Logs that this authority witnesses, one of a tenant, with the newest checkpoint it cosigned: size 0 and no note, as
-- long as it cosigned none. `witnessed_heads`, of the protocol before this one, stays for ledgers that speak of it.
CREATE TABLE witnessed_logs (
  tenant_id text PRIMARY KEY,
  origin text NOT NULL,
  origin_sha256 text NOT NULL CHECK (origin_sha256 ~ '^[0-9a-f]{64}$'),
  vkeys text NOT NULL,
  size bigint NOT NULL CHECK (size BETWEEN 0 AND 9007199254740991),
  root text NOT NULL CHECK (root ~ '^[0-9a-f]{64}$'),
  note text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL
);
SELECT arbiter_declare('witnessed_logs', 'projection');

-- INVARIANT: an origin is one log, whichever tenants and services there are: two would be two histories under one name.
CREATE UNIQUE INDEX witnessed_logs_origin ON witnessed_logs (origin_sha256);

-- INVARIANT: a witness never goes back and never signs two trees of one size, and a log keeps its name.
CREATE FUNCTION authority_log_advances() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.origin <> OLD.origin OR NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
    OR (OLD.note IS NOT NULL AND NEW.note IS NULL) THEN
    RAISE EXCEPTION 'the witnessed log % only advances', OLD.origin
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER witnessed_logs_advance BEFORE UPDATE ON witnessed_logs
  FOR EACH ROW EXECUTE FUNCTION authority_log_advances();
