-- Up Migration

-- One-time words (nonces) of request signatures that were used, each as SHA-256 over profile, key source, key id and the
-- hash of the word: of no tenant, because a signature names the authority it is for. Times are real time in milliseconds and
-- come from the processes. Not partitioned by minute: a unique key would have to hold the minute, and then the same word in
-- another minute would be a new one (docs/adr/0017).
CREATE TABLE signature_nonces (
  claim_sha256 bytea NOT NULL CHECK (octet_length(claim_sha256) = 32),
  claimed_at_ms bigint NOT NULL,
  kept_until_ms bigint NOT NULL CHECK (kept_until_ms > claimed_at_ms),
  PRIMARY KEY (claim_sha256)
);
SELECT arbiter_declare('signature_nonces', 'operational');
CREATE INDEX signature_nonces_by_end ON signature_nonces (kept_until_ms);
-- INVARIANT: a word is used again only after its end, whatever the statement said.
CREATE TRIGGER signature_nonces_once BEFORE UPDATE ON signature_nonces
  FOR EACH ROW WHEN (OLD.kept_until_ms > NEW.claimed_at_ms) EXECUTE FUNCTION arbiter_refuse();
