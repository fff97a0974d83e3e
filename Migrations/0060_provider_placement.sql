-- On a server with Citus the providers and what each record holds several of lie on the workers, all of one record on the
-- same one. Elsewhere nothing changes.
-- rivulet:datasets nppes, nucc, fhir-directory, qhp-providers, directory-csv, oig-leie, state-exclusions, cms-opt-out, cms-order-referring, cms-enrolment, cms-revalidation, cms-dac

-- rivulet:up
-- rivulet:place distributed by source_id
COMMENT ON TABLE directory.provider IS 'Who gives care: a row per person or organisation as one source tells of it';

-- rivulet:place distributed by source_id with directory.provider
COMMENT ON TABLE directory.provider_name IS 'Names of providers: the legal one and others';

-- rivulet:place distributed by source_id with directory.provider
COMMENT ON TABLE directory.provider_address IS 'Addresses of providers';

-- rivulet:place distributed by source_id with directory.provider
COMMENT ON TABLE directory.provider_taxonomy IS 'Specialties of providers, each with its licence';

-- rivulet:place distributed by source_id with directory.provider
COMMENT ON TABLE directory.provider_identifier IS 'Identifiers that others have given to providers';

-- rivulet:down
-- rivulet:place local
COMMENT ON TABLE directory.provider_identifier IS 'Identifiers that others have given to providers';

-- rivulet:place local
COMMENT ON TABLE directory.provider_taxonomy IS 'Specialties of providers, each with its licence';

-- rivulet:place local
COMMENT ON TABLE directory.provider_address IS 'Addresses of providers';

-- rivulet:place local
COMMENT ON TABLE directory.provider_name IS 'Names of providers: the legal one and others';

-- rivulet:place local
COMMENT ON TABLE directory.provider IS 'Who gives care: a row per person or organisation as one source tells of it';
