-- Up Migration

-- Paid payments whose captures do not come to their amount are watched too: the provider may have taken what nobody told.
CREATE INDEX payments_amount_differs ON payments (tenant_id, entry_seq)
  WHERE state = 'paid' AND review LIKE '%amount_differs%';
