-- Up Migration

-- The merchant's choice: from which entry on its refusals are copied; null = not at all (facts/arbiter.md K1).
ALTER TABLE merchants ADD COLUMN review_copy_since_seq bigint;

-- Copies of refusals for people to look at, made after the decision is durable. Never folded, never read by a decision.
CREATE TABLE review_queue (
  tenant_id text NOT NULL,
  decision_id text NOT NULL,
  merchant_id text NOT NULL,
  flow text NOT NULL,
  agent_id text,
  order_id text,
  failing_rule text NOT NULL,
  reason text NOT NULL,
  currency text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL,
  decided_at_ms bigint NOT NULL,
  decision_seq bigint NOT NULL,
  copied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, decision_id)
);
SELECT arbiter_declare('review_queue', 'operational');
CREATE INDEX review_queue_by_seq ON review_queue (tenant_id, decision_seq DESC);

-- How far each tenant's ledger was followed. Moving back is harmless: a refusal is copied once.
CREATE TABLE review_cursors (
  tenant_id text PRIMARY KEY,
  followed_seq bigint NOT NULL
);
SELECT arbiter_declare('review_cursors', 'operational');

-- What the worker walks: refusals alone, in the order of the ledger.
CREATE INDEX decisions_refused ON decisions (tenant_id, entry_seq) WHERE outcome = 'refuse';
CREATE INDEX merchants_review_copy ON merchants (tenant_id) WHERE review_copy_since_seq IS NOT NULL;
