-- Up Migration

-- A shop shows a product with its variants.
CREATE INDEX catalog_variants_by_product ON catalog_variants (tenant_id, merchant_id, product_id, variant_id);
