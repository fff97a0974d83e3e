-- The oldest and the newest message of each status, when the one that was it changes its status.
-- rivulet:datasets ccc

-- rivulet:up
CREATE INDEX CONCURRENTLY message_status_idx ON ccc.message (status, sent_at) WHERE deleted_at IS NULL;

-- rivulet:down
DROP INDEX CONCURRENTLY ccc.message_status_idx;

-- rivulet:verify
SELECT 1 / indisvalid::int FROM pg_index WHERE indexrelid = 'ccc.message_status_idx'::regclass;
