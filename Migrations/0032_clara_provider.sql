-- Clara Provider: patients, their conversations, and what providers review.
-- rivulet:datasets clara

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
  -- A moment without a zone is one of UTC, wherever it is read. Not parallel safe: an error is caught in it, which no
  -- worker may, nor who leads them.
  LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
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

-- What clients know: the tables and columns by their own names, with the rights of the reader. Which file a row was
-- loaded from is not theirs to see.
CREATE VIEW api.providers WITH (security_invoker = true) AS
  SELECT user_id, name, created_at, updated_at
  FROM clara.provider;
CREATE VIEW api.patients WITH (security_invoker = true) AS
  SELECT id, user_id, parent_name, child_name, date_of_birth, gender, allergies, medications, past_conditions,
    challenges, nicknames, notes, created_at, updated_at, deleted_at
  FROM clara.patient;
CREATE VIEW api.conversations WITH (security_invoker = true) AS
  SELECT id, user_id, patient_id, title, created_at, updated_at, deleted_at
  FROM clara.conversation;
CREATE VIEW api.provider_review_requests WITH (security_invoker = true) AS
  SELECT id, user_id, conversation_id, conversation_title, child_name, child_age, child_dob, triage_outcome,
    conversation_messages, conversation_summary, follow_up_days, follow_up_hours, follow_up_minutes, status,
    provider_id, provider_name, response_type, provider_response, provider_urgency, responded_at, created_at,
    updated_at, deleted_at
  FROM clara.provider_review_request;
CREATE VIEW api.follow_up_messages WITH (security_invoker = true) AS
  SELECT id, conversation_id, user_id, message_content, is_from_user, sent_at AS "timestamp", is_read,
    follow_up_id, created_at, updated_at, deleted_at
  FROM clara.follow_up_message;
GRANT SELECT ON api.providers TO authenticated;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  api.patients, api.conversations, api.provider_review_requests, api.follow_up_messages TO authenticated;

-- What row level security alone does not hold back: answers that only providers give.
CREATE FUNCTION clara.keep_answers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before clara.provider_review_request;
BEGIN
  -- Nobody is signed in where an export is loaded.
  IF auth.uid() IS NULL OR clara.is_provider() THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    before := OLD;
  ELSE
    before.status := 'pending';
    before.created_at := NEW.created_at;
  END IF;
  IF (NEW.status, NEW.provider_id, NEW.provider_name, NEW.response_type, NEW.provider_response, NEW.provider_urgency,
      NEW.responded_at, NEW.created_at)
    IS DISTINCT FROM
    (before.status, before.provider_id, before.provider_name, before.response_type, before.provider_response,
      before.provider_urgency, before.responded_at, before.created_at) THEN
    RAISE insufficient_privilege USING
      MESSAGE = 'only a provider answers a review request',
      HINT = 'Leave out status, response_type, responded_at, created_at and what begins with provider.';
  END IF;
  IF before.status <> 'pending' AND to_jsonb(NEW) - 'updated_at' <> to_jsonb(OLD) - 'updated_at' THEN
    RAISE insufficient_privilege USING
      MESSAGE = 'a review request that was answered stays as it was asked', HINT = 'Ask again by a new request.';
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION clara.keep_answers() IS
  'Trigger: a review request is answered by providers only, and stays then what it was';
REVOKE ALL ON FUNCTION clara.keep_answers() FROM PUBLIC;
CREATE TRIGGER keep_answers BEFORE INSERT OR UPDATE ON clara.provider_review_request
  FOR EACH ROW EXECUTE FUNCTION clara.keep_answers();

CREATE FUNCTION clara.keep_speaker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF auth.uid() IS NULL OR clara.is_provider() THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.is_from_user THEN
      RETURN NEW;
    END IF;
  ELSIF OLD.is_from_user AND NEW.is_from_user
    OR to_jsonb(NEW) - '{is_read,updated_at}'::text[] = to_jsonb(OLD) - '{is_read,updated_at}'::text[] THEN
    RETURN NEW;
  END IF;
  RAISE insufficient_privilege USING
    MESSAGE = 'only a provider writes what comes from a provider',
    HINT = 'A message of a user''s own has is_from_user = true; of one of a provider a user may change is_read.';
END $$;
COMMENT ON FUNCTION clara.keep_speaker() IS 'Trigger: nobody but a provider speaks as one';
REVOKE ALL ON FUNCTION clara.keep_speaker() FROM PUBLIC;
CREATE TRIGGER keep_speaker BEFORE INSERT OR UPDATE ON clara.follow_up_message
  FOR EACH ROW EXECUTE FUNCTION clara.keep_speaker();

-- What a provider has said stays; a user puts the conversation aside by its deleted_at.
CREATE POLICY not_answered ON clara.provider_review_request AS RESTRICTIVE FOR DELETE TO authenticated
  USING (status = 'pending' OR (SELECT clara.is_provider()));
CREATE POLICY not_answered ON clara.follow_up_message AS RESTRICTIVE FOR DELETE TO authenticated
  USING (is_from_user OR (SELECT clara.is_provider()));
CREATE POLICY not_answered ON clara.conversation AS RESTRICTIVE FOR DELETE TO authenticated
  USING ((SELECT clara.is_provider()) OR NOT EXISTS (
      SELECT FROM clara.provider_review_request r WHERE r.conversation_id = conversation.id AND r.status <> 'pending')
    AND NOT EXISTS (
      SELECT FROM clara.follow_up_message m WHERE m.conversation_id = conversation.id AND NOT m.is_from_user));

-- rivulet:down
DROP POLICY not_answered ON clara.conversation;
DROP POLICY not_answered ON clara.follow_up_message;
DROP POLICY not_answered ON clara.provider_review_request;
DROP TRIGGER keep_speaker ON clara.follow_up_message;
DROP FUNCTION clara.keep_speaker();
DROP TRIGGER keep_answers ON clara.provider_review_request;
DROP FUNCTION clara.keep_answers();
DROP VIEW api.follow_up_messages;
DROP VIEW api.provider_review_requests;
DROP VIEW api.conversations;
DROP VIEW api.patients;
DROP VIEW api.providers;
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
