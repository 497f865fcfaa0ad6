-- Up Migration

-- Personal data can be erased, and what stays guesses nobody (decisions 1.8, docs/adr/0008-erasing-a-buyer.md).

-- One entry for each erased buyer: what is judged under the lock asks here whether a commitment still stands for anybody.
CREATE TABLE erased_buyers (
  tenant_id text NOT NULL,
  commitment text NOT NULL CHECK (commitment ~ '^[0-9a-f]{64}$'),
  erased_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, commitment)
);
SELECT arbiter_declare('erased_buyers', 'projection');

-- Salt and value stand in one row and go with it. The value's digest is there to find the row by, and goes with it too.
ALTER TABLE buyer_references
  ADD COLUMN salt bytea CHECK (length(salt) = 32),
  ADD COLUMN buyer_ref_sha256 text;
UPDATE buyer_references AS r
  SET salt = s.salt, buyer_ref_sha256 = encode(sha256(convert_to(r.buyer_ref, 'UTF8')), 'hex')
  FROM buyer_salts AS s WHERE s.tenant_id = r.tenant_id;
ALTER TABLE buyer_references
  ALTER COLUMN salt SET NOT NULL,
  ALTER COLUMN buyer_ref_sha256 SET NOT NULL,
  ADD CONSTRAINT buyer_references_value CHECK (buyer_ref_sha256 = encode(sha256(convert_to(buyer_ref, 'UTF8')), 'hex')),
  ADD CONSTRAINT buyer_references_commitment CHECK (
    commitment = encode(sha256(salt || convert_to(buyer_ref, 'UTF8')), 'hex')),
  -- INVARIANT: one reference, one commitment, until it is erased.
  ADD CONSTRAINT buyer_references_once UNIQUE (tenant_id, buyer_ref_sha256);
-- The tenant's salt stays for references that are nobody's name: those of authentications and devices.

-- INVARIANT: a buyer's row goes only with the entry that says so, in the same transaction.
CREATE FUNCTION arbiter_buyer_goes_with_entry() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM 1 FROM erased_buyers
    WHERE tenant_id = OLD.tenant_id AND commitment = OLD.commitment AND tx_id = pg_current_xact_id();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'buyer % is erased by an entry of the ledger only', OLD.commitment
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$body$;
CREATE CONSTRAINT TRIGGER buyer_references_erased AFTER DELETE ON buyer_references
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION arbiter_buyer_goes_with_entry();
CREATE TRIGGER buyer_references_kept BEFORE UPDATE OR TRUNCATE ON buyer_references
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();

-- Whom a document names, as a commitment, and the entry that erased it.
ALTER TABLE documents
  ADD COLUMN buyer_commitment text CHECK (buyer_commitment ~ '^[0-9a-f]{64}$'),
  ADD COLUMN erased_entry_seq bigint,
  ADD COLUMN erased_tx_id xid8,
  ADD CONSTRAINT documents_erased_by_entry FOREIGN KEY (tenant_id, erased_entry_seq, erased_tx_id)
    REFERENCES entries (tenant_id, seq, tx_id) DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT documents_erased CHECK (
    (erased_entry_seq IS NULL) = (erased_tx_id IS NULL) AND (erased_entry_seq IS NULL OR bytes IS NULL)),
  ADD CONSTRAINT documents_of_buyer CHECK (buyer_commitment IS NULL OR erasable);
CREATE INDEX documents_by_buyer ON documents (tenant_id, buyer_commitment) WHERE buyer_commitment IS NOT NULL;

-- Tokens that are held already: those that were registered, then those that came with a purchase, by the name inside.
UPDATE documents AS d SET buyer_commitment = t.buyer_commitment
  FROM (
    SELECT tenant_id, document_sha256, buyer_commitment FROM mandates
    UNION SELECT tenant_id, document_sha256, buyer_commitment FROM consents
    UNION SELECT tenant_id, document_sha256, buyer_commitment FROM passports) AS t
  WHERE d.tenant_id = t.tenant_id AND d.sha256 = t.document_sha256 AND d.erasable;

CREATE FUNCTION arbiter_token_subject(token bytea) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  claims text := translate(split_part(convert_from(token, 'UTF8'), '.', 2), '-_', '+/');
BEGIN
  RETURN convert_from(decode(claims || repeat('=', (4 - length(claims) % 4) % 4), 'base64'), 'UTF8')::jsonb ->> 'sub';
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$body$;
UPDATE documents AS d SET buyer_commitment = r.commitment
  FROM buyer_references AS r
  WHERE d.buyer_commitment IS NULL AND d.erasable AND d.bytes IS NOT NULL AND d.media_type = 'application/jwt'
    AND r.tenant_id = d.tenant_id AND r.buyer_ref = arbiter_token_subject(d.bytes);
DROP FUNCTION arbiter_token_subject(bytea);

-- INVARIANT: of a document only its bytes ever go, only if it may be erased, and only with an entry of the same
-- transaction, whatever the statement says.
CREATE FUNCTION arbiter_document_is_kept() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NOT OLD.erasable OR OLD.bytes IS NULL OR NEW.bytes IS NOT NULL OR NEW.erased_entry_seq IS NULL
    OR (NEW.tenant_id, NEW.sha256, NEW.media_type, NEW.erasable, NEW.buyer_commitment)
      IS DISTINCT FROM (OLD.tenant_id, OLD.sha256, OLD.media_type, OLD.erasable, OLD.buyer_commitment) THEN
    RAISE EXCEPTION 'document % is only ever erased, by an entry of the ledger', OLD.sha256
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.erased_tx_id := pg_current_xact_id();
  RETURN NEW;
END
$body$;
CREATE TRIGGER documents_change BEFORE UPDATE ON documents
  FOR EACH ROW EXECUTE FUNCTION arbiter_document_is_kept();
CREATE TRIGGER documents_kept BEFORE DELETE OR TRUNCATE ON documents
  FOR EACH STATEMENT EXECUTE FUNCTION arbiter_refuse();
