-- Facts of a group of hospitals for analysis: visits and procedures by who did them. On a server with Citus they lie on
-- the workers, all of one user on the same one.
-- rivulet:datasets hospital-facts

-- rivulet:up
CREATE SCHEMA facts;
-- Row level security is off, and no client's role is granted anything: on workers what a session says of itself (claims)
-- is empty, so that a policy would hide every row without a word. Clients read their own tables, as rvutrack.visit.
COMMENT ON SCHEMA facts IS 'What a group of hospitals has done, for analysis: no names, no texts, nothing of patients';

-- rivulet:place distributed by user_id
CREATE TABLE facts.visit (
  user_id uuid NOT NULL,
  visit_id uuid NOT NULL,
  -- Views reckon with it: 'infinity' is a moment, too.
  started_at timestamptz NOT NULL,
  minutes integer,
  facility text,
  place_of_service text,
  status text NOT NULL,
  source_file_id bigint,
  source_line bigint,
  CONSTRAINT visit_pkey PRIMARY KEY (user_id, visit_id),
  CONSTRAINT visit_started_at_check CHECK (started_at >= '1900-01-01Z' AND started_at < '2200-01-01Z'),
  CONSTRAINT visit_minutes_check CHECK (minutes >= 0),
  CONSTRAINT visit_status_check CHECK (status IN ('completed', 'cancelled', 'no_show'))
);
COMMENT ON TABLE facts.visit IS 'A visit, whether it took place or not';
COMMENT ON COLUMN facts.visit.user_id IS 'Who was to be visited: a clinician of the group';
COMMENT ON COLUMN facts.visit.facility IS 'The hospital, by its CMS certification number';
COMMENT ON COLUMN facts.visit.place_of_service IS 'The place of service code of CMS: two digits';

-- rivulet:place distributed by user_id with facts.visit
CREATE TABLE facts.procedure (
  user_id uuid NOT NULL,
  procedure_id uuid NOT NULL,
  visit_id uuid NOT NULL,
  performed_on date NOT NULL,
  hcpcs text NOT NULL,
  modifier text NOT NULL DEFAULT '',
  units integer NOT NULL,
  work_rvu numeric(10, 2) NOT NULL,
  total_rvu numeric(10, 2) NOT NULL,
  source_file_id bigint,
  source_line bigint,
  CONSTRAINT procedure_pkey PRIMARY KEY (user_id, procedure_id),
  CONSTRAINT procedure_visit_fkey FOREIGN KEY (user_id, visit_id) REFERENCES facts.visit (user_id, visit_id),
  CONSTRAINT procedure_performed_on_check CHECK (performed_on BETWEEN '1900-01-01' AND '2200-12-31'),
  CONSTRAINT procedure_hcpcs_check CHECK (hcpcs ~ '^[0-9A-Z]{5}$'),
  CONSTRAINT procedure_units_check CHECK (units >= 0),
  CONSTRAINT procedure_rvu_check CHECK (work_rvu >= 0 AND work_rvu <> 'NaN' AND total_rvu >= 0 AND total_rvu <> 'NaN')
);
-- A visit that is deleted is asked for its procedures.
CREATE INDEX procedure_visit_idx ON facts.procedure (user_id, visit_id);
COMMENT ON TABLE facts.procedure IS 'What was done at a visit, a row for each code and modifier that was recorded';
COMMENT ON COLUMN facts.procedure.user_id IS 'Who did it; the same as of its visit';
COMMENT ON COLUMN facts.procedure.modifier IS 'Modifier; an empty text where there is none';
COMMENT ON COLUMN facts.procedure.work_rvu IS 'Work relative value units of all units together';
COMMENT ON COLUMN facts.procedure.total_rvu IS 'Work, practice expense and malpractice of all units together';

-- rivulet:down
DROP TABLE facts.procedure;
DROP TABLE facts.visit;
DROP SCHEMA facts;

-- rivulet:verify
SELECT 1 / (count(*) = 2)::int FROM pg_index
WHERE indrelid IN ('facts.visit'::regclass, 'facts.procedure'::regclass) AND indisprimary;
