-- Up Migration

-- Reported captures, once per merchant and name.
CREATE TABLE captures (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  capture_id text NOT NULL,
  order_id text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  decision_id text,
  confirmed_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, capture_id)
);
SELECT arbiter_declare('captures', 'projection');
CREATE INDEX captures_by_order ON captures (tenant_id, merchant_id, order_id);

-- What one order's money did. Refunds that were allowed count as done.
CREATE TABLE order_money (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  currency text NOT NULL,
  captured_minor numeric(20, 0) NOT NULL CHECK (captured_minor > 0),
  refunded_minor numeric(20, 0) NOT NULL CHECK (refunded_minor >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, order_id),
  CONSTRAINT refunds_never_exceed_captures CHECK (refunded_minor <= captured_minor)
);
SELECT arbiter_declare('order_money', 'projection');

-- Confirmed gross per merchant, currency and UTC day. Sums are wider than any single amount.
CREATE TABLE merchant_day_money (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  currency text NOT NULL,
  day text NOT NULL CHECK (day ~ '^\d{4}-\d{2}-\d{2}$'),
  confirmed_minor numeric(38, 0) NOT NULL CHECK (confirmed_minor > 0),
  away_minor numeric(38, 0) NOT NULL CHECK (away_minor BETWEEN 0 AND confirmed_minor),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, currency, day)
);
SELECT arbiter_declare('merchant_day_money', 'projection');

-- What was spent under one passport or intent, in one currency.
CREATE TABLE authority_spend (
  tenant_id text NOT NULL,
  authority_kind text NOT NULL CHECK (authority_kind IN ('passport', 'intent')),
  authority_ref text NOT NULL,
  currency text NOT NULL,
  spent_minor numeric(38, 0) NOT NULL CHECK (spent_minor > 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, authority_kind, authority_ref, currency)
);
SELECT arbiter_declare('authority_spend', 'projection');
