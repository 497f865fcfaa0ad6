-- Up Migration

-- Commerce time of every tenant, for finding rows that may be due. Whether they are is judged under the tenant's lock.
CREATE VIEW tenant_clocks AS
  SELECT tenant_id, greatest(last_at_ms, coalesce(test_clock_at_ms, arbiter_clock_ms())) AS now_ms
  FROM heads WHERE last_seq >= 0;
