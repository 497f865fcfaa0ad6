-- Up Migration

-- Webhook endpoints, folded from entries. What they are told about is read from the entries themselves: a ledger is
-- gapless and committed in order, so a place in it (outbox_progress) says what was handed out already.
CREATE TABLE webhook_endpoints (
  tenant_id text NOT NULL,
  endpoint_id text NOT NULL,
  merchant_id text,
  url text NOT NULL,
  event_types text NOT NULL,
  secrets text NOT NULL,
  created_at_ms bigint NOT NULL,
  created_seq bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'disabled', 'deleted')),
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id),
  CONSTRAINT webhook_endpoints_disabled CHECK ((state = 'disabled') = (disabled_reason IS NOT NULL))
);
SELECT arbiter_declare('webhook_endpoints', 'projection');
CREATE INDEX webhook_endpoints_active ON webhook_endpoints (tenant_id) WHERE state = 'active';

-- Signing secrets, wrapped (AES-256-GCM) under the key-encryption key, which is not in this database.
CREATE TABLE webhook_endpoint_secrets (
  tenant_id text NOT NULL,
  secret_id text NOT NULL,
  endpoint_id text NOT NULL,
  kek_id text NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (tenant_id, secret_id)
);
SELECT arbiter_declare('webhook_endpoint_secrets', 'operational');
CREATE INDEX webhook_endpoint_secrets_by_endpoint ON webhook_endpoint_secrets (tenant_id, endpoint_id);

-- Up to which entry a tenant's ledger was handed out to its endpoints.
CREATE TABLE outbox_progress (
  tenant_id text PRIMARY KEY,
  handed_out_seq bigint NOT NULL
);
SELECT arbiter_declare('outbox_progress', 'operational');

-- One message for one endpoint. All times here are real time, in milliseconds.
CREATE TABLE webhook_deliveries (
  tenant_id text NOT NULL,
  delivery_id text NOT NULL,
  endpoint_id text NOT NULL,
  merchant_id text,
  event_seq bigint NOT NULL,
  message_id text NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'given_up')),
  attempt_count bigint NOT NULL DEFAULT 0,
  -- Attempts since the message was handed out or sent again by hand: what the backoff counts.
  round_attempt_count bigint NOT NULL DEFAULT 0,
  next_attempt_at_ms bigint NOT NULL,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  created_at_ms bigint NOT NULL,
  finished_at_ms bigint,
  PRIMARY KEY (tenant_id, delivery_id),
  -- INVARIANT: an entry is handed out once to an endpoint, whoever hands out.
  CONSTRAINT webhook_deliveries_once UNIQUE (tenant_id, endpoint_id, event_seq),
  CONSTRAINT webhook_deliveries_finished CHECK ((status = 'pending') = (finished_at_ms IS NULL))
) WITH (fillfactor = 80);
SELECT arbiter_declare('webhook_deliveries', 'operational');
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, endpoint_id, next_attempt_at_ms)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at_ms) WHERE status <> 'pending';

-- One try. duration_ms null = under way, or its process ended in the middle (then error_class says so at the next try).
CREATE TABLE webhook_attempts (
  tenant_id text NOT NULL,
  delivery_id text NOT NULL,
  attempt_no bigint NOT NULL CHECK (attempt_no > 0),
  started_at_ms bigint NOT NULL,
  duration_ms bigint,
  status_code bigint,
  error_class text,
  PRIMARY KEY (tenant_id, delivery_id, attempt_no),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries ON DELETE CASCADE
);
SELECT arbiter_declare('webhook_attempts', 'operational');

-- Since when nothing reached an endpoint; no row = the last try did.
CREATE TABLE webhook_endpoint_failures (
  tenant_id text NOT NULL,
  endpoint_id text NOT NULL,
  failing_since_ms bigint NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id)
);
SELECT arbiter_declare('webhook_endpoint_failures', 'operational');
