-- Up Migration

-- What people wrote beside a decision (facts/arbiter.md K2). A note has no force: nothing that decides reads this table.
-- The text is an erasable document (it may name people); the row and its entry hold the digest.
CREATE TABLE decision_notes (
  tenant_id text NOT NULL,
  note_id text NOT NULL,
  decision_id text NOT NULL,
  text_sha256 text NOT NULL CHECK (text_sha256 ~ '^[0-9a-f]{64}$'),
  author_role text NOT NULL,
  author_id text NOT NULL,
  noted_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, note_id),
  CONSTRAINT decision_notes_decision FOREIGN KEY (tenant_id, decision_id)
    REFERENCES decisions (tenant_id, decision_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('decision_notes', 'projection');
CREATE INDEX decision_notes_by_decision ON decision_notes (tenant_id, decision_id, entry_seq);

-- Append-only: deleting is refused for every projection, changing for this one.
CREATE TRIGGER decision_notes_final BEFORE UPDATE ON decision_notes
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();
