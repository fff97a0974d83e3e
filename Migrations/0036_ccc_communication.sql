-- CCC Healthcare Communication: messages that nobody here can open, calls, emergencies.
-- rivulet:datasets ccc

-- rivulet:up
CREATE SCHEMA ccc;
COMMENT ON SCHEMA ccc IS 'CCC Healthcare Communication: messages, calls and emergencies';
GRANT USAGE ON SCHEMA ccc TO authenticated;

CREATE TABLE ccc.app_user (
  id uuid PRIMARY KEY,
  first_name text,
  last_name text,
  role smallint NOT NULL DEFAULT 0,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
COMMENT ON TABLE ccc.app_user IS 'Who writes, calls and reports';

CREATE TABLE ccc.message (
  id uuid PRIMARY KEY,
  sender_id uuid NOT NULL REFERENCES ccc.app_user,
  recipient_id uuid NOT NULL REFERENCES ccc.app_user,
  content bytea NOT NULL,
  encrypted_key bytea,
  key_id text,
  algorithm text,
  encrypted_at timestamptz,
  sent_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'sent' CHECK (status IN ('sent', 'delivered', 'read', 'failed')),
  attachments jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(attachments) = 'array'),
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX message_sender_idx ON ccc.message (sender_id, sent_at);
CREATE INDEX message_recipient_idx ON ccc.message (recipient_id, sent_at);
COMMENT ON TABLE ccc.message IS 'A message, enciphered: carried, never opened';
COMMENT ON COLUMN ccc.message.content IS 'Ciphertext';
COMMENT ON COLUMN ccc.message.encrypted_key IS 'Key of the content, enciphered for the recipient';

CREATE TABLE ccc.secure_file (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  key_id text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  owner_id uuid
);
COMMENT ON TABLE ccc.secure_file IS 'Where an enciphered file lies';
COMMENT ON COLUMN ccc.secure_file.owner_id IS 'The user who has stored it; null where nobody is known';

CREATE TABLE ccc.call (
  id uuid PRIMARY KEY,
  caller_id uuid NOT NULL REFERENCES ccc.app_user,
  callee_id uuid NOT NULL REFERENCES ccc.app_user,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  outcome text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT call_ends_after_start CHECK (ended_at >= started_at),
  CONSTRAINT call_times CHECK (isfinite(started_at) AND isfinite(ended_at))
);
CREATE INDEX call_caller_idx ON ccc.call (caller_id);
CREATE INDEX call_callee_idx ON ccc.call (callee_id);
CREATE INDEX call_started_idx ON ccc.call (started_at);
COMMENT ON TABLE ccc.call IS 'A call';

CREATE TABLE ccc.emergency (
  id uuid PRIMARY KEY,
  reported_by uuid NOT NULL REFERENCES ccc.app_user,
  severity text NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  status text NOT NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT emergency_closes_after_opening CHECK (closed_at >= opened_at),
  CONSTRAINT emergency_times CHECK (isfinite(opened_at) AND isfinite(closed_at))
);
CREATE INDEX emergency_reporter_idx ON ccc.emergency (reported_by);
CREATE INDEX emergency_open_idx ON ccc.emergency (opened_at) WHERE closed_at IS NULL;
COMMENT ON TABLE ccc.emergency IS 'An emergency that was reported';

CREATE TABLE ccc.analytics_event (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  properties jsonb NOT NULL DEFAULT '{}' CHECK (NOT properties ?| ARRAY['patientId', 'medicalData']),
  at timestamptz NOT NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX analytics_event_name_idx ON ccc.analytics_event (name, at);
COMMENT ON TABLE ccc.analytics_event IS 'What the program did; nothing in it tells of a patient';

CREATE TRIGGER note_change BEFORE UPDATE ON ccc.app_user FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON ccc.message FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON ccc.secure_file FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON ccc.call FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON ccc.emergency FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON ccc.analytics_event FOR EACH ROW EXECUTE FUNCTION api.note_change();

ALTER TABLE ccc.app_user ENABLE ROW LEVEL SECURITY;
ALTER TABLE ccc.message ENABLE ROW LEVEL SECURITY;
ALTER TABLE ccc.secure_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE ccc.call ENABLE ROW LEVEL SECURITY;
ALTER TABLE ccc.emergency ENABLE ROW LEVEL SECURITY;
ALTER TABLE ccc.analytics_event ENABLE ROW LEVEL SECURITY;
-- Nobody gives himself a role, and what was sent stays as it was sent: who has got it may say only what became of it.
GRANT SELECT, INSERT (id, first_name, last_name), UPDATE (first_name, last_name, updated_at, deleted_at)
  ON ccc.app_user TO authenticated;
GRANT SELECT, INSERT, DELETE, UPDATE (status, updated_at, deleted_at) ON ccc.message TO authenticated;
GRANT SELECT ON ccc.secure_file TO authenticated;
GRANT SELECT, INSERT, UPDATE (ended_at, outcome, updated_at) ON ccc.call TO authenticated;
GRANT SELECT, INSERT, UPDATE ON ccc.emergency TO authenticated;

CREATE POLICY own ON ccc.app_user TO authenticated
  USING (id = (SELECT auth.uid())) WITH CHECK (id = (SELECT auth.uid()));
CREATE POLICY taking_part ON ccc.message FOR SELECT TO authenticated
  USING ((SELECT auth.uid()) IN (sender_id, recipient_id));

-- With its owner's rights, so that it gives the same of a file of others as of none.
CREATE FUNCTION ccc.may_attach(attachments jsonb) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  BEGIN ATOMIC
    SELECT NOT EXISTS (
      SELECT FROM jsonb_path_query(attachments, 'strict $[*].id', '{}', true) i
      -- Other identifiers are the app's own, and open nothing.
      WHERE i #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        AND NOT EXISTS (
          SELECT FROM ccc.secure_file f WHERE f.id::text = i #>> '{}' AND f.owner_id = auth.uid())
        AND NOT EXISTS (
          SELECT FROM ccc.message m
          WHERE m.attachments @> jsonb_build_array(jsonb_build_object('id', i))
            AND auth.uid() IN (m.sender_id, m.recipient_id) AND m.deleted_at IS NULL));
  END;
COMMENT ON FUNCTION ccc.may_attach(jsonb) IS
  'Whether each file is the own of the user who is asking, or hangs on a message of theirs';
REVOKE ALL ON FUNCTION ccc.may_attach(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ccc.may_attach(jsonb) TO authenticated;
CREATE POLICY sending ON ccc.message FOR INSERT TO authenticated
  WITH CHECK (sender_id = (SELECT auth.uid()) AND ccc.may_attach(attachments));

CREATE POLICY changing ON ccc.message FOR UPDATE TO authenticated
  USING ((SELECT auth.uid()) IN (sender_id, recipient_id))
  WITH CHECK ((SELECT auth.uid()) IN (sender_id, recipient_id));
CREATE POLICY taking_back ON ccc.message FOR DELETE TO authenticated
  USING (sender_id = (SELECT auth.uid()));
CREATE POLICY attached ON ccc.secure_file FOR SELECT TO authenticated
  USING (owner_id = (SELECT auth.uid()) OR EXISTS (SELECT FROM ccc.message m
    WHERE (SELECT auth.uid()) IN (m.sender_id, m.recipient_id) AND m.deleted_at IS NULL
      AND m.attachments @> jsonb_build_array(jsonb_build_object('id', secure_file.id))));
CREATE POLICY taking_part ON ccc.call FOR SELECT TO authenticated
  USING ((SELECT auth.uid()) IN (caller_id, callee_id));
CREATE POLICY calling ON ccc.call FOR INSERT TO authenticated WITH CHECK (caller_id = (SELECT auth.uid()));
CREATE POLICY changing ON ccc.call FOR UPDATE TO authenticated
  USING ((SELECT auth.uid()) IN (caller_id, callee_id)) WITH CHECK ((SELECT auth.uid()) IN (caller_id, callee_id));
CREATE POLICY own ON ccc.emergency TO authenticated
  USING (reported_by = (SELECT auth.uid())) WITH CHECK (reported_by = (SELECT auth.uid()));

-- What clients know: the tables and columns by their own names, with the rights of the reader. Which file a row was
-- loaded from is not theirs to see.
-- Both RVU Tracker and CCC call them users: the name is given to the one that came first.
CREATE VIEW api.ccc_users WITH (security_invoker = true) AS
  SELECT id, first_name, last_name, role, created_at, updated_at, deleted_at
  FROM ccc.app_user;
CREATE VIEW api.messages WITH (security_invoker = true) AS
  SELECT id, sender_id, recipient_id, content, encrypted_key, key_id, algorithm, encrypted_at, sent_at, status,
    attachments, created_at, updated_at, deleted_at
  FROM ccc.message;
CREATE VIEW api.secure_files WITH (security_invoker = true) AS
  SELECT id, url, metadata, key_id, created_at, updated_at, deleted_at, owner_id
  FROM ccc.secure_file;
CREATE VIEW api.calls WITH (security_invoker = true) AS
  SELECT id, caller_id, callee_id, started_at, ended_at, outcome, created_at, updated_at
  FROM ccc.call;
CREATE VIEW api.emergencies WITH (security_invoker = true) AS
  SELECT id, reported_by, severity, opened_at, closed_at, status, created_at, updated_at
  FROM ccc.emergency;
-- The same rights as on the tables.
GRANT SELECT ON api.secure_files TO authenticated;
GRANT SELECT, INSERT (id, first_name, last_name), UPDATE (first_name, last_name, updated_at, deleted_at)
  ON api.ccc_users TO authenticated;
GRANT SELECT, INSERT, DELETE, UPDATE (status, updated_at, deleted_at) ON api.messages TO authenticated;
GRANT SELECT, INSERT, UPDATE (ended_at, outcome, updated_at) ON api.calls TO authenticated;
GRANT SELECT, INSERT, UPDATE ON api.emergencies TO authenticated;

-- What row level security alone does not hold back: receipts that only receivers give.
CREATE FUNCTION ccc.keep_receipt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF auth.uid() IS NULL THEN
    RETURN NEW;
  END IF;
  IF NEW.status <> OLD.status AND auth.uid() <> NEW.recipient_id
    AND (NEW.status <> 'failed' OR OLD.status <> 'sent') THEN
    RAISE insufficient_privilege USING
      MESSAGE = 'only its receiver says what became of a message',
      HINT = 'Its sender may say of one that is sent that it has failed.';
  END IF;
  IF NEW.deleted_at IS DISTINCT FROM OLD.deleted_at AND auth.uid() <> NEW.sender_id THEN
    RAISE insufficient_privilege USING MESSAGE = 'only its sender takes a message back';
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION ccc.keep_receipt() IS
  'Trigger: what became of a message its receiver says, and its sender takes it back';
REVOKE ALL ON FUNCTION ccc.keep_receipt() FROM PUBLIC;
CREATE TRIGGER keep_receipt BEFORE UPDATE ON ccc.message FOR EACH ROW EXECUTE FUNCTION ccc.keep_receipt();

-- rivulet:down
DROP VIEW api.emergencies;
DROP VIEW api.calls;
DROP VIEW api.secure_files;
DROP VIEW api.messages;
DROP VIEW api.ccc_users;
DROP TABLE ccc.analytics_event;
DROP TABLE ccc.emergency;
DROP TABLE ccc.call;
DROP POLICY sending ON ccc.message;
DROP FUNCTION ccc.may_attach(jsonb);
DROP TABLE ccc.secure_file;
DROP TABLE ccc.message;
DROP TABLE ccc.app_user;
DROP FUNCTION ccc.keep_receipt();
DROP SCHEMA ccc;

-- rivulet:verify
SELECT 1 / (count(*) = 6)::int FROM pg_class
WHERE relnamespace = 'ccc'::regnamespace AND relkind = 'r' AND relrowsecurity;
SELECT 1 / ccc.may_attach('[]')::int, 1 / ccc.may_attach('[{"id": 1}]')::int,
  1 / (NOT ccc.may_attach('[{"id": "00000000-0000-0000-0000-000000000000"}]'))::int;
