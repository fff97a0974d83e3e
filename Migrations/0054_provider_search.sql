-- What providers are found by beside their NPI: name, place of practice and specialty. Who does not ask so leaves these
-- indexes out: rivulet migrate mark 0054 --applied --reason 'nobody asks by name'
-- rivulet:datasets nppes

-- rivulet:up
-- rivulet:allow index-without-concurrently releases come as partitions of their own, which nobody writes but runs
CREATE INDEX provider_name_search_idx ON directory.provider_name
  (directory.search_key(coalesce(organization, last_name || coalesce(' ' || first_name, ''))) text_pattern_ops);
-- rivulet:allow index-without-concurrently releases come as partitions of their own, which nobody writes but runs
CREATE INDEX provider_address_postal_code_idx ON directory.provider_address (postal_code text_pattern_ops)
  WHERE use = 'practice';
-- rivulet:allow index-without-concurrently releases come as partitions of their own, which nobody writes but runs
CREATE INDEX provider_taxonomy_taxonomy_idx ON directory.provider_taxonomy (taxonomy text_pattern_ops);

-- rivulet:down
DROP INDEX directory.provider_taxonomy_taxonomy_idx;
DROP INDEX directory.provider_address_postal_code_idx;
DROP INDEX directory.provider_name_search_idx;

-- rivulet:verify
SELECT 1 / (count(*) = 3)::int FROM pg_class
WHERE relnamespace = 'directory'::regnamespace AND relkind = 'I'
  AND relname IN ('provider_name_search_idx', 'provider_address_postal_code_idx', 'provider_taxonomy_taxonomy_idx');
