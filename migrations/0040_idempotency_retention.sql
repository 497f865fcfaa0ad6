-- Up Migration

-- Records of callers are swept after a day. Those of the program's own steps (actor `system`: seeding, first use) are
-- kept: by them a later start finds what an earlier one did, and there are few.
ALTER TABLE idempotency_keys ADD COLUMN kept boolean NOT NULL DEFAULT false;
DROP INDEX idempotency_keys_age;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at) WHERE NOT kept;
