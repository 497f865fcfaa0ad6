-- Up Migration

-- The ledger and its guards. Every table of the house declares one of four classes (decisions 1.7, 2.7):
--   ledger       entries and heads: only the writer of base/ledger writes them;
--   projection   a fold of entries: each row names the entry that wrote it, and that entry is of the same transaction;
--   document     bytes by SHA-256, erasable; the entry holds the digest;
--   operational  never folded: idempotency records, nonces, caches, jobs.
-- With a single-owner DATABASE_URL these triggers guard against mistakes, not against the owner.

CREATE FUNCTION arbiter_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION '% of % is refused: it is only ever written by the ledger', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END
$body$;

-- INVARIANT: tx_id is the transaction that wrote the row, whatever the statement said.
CREATE FUNCTION arbiter_stamp_transaction() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  NEW.tx_id := pg_current_xact_id();
  RETURN NEW;
END
$body$;

-- The one clock of the writer. It is read by a statement of its own after the head locks are held (ADR 0002).
CREATE FUNCTION arbiter_clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $body$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$body$;

-- `body` is the exact canonical text; every other column but the seal is an index and is derived from it again.
CREATE TABLE entries (
  tenant_id text NOT NULL,
  seq bigint NOT NULL CHECK (seq >= 0),
  entry_id text NOT NULL,
  tx_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type text NOT NULL,
  at_ms bigint NOT NULL,
  body text NOT NULL,
  kid text CHECK (kid ~ '^[A-Za-z0-9._-]{1,64}$'),
  prev text CHECK (prev ~ '^[0-9a-f]{64}$'),
  mac text CHECK (mac ~ '^[0-9a-f]{64}$'),
  link text CHECK (link ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (tenant_id, seq),
  CONSTRAINT entries_transaction UNIQUE (tenant_id, seq, tx_id),
  CONSTRAINT entries_id UNIQUE (tenant_id, entry_id),
  CONSTRAINT entries_sealed_whole CHECK (num_nulls(kid, prev, mac, link) IN (0, 4))
);

-- INVARIANT: seq has no gap. Duplicates are refused by the primary key, gaps here, once per statement.
-- WHY a loop: as one query with NOT EXISTS the planner hashes all entries, and each batch costs as much as the ledger is long.
CREATE FUNCTION arbiter_refuse_gap() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  run record;
BEGIN
  FOR run IN
    SELECT tenant_id, min(seq) AS first_seq, max(seq) AS last_seq, count(*) AS entry_count
    FROM added GROUP BY tenant_id
  LOOP
    IF run.first_seq > 0 THEN
      PERFORM 1 FROM entries WHERE tenant_id = run.tenant_id AND seq = run.first_seq - 1;
    END IF;
    IF (run.first_seq > 0 AND NOT FOUND) OR run.last_seq - run.first_seq + 1 <> run.entry_count THEN
      RAISE EXCEPTION 'entries of a tenant are numbered without a gap'
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END
$body$;

CREATE TRIGGER entries_transaction BEFORE INSERT ON entries
  FOR EACH ROW EXECUTE FUNCTION arbiter_stamp_transaction();
CREATE TRIGGER entries_gapless AFTER INSERT ON entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse_gap();
CREATE TRIGGER entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The first and only lock of a business transaction (decisions 2.1). Before entry 0 last_seq is -1 and world is null.
CREATE TABLE heads (
  tenant_id text PRIMARY KEY,
  world text CHECK (world IN ('test', 'live')),
  last_seq bigint NOT NULL DEFAULT -1 CHECK (last_seq >= -1),
  last_at_ms bigint,
  last_link text,
  sealing_kid text,
  sealing_since_seq bigint,
  test_clock_at_ms bigint,
  id_seed text,
  CONSTRAINT heads_opened CHECK ((last_seq = -1) = (world IS NULL) AND (last_seq = -1) = (last_at_ms IS NULL)),
  CONSTRAINT heads_sealing CHECK ((sealing_kid IS NULL) = (sealing_since_seq IS NULL)),
  CONSTRAINT heads_test_clock CHECK (test_clock_at_ms IS NULL OR world = 'test')
) WITH (fillfactor = 50);

-- INVARIANT: a head only moves forward, and a tenant never changes its world (decisions 1.1).
CREATE FUNCTION arbiter_head_moves_forward() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.tenant_id <> OLD.tenant_id OR NEW.last_seq < OLD.last_seq OR NEW.last_at_ms < OLD.last_at_ms
    OR NEW.world <> OLD.world OR (NEW.world IS NULL AND OLD.world IS NOT NULL) THEN
    RAISE EXCEPTION 'the head of % only moves forward', OLD.tenant_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;

CREATE TRIGGER heads_forward BEFORE UPDATE ON heads
  FOR EACH ROW EXECUTE FUNCTION arbiter_head_moves_forward();
CREATE TRIGGER heads_kept BEFORE DELETE OR TRUNCATE ON heads
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- One row per answered Idempotency-Key, written in the batch of its entries (decisions 2.10). Retention runs on real time.
CREATE TABLE idempotency_keys (
  tenant_id text NOT NULL,
  scope_sha256 bytea NOT NULL CHECK (length(scope_sha256) = 32),
  key_sha256 bytea NOT NULL CHECK (length(key_sha256) = 32),
  request_hash text NOT NULL,
  first_seq bigint NOT NULL,
  entry_count bigint NOT NULL CHECK (entry_count >= 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, scope_sha256, key_sha256)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Erased = bytes is null; the row stays, so that the digest in the ledger still finds what it meant.
CREATE TABLE documents (
  tenant_id text NOT NULL,
  sha256 text NOT NULL,
  media_type text NOT NULL,
  bytes bytea,
  erasable boolean NOT NULL,
  PRIMARY KEY (tenant_id, sha256),
  CONSTRAINT documents_digest CHECK (bytes IS NULL OR sha256 = encode(sha256(bytes), 'hex')),
  CONSTRAINT documents_erasure CHECK (bytes IS NOT NULL OR erasable)
);

-- Declares the class of a table, and for a projection adds the proof that its rows come from entries:
-- each row carries (tenant_id, entry_seq, tx_id) of an entry, tx_id is always the writing transaction, so the entry is
-- of the same transaction. Checked at COMMIT, so that entries and rows may be written in any order (decisions 2.7).
CREATE FUNCTION arbiter_declare(table_name regclass, class text) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  bare_name text := (SELECT relname FROM pg_class WHERE oid = table_name);
BEGIN
  IF class NOT IN ('ledger', 'projection', 'document', 'operational') THEN
    RAISE EXCEPTION 'a table is ledger, projection, document or operational, not %', class;
  END IF;
  EXECUTE format('COMMENT ON TABLE %s IS %L', table_name, 'class: ' || class);
  IF class <> 'projection' THEN
    RETURN;
  END IF;
  EXECUTE format(
    'ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (tenant_id, entry_seq, tx_id)
       REFERENCES entries (tenant_id, seq, tx_id) DEFERRABLE INITIALLY DEFERRED',
    table_name, bare_name || '_from_entry');
  EXECUTE format(
    'CREATE TRIGGER %I BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION arbiter_stamp_transaction()',
    bare_name || '_transaction', table_name);
  EXECUTE format(
    'CREATE TRIGGER %I BEFORE DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse()',
    bare_name || '_kept', table_name);
END
$body$;

SELECT arbiter_declare('entries', 'ledger');
SELECT arbiter_declare('heads', 'ledger');
SELECT arbiter_declare('idempotency_keys', 'operational');
SELECT arbiter_declare('documents', 'document');
