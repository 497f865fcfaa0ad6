-- Up Migration

-- What outsiders check a ledger with (ADR 0016). The tree is derived from sealed entries, which never change: `arbiter
-- rebuild --check` builds it again. Checkpoints and cosignatures are signed statements that left the house: they stand
-- forever. All times here are real time.

-- Name of this deployment's logs when none was given: drawn once. An origin is this name, a slash and the tenant.
CREATE TABLE ledger_log_name (
  is_the_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
  name text NOT NULL CHECK (name ~ '^[a-z0-9]([a-z0-9./-]{0,126}[a-z0-9])?$')
);
SELECT arbiter_declare('ledger_log_name', 'operational');
CREATE TRIGGER ledger_log_name_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_log_name
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The RFC 6962 tree over the links of a tenant's sealed entries, as a compact range. `peaks` are the hashes of its
-- complete subtrees, largest first, 32 bytes each; `next_seq` is the first entry that was not looked at yet. The row is the
-- lock of whoever extends the tree or signs a checkpoint. `broken_invariant`: what an own check found, until it finds it whole.
CREATE TABLE ledger_trees (
  tenant_id text PRIMARY KEY,
  origin text NOT NULL,
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  next_seq bigint NOT NULL DEFAULT 0,
  last_seq bigint NOT NULL DEFAULT -1,
  last_link text CHECK (last_link ~ '^[0-9a-f]{64}$'),
  peaks bytea NOT NULL DEFAULT '',
  broken_invariant text,
  CONSTRAINT ledger_trees_read CHECK (last_seq < next_seq AND size <= last_seq + 1),
  CONSTRAINT ledger_trees_empty CHECK ((size = 0) = (last_seq = -1) AND (size = 0) = (last_link IS NULL)),
  -- As many complete subtrees as the size has ones in binary.
  CONSTRAINT ledger_trees_peaks CHECK (octet_length(peaks) = 32 * length(replace(size::bit(64)::text, '0', '')))
);
SELECT arbiter_declare('ledger_trees', 'operational');

-- INVARIANT: a tree only grows, and its log keeps its name.
CREATE FUNCTION arbiter_tree_grows() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.tenant_id <> OLD.tenant_id OR NEW.origin <> OLD.origin OR NEW.size < OLD.size
    OR NEW.next_seq < OLD.next_seq OR NEW.last_seq < OLD.last_seq THEN
    RAISE EXCEPTION 'the tree of % only grows', OLD.tenant_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER ledger_trees_grow BEFORE UPDATE ON ledger_trees
  FOR EACH ROW EXECUTE FUNCTION arbiter_tree_grows();
CREATE TRIGGER ledger_trees_kept BEFORE DELETE OR TRUNCATE ON ledger_trees
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- Hashes of complete subtrees of 256, 65,536, ... leaves: a proof reads these and at most two times 256 links.
CREATE TABLE tree_nodes (
  tenant_id text NOT NULL,
  level bigint NOT NULL CHECK (level > 0 AND level % 8 = 0),
  node_index bigint NOT NULL CHECK (node_index >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tenant_id, level, node_index)
);
SELECT arbiter_declare('tree_nodes', 'operational');
CREATE TRIGGER tree_nodes_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON tree_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- Where sealed entries stand without a gap: leaf first_index + n is entry first_seq + n, up to the next run. One row for
-- each time sealing was switched on.
CREATE TABLE tree_runs (
  tenant_id text NOT NULL,
  first_index bigint NOT NULL CHECK (first_index >= 0),
  first_seq bigint NOT NULL,
  PRIMARY KEY (tenant_id, first_index),
  CONSTRAINT tree_runs_seq UNIQUE (tenant_id, first_seq),
  CONSTRAINT tree_runs_behind CHECK (first_seq >= first_index)
);
SELECT arbiter_declare('tree_runs', 'operational');
CREATE TRIGGER tree_runs_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON tree_runs
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- Signed tree heads. INVARIANT: one of a size, stored before anybody sees it; each extends the one before (checked by the
-- program under the tree's lock, and by every witness).
CREATE TABLE ledger_checkpoints (
  tenant_id text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  seq bigint NOT NULL,
  link text NOT NULL CHECK (link ~ '^[0-9a-f]{64}$'),
  root bytea NOT NULL CHECK (length(root) = 32),
  note_text text NOT NULL,
  log_signature_line text NOT NULL,
  log_kid text NOT NULL,
  made_at_ms bigint NOT NULL CHECK (made_at_ms >= 0),
  PRIMARY KEY (tenant_id, size),
  CONSTRAINT ledger_checkpoints_seq UNIQUE (tenant_id, seq),
  CONSTRAINT ledger_checkpoints_entry FOREIGN KEY (tenant_id, seq) REFERENCES entries (tenant_id, seq)
);
SELECT arbiter_declare('ledger_checkpoints', 'operational');
CREATE TRIGGER ledger_checkpoints_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- What witnesses signed, each verified before it was stored.
CREATE TABLE checkpoint_cosignatures (
  tenant_id text NOT NULL,
  size bigint NOT NULL,
  witness_name text NOT NULL,
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{8}$'),
  line text NOT NULL,
  cosigned_at_s bigint NOT NULL CHECK (cosigned_at_s > 0),
  PRIMARY KEY (tenant_id, size, witness_name, key_id),
  CONSTRAINT checkpoint_cosignatures_of FOREIGN KEY (tenant_id, size) REFERENCES ledger_checkpoints
);
SELECT arbiter_declare('checkpoint_cosignatures', 'operational');
CREATE TRIGGER checkpoint_cosignatures_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint_cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- How it stands with each witness of a tenant. `size`: the largest tree that it cosigned, so what it is told as the old
-- size; 0 = none yet. `failure`: why the last try came to nothing; `disagreement`: which invariant that breaks.
CREATE TABLE witness_states (
  tenant_id text NOT NULL,
  witness_name text NOT NULL,
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  last_cosigned_at_ms bigint,
  failing_since_ms bigint,
  failure_count bigint NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
  failure text,
  disagreement text,
  next_try_at_ms bigint NOT NULL DEFAULT 0,
  -- The keys of our log that it was told last.
  registered_vkeys text,
  PRIMARY KEY (tenant_id, witness_name),
  CONSTRAINT witness_states_cosigned CHECK ((size = 0) = (last_cosigned_at_ms IS NULL)),
  CONSTRAINT witness_states_failing CHECK (
    (failure_count = 0) = (failing_since_ms IS NULL) AND (failure_count = 0) = (failure IS NULL)),
  CONSTRAINT witness_states_disagreeing CHECK (disagreement IS NULL OR failure IS NOT NULL)
) WITH (fillfactor = 80);
SELECT arbiter_declare('witness_states', 'operational');
CREATE INDEX witness_states_disagreeing ON witness_states (disagreement) WHERE disagreement IS NOT NULL;
CREATE INDEX ledger_trees_broken ON ledger_trees (broken_invariant) WHERE broken_invariant IS NOT NULL;

-- When a tenant's next round is due, by real time. Whoever moves `due_at_ms` has the round. `settled_size`: of the newest
-- checkpoint that every witness cosigned.
CREATE TABLE witness_rounds (
  tenant_id text PRIMARY KEY,
  due_at_ms bigint NOT NULL,
  settled_size bigint
) WITH (fillfactor = 50);
SELECT arbiter_declare('witness_rounds', 'operational');

-- Every broken invariant that was ever seen, once. `witness_name` null = an invariant of our own.
CREATE TABLE ledger_alarms (
  tenant_id text NOT NULL,
  alarm_id text NOT NULL,
  invariant text NOT NULL,
  witness_name text,
  detail text NOT NULL,
  raised_at_ms bigint NOT NULL,
  PRIMARY KEY (tenant_id, alarm_id)
);
SELECT arbiter_declare('ledger_alarms', 'operational');
CREATE TRIGGER ledger_alarms_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_alarms
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The tenant's switch, folded from entries; no row = off.
CREATE TABLE ledger_witnessing (
  tenant_id text NOT NULL,
  is_on boolean NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id)
);
SELECT arbiter_declare('ledger_witnessing', 'projection');
