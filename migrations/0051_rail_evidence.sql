-- Up Migration

-- What payment providers reported and signed for rule 8, each report once. The token is the document named by
-- document_sha256; the payer is a commitment (decisions 1.8).
CREATE TABLE rail_reports (
  tenant_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('afa_evidence', 'pre_debit_notice', 'payment_mandate')),
  report_id text NOT NULL,
  subject_ref text NOT NULL,
  version bigint NOT NULL CHECK (version >= 0),
  status text NOT NULL,
  mandate_ref text NOT NULL,
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  issuer_kid text NOT NULL,
  document_sha256 text NOT NULL CHECK (document_sha256 ~ '^[0-9a-f]{64}$'),
  payer_commitment text CHECK (payer_commitment ~ '^[0-9a-f]{64}$'),
  issued_at_ms bigint NOT NULL,
  registered_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, kind, report_id),
  CONSTRAINT rail_reports_version UNIQUE (tenant_id, kind, subject_ref, version)
);
SELECT arbiter_declare('rail_reports', 'projection');
CREATE INDEX rail_reports_by_payer ON rail_reports (tenant_id, payer_commitment) WHERE payer_commitment IS NOT NULL;

-- Of each authentication, notice and debit mandate the newest report.
CREATE TABLE current_rail_reports (
  tenant_id text NOT NULL,
  kind text NOT NULL,
  subject_ref text NOT NULL,
  report_id text NOT NULL,
  version bigint NOT NULL,
  status text NOT NULL,
  mandate_ref text NOT NULL,
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, kind, subject_ref),
  CONSTRAINT current_rail_reports_known FOREIGN KEY (tenant_id, kind, report_id)
    REFERENCES rail_reports (tenant_id, kind, report_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('current_rail_reports', 'projection');

-- INVARIANT: a subject never goes back to an older report, and never leaves its end.
CREATE FUNCTION arbiter_rail_report_goes_on() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.version <= OLD.version
    OR (OLD.status IN ('revoked', 'completed', 'rejected', 'opted_out') AND NEW.status <> OLD.status)
    OR NEW.issuer <> OLD.issuer THEN
    RAISE EXCEPTION 'the report % of % % does not follow the one that is known', NEW.version, OLD.kind, OLD.subject_ref
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER current_rail_reports_go_on BEFORE UPDATE ON current_rail_reports
  FOR EACH ROW EXECUTE FUNCTION arbiter_rail_report_goes_on();

-- INVARIANT: the primary key alone lets an authentication serve one payment (decisions 3.7).
CREATE TABLE afa_evidence_claims (
  tenant_id text NOT NULL,
  evidence_ref text NOT NULL CHECK (evidence_ref ~ '^[0-9a-f]{64}$'),
  decision_id text NOT NULL,
  cart_hash text NOT NULL,
  claimed_at_ms bigint NOT NULL,
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, evidence_ref)
);
SELECT arbiter_declare('afa_evidence_claims', 'projection');
