-- Which messages a file hangs on is asked whenever somebody opens it, or sends it on.
-- rivulet:datasets ccc

-- rivulet:up
CREATE INDEX CONCURRENTLY message_attachments_idx ON ccc.message USING gin (attachments jsonb_path_ops);

-- rivulet:down
DROP INDEX CONCURRENTLY ccc.message_attachments_idx;

-- rivulet:verify
SELECT 1 / indisvalid::int FROM pg_index WHERE indexrelid = 'ccc.message_attachments_idx'::regclass;
