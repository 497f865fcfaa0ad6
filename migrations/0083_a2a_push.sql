-- Up Migration

-- Where the end of a task is told (A2A push notifications), and how far that is. A task ends once, so each row is one
-- message. All times are real time, in milliseconds.
CREATE TABLE a2a_push_configs (
  tenant_id text NOT NULL,
  caller_id text NOT NULL,
  task_id text NOT NULL,
  config_id text NOT NULL CHECK (char_length(config_id) <= 255),
  wire_version text NOT NULL CHECK (wire_version IN ('0.3', '1.0')),
  url text NOT NULL,
  -- Of the receiver's own authentication, e.g. Bearer. What goes with it is a secret: token and credentials stand wrapped
  -- (AES-256-GCM) under the key-encryption key, which is not in this database.
  scheme text,
  kek_id text,
  wrapped bytea,
  message_id text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'given_up')),
  attempt_count bigint NOT NULL DEFAULT 0,
  next_attempt_at_ms bigint NOT NULL,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  last_status_code bigint,
  last_error_class text,
  created_at_ms bigint NOT NULL,
  PRIMARY KEY (tenant_id, caller_id, task_id, config_id),
  CONSTRAINT a2a_push_configs_task FOREIGN KEY (tenant_id, caller_id, task_id)
    REFERENCES a2a_tasks (tenant_id, caller_id, task_id) ON DELETE CASCADE,
  CONSTRAINT a2a_push_configs_wrapped CHECK ((kek_id IS NULL) = (wrapped IS NULL))
);
SELECT arbiter_declare('a2a_push_configs', 'operational');
CREATE INDEX a2a_push_configs_due ON a2a_push_configs (next_attempt_at_ms) WHERE status = 'pending';
