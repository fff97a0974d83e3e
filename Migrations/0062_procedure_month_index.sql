-- The procedures of a user's month, which a refresh of mart.procedure_monthly reads of the months that have changed.
-- rivulet:datasets hospital-facts

-- rivulet:up
CREATE INDEX CONCURRENTLY procedure_month_idx
ON facts.procedure (user_id, (date_trunc('month', performed_on::timestamp)::date));

-- rivulet:down
DROP INDEX CONCURRENTLY facts.procedure_month_idx;

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM pg_index
WHERE indexrelid = 'facts.procedure_month_idx'::regclass AND indisvalid;
