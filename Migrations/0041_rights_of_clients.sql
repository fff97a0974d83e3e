-- What row level security alone does not hold back: answers that only providers give, files opened by naming them, and
-- what the engine keeps from those who have not signed in.

-- rivulet:up
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
  END IF;
  IF (NEW.status, NEW.provider_id, NEW.provider_name, NEW.response_type, NEW.provider_response, NEW.provider_urgency,
      NEW.responded_at)
    IS DISTINCT FROM
    (before.status, before.provider_id, before.provider_name, before.response_type, before.provider_response,
      before.provider_urgency, before.responded_at) THEN
    RAISE insufficient_privilege USING
      MESSAGE = 'only a provider answers a review request',
      HINT = 'Leave out status, response_type, responded_at and what begins with provider.';
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION clara.keep_answers() IS 'Trigger: the answer to a review request is given by providers only';
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
  ELSIF NEW.is_from_user = OLD.is_from_user AND (OLD.is_from_user
    OR (NEW.message_content, NEW.sent_at, NEW.conversation_id, NEW.follow_up_id)
      IS NOT DISTINCT FROM (OLD.message_content, OLD.sent_at, OLD.conversation_id, OLD.follow_up_id)) THEN
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

-- With its owner's rights: whether others have the file is not for the sender to see.
CREATE FUNCTION ccc.may_attach(attachments jsonb) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  BEGIN ATOMIC
    SELECT NOT EXISTS (
      SELECT FROM jsonb_path_query(attachments, 'strict $[*] ? (exists(@.id))', '{}', true) a
      JOIN ccc.message m ON m.attachments @> jsonb_build_array(jsonb_build_object('id', a -> 'id'))
      GROUP BY a -> 'id'
      HAVING NOT bool_or(auth.uid() IN (m.sender_id, m.recipient_id)));
  END;
COMMENT ON FUNCTION ccc.may_attach(jsonb) IS
  'Whether the user who is asking has got each of the files already, or nobody has: a file is opened by the messages it hangs on';
REVOKE ALL ON FUNCTION ccc.may_attach(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ccc.may_attach(jsonb) TO authenticated;
ALTER POLICY sending ON ccc.message
  WITH CHECK (sender_id = (SELECT auth.uid()) AND ccc.may_attach(attachments));

-- Whoever has not signed in sees a cabinet and nothing else: what everybody might know of releases, those know now who
-- are let into a schema by name.
DO $$
DECLARE
  role name;
BEGIN
  REVOKE USAGE ON SCHEMA rivulet FROM PUBLIC;
  GRANT USAGE ON SCHEMA rivulet TO authenticated;
  FOR role IN
    SELECT DISTINCT pg_get_userbyid(a.grantee) FROM pg_namespace n, aclexplode(n.nspacl) a
    WHERE n.nspname IN ('cms', 'directory', 'mart') AND a.privilege_type = 'USAGE'
      AND a.grantee NOT IN (0, n.nspowner, 'anon'::regrole)
  LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA rivulet TO %I', role);
  END LOOP;
END $$;

-- rivulet:down
GRANT USAGE ON SCHEMA rivulet TO PUBLIC;
REVOKE USAGE ON SCHEMA rivulet FROM authenticated;
ALTER POLICY sending ON ccc.message WITH CHECK (sender_id = (SELECT auth.uid()));
DROP FUNCTION ccc.may_attach(jsonb);
DROP TRIGGER keep_speaker ON clara.follow_up_message;
DROP FUNCTION clara.keep_speaker();
DROP TRIGGER keep_answers ON clara.provider_review_request;
DROP FUNCTION clara.keep_answers();

-- rivulet:verify
SELECT 1 / (NOT has_schema_privilege('anon', 'rivulet', 'USAGE'))::int;
SELECT 1 / ccc.may_attach('[]')::int, 1 / ccc.may_attach('{"id": "x"}')::int;
