-- Up Migration

-- What merchants sell, as they say it here: their published facts are made from these rows. `revision` counts the states
-- that a fact is made from; a new one begins another lineage (decisions 4.4).
CREATE TABLE catalog_products (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  product_id text NOT NULL,
  title text NOT NULL,
  image_url text,
  is_listed boolean NOT NULL,
  revision bigint NOT NULL CONSTRAINT catalog_products_revision CHECK (revision >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, product_id)
);
SELECT arbiter_declare('catalog_products', 'projection');

CREATE TABLE catalog_variants (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  variant_id text NOT NULL,
  product_id text NOT NULL,
  title text,
  revision bigint NOT NULL CONSTRAINT catalog_variants_revision CHECK (revision >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, variant_id),
  CONSTRAINT catalog_variants_product FOREIGN KEY (tenant_id, merchant_id, product_id)
    REFERENCES catalog_products (tenant_id, merchant_id, product_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('catalog_variants', 'projection');

-- The amount has to fit into a signed fact, whose numbers are safe integers.
CREATE TABLE catalog_prices (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  variant_id text NOT NULL,
  amount_minor numeric(20, 0) NOT NULL
    CONSTRAINT catalog_prices_amount CHECK (amount_minor BETWEEN 0 AND 9007199254740991),
  currency text NOT NULL CONSTRAINT catalog_prices_currency CHECK (currency ~ '^[A-Z]{3}$'),
  revision bigint NOT NULL CONSTRAINT catalog_prices_revision CHECK (revision >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id, variant_id),
  CONSTRAINT catalog_prices_variant FOREIGN KEY (tenant_id, merchant_id, variant_id)
    REFERENCES catalog_variants (tenant_id, merchant_id, variant_id) DEFERRABLE INITIALLY DEFERRED
);
SELECT arbiter_declare('catalog_prices', 'projection');

CREATE TABLE catalog_policies (
  tenant_id text NOT NULL,
  merchant_id text NOT NULL,
  policies text NOT NULL,
  revision bigint NOT NULL CONSTRAINT catalog_policies_revision CHECK (revision >= 0),
  entry_seq bigint NOT NULL,
  tx_id xid8 NOT NULL,
  PRIMARY KEY (tenant_id, merchant_id)
);
SELECT arbiter_declare('catalog_policies', 'projection');

-- INVARIANT: revisions never go back, another amount is another revision, and a variant stays with its product.
CREATE FUNCTION arbiter_catalog_goes_on() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.revision < OLD.revision THEN
    RAISE EXCEPTION 'a revision of % never goes back', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER catalog_products_go_on BEFORE UPDATE ON catalog_products
  FOR EACH ROW EXECUTE FUNCTION arbiter_catalog_goes_on();
CREATE TRIGGER catalog_policies_go_on BEFORE UPDATE ON catalog_policies
  FOR EACH ROW EXECUTE FUNCTION arbiter_catalog_goes_on();

CREATE FUNCTION arbiter_variant_goes_on() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.revision < OLD.revision OR NEW.product_id <> OLD.product_id THEN
    RAISE EXCEPTION 'a variant stays with its product, and its revision never goes back'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER catalog_variants_go_on BEFORE UPDATE ON catalog_variants
  FOR EACH ROW EXECUTE FUNCTION arbiter_variant_goes_on();

CREATE FUNCTION arbiter_price_goes_on() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.revision < OLD.revision
    OR (NEW.revision = OLD.revision AND (NEW.amount_minor, NEW.currency) <> (OLD.amount_minor, OLD.currency)) THEN
    RAISE EXCEPTION 'another amount is another revision, and a revision never goes back'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER catalog_prices_go_on BEFORE UPDATE ON catalog_prices
  FOR EACH ROW EXECUTE FUNCTION arbiter_price_goes_on();
