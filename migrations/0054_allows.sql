-- Up Migration

-- Every allow, and what became of it. An allow of a refund is bound to its order and amount, the others to a cart.
CREATE TABLE allows (
  tenant_id text NOT NULL,
  decision_id text NOT NULL,
  flow text NOT NULL CHECK (flow IN ('agent_payment', 'handoff', 'refund')),
  merchant_id text NOT NULL,
  agent_id text,
  order_id text,
  cart_hash text CHECK (cart_hash ~ '^[0-9a-f]{64}$'),
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  decided_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL CHECK (expires_at_ms > decided_at_ms),
  countersignature_sha256 text CHECK (countersignature_sha256 ~ '^[0-9a-f]{64}$'),
  countersignature_issuer text,
  countersignature_kid text,
  countersignature_issued_at_ms bigint,
  countersignature_expires_at_ms bigint CHECK (countersignature_expires_at_ms <= expires_at_ms),
  countersigned_at_ms bigint CHECK (countersigned_at_ms <= expires_at_ms),
  used_at_ms bigint CHECK (used_at_ms <= expires_at_ms),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, decision_id),
  CHECK ((flow = 'refund') = (cart_hash IS NULL)),
  CHECK ((flow = 'refund') = (order_id IS NOT NULL)),
  CHECK (num_nulls(countersignature_sha256, countersignature_issuer, countersignature_kid,
    countersignature_issued_at_ms, countersignature_expires_at_ms, countersigned_at_ms) IN (0, 6))
);

-- Allows of before this table stand in the entries of their decisions.
INSERT INTO allows (tenant_id, decision_id, flow, merchant_id, agent_id, order_id, cart_hash, amount_minor, currency,
    decided_at_ms, expires_at_ms, entry_seq, tx_id)
  SELECT d.tenant_id, d.decision_id, d.flow, d.merchant_id, d.agent_id, d.order_id,
      e.body::json #>> '{data,allow,cart_hash}', d.amount_minor, d.currency, d.decided_at_ms,
      d.decided_at_ms + 600000, e.seq, e.tx_id
    FROM decisions AS d
    JOIN entries AS e ON e.tenant_id = d.tenant_id AND e.seq = d.entry_seq
    WHERE d.outcome = 'allow' AND NOT d.dry_run;

SELECT arbiter_declare('allows', 'projection');

-- INVARIANT: an allow is used one time, within its ten minutes. These two constraints hold that alone.
CREATE TABLE allow_uses (
  tenant_id text NOT NULL,
  decision_id text NOT NULL,
  reference text NOT NULL CHECK (reference ~ '^(pay|rfd)_[0-9a-f]{12}$'),
  provider text NOT NULL,
  order_id text NOT NULL,
  expires_at_ms bigint NOT NULL,
  used_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  CONSTRAINT allow_used_once PRIMARY KEY (tenant_id, decision_id),
  CONSTRAINT allow_used_in_time CHECK (used_at_ms <= expires_at_ms),
  CONSTRAINT allow_used_was_given FOREIGN KEY (tenant_id, decision_id)
    REFERENCES allows (tenant_id, decision_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('allow_uses', 'projection');

-- INVARIANT: a cart or payment mandate pays once.
CREATE TABLE mandate_uses (
  tenant_id text NOT NULL,
  mandate_ref text NOT NULL,
  decision_id text NOT NULL,
  used_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  CONSTRAINT mandate_used_once PRIMARY KEY (tenant_id, mandate_ref)
);
SELECT arbiter_declare('mandate_uses', 'projection');
