-- Up Migration

-- By which secrets, kept outside, this database is written. A process with others would seal and wrap what the rest
-- cannot verify or open. `fingerprint` is an HMAC-SHA-256 under the secret itself, over a text of its own: it tells
-- one secret from another and yields neither the secret nor a key derived from it.
CREATE TABLE deployment_secrets (
  secret_name text PRIMARY KEY,
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$')
);
SELECT arbiter_declare('deployment_secrets', 'operational');
