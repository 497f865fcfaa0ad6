-- Up Migration

-- The searchable part of each decision. Facts, counters and trace stand in the entry at entry_seq.
CREATE TABLE decisions (
  tenant_id text NOT NULL,
  decision_id text NOT NULL CHECK (decision_id ~ '^arbdec_[0-9a-f]{12}$'),
  flow text NOT NULL CHECK (flow IN ('agent_payment', 'handoff', 'refund')),
  merchant_id text NOT NULL,
  agent_id text,
  order_id text,
  outcome text NOT NULL CHECK (outcome IN ('allow', 'refuse')),
  failing_rule text,
  reason text,
  dry_run boolean NOT NULL,
  usable boolean NOT NULL,
  currency text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL,
  decided_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, decision_id),
  -- A refusal names rule and reason, an allow names neither; a refusal is never usable.
  CHECK ((outcome = 'refuse') = (failing_rule IS NOT NULL)),
  CHECK ((outcome = 'refuse') = (reason IS NOT NULL)),
  CHECK (outcome = 'allow' OR NOT usable),
  CHECK (NOT (dry_run AND usable)),
  CHECK ((flow = 'refund') = (order_id IS NOT NULL))
);
SELECT arbiter_declare('decisions', 'projection');

-- Search walks these backwards; every cursor is a sequence number.
CREATE UNIQUE INDEX decisions_by_seq ON decisions (tenant_id, entry_seq);
CREATE INDEX decisions_by_merchant ON decisions (tenant_id, merchant_id, entry_seq);
CREATE INDEX decisions_by_agent ON decisions (tenant_id, agent_id, entry_seq);

-- A decision is final (facts/arbiter.md K3): deleting is refused for every projection, changing for this one.
CREATE FUNCTION arbiter_decision_is_final() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION 'decision % is final', OLD.decision_id
    USING ERRCODE = 'integrity_constraint_violation';
END
$body$;
CREATE TRIGGER decisions_final BEFORE UPDATE ON decisions
  FOR EACH ROW EXECUTE FUNCTION arbiter_decision_is_final();
