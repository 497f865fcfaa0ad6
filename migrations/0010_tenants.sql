-- Up Migration

-- Who there is: tenants, merchants, agents, keys, origins, and the limits of merchants. All of it is folded from entries.

CREATE TABLE tenants (
  tenant_id text PRIMARY KEY,
  world text NOT NULL CHECK (world IN ('test', 'live')),
  name text NOT NULL,
  sibling_tenant_id text,
  caller_asserted_allowed boolean NOT NULL,
  primary_origin text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  -- Authority that a caller only asserts is never accepted in the live world (mission F4, F5).
  CONSTRAINT tenants_caller_asserted_in_test_only CHECK (world = 'test' OR NOT caller_asserted_allowed)
);
SELECT arbiter_declare('tenants', 'projection');

-- INVARIANT: a tenant never changes its world (decisions 1.1).
CREATE FUNCTION arbiter_tenant_keeps_world() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.tenant_id <> OLD.tenant_id OR NEW.world <> OLD.world
    OR NEW.sibling_tenant_id IS DISTINCT FROM OLD.sibling_tenant_id THEN
    RAISE EXCEPTION 'the world and the sibling of % never change', OLD.tenant_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER tenants_world BEFORE UPDATE ON tenants
  FOR EACH ROW EXECUTE FUNCTION arbiter_tenant_keeps_world();

CREATE TABLE merchants (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  name text NOT NULL,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  rbi_profile text,
  rbi_rails text NOT NULL,
  agent_payment_enabled boolean NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id)
);
SELECT arbiter_declare('merchants', 'projection');

CREATE TABLE merchant_limits (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  limits text NOT NULL,
  set_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, version)
);
SELECT arbiter_declare('merchant_limits', 'projection');

-- INVARIANT: a version of limits is written once. Deletion is refused for every projection; this refuses the update.
CREATE TRIGGER merchant_limits_immutable BEFORE UPDATE ON merchant_limits
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

CREATE TABLE merchant_limits_current (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  limits text NOT NULL,
  set_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id)
);
SELECT arbiter_declare('merchant_limits_current', 'projection');

CREATE TABLE agents (
  tenant_id text NOT NULL,
  agent_id text NOT NULL,
  name text NOT NULL,
  suspended boolean NOT NULL,
  created_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, agent_id)
);
SELECT arbiter_declare('agents', 'projection');

CREATE TABLE api_keys (
  tenant_id text NOT NULL,
  api_key_id text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role <> 'platform_admin'),
  scopes text NOT NULL,
  merchant_ids text NOT NULL,
  agent_id text,
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  replaced_by text,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, api_key_id),
  CONSTRAINT api_keys_agent CHECK ((role = 'agent') = (agent_id IS NOT NULL))
);
SELECT arbiter_declare('api_keys', 'projection');
-- A presented key names its row but not its tenant. Not unique: the digest decides, never the id.
CREATE INDEX api_keys_by_id ON api_keys (api_key_id);

CREATE TABLE tenant_origins (
  tenant_id text NOT NULL,
  origin text NOT NULL,
  host text NOT NULL,
  retired_at_ms bigint,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, origin)
);
SELECT arbiter_declare('tenant_origins', 'projection');
-- INVARIANT: one host leads to one tenant. The only constraint over all tenants, because no tenant's lock sees another.
CREATE UNIQUE INDEX tenant_origins_by_host ON tenant_origins (host) WHERE retired_at_ms IS NULL;
