-- What row level security alone does not hold back: answers that only providers give, receipts that only receivers give,
-- files opened by naming them, links whose tokens are guessed, and what the engine keeps from who has not signed in.

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

-- An error is caught in it, which no worker may, nor who leads them.
ALTER FUNCTION clara.moment(text) PARALLEL UNSAFE;

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

ALTER TABLE ccc.secure_file ADD COLUMN owner_id uuid;
COMMENT ON COLUMN ccc.secure_file.owner_id IS 'The user who has stored it; null where nobody is known';
CREATE OR REPLACE VIEW api.secure_files WITH (security_invoker = true) AS
  SELECT id, url, metadata, key_id, created_at, updated_at, deleted_at, owner_id
  FROM ccc.secure_file;
ALTER POLICY attached ON ccc.secure_file
  USING (owner_id = (SELECT auth.uid()) OR EXISTS (SELECT FROM ccc.message m
    WHERE (SELECT auth.uid()) IN (m.sender_id, m.recipient_id) AND m.deleted_at IS NULL
      AND m.attachments @> jsonb_build_array(jsonb_build_object('id', secure_file.id))));

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
ALTER POLICY sending ON ccc.message
  WITH CHECK (sender_id = (SELECT auth.uid()) AND ccc.may_attach(attachments));

-- Who could write the hash of a token would learn by a refusal that there is such a link.
REVOKE INSERT, UPDATE ON doula.public_link, api.public_links FROM authenticated;
GRANT UPDATE (expires_at, disabled, updated_at) ON doula.public_link, api.public_links TO authenticated;
CREATE OR REPLACE FUNCTION doula.generate_public_link(client_id uuid, ttl interval) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- 244 random bits.
  token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
BEGIN
  IF ttl IS NULL OR ttl <= interval '0' THEN
    RAISE EXCEPTION 'a link must be valid for some time' USING ERRCODE = '22023';
  END IF;
  -- With its owner's rights it asks itself whose client it is; the owner may, where nobody has signed in.
  IF NOT EXISTS (SELECT FROM doula.client c WHERE c.id = generate_public_link.client_id
    AND (c.doula_id = auth.uid() OR auth.uid() IS NULL AND pg_has_role(session_user, current_user, 'USAGE'))) THEN
    RAISE insufficient_privilege USING MESSAGE = 'there is no such client of the doula who is asking';
  END IF;
  INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at)
  VALUES (gen_random_uuid(), generate_public_link.client_id, doula.token_hash(token), now() + ttl);
  RETURN token;
END $$;

-- Who has not signed in sees a cabinet and nothing else: what everybody might know of releases, those know now who
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
DO $$
DECLARE
  role name;
BEGIN
  GRANT USAGE ON SCHEMA rivulet TO PUBLIC;
  FOR role IN
    SELECT DISTINCT pg_get_userbyid(a.grantee) FROM pg_namespace n, aclexplode(n.nspacl) a
    WHERE n.nspname = 'rivulet' AND a.privilege_type = 'USAGE' AND a.grantee NOT IN (0, n.nspowner)
  LOOP
    EXECUTE format('REVOKE USAGE ON SCHEMA rivulet FROM %I', role);
  END LOOP;
END $$;
CREATE OR REPLACE FUNCTION doula.generate_public_link(client_id uuid, ttl interval) RETURNS text
  LANGUAGE plpgsql SECURITY INVOKER AS $$
DECLARE
  -- 244 random bits.
  token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
BEGIN
  IF ttl IS NULL OR ttl <= interval '0' THEN
    RAISE EXCEPTION 'a link must be valid for some time' USING ERRCODE = '22023';
  END IF;
  INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at)
  VALUES (gen_random_uuid(), generate_public_link.client_id, doula.token_hash(token), now() + ttl);
  RETURN token;
END $$;
REVOKE UPDATE (expires_at, disabled, updated_at) ON doula.public_link, api.public_links FROM authenticated;
GRANT INSERT, UPDATE ON doula.public_link, api.public_links TO authenticated;
ALTER POLICY sending ON ccc.message WITH CHECK (sender_id = (SELECT auth.uid()));
DROP FUNCTION ccc.may_attach(jsonb);
ALTER POLICY attached ON ccc.secure_file
  USING (EXISTS (SELECT FROM ccc.message m
    WHERE (SELECT auth.uid()) IN (m.sender_id, m.recipient_id)
      AND m.attachments @> jsonb_build_array(jsonb_build_object('id', secure_file.id))));
DROP VIEW api.secure_files;
CREATE VIEW api.secure_files WITH (security_invoker = true) AS
  SELECT id, url, metadata, key_id, created_at, updated_at, deleted_at
  FROM ccc.secure_file;
GRANT SELECT ON api.secure_files TO authenticated;
ALTER TABLE ccc.secure_file DROP COLUMN owner_id;
DROP TRIGGER keep_receipt ON ccc.message;
DROP FUNCTION ccc.keep_receipt();
ALTER FUNCTION clara.moment(text) PARALLEL SAFE;
DROP POLICY not_answered ON clara.conversation;
DROP POLICY not_answered ON clara.follow_up_message;
DROP POLICY not_answered ON clara.provider_review_request;
DROP TRIGGER keep_speaker ON clara.follow_up_message;
DROP FUNCTION clara.keep_speaker();
DROP TRIGGER keep_answers ON clara.provider_review_request;
DROP FUNCTION clara.keep_answers();

-- rivulet:verify
SELECT 1 / (NOT has_schema_privilege('anon', 'rivulet', 'USAGE'))::int;
SELECT 1 / ccc.may_attach('[]')::int, 1 / ccc.may_attach('[{"id": 1}]')::int,
  1 / (NOT ccc.may_attach('[{"id": "00000000-0000-0000-0000-000000000000"}]'))::int;
