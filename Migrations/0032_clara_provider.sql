-- Clara Provider: patients, their conversations, and what providers review.

-- rivulet:up
CREATE SCHEMA clara;
COMMENT ON SCHEMA clara IS 'Clara Provider: the review of triage conversations';
GRANT USAGE ON SCHEMA clara TO authenticated;

CREATE TABLE clara.provider (
  user_id uuid PRIMARY KEY,
  name text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE clara.provider IS 'The users who may see and answer everything';

CREATE TABLE clara.patient (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  parent_name text,
  child_name text,
  date_of_birth date,
  gender text,
  allergies text[] NOT NULL DEFAULT '{}',
  medications text[] NOT NULL DEFAULT '{}',
  past_conditions text[] NOT NULL DEFAULT '{}',
  challenges jsonb,
  nicknames text[] NOT NULL DEFAULT '{}',
  notes text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX patient_user_idx ON clara.patient (user_id);
COMMENT ON TABLE clara.patient IS 'A child, and who asks for it';

CREATE TABLE clara.conversation (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  patient_id uuid REFERENCES clara.patient ON DELETE SET NULL,
  title text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX conversation_user_idx ON clara.conversation (user_id);
CREATE INDEX conversation_patient_idx ON clara.conversation (patient_id);
COMMENT ON TABLE clara.conversation IS 'A conversation of a user with Clara';

CREATE TABLE clara.provider_review_request (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  conversation_id uuid NOT NULL REFERENCES clara.conversation ON DELETE CASCADE,
  conversation_title text,
  child_name text,
  child_age text,
  child_dob date,
  triage_outcome text
    CHECK (triage_outcome IN ('er_911', 'er_drive', 'urgent_visit', 'routine_visit', 'home_care')),
  conversation_messages jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(conversation_messages) = 'array'),
  conversation_summary text,
  follow_up_days integer,
  follow_up_hours integer,
  follow_up_minutes integer,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'responded', 'flagged', 'escalated')),
  provider_id uuid,
  provider_name text,
  response_type text,
  provider_response text,
  provider_urgency text,
  responded_at timestamptz,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CONSTRAINT provider_review_request_times CHECK (isfinite(created_at) AND isfinite(responded_at))
);
CREATE INDEX provider_review_request_user_idx ON clara.provider_review_request (user_id);
CREATE INDEX provider_review_request_conversation_idx
  ON clara.provider_review_request (conversation_id, created_at);
CREATE INDEX provider_review_request_status_idx ON clara.provider_review_request (status, created_at);
CREATE INDEX provider_review_request_responded_idx ON clara.provider_review_request (responded_at);
COMMENT ON TABLE clara.provider_review_request IS 'A conversation that a provider is to look at, as it stood then';
COMMENT ON COLUMN clara.provider_review_request.conversation_messages IS
  'Messages in the order of the export: [{content, isFromUser, timestamp, imageURL}]';

CREATE TABLE clara.follow_up_message (
  id uuid PRIMARY KEY,
  conversation_id uuid NOT NULL REFERENCES clara.conversation ON DELETE CASCADE,
  user_id uuid NOT NULL,
  message_content text,
  is_from_user boolean NOT NULL,
  sent_at timestamptz NOT NULL CHECK (isfinite(sent_at)),
  is_read boolean NOT NULL DEFAULT false,
  follow_up_id uuid,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX follow_up_message_conversation_idx ON clara.follow_up_message (conversation_id, sent_at);
CREATE INDEX follow_up_message_user_idx ON clara.follow_up_message (user_id);
COMMENT ON TABLE clara.follow_up_message IS 'A message after the review: of the user, or of the provider';

CREATE TRIGGER note_change BEFORE UPDATE ON clara.provider FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON clara.patient FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON clara.conversation FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON clara.provider_review_request
  FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON clara.follow_up_message
  FOR EACH ROW EXECUTE FUNCTION api.note_change();

-- With its owner's rights: a user must not need to see the list of providers to be asked whether he is one.
CREATE FUNCTION clara.is_provider() RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN EXISTS (SELECT FROM clara.provider WHERE user_id = auth.uid());
COMMENT ON FUNCTION clara.is_provider() IS 'Whether the user who is asking is a provider';
REVOKE ALL ON FUNCTION clara.is_provider() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clara.is_provider() TO authenticated;

CREATE FUNCTION clara.moment(written text) RETURNS timestamptz
  -- A moment without a zone is one of UTC, wherever it is read.
  LANGUAGE plpgsql STABLE PARALLEL SAFE SET timezone = 'UTC' AS $$
BEGIN
  -- The server would take 'yesterday', too.
  RETURN CASE
    WHEN written ~* '^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(z|[-+]\d\d(:?\d\d)?)?)?$' THEN written::timestamptz
  END;
EXCEPTION
  WHEN data_exception THEN RETURN NULL;
END $$;
COMMENT ON FUNCTION clara.moment(text) IS 'The moment that a message was written at; null where its text is none';

ALTER TABLE clara.provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE clara.patient ENABLE ROW LEVEL SECURITY;
ALTER TABLE clara.conversation ENABLE ROW LEVEL SECURITY;
ALTER TABLE clara.provider_review_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE clara.follow_up_message ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON clara.provider TO authenticated;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON clara.patient, clara.conversation, clara.provider_review_request, clara.follow_up_message TO authenticated;
CREATE POLICY own ON clara.provider FOR SELECT TO authenticated
  USING (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()));
CREATE POLICY own ON clara.patient TO authenticated
  USING (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()))
  WITH CHECK (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()));
-- What belongs together is one user's: nobody writes into the conversation of another, where providers would read it.
CREATE POLICY own ON clara.conversation TO authenticated
  USING (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()))
  WITH CHECK ((SELECT clara.is_provider()) OR user_id = (SELECT auth.uid()) AND (patient_id IS NULL OR EXISTS (
    SELECT FROM clara.patient p WHERE p.id = patient_id AND p.user_id = (SELECT auth.uid()))));
CREATE POLICY own ON clara.provider_review_request TO authenticated
  USING (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()))
  WITH CHECK ((SELECT clara.is_provider()) OR user_id = (SELECT auth.uid()) AND EXISTS (
    SELECT FROM clara.conversation c WHERE c.id = conversation_id AND c.user_id = (SELECT auth.uid())));
CREATE POLICY own ON clara.follow_up_message TO authenticated
  USING (user_id = (SELECT auth.uid()) OR (SELECT clara.is_provider()))
  WITH CHECK ((SELECT clara.is_provider()) OR user_id = (SELECT auth.uid()) AND EXISTS (
    SELECT FROM clara.conversation c WHERE c.id = conversation_id AND c.user_id = (SELECT auth.uid())));

-- rivulet:down
DROP TABLE clara.follow_up_message;
DROP TABLE clara.provider_review_request;
DROP TABLE clara.conversation;
DROP TABLE clara.patient;
DROP FUNCTION clara.moment(text);
DROP POLICY own ON clara.provider;
DROP FUNCTION clara.is_provider();
DROP TABLE clara.provider;
DROP SCHEMA clara;

-- rivulet:verify
SELECT 1 / (count(*) = 5)::int FROM pg_class
WHERE relnamespace = 'clara'::regnamespace AND relkind = 'r' AND relrowsecurity;
SELECT clara.is_provider();
SELECT 1 / (clara.moment('2026-02-30') IS NULL AND clara.moment('now') IS NULL
  AND clara.moment('2026-01-05T10:00:00') = '2026-01-05 10:00+00')::int;
