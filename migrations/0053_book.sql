-- Up Migration

-- Every payment that an allow was used for, and how far it came. Sums of it stand in the tables below.
CREATE TABLE payments (
  tenant_id text NOT NULL,
  payment_id text NOT NULL CHECK (payment_id ~ '^pay_[0-9a-f]{12}$'),
  decision_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('link', 'charge')),
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  provider text NOT NULL,
  started_at_ms bigint NOT NULL,
  started_seq bigint NOT NULL,
  buyer_away boolean NOT NULL,
  passport_ref text,
  intent_refs text NOT NULL,
  expires_at_ms bigint,
  stock_held text NOT NULL,
  state text NOT NULL
    CHECK (state IN ('issuing', 'open', 'lapsed', 'canceled', 'rejected', 'failed', 'paid')),
  was_issued boolean NOT NULL,
  provider_ref text,
  url text,
  due_at_ms bigint,
  captured_minor numeric(38, 0) NOT NULL CHECK (captured_minor >= 0),
  refunded_minor numeric(38, 0) NOT NULL CHECK (refunded_minor >= 0),
  review text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, payment_id),
  -- One allow makes one payment.
  CONSTRAINT payments_one_per_allow UNIQUE (tenant_id, decision_id),
  CONSTRAINT payments_paid_is_captured CHECK ((state = 'paid') = (captured_minor > 0)),
  CONSTRAINT payments_refunded_is_captured CHECK (refunded_minor <= captured_minor),
  CONSTRAINT payments_due_while_payable CHECK (due_at_ms IS NULL OR state IN ('issuing', 'open'))
);
SELECT arbiter_declare('payments', 'projection');
CREATE UNIQUE INDEX payments_by_start ON payments (tenant_id, started_seq);
CREATE INDEX payments_by_order ON payments (tenant_id, merchant_id, order_id);
CREATE INDEX payments_due ON payments (tenant_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
-- What a provider is asked about: links and charges whose answer is not known, and charges it took on.
CREATE INDEX payments_in_doubt ON payments (tenant_id, started_seq) WHERE state = 'issuing';
CREATE INDEX payments_charges_taken_on ON payments (tenant_id, started_seq) WHERE kind = 'charge' AND state = 'open';
-- An order is offered for payment once at a time, whatever a command thinks.
CREATE UNIQUE INDEX payments_one_payable_per_order ON payments (tenant_id, merchant_id, order_id)
  WHERE state IN ('issuing', 'open');

-- The payment that an order is offered for now.
CREATE TABLE order_payments (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  payable_payment_id text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, order_id)
);
SELECT arbiter_declare('order_payments', 'projection');

-- Payments that can be paid now, whatever day they were issued on. away_minor = the part whose buyer was away.
CREATE TABLE merchant_open_money (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  currency text NOT NULL,
  open_minor numeric(38, 0) NOT NULL,
  open_away_minor numeric(38, 0) NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, currency),
  -- So neither is ever negative.
  CONSTRAINT open_money_away_is_part CHECK (open_away_minor BETWEEN 0 AND open_minor)
);
SELECT arbiter_declare('merchant_open_money', 'projection');

-- closed_minor = payments issued on that day that are offered no more and may still be paid.
ALTER TABLE merchant_day_money
  ADD COLUMN closed_minor numeric(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN closed_away_minor numeric(38, 0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT day_money_closed_away_is_part CHECK (closed_away_minor BETWEEN 0 AND closed_minor),
  -- A day may have closed links only. That confirmed is not negative follows from its part away_minor.
  DROP CONSTRAINT merchant_day_money_confirmed_minor_check;

-- held_minor = payments that are neither confirmed nor definitely failed.
ALTER TABLE authority_spend
  ADD COLUMN held_minor numeric(38, 0) NOT NULL DEFAULT 0
    CONSTRAINT authority_held_not_negative CHECK (held_minor >= 0),
  DROP CONSTRAINT authority_spend_spent_minor_check,
  ADD CONSTRAINT authority_spent_not_negative CHECK (spent_minor >= 0);

-- Every refund that was allowed, and how far it came. order_money counts it unless it failed or lapsed.
CREATE TABLE refunds (
  tenant_id text NOT NULL,
  refund_id text NOT NULL CHECK (refund_id ~ '^rfd_[0-9a-f]{12}$'),
  decision_id text NOT NULL,
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  payment_id text,
  provider text,
  state text NOT NULL CHECK (state IN ('reserved', 'submitted', 'done', 'failed', 'lapsed')),
  provider_ref text,
  allowed_at_ms bigint NOT NULL,
  allowed_seq bigint NOT NULL,
  allow_expires_at_ms bigint,
  due_at_ms bigint,
  review text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, refund_id),
  CONSTRAINT refunds_one_per_allow UNIQUE (tenant_id, decision_id),
  CONSTRAINT refunds_due_while_reserved CHECK (due_at_ms IS NULL OR state = 'reserved')
);
-- Refunds that were allowed before there was this table. Their entries do not say when the allow ends, so they stay
-- reserved. Before the table is declared: from then on a row belongs to the transaction that writes it.
INSERT INTO refunds
  SELECT tenant_id, replace(data->>'decision_id', 'arbdec_', 'rfd_'), data->>'decision_id', data->>'merchant_id',
    data->>'order_id', (data->>'amount_minor')::numeric, data->>'currency', NULL, NULL, 'reserved', NULL, at_ms, seq,
    NULL, NULL, NULL, seq, tx_id
  FROM (SELECT tenant_id, seq, tx_id, at_ms, body::jsonb->'data' AS data FROM entries WHERE type = 'refund.allowed') AS e;
SELECT arbiter_declare('refunds', 'projection');
CREATE INDEX refunds_by_order ON refunds (tenant_id, merchant_id, order_id);
CREATE INDEX refunds_due ON refunds (tenant_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX refunds_in_doubt ON refunds (tenant_id, allowed_seq) WHERE state = 'submitted';
