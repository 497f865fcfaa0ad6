-- Up Migration

-- The payment that a capture is money of; null = not known (yet).
ALTER TABLE captures ADD COLUMN payment_id text;

-- What was recorded before this column stands in the entries. Rows stay of the transactions that wrote them.
ALTER TABLE captures DISABLE TRIGGER captures_transaction;
UPDATE captures AS c SET payment_id = e.body::json #>> '{data,payment,payment,payment_id}'
  FROM entries AS e
  WHERE e.tenant_id = c.tenant_id AND e.seq = c.entry_seq;
ALTER TABLE captures ENABLE TRIGGER captures_transaction;

-- INVARIANT: what a capture is money of may become known later, once; nothing else of it ever changes.
CREATE FUNCTION arbiter_capture_stays() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF OLD.payment_id IS NOT NULL OR OLD.decision_id IS NOT NULL OR NEW.payment_id IS NULL
    OR (NEW.merchant_id, NEW.capture_id, NEW.order_id, NEW.amount_minor, NEW.currency, NEW.confirmed_at_ms)
      IS DISTINCT FROM
      (OLD.merchant_id, OLD.capture_id, OLD.order_id, OLD.amount_minor, OLD.currency, OLD.confirmed_at_ms) THEN
    RAISE EXCEPTION 'capture % is written down already', OLD.capture_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER captures_stay BEFORE UPDATE ON captures
  FOR EACH ROW EXECUTE FUNCTION arbiter_capture_stays();
CREATE INDEX captures_by_payment ON captures (tenant_id, payment_id) WHERE payment_id IS NOT NULL;
