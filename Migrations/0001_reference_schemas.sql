-- The schemas of the shared reference: cms for what the publisher ships, mart for what is derived from it.

-- rivulet:up
CREATE SCHEMA cms;
COMMENT ON SCHEMA cms IS 'CMS fee schedule files, one row as published, a partition per release';

CREATE SCHEMA mart;
COMMENT ON SCHEMA mart IS 'Derived figures';

-- rivulet:down
DROP SCHEMA mart;
DROP SCHEMA cms;

-- rivulet:verify
SELECT 1 / (count(*) = 2)::int FROM pg_namespace WHERE nspname IN ('cms', 'mart');
