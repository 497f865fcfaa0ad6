-- Up Migration

-- A third subject: `watch`, a payment that can be or could have been paid, whose provider may have told nobody of it.
-- about_seq = the entry of the payment that the watch is about: a later one begins it anew. 0 for other subjects.
ALTER TABLE rail_questions
  ADD COLUMN about_seq bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT rail_questions_subject_check,
  ADD CONSTRAINT rail_questions_subject CHECK (subject IN ('payment', 'refund', 'watch'));

-- Doubts and watches are taken apart, so however many watches are due, a doubt is found at once.
DROP INDEX rail_questions_due;
CREATE INDEX rail_questions_due ON rail_questions (next_try_at_ms) WHERE subject <> 'watch';
CREATE INDEX rail_questions_watches_due ON rail_questions (next_try_at_ms) WHERE subject = 'watch';

-- How far the payments of a tenant were looked at for new watches: entries of a tenant are committed in their order, so
-- what is to be seen stands behind this place.
CREATE TABLE rail_watermarks (
  tenant_id text PRIMARY KEY,
  seen_seq bigint NOT NULL
);
SELECT arbiter_declare('rail_watermarks', 'operational');
CREATE INDEX payments_watched ON payments (tenant_id, entry_seq) WHERE state IN ('open', 'lapsed', 'canceled');
