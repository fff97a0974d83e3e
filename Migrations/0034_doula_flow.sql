-- DoulaFlow: doulas, their clients, and what clients see by a link without signing in.
-- rivulet:datasets doula

-- rivulet:up
CREATE SCHEMA doula;
COMMENT ON SCHEMA doula IS 'DoulaFlow: doulas and their clients';
GRANT USAGE ON SCHEMA doula TO anon, authenticated;

CREATE TABLE doula.doula_profile (
  id uuid PRIMARY KEY,
  full_name text,
  title text,
  experience_summary text,
  bio text,
  photo_url text,
  contact_email text,
  phone text,
  website text,
  certifications text[] NOT NULL DEFAULT '{}',
  settings jsonb NOT NULL DEFAULT '{}',
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE doula.doula_profile IS 'A doula';
COMMENT ON COLUMN doula.doula_profile.id IS 'The user as auth.uid() gives it';

CREATE TABLE doula.client (
  id uuid PRIMARY KEY,
  doula_id uuid NOT NULL REFERENCES doula.doula_profile ON DELETE CASCADE,
  name text NOT NULL,
  contact text,
  edd date CHECK (edd BETWEEN '1900-01-01' AND '2200-12-31'),
  status text NOT NULL DEFAULT 'onboarding'
    CHECK (status IN ('onboarding', 'preparing', 'approaching', 'postpartum')),
  notes text,
  medical_notes text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX client_doula_idx ON doula.client (doula_id, edd);
COMMENT ON TABLE doula.client IS 'Whom a doula cares for';
COMMENT ON COLUMN doula.client.edd IS 'Estimated day of delivery';

CREATE TABLE doula.template (
  id uuid PRIMARY KEY,
  doula_id uuid REFERENCES doula.doula_profile ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('birth_plan', 'recommendation')),
  name text NOT NULL,
  content jsonb NOT NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX template_doula_idx ON doula.template (doula_id);
COMMENT ON TABLE doula.template IS 'What birth plans and recommendations begin as';
COMMENT ON COLUMN doula.template.doula_id IS 'Whose it is; null of one that comes with the program';

CREATE TABLE doula.birth_plan (
  id uuid PRIMARY KEY,
  client_id uuid NOT NULL REFERENCES doula.client ON DELETE CASCADE,
  content jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(content) = 'array'),
  pdf_url text,
  template_id uuid REFERENCES doula.template ON DELETE SET NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX birth_plan_client_idx ON doula.birth_plan (client_id);
CREATE INDEX birth_plan_template_idx ON doula.birth_plan (template_id);
COMMENT ON TABLE doula.birth_plan IS 'What a client wishes for the birth';
COMMENT ON COLUMN doula.birth_plan.content IS 'Sections: [{id, title, body, lastUpdated}]';

CREATE TABLE doula.recommendation (
  id uuid PRIMARY KEY,
  client_id uuid NOT NULL REFERENCES doula.client ON DELETE CASCADE,
  content text,
  attachments jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(attachments) = 'array'),
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX recommendation_client_idx ON doula.recommendation (client_id);
COMMENT ON TABLE doula.recommendation IS 'What a doula recommends to a client, in Markdown';
COMMENT ON COLUMN doula.recommendation.attachments IS '[{name, url, type}]';

CREATE TABLE doula.client_file (
  client_id uuid NOT NULL REFERENCES doula.client ON DELETE CASCADE,
  slug text NOT NULL,
  mime_type text,
  bytes bigint,
  storage_path text NOT NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (client_id, slug)
);
COMMENT ON TABLE doula.client_file IS 'Files of a client; what is in them lies in a store of its own';

CREATE TABLE doula.public_link (
  id uuid PRIMARY KEY,
  client_id uuid NOT NULL REFERENCES doula.client ON DELETE CASCADE,
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  expires_at timestamptz NOT NULL,
  disabled boolean NOT NULL DEFAULT false,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX public_link_client_idx ON doula.public_link (client_id);
COMMENT ON TABLE doula.public_link IS 'Links by which a client sees what is theirs without signing in';
COMMENT ON COLUMN doula.public_link.token_sha256 IS 'SHA-256 of the token, which is stored nowhere';

CREATE TRIGGER note_change BEFORE UPDATE ON doula.doula_profile
  FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.client FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.template FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.birth_plan FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.recommendation
  FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.client_file FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON doula.public_link FOR EACH ROW EXECUTE FUNCTION api.note_change();

-- Calendar dates only. The last menstrual period is counted 280 days before the estimated day of delivery.
CREATE FUNCTION doula.gestation_days(edd date, on_date date) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- 44 weeks are the last that are counted.
  RETURN CASE WHEN on_date - (edd - 280) BETWEEN 0 AND 44 * 7 THEN on_date - (edd - 280) END;
COMMENT ON FUNCTION doula.gestation_days(date, date) IS
  'Days since the last menstrual period; null before it, and later than 44 weeks after it';

CREATE FUNCTION doula.pregnancy_week(edd date, on_date date) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN doula.gestation_days(edd, on_date) / 7;
COMMENT ON FUNCTION doula.pregnancy_week(date, date) IS 'Completed weeks of pregnancy on a day; null where there is none';

CREATE FUNCTION doula.trimester(week integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN week <= 13 THEN 1 WHEN week <= 27 THEN 2 WHEN week > 27 THEN 3 END;
COMMENT ON FUNCTION doula.trimester(integer) IS 'The first through week 13, the second through week 27, then the third';

-- Without signing in there is the cabinet, and nothing else.
REVOKE ALL ON FUNCTION doula.gestation_days(date, date), doula.pregnancy_week(date, date), doula.trimester(integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION doula.gestation_days(date, date), doula.pregnancy_week(date, date),
  doula.trimester(integer) TO authenticated;

ALTER TABLE doula.doula_profile ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.client ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.template ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.birth_plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.recommendation ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.client_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE doula.public_link ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON doula.doula_profile, doula.client, doula.template, doula.birth_plan,
  doula.recommendation, doula.client_file TO authenticated;
-- Who could write the hash of a token would learn by a refusal that there is such a link.
GRANT SELECT, UPDATE (expires_at, disabled, updated_at), DELETE ON doula.public_link TO authenticated;
CREATE POLICY own ON doula.doula_profile TO authenticated
  USING (id = (SELECT auth.uid())) WITH CHECK (id = (SELECT auth.uid()));
CREATE POLICY own ON doula.client TO authenticated
  USING (doula_id = (SELECT auth.uid())) WITH CHECK (doula_id = (SELECT auth.uid()));
CREATE POLICY bundled ON doula.template FOR SELECT TO authenticated USING (doula_id IS NULL);
CREATE POLICY own ON doula.template TO authenticated
  USING (doula_id = (SELECT auth.uid())) WITH CHECK (doula_id = (SELECT auth.uid()));
CREATE POLICY own ON doula.birth_plan TO authenticated
  USING (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())))
  WITH CHECK (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())));
CREATE POLICY own ON doula.recommendation TO authenticated
  USING (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())))
  WITH CHECK (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())));
CREATE POLICY own ON doula.client_file TO authenticated
  USING (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())))
  WITH CHECK (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())));
CREATE POLICY own ON doula.public_link TO authenticated
  USING (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())))
  WITH CHECK (EXISTS (SELECT FROM doula.client c WHERE c.id = client_id AND c.doula_id = (SELECT auth.uid())));

-- What clients know: the tables and columns by their own names, with the rights of the reader. Which file a row was
-- loaded from is not theirs to see.
CREATE VIEW api.doula_profiles WITH (security_invoker = true) AS
  SELECT id, full_name, title, experience_summary, bio, photo_url, contact_email, phone, website, certifications,
    settings, created_at, updated_at
  FROM doula.doula_profile;
CREATE VIEW api.clients WITH (security_invoker = true) AS
  SELECT id, doula_id, name, contact, edd, status, notes, medical_notes, created_at, updated_at, deleted_at
  FROM doula.client;
CREATE VIEW api.birth_plans WITH (security_invoker = true) AS
  SELECT id, client_id, content, pdf_url, template_id, created_at, updated_at, deleted_at
  FROM doula.birth_plan;
CREATE VIEW api.recommendations WITH (security_invoker = true) AS
  SELECT id, client_id, content, attachments, created_at, updated_at, deleted_at
  FROM doula.recommendation;
CREATE VIEW api.templates WITH (security_invoker = true) AS
  SELECT id, doula_id, kind, name, content, created_at, updated_at
  FROM doula.template;
CREATE VIEW api.client_files WITH (security_invoker = true) AS
  SELECT client_id, slug, mime_type, bytes, storage_path, created_at, updated_at, deleted_at
  FROM doula.client_file;
CREATE VIEW api.public_links WITH (security_invoker = true) AS
  SELECT id, client_id, token_sha256, expires_at, disabled, created_at, updated_at
  FROM doula.public_link;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  api.doula_profiles, api.clients, api.birth_plans, api.recommendations, api.templates, api.client_files
  TO authenticated;
GRANT SELECT, UPDATE (expires_at, disabled, updated_at), DELETE ON api.public_links TO authenticated;

-- rivulet:down
DROP VIEW api.public_links;
DROP VIEW api.client_files;
DROP VIEW api.templates;
DROP VIEW api.recommendations;
DROP VIEW api.birth_plans;
DROP VIEW api.clients;
DROP VIEW api.doula_profiles;
DROP TABLE doula.public_link;
DROP TABLE doula.client_file;
DROP TABLE doula.recommendation;
DROP TABLE doula.birth_plan;
DROP TABLE doula.template;
DROP TABLE doula.client;
DROP TABLE doula.doula_profile;
DROP FUNCTION doula.trimester(integer);
DROP FUNCTION doula.pregnancy_week(date, date);
DROP FUNCTION doula.gestation_days(date, date);
DROP SCHEMA doula;

-- rivulet:verify
SELECT 1 / (count(*) = 7)::int FROM pg_class
WHERE relnamespace = 'doula'::regnamespace AND relkind = 'r' AND relrowsecurity;
SELECT 1 / (doula.pregnancy_week('2026-10-08', '2026-01-01') = 0 AND doula.pregnancy_week('2026-10-08', '2026-10-08') = 40)::int;
