-- The history of providers has the columns that directories in FHIR have added to them.
-- rivulet:datasets nppes

-- rivulet:up
ALTER TABLE directory.provider_history
  ADD COLUMN IF NOT EXISTS last_updated timestamptz,
  ADD COLUMN IF NOT EXISTS version_id text,
  ADD COLUMN IF NOT EXISTS profiles text,
  ADD COLUMN IF NOT EXISTS origin text,
  ADD COLUMN IF NOT EXISTS language text,
  ADD COLUMN IF NOT EXISTS implicit_rules text,
  ADD COLUMN IF NOT EXISTS modifiers text,
  ADD COLUMN IF NOT EXISTS withheld text,
  ADD COLUMN IF NOT EXISTS active text,
  ADD COLUMN IF NOT EXISTS deceased text,
  ADD COLUMN IF NOT EXISTS period_start text,
  ADD COLUMN IF NOT EXISTS period_end text;
COMMENT ON COLUMN directory.provider_history.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.provider_history.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.provider_history.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.provider_history.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.provider_history.language IS 'Language of the record';
COMMENT ON COLUMN directory.provider_history.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.provider_history.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.provider_history.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.provider_history.active IS 'Whether the record is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.provider_history.deceased IS 'Whether or when the person died, in the words of the source';
COMMENT ON COLUMN directory.provider_history.period_start IS 'First day on which the person practises';
COMMENT ON COLUMN directory.provider_history.period_end IS 'Last day of it';

ALTER TABLE directory.provider_identifier_history
  ADD COLUMN IF NOT EXISTS type_system text,
  ADD COLUMN IF NOT EXISTS type_code text,
  ADD COLUMN IF NOT EXISTS type_text text,
  ADD COLUMN IF NOT EXISTS use text,
  ADD COLUMN IF NOT EXISTS period_start text,
  ADD COLUMN IF NOT EXISTS period_end text,
  ADD COLUMN IF NOT EXISTS issuer_reference text;
COMMENT ON COLUMN directory.provider_identifier_history.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.provider_identifier_history.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.provider_identifier_history.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.provider_identifier_history.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.provider_identifier_history.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_identifier_history.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.provider_identifier_history.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.provider_name_history
  ADD COLUMN IF NOT EXISTS full_name text,
  ADD COLUMN IF NOT EXISTS period_start text,
  ADD COLUMN IF NOT EXISTS period_end text;
COMMENT ON COLUMN directory.provider_name_history.full_name IS 'The whole name, as the source writes it in one text';
COMMENT ON COLUMN directory.provider_name_history.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_name_history.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.provider_address_history
  ADD COLUMN IF NOT EXISTS type text,
  ADD COLUMN IF NOT EXISTS text text,
  ADD COLUMN IF NOT EXISTS district text,
  ADD COLUMN IF NOT EXISTS period_start text,
  ADD COLUMN IF NOT EXISTS period_end text,
  ADD COLUMN IF NOT EXISTS latitude numeric,
  ADD COLUMN IF NOT EXISTS longitude numeric;
COMMENT ON COLUMN directory.provider_address_history.type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.provider_address_history.text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.provider_address_history.district IS 'District or county';
COMMENT ON COLUMN directory.provider_address_history.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_address_history.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.provider_address_history.latitude IS 'Degrees north';
COMMENT ON COLUMN directory.provider_address_history.longitude IS 'Degrees east';

ALTER TABLE directory.provider_taxonomy_history
  ADD COLUMN IF NOT EXISTS system text,
  ADD COLUMN IF NOT EXISTS code text,
  ADD COLUMN IF NOT EXISTS display text,
  ADD COLUMN IF NOT EXISTS text text,
  ADD COLUMN IF NOT EXISTS license_system text,
  ADD COLUMN IF NOT EXISTS status text,
  ADD COLUMN IF NOT EXISTS valid_in text,
  ADD COLUMN IF NOT EXISTS period_start text,
  ADD COLUMN IF NOT EXISTS period_end text,
  ADD COLUMN IF NOT EXISTS issuer text,
  ADD COLUMN IF NOT EXISTS issuer_reference text;
COMMENT ON COLUMN directory.provider_taxonomy_history.system IS 'Code system of the qualification';
COMMENT ON COLUMN directory.provider_taxonomy_history.code IS 'Code of the qualification; of the code set of specialties it is in taxonomy, too';
COMMENT ON COLUMN directory.provider_taxonomy_history.display IS 'The code in words';
COMMENT ON COLUMN directory.provider_taxonomy_history.text IS 'What the source says of the qualification in words';
COMMENT ON COLUMN directory.provider_taxonomy_history.license_system IS 'System that the licence number belongs to';
COMMENT ON COLUMN directory.provider_taxonomy_history.status IS 'Whether the qualification holds, in the code of the source';
COMMENT ON COLUMN directory.provider_taxonomy_history.valid_in IS 'All states or places in which it holds, parted by blanks';
COMMENT ON COLUMN directory.provider_taxonomy_history.period_start IS 'First day on which it holds';
COMMENT ON COLUMN directory.provider_taxonomy_history.period_end IS 'Last day on which it holds';
COMMENT ON COLUMN directory.provider_taxonomy_history.issuer IS 'Who gave it, in words';
COMMENT ON COLUMN directory.provider_taxonomy_history.issuer_reference IS 'Who gave it, as the source refers to it';

-- rivulet:down
ALTER TABLE directory.provider_taxonomy_history
  DROP COLUMN IF EXISTS system,
  DROP COLUMN IF EXISTS code,
  DROP COLUMN IF EXISTS display,
  DROP COLUMN IF EXISTS text,
  DROP COLUMN IF EXISTS license_system,
  DROP COLUMN IF EXISTS status,
  DROP COLUMN IF EXISTS valid_in,
  DROP COLUMN IF EXISTS period_start,
  DROP COLUMN IF EXISTS period_end,
  DROP COLUMN IF EXISTS issuer,
  DROP COLUMN IF EXISTS issuer_reference;
ALTER TABLE directory.provider_address_history
  DROP COLUMN IF EXISTS type,
  DROP COLUMN IF EXISTS text,
  DROP COLUMN IF EXISTS district,
  DROP COLUMN IF EXISTS period_start,
  DROP COLUMN IF EXISTS period_end,
  DROP COLUMN IF EXISTS latitude,
  DROP COLUMN IF EXISTS longitude;
ALTER TABLE directory.provider_name_history
  DROP COLUMN IF EXISTS full_name,
  DROP COLUMN IF EXISTS period_start,
  DROP COLUMN IF EXISTS period_end;
ALTER TABLE directory.provider_identifier_history
  DROP COLUMN IF EXISTS type_system,
  DROP COLUMN IF EXISTS type_code,
  DROP COLUMN IF EXISTS type_text,
  DROP COLUMN IF EXISTS use,
  DROP COLUMN IF EXISTS period_start,
  DROP COLUMN IF EXISTS period_end,
  DROP COLUMN IF EXISTS issuer_reference;
ALTER TABLE directory.provider_history
  DROP COLUMN IF EXISTS last_updated,
  DROP COLUMN IF EXISTS version_id,
  DROP COLUMN IF EXISTS profiles,
  DROP COLUMN IF EXISTS origin,
  DROP COLUMN IF EXISTS language,
  DROP COLUMN IF EXISTS implicit_rules,
  DROP COLUMN IF EXISTS modifiers,
  DROP COLUMN IF EXISTS withheld,
  DROP COLUMN IF EXISTS active,
  DROP COLUMN IF EXISTS deceased,
  DROP COLUMN IF EXISTS period_start,
  DROP COLUMN IF EXISTS period_end;

-- rivulet:verify
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, active, deceased, period_start, period_end FROM directory.provider_history WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.provider_identifier_history WHERE false;
SELECT full_name, period_start, period_end FROM directory.provider_name_history WHERE false;
SELECT type, text, district, period_start, period_end, latitude, longitude FROM directory.provider_address_history WHERE false;
SELECT system, code, display, text, license_system, status, valid_in, period_start, period_end, issuer, issuer_reference FROM directory.provider_taxonomy_history WHERE false;
