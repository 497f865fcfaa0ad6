-- Up Migration

-- What A2A callers may ask the state of. A task of this service is ended when it is written and never changes: the decision
-- it shows stands in the ledger. Nothing of what the caller sent is kept but the names it chose for contexts; the request's hash
-- is taken with the message id, which stands here only as part of a digest (the task's id).
CREATE TABLE a2a_tasks (
  tenant_id text NOT NULL,
  -- The agent, whichever of its keys it uses; of callers that are no agents, the key.
  caller_id text NOT NULL,
  task_id text NOT NULL,
  context_id text NOT NULL CHECK (char_length(context_id) <= 255),
  merchant_id text NOT NULL,
  request_hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('completed', 'rejected')),
  -- Commerce time of the decision; created_at_ms is real time, by which tasks go.
  status_at_ms bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  task text NOT NULL CHECK (octet_length(task) <= 65536),
  PRIMARY KEY (tenant_id, caller_id, task_id)
);
SELECT arbiter_declare('a2a_tasks', 'operational');
CREATE INDEX a2a_tasks_of_caller ON a2a_tasks (tenant_id, caller_id, created_at_ms DESC);
CREATE INDEX a2a_tasks_old ON a2a_tasks (created_at_ms);
CREATE TRIGGER a2a_tasks_final BEFORE UPDATE OR TRUNCATE ON a2a_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();
