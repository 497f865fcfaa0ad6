-- Up Migration

-- The sandbox provider: a small payment provider inside the product, for tenants of the test world. These are the books
-- of another party, so they are operational: never folded, and the ledger learns of them only by answers and webhooks.
-- INVARIANT: a merchant reference is taken once per account for ever; `void` marks one that never will be (it was asked
-- for, was not there, and the asker was told so).
CREATE TABLE sandbox_payments (
  tenant_id text NOT NULL,
  reference text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('link', 'charge', 'void')),
  provider_ref text NOT NULL UNIQUE,
  token text UNIQUE,
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  description text,
  return_url text,
  expires_at_ms bigint,
  state text NOT NULL CHECK (state IN ('open', 'pending', 'expired', 'canceled', 'failed', 'paid', 'void')),
  -- What a pending charge turns into at the next sweep.
  settles_as text CHECK (settles_as IN ('paid', 'failed')),
  capture_id text,
  refunded_minor numeric(20, 0) NOT NULL DEFAULT 0,
  created_at_ms bigint NOT NULL DEFAULT arbiter_clock_ms(),
  PRIMARY KEY (tenant_id, reference),
  CONSTRAINT sandbox_payments_link CHECK ((kind = 'link') = (token IS NOT NULL) AND (kind = 'link') = (expires_at_ms IS NOT NULL)),
  CONSTRAINT sandbox_payments_void CHECK ((kind = 'void') = (state = 'void')),
  CONSTRAINT sandbox_payments_captured CHECK ((state = 'paid') = (capture_id IS NOT NULL)),
  CONSTRAINT sandbox_payments_pending CHECK ((state = 'pending') = (settles_as IS NOT NULL)),
  CONSTRAINT sandbox_refunds_within_captured CHECK (
    refunded_minor >= 0 AND refunded_minor <= CASE WHEN state = 'paid' THEN amount_minor ELSE 0 END)
);
SELECT arbiter_declare('sandbox_payments', 'operational');
CREATE INDEX sandbox_payments_expiring ON sandbox_payments (expires_at_ms) WHERE state = 'open';
CREATE INDEX sandbox_payments_pending ON sandbox_payments (tenant_id) WHERE state = 'pending';

CREATE TABLE sandbox_refunds (
  tenant_id text NOT NULL,
  reference text NOT NULL,
  provider_ref text NOT NULL UNIQUE,
  payment_reference text,
  amount_minor numeric(20, 0) NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'processed', 'failed', 'void')),
  settles_as text CHECK (settles_as IN ('processed', 'failed')),
  created_at_ms bigint NOT NULL DEFAULT arbiter_clock_ms(),
  PRIMARY KEY (tenant_id, reference),
  CONSTRAINT sandbox_refunds_void CHECK ((state = 'void') = (payment_reference IS NULL)),
  CONSTRAINT sandbox_refunds_pending CHECK ((state = 'pending') = (settles_as IS NOT NULL))
);
SELECT arbiter_declare('sandbox_refunds', 'operational');
CREATE INDEX sandbox_refunds_pending ON sandbox_refunds (tenant_id) WHERE state = 'pending';

-- How the provider behaves for one merchant, or ('') for the whole tenant; no row = well.
CREATE TABLE sandbox_behaviour (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  behaviour jsonb NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id)
);
SELECT arbiter_declare('sandbox_behaviour', 'operational');

-- The provider's outbox. `body` is what is signed and sent, byte for byte the same at every try. All times are real
-- time. next_try_at_ms null = nothing more is sent: delivered often enough, given up, or never meant to be sent.
CREATE TABLE sandbox_events (
  tenant_id text NOT NULL,
  event_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  body text NOT NULL,
  copies bigint NOT NULL CHECK (copies >= 0),
  delivered_count bigint NOT NULL DEFAULT 0,
  attempt_count bigint NOT NULL DEFAULT 0,
  last_status bigint,
  last_error text,
  created_at_ms bigint NOT NULL DEFAULT arbiter_clock_ms(),
  next_try_at_ms bigint,
  PRIMARY KEY (tenant_id, event_id)
);
SELECT arbiter_declare('sandbox_events', 'operational');
CREATE INDEX sandbox_events_due ON sandbox_events (next_try_at_ms) WHERE next_try_at_ms IS NOT NULL;
CREATE INDEX sandbox_events_recent ON sandbox_events (tenant_id, seq);

-- Where a provider sends its webhooks and the secrets they are signed with, wrapped under the key-encryption key.
CREATE TABLE provider_endpoints (
  endpoint_id text PRIMARY KEY,
  tenant_id text NOT NULL,
  provider text NOT NULL,
  kek_id text NOT NULL,
  wrapped bytea NOT NULL,
  previous_kek_id text,
  previous_wrapped bytea,
  previous_ends_at_ms bigint,
  UNIQUE (tenant_id, provider),
  CONSTRAINT provider_endpoints_previous CHECK (num_nulls(previous_kek_id, previous_wrapped, previous_ends_at_ms) IN (0, 3))
);
SELECT arbiter_declare('provider_endpoints', 'operational');

-- Webhooks that were accepted: what each said, and what it came to. Once per provider and event id.
CREATE TABLE webhook_events (
  tenant_id text NOT NULL,
  provider text NOT NULL,
  event_id text NOT NULL,
  body_sha256 text NOT NULL CHECK (body_sha256 ~ '^[0-9a-f]{64}$'),
  event_type text NOT NULL,
  reference text NOT NULL,
  outcome text NOT NULL,
  detail text,
  received_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, provider, event_id)
);
SELECT arbiter_declare('webhook_events', 'projection');
-- What a person has to look at: a webhook that named something else than what was agreed.
CREATE INDEX webhook_events_flagged ON webhook_events (tenant_id, entry_seq)
  WHERE outcome NOT IN ('applied', 'nothing_new');

-- Questions to providers about payments and refunds whose outcome is not known. All times are real time.
CREATE TABLE rail_questions (
  tenant_id text NOT NULL,
  subject text NOT NULL CHECK (subject IN ('payment', 'refund')),
  reference text NOT NULL,
  first_seen_at_ms bigint NOT NULL DEFAULT arbiter_clock_ms(),
  attempt_count bigint NOT NULL DEFAULT 0,
  last_answer text,
  next_try_at_ms bigint NOT NULL,
  PRIMARY KEY (tenant_id, subject, reference)
);
SELECT arbiter_declare('rail_questions', 'operational');
CREATE INDEX rail_questions_due ON rail_questions (next_try_at_ms);

-- Charges that the provider took on and has not captured: asked about like payments that are being issued.
CREATE INDEX payments_charges_open ON payments (tenant_id, started_seq) WHERE kind = 'charge' AND state = 'open';
