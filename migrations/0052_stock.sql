-- Up Migration

-- Stock that a merchant keeps here, per variant. Held pieces wait for a payment and are among those on hand.
CREATE TABLE stock (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  variant_id text NOT NULL,
  on_hand bigint NOT NULL CONSTRAINT stock_on_hand CHECK (on_hand >= 0),
  held bigint NOT NULL CONSTRAINT stock_held CHECK (held >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, variant_id),
  CONSTRAINT stock_held_is_on_hand CHECK (held <= on_hand)
);
SELECT arbiter_declare('stock', 'projection');
