-- Up Migration

-- A mandate or block of the bank: the newest report of its state, and what was started under it since (ADR 0012).
CREATE TABLE debit_mandates (
  tenant_id text NOT NULL,
  mandate_ref text NOT NULL,
  report_version bigint NOT NULL CHECK (report_version >= 0),
  rail text,
  mandate text,
  attempts_this_cycle bigint NOT NULL CHECK (attempts_this_cycle >= 0),
  payee_debited_minor numeric(20, 0) NOT NULL CHECK (payee_debited_minor >= 0),
  underway_minor numeric(20, 0) NOT NULL CHECK (underway_minor >= 0),
  last_used_at_ms bigint,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, mandate_ref),
  CHECK ((mandate IS NULL) = (rail IS NULL))
);

-- What was reported before this table stands in the entries.
INSERT INTO debit_mandates (tenant_id, mandate_ref, report_version, rail, mandate, attempts_this_cycle,
    payee_debited_minor, underway_minor, last_used_at_ms, entry_seq, tx_id)
  SELECT c.tenant_id, c.subject_ref, c.version, e.body::json #>> '{data,rail}', e.body::json #>> '{data,mandate}',
      0, 0, 0, NULL::bigint, c.entry_seq, c.tx_id
    FROM current_rail_reports AS c
    JOIN entries AS e ON e.tenant_id = c.tenant_id AND e.seq = c.entry_seq
    WHERE c.kind = 'payment_mandate';

SELECT arbiter_declare('debit_mandates', 'projection');

-- INVARIANT: what is started under a block never passes what the provider's newest report leaves of it.
CREATE FUNCTION arbiter_block_is_enough() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  block json := NEW.mandate::json;
BEGIN
  IF NEW.underway_minor > OLD.underway_minor AND block ->> 'blocked_minor' IS NOT NULL
    AND (block ->> 'debited_minor')::numeric + (block ->> 'reserved_minor')::numeric + NEW.underway_minor
      > (block ->> 'blocked_minor')::numeric THEN
    RAISE EXCEPTION 'the debits under % pass what is left of the block', NEW.mandate_ref
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER debit_mandates_block BEFORE UPDATE ON debit_mandates
  FOR EACH ROW EXECUTE FUNCTION arbiter_block_is_enough();

-- INVARIANT: one reported state of a mandate carries one debit. The primary key holds that alone.
CREATE TABLE debit_uses (
  tenant_id text NOT NULL,
  mandate_ref text NOT NULL,
  report_version bigint NOT NULL,
  decision_id text NOT NULL,
  used_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  CONSTRAINT debited_once_per_report PRIMARY KEY (tenant_id, mandate_ref, report_version),
  CONSTRAINT debit_used_an_allow FOREIGN KEY (tenant_id, decision_id)
    REFERENCES allow_uses (tenant_id, decision_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('debit_uses', 'projection');

-- Whose debit mandate it is, by the payment mandate that names it: what providers reported about it goes with the buyer.
CREATE TABLE debit_mandate_buyers (
  tenant_id text NOT NULL,
  umn text NOT NULL,
  buyer_commitment text NOT NULL CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, umn)
);
SELECT arbiter_declare('debit_mandate_buyers', 'projection');
CREATE INDEX debit_mandate_buyers_by_buyer ON debit_mandate_buyers (tenant_id, buyer_commitment);
CREATE INDEX rail_reports_by_mandate ON rail_reports (tenant_id, mandate_ref);
