-- The indexes by which query provider finds by name, place and taxonomy among millions. They are a choice: a load of NPPES
-- builds them for each release, which takes half as long again.
-- rivulet:datasets nppes

-- rivulet:up
-- rivulet:allow citus-several-statements 0058 replaces it before 0060 distributes providers
CREATE PROCEDURE directory.add_search_indexes() LANGUAGE sql AS $$
  CREATE INDEX IF NOT EXISTS provider_name_search_idx ON directory.provider_name
    (directory.search_key(coalesce(organization, last_name || coalesce(' ' || first_name, ''))) text_pattern_ops);
  CREATE INDEX IF NOT EXISTS provider_address_postal_code_idx ON directory.provider_address (postal_code text_pattern_ops)
    WHERE use = 'practice';
  CREATE INDEX IF NOT EXISTS provider_taxonomy_taxonomy_idx ON directory.provider_taxonomy (taxonomy text_pattern_ops);
$$;
COMMENT ON PROCEDURE directory.add_search_indexes IS
  'Makes the indexes by which providers are found by name, place and taxonomy, for the releases that are there and those to come';

CREATE PROCEDURE directory.drop_search_indexes() LANGUAGE sql AS $$
  DROP INDEX IF EXISTS directory.provider_name_search_idx;
  DROP INDEX IF EXISTS directory.provider_address_postal_code_idx;
  DROP INDEX IF EXISTS directory.provider_taxonomy_taxonomy_idx;
$$;
COMMENT ON PROCEDURE directory.drop_search_indexes IS 'Takes them away again';

-- rivulet:down
CALL directory.drop_search_indexes();
DROP PROCEDURE directory.drop_search_indexes();
DROP PROCEDURE directory.add_search_indexes();

-- rivulet:verify
SELECT 1 / (count(*) = 2)::int FROM pg_proc
WHERE pronamespace = 'directory'::regnamespace AND prokind = 'p' AND proname LIKE '%\_search\_indexes';
