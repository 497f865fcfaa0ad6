-- Up Migration

-- Every export of a ledger: what the file and a later part of it are named by. Folded from entries.
CREATE TABLE ledger_exports (
  tenant_id text NOT NULL,
  export_id text NOT NULL CHECK (export_id ~ '^exp_[0-9a-f]{32}$'),
  form text NOT NULL CHECK (form IN ('jsonl', 'json')),
  exported_at_ms bigint NOT NULL,
  exported_seq bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, export_id)
);
SELECT arbiter_declare('ledger_exports', 'projection');
CREATE UNIQUE INDEX ledger_exports_by_entry ON ledger_exports (tenant_id, exported_seq);
CREATE TRIGGER ledger_exports_final BEFORE UPDATE ON ledger_exports
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- What stands in an export's file before its rows, and with it how far the rows go. Written once, after the entry and
-- the checkpoint that the export made, so that every part that is asked for later is a part of the same file. Those of old
-- exports go.
CREATE TABLE ledger_export_fronts (
  tenant_id text NOT NULL,
  export_id text NOT NULL,
  front text NOT NULL,
  PRIMARY KEY (tenant_id, export_id),
  CONSTRAINT ledger_export_fronts_export FOREIGN KEY (tenant_id, export_id)
    REFERENCES ledger_exports (tenant_id, export_id)
);
SELECT arbiter_declare('ledger_export_fronts', 'operational');
CREATE TRIGGER ledger_export_fronts_final BEFORE UPDATE OR TRUNCATE ON ledger_export_fronts
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- The newest key that ever sealed entries of a tenant, and the largest number of a key named k1, k2, ...: a key of the
-- past never comes back. One row a tenant, none while nothing was ever sealed.
CREATE TABLE sealing_keys (
  tenant_id text NOT NULL PRIMARY KEY,
  newest_kid text NOT NULL,
  last_number bigint NOT NULL CHECK (last_number >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL
);

-- Where sealing changed: few entries, and every count of sealed entries follows from them.
CREATE INDEX entries_sealing ON entries (tenant_id, seq)
  WHERE type IN ('ledger.opened', 'ledger.sealing_switched');

-- Keys that sealed before this table stand in the entries.
WITH named AS (
  SELECT tenant_id, seq, tx_id,
      CASE type WHEN 'ledger.opened' THEN body::json #>> '{data,sealing,kid}' ELSE body::json #>> '{data,kid}' END AS kid
    FROM entries WHERE type IN ('ledger.opened', 'ledger.sealing_switched')
)
INSERT INTO sealing_keys (tenant_id, newest_kid, last_number, entry_seq, tx_id)
  SELECT DISTINCT ON (tenant_id) tenant_id, kid,
      coalesce(max(substring(kid FROM '^k([1-9][0-9]{0,8})$')::bigint) OVER (PARTITION BY tenant_id), 0), seq, tx_id
    FROM named WHERE kid IS NOT NULL
    ORDER BY tenant_id, seq DESC;
SELECT arbiter_declare('sealing_keys', 'projection');
