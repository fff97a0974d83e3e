-- DoulaFlow's links: made, revoked, and what is behind them.
-- rivulet:datasets doula

-- rivulet:up
CREATE FUNCTION doula.token_hash(token text) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(convert_to(token, 'UTF8'));
COMMENT ON FUNCTION doula.token_hash(text) IS 'What is stored of a link''s token';

CREATE FUNCTION doula.generate_public_link(client_id uuid, ttl interval) RETURNS text
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
COMMENT ON FUNCTION doula.generate_public_link(uuid, interval) IS
  'Makes a link to a client''s cabinet and gives its token, this once';

CREATE FUNCTION doula.revoke_public_link(token text) RETURNS boolean
  LANGUAGE sql
  BEGIN ATOMIC
    WITH revoked AS (
      UPDATE doula.public_link SET disabled = true
      WHERE token_sha256 = doula.token_hash(token) AND NOT disabled RETURNING id)
    SELECT count(*) > 0 FROM revoked;
  END;
COMMENT ON FUNCTION doula.revoke_public_link(text) IS 'Switches a link off; false where there is none that is on';

-- One way through for every token, good or not: what is wrong with it shows neither in the answer nor in the time. One
-- link is read whatever the token is: its own, else the next one's, else the last one's.
CREATE FUNCTION doula.client_cabinet(token text) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  -- As text: a dump leaves out the schema that has today().
  AS $$
    WITH link AS MATERIALIZED (
      SELECT l.client_id AS id, l.token_sha256 = asked.hash AND NOT l.disabled AND l.expires_at > now() AS is_good
      FROM (SELECT doula.token_hash(token) AS hash,
        (SELECT token_sha256 FROM doula.public_link ORDER BY token_sha256 DESC LIMIT 1) AS last OFFSET 0) asked
      CROSS JOIN LATERAL (
        SELECT * FROM doula.public_link WHERE token_sha256 >= least(asked.hash, asked.last)
        ORDER BY token_sha256 LIMIT 1
      ) l)
    SELECT jsonb_build_object(
      'name', c.name, 'edd', c.edd,
      'week', CASE WHEN c.status <> 'postpartum' THEN doula.pregnancy_week(c.edd, rivulet.today()) END,
      'plan', coalesce((SELECT p.content FROM doula.birth_plan p
        WHERE p.client_id = c.id AND p.deleted_at IS NULL ORDER BY p.updated_at DESC, p.id LIMIT 1), '[]'),
      'recommendations', coalesce((SELECT jsonb_agg(
          jsonb_build_object('content', r.content, 'attachments', r.attachments) ORDER BY r.created_at, r.id)
        FROM doula.recommendation r WHERE r.client_id = c.id AND r.deleted_at IS NULL), '[]'),
      'files', coalesce((SELECT jsonb_agg(
          jsonb_build_object('slug', f.slug, 'mime_type', f.mime_type, 'bytes', f.bytes) ORDER BY f.slug)
        FROM doula.client_file f WHERE f.client_id = c.id AND f.deleted_at IS NULL), '[]'))
    -- Whatever the token is, a client is looked for; of one that is not good it is nobody's.
    FROM link JOIN doula.client c
      ON c.id = CASE WHEN link.is_good THEN link.id ELSE '00000000-0000-0000-0000-000000000000' END
    WHERE link.is_good AND c.deleted_at IS NULL
  $$;
COMMENT ON FUNCTION doula.client_cabinet(text) IS
  'What a client sees by a link: name, day of delivery, week, plan, recommendations, files; null for a token that is not good';

REVOKE ALL ON FUNCTION doula.token_hash(text), doula.generate_public_link(uuid, interval),
  doula.revoke_public_link(text), doula.client_cabinet(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION doula.token_hash(text), doula.generate_public_link(uuid, interval),
  doula.revoke_public_link(text) TO authenticated;
GRANT EXECUTE ON FUNCTION doula.client_cabinet(text) TO anon, authenticated;

-- rivulet:down
DROP FUNCTION doula.client_cabinet(text);
DROP FUNCTION doula.revoke_public_link(text);
DROP FUNCTION doula.generate_public_link(uuid, interval);
DROP FUNCTION doula.token_hash(text);

-- rivulet:verify
SELECT 1 / (doula.client_cabinet('no such token') IS NULL)::int;
