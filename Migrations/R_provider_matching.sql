-- Which records of different directories are the same provider. 0055 says how; this is the function as it is now, which reads
-- where they practise from directory.practice_by_source, and organisations of FHIR beside providers.
-- rivulet:datasets directory-csv

-- rivulet:up
-- The view that it reads is made when all migrations are applied.
SET LOCAL check_function_bodies = off;
CREATE OR REPLACE FUNCTION directory.provider_matches(threshold double precision DEFAULT 0.95, doubtful double precision DEFAULT 0.5)
  RETURNS TABLE (release text, source_id text, other_release text, other_source_id text, npi bigint,
    score numeric(4,3), weight numeric(5,1), reasons text[], rank int, is_ambiguous boolean)
  LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
  SET enable_nestloop = off SET join_collapse_limit = 1 SET jit = off SET work_mem = '128MB'
AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
WITH shown AS MATERIALIZED (
  SELECT DISTINCT ON (r.pipeline, directory.release_series(r.release))
    r.release, directory.release_series(r.release) AS series
  FROM rivulet.release r
  LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
  WHERE r.state = 'published' AND (r.effective_from <= rivulet.today() OR c.release IS NOT NULL)
  ORDER BY r.pipeline, directory.release_series(r.release), c.release IS NULL, r.effective_from DESC, r.release DESC
), record AS MATERIALIZED (
  SELECT (row_number() OVER ())::int AS id, dense_rank() OVER (ORDER BY s.series)::int AS series, p.release, p.source_id, p.npi
  FROM (
    SELECT release, source_id, npi FROM directory.provider WHERE entity_type IS NOT NULL OR npi IS NULL
    UNION ALL
    SELECT release, ('Organization/' || source_id) COLLATE "C", npi FROM directory.organization) p
  JOIN shown s USING (release)
), every_name AS (
  SELECT release, source_id, kind = 'legal' OR slot = 1 AS is_legal, organization, last_name, first_name, middle_name, suffix FROM directory.provider_name
  UNION ALL
  SELECT release, ('Organization/' || source_id) COLLATE "C", true, name, NULL, NULL, NULL, NULL FROM directory.organization
  UNION ALL
  SELECT o.release, ('Organization/' || o.source_id) COLLATE "C", false, alias, NULL, NULL, NULL, NULL
  FROM directory.organization o CROSS JOIN LATERAL regexp_split_to_table(o.aliases, '; ') alias
), said AS MATERIALIZED (
  -- Where they practise beside the addresses of their own records: further places, roles, affiliations, groups.
  SELECT release, source_id, npi, line_1, postal_code, phones, specialties
  FROM directory.practice_by_source WHERE kind <> 'address'
), practice AS MATERIALIZED (
  -- What one directory says of an NPI helps to find it in another.
  SELECT r.id, b.line_1, b.postal_code, b.phones, b.specialties FROM record r JOIN said b ON b.npi = r.npi
  UNION ALL
  SELECT r.id, b.line_1, b.postal_code, b.phones, b.specialties FROM record r JOIN said b USING (release, source_id)
  WHERE r.npi IS NULL
), size AS MATERIALIZED (
  SELECT series, count(*) AS records, sum(count(*)) OVER () AS total FROM record GROUP BY series
), name AS MATERIALIZED (
  SELECT r.id, r.npi IS NULL AS is_sought, r.series, n.is_legal, k.last, k.first,
    left(directory.name_key(n.middle_name), 1) AS middle, directory.organization_key(n.organization) AS organization,
    CASE WHEN n.organization IS NOT NULL THEN ARRAY(
      SELECT DISTINCT word FROM regexp_split_to_table(upper(n.organization), '[^[:alnum:]]+') word
      WHERE length(word) > 2 AND directory.organization_key(word) IS NOT NULL AND word <> 'AND') END AS words,
    CASE WHEN n.last_name ~ '[^ ][- ][^ ]' THEN array_remove(ARRAY(
      SELECT directory.name_key(part) FROM regexp_split_to_table(n.last_name, '[- ]') part WHERE length(part) > 2), NULL)
    END AS halves,
    coalesce(f.forms, ARRAY[]::text[]) || k.first AS forms, g.generation
  FROM record r
  JOIN every_name n USING (release, source_id)
  CROSS JOIN LATERAL (SELECT directory.name_key(n.last_name) AS last, directory.name_key(n.first_name) AS first) k
  LEFT JOIN (SELECT short, array_agg(long) AS forms FROM directory.first_name_form GROUP BY short) f ON f.short = k.first
  LEFT JOIN (VALUES ('JR', 'JR'), ('JUNIOR', 'JR'), ('SR', 'SR'), ('SENIOR', 'SR'), ('II', 'II'), ('2ND', 'II'),
    ('III', 'III'), ('3RD', 'III'), ('IV', 'IV'), ('4TH', 'IV'), ('V', 'V')) g(suffix, generation)
    ON g.suffix = translate(upper(n.suffix), '. ,', '')
), word AS MATERIALIZED (
  -- A specialty is a code of the taxonomy, or words: either is compared with the other by the names of the code.
  SELECT DISTINCT t.taxonomy, w.text
  FROM (
    SELECT taxonomy FROM record JOIN directory.provider_taxonomy USING (release, source_id)
    UNION
    SELECT unnest(specialties) FROM practice) t
  LEFT JOIN directory.taxonomy x ON x.code = t.taxonomy
    AND x.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nucc')
  CROSS JOIN LATERAL unnest(ARRAY[directory.organization_key(t.taxonomy), directory.organization_key(x.classification),
    directory.organization_key(x.specialization), directory.organization_key(x.display_name)]) AS w(text)
  WHERE w.text IS NOT NULL
), fact AS MATERIALIZED (
  -- The values of a record by their hashes, which are compared and sorted sooner than texts.
  SELECT DISTINCT id, kind, value FROM (
    SELECT r.id, f.kind, hashtextextended(f.value, 0) AS value
    FROM (
      SELECT r.id, a.line_1, a.postal_code, a.phone
      FROM record r JOIN directory.provider_address a USING (release, source_id)
      UNION ALL
      SELECT r.id, r.line_1, r.postal_code, substring(phone FROM '^\+\d+') FROM practice r LEFT JOIN LATERAL unnest(r.phones) phone ON true
      UNION ALL
      SELECT r.id, a.line_1, a.postal_code, NULL
      FROM record r JOIN directory.organization_address a ON a.release = r.release
        AND ('Organization/' || a.source_id) COLLATE "C" = r.source_id) r
    CROSS JOIN LATERAL (VALUES
      ('p'::"char", r.phone), ('z', left(r.postal_code, 5)),
      ('s', directory.street_key(r.line_1) || ' ' || left(r.postal_code, 5))) f(kind, value)
    WHERE f.value IS NOT NULL
    UNION ALL
    SELECT r.id, 't', hashtextextended(w.text, 0)
    FROM (
      SELECT r.id, t.taxonomy FROM record r JOIN directory.provider_taxonomy t USING (release, source_id)
      UNION
      SELECT id, unnest(specialties) FROM practice) r JOIN word w USING (taxonomy)) every
), share AS MATERIALIZED (
  -- How common a value is. Of few records nobody knows it: each counts as one of 3,000 more, of which a usual share has it.
  SELECT kind, value, ((found.records + 3000 * u.usual) / (total + 3000))::float8 AS share
  FROM (
    SELECT kind, value, count(*) AS records FROM fact GROUP BY kind, value
    UNION ALL SELECT 'l', hashtextextended(last, 0), count(*) FROM name WHERE last IS NOT NULL GROUP BY 2
    UNION ALL SELECT 'f', hashtextextended(first, 0), count(*) FROM name WHERE first IS NOT NULL GROUP BY 2
    UNION ALL SELECT 'o', hashtextextended(organization, 0), count(*) FROM name WHERE organization IS NOT NULL GROUP BY 2) found
  JOIN (VALUES ('l'::"char", 0.0005), ('f', 0.005), ('o', 0.0001), ('p', 0.0001), ('s', 0.0001), ('z', 0.001), ('t', 0.03))
    u(kind, usual) USING (kind)
  CROSS JOIN (SELECT max(total) AS total FROM size) t
), key AS MATERIALIZED (
  -- What a record is looked up by, and found by; 'seek' alone where the other has it in another form.
  SELECT id, series, is_sought, k.way, hashtextextended(k.text, 0) AS key
  FROM name n CROSS JOIN LATERAL (
    SELECT 'both', 'n ' || last || ' ' || form FROM unnest(forms) form WHERE length(first) > 1
    UNION ALL
    SELECT 'both', 'n ' || half || ' ' || form FROM unnest(halves) half, unnest(forms) form WHERE length(first) > 1
    UNION ALL SELECT 'seek', 'n ' || first || ' ' || last WHERE is_sought AND length(first) > 1
    UNION ALL
    SELECT 'seek', CASE WHEN length(first) = 1 THEN 'of ' ELSE 'initial ' END || last || ' ' || left(first, 1) WHERE is_sought
    UNION ALL SELECT 'offer', 'of ' || last || ' ' || left(first, 1)
    UNION ALL SELECT 'offer', 'initial ' || last || ' ' || first WHERE length(first) = 1
    UNION ALL SELECT 'both', 'o ' || organization) k(way, text)
  WHERE k.text IS NOT NULL
  UNION ALL
  SELECT id, series, is_sought, k.way, hashtextextended(k.text, p.value)
  FROM name n JOIN fact p USING (id) CROSS JOIN LATERAL (
    SELECT 'both', form FROM unnest(forms) form WHERE length(first) > 1 AND kind <> 'z'
    UNION ALL SELECT 'both', ' i ' || left(last, 1) || left(first, 1) WHERE kind <> 'z'
    UNION ALL SELECT 'seek', ' i ' || left(first, 1) || left(last, 1) WHERE kind <> 'z' AND is_sought
    UNION ALL SELECT 'both', ' l ' || last || left(first, 1) WHERE kind = 'z'
    UNION ALL SELECT 'both', ' f ' || first || left(last, 1) WHERE kind = 'z' AND length(first) > 1
    UNION ALL SELECT 'both', ' o' WHERE organization IS NOT NULL AND kind <> 'z') k(way, text)
  WHERE p.kind <> 't' AND k.text IS NOT NULL
), sought AS MATERIALIZED (
  SELECT key, series, array_agg(id) AS ids FROM key WHERE is_sought AND way <> 'offer' GROUP BY key, series
), candidate AS MATERIALIZED (
  SELECT DISTINCT one, k.id AS other
  FROM key k JOIN sought s ON s.key = k.key CROSS JOIN LATERAL unnest(s.ids) AS one
  -- A name that dozens of one list have is looked up only with something else that is shared.
  WHERE k.way <> 'seek' AND cardinality(s.ids) <= 50 AND (s.series < k.series OR s.series > k.series AND NOT k.is_sought)
), kept AS MATERIALIZED (
  SELECT f.* FROM fact f WHERE f.id IN (SELECT one FROM candidate UNION ALL SELECT other FROM candidate)
), profile AS MATERIALIZED (
  SELECT id, bool_or(kind = 'p') AS has_phone, bool_or(kind = 's') AS has_street, bool_or(kind = 'z') AS has_zip,
    bool_or(kind = 't') AS has_specialty
  FROM kept GROUP BY id
), shared AS MATERIALIZED (
  SELECT c.one, c.other, min(share) FILTER (WHERE a.kind = 'p') AS phone, min(share) FILTER (WHERE a.kind = 's') AS street,
    min(share) FILTER (WHERE a.kind = 'z') AS zip, min(share) FILTER (WHERE a.kind = 't') AS specialty
  FROM candidate c JOIN kept a ON a.id = c.one JOIN kept b ON b.id = c.other AND b.kind = a.kind AND b.value = a.value
  JOIN share s ON s.kind = a.kind AND s.value = a.value
  GROUP BY c.one, c.other
), named AS (
  -- Each name of the one beside each of the other.
  SELECT c.one, c.other, a.is_legal AND b.is_legal AS is_legal, a.last, a.first, a.organization, b.last AS other_last,
    b.first AS other_first,
    CASE WHEN a.middle = b.middle THEN 'same' WHEN a.middle <> b.middle THEN 'other' END AS middle,
    CASE
      WHEN a.organization IS NOT NULL OR b.organization IS NOT NULL THEN
        CASE
          WHEN a.organization = b.organization THEN 'organisation'
          WHEN 2 * (SELECT count(*) FROM unnest(a.words) word WHERE word = ANY (b.words))
            > greatest(cardinality(a.words), cardinality(b.words)) THEN 'like organisation' END
      WHEN a.last = b.last THEN 'exact'
      WHEN a.last = b.first AND a.first = b.last THEN 'swapped'
      WHEN b.last = ANY (a.halves) OR a.last = ANY (b.halves) OR a.halves && b.halves THEN 'half'
      WHEN directory.is_typo(a.last, b.last) THEN 'typo'
      WHEN a.last IS NOT NULL AND b.last IS NOT NULL THEN 'other' END AS by_last,
    CASE
      WHEN a.first = b.first THEN 'exact'
      WHEN a.last = b.first AND a.first = b.last THEN 'swapped'
      WHEN length(a.first) = 1 OR length(b.first) = 1 THEN
        CASE WHEN left(a.first, 1) = left(b.first, 1) THEN 'initial' ELSE 'other' END
      WHEN a.forms && b.forms OR length(a.first) > 2 AND starts_with(b.first, a.first)
        OR length(b.first) > 2 AND starts_with(a.first, b.first) THEN 'form'
      WHEN directory.is_typo(a.first, b.first) THEN 'typo'
      WHEN a.first IS NOT NULL AND b.first IS NOT NULL THEN 'other' END AS by_first
  FROM candidate c JOIN name a ON a.id = c.one JOIN name b ON b.id = c.other
  -- Junior and senior are two people.
  WHERE (a.generation = b.generation) IS NOT FALSE
), compared AS MATERIALIZED (
  -- How much of what they have in common two who are not the same have by chance.
  SELECT n.one, n.other, n.is_legal, n.by_last, n.by_first, n.middle AS by_middle,
    CASE n.by_last WHEN 'organisation' THEN o.share WHEN 'like organisation' THEN 0.002 WHEN 'other' THEN 1
      WHEN 'typo' THEN 5 * bl.share + 0.0005 WHEN 'half' THEN 2 * greatest(al.share, bl.share) ELSE bl.share END AS last_chance,
    CASE n.by_first WHEN 'other' THEN 1 WHEN 'typo' THEN 5 * bf.share + 0.001 WHEN 'form' THEN af.share + bf.share + 0.005
      WHEN 'initial' THEN 0.08 WHEN 'swapped' THEN af.share ELSE bf.share END AS first_chance,
    CASE
      WHEN s.phone IS NOT NULL AND s.street IS NOT NULL THEN 'phone and address'
      WHEN s.phone IS NOT NULL THEN 'phone' WHEN s.street IS NOT NULL THEN 'address'
      WHEN s.zip IS NOT NULL THEN CASE WHEN p.has_street AND q.has_street THEN 'ZIP code alone' ELSE 'ZIP code' END
      WHEN p.has_phone AND q.has_phone OR p.has_zip AND q.has_zip THEN 'nothing' END AS by_place,
    coalesce(least(s.phone, s.street) * CASE WHEN s.phone IS NOT NULL AND s.street IS NOT NULL THEN 0.5 ELSE 1 END, s.zip, 1)
      AS place_chance,
    CASE WHEN s.specialty IS NOT NULL THEN 'same' WHEN p.has_specialty AND q.has_specialty THEN 'other' END AS by_specialty,
    coalesce(s.specialty, 0.9) AS specialty_chance
  FROM named n
  LEFT JOIN share al ON al.kind = 'l' AND al.value = hashtextextended(n.last, 0)
  LEFT JOIN share bl ON bl.kind = 'l' AND bl.value = hashtextextended(n.other_last, 0)
  LEFT JOIN share af ON af.kind = 'f' AND af.value = hashtextextended(n.first, 0)
  LEFT JOIN share bf ON bf.kind = 'f' AND bf.value = hashtextextended(n.other_first, 0)
  LEFT JOIN share o ON o.kind = 'o' AND o.value = hashtextextended(n.organization, 0)
  LEFT JOIN profile p ON p.id = n.one LEFT JOIN profile q ON q.id = n.other
  LEFT JOIN shared s ON s.one = n.one AND s.other = n.other
  WHERE n.by_last IS NOT NULL AND (n.by_last LIKE '%organisation' OR n.by_first IS NOT NULL)
    -- A name must agree: the last one, or the first one where the place agrees, too.
    AND (n.by_last <> 'other' OR n.by_first IN ('exact', 'form') AND coalesce(s.phone, s.street) IS NOT NULL)
    AND (n.by_first <> 'other') IS NOT FALSE
), usual AS MATERIALIZED (
  -- How often two records of one provider agree so, before the data have been asked.
  SELECT field, level, share::float8 FROM (VALUES
    ('last', 'exact', 0.90), ('last', 'half', 0.03), ('last', 'typo', 0.03), ('last', 'swapped', 0.01), ('last', 'other', 0.03),
    ('first', 'exact', 0.84), ('first', 'form', 0.06), ('first', 'typo', 0.04), ('first', 'initial', 0.06),
    ('organisation', 'organisation', 0.90), ('organisation', 'like organisation', 0.10),
    ('middle', 'same', 0.95), ('middle', 'other', 0.05), ('specialty', 'same', 0.85), ('specialty', 'other', 0.15),
    ('place', 'phone and address', 0.50), ('place', 'phone', 0.15), ('place', 'address', 0.15), ('place', 'ZIP code', 0.08),
    ('place', 'ZIP code alone', 0.02), ('place', 'nothing', 0.10)) v(field, level, share)
), chance AS MATERIALIZED (
  SELECT row_number() OVER () AS pair, c.*,
    -- One of a list is in the other directory as often as not.
    ln(0.5 / greatest(z.records, 1000)) - ln(last_chance) - ln(coalesce(first_chance, 1)) - ln(place_chance)
    - CASE WHEN by_specialty IS NULL THEN 0 ELSE ln(specialty_chance) END
    - CASE by_middle WHEN 'same' THEN ln(0.08::float8) WHEN 'other' THEN ln(0.92::float8) ELSE 0 END AS base
  FROM compared c JOIN record r ON r.id = c.other JOIN size z ON z.series = r.series
), level AS MATERIALIZED (
  SELECT pair, l.field, l.level FROM chance CROSS JOIN LATERAL (VALUES
    (CASE WHEN by_last LIKE '%organisation' THEN 'organisation' ELSE 'last' END, by_last), ('first', by_first),
    ('middle', by_middle), ('place', by_place), ('specialty', by_specialty)) l(field, level)
), first_guess AS MATERIALIZED (
  SELECT pair, 1 / (1 + exp(-greatest(-40, least(40, base + agreement)))) AS share,
    row_number() OVER (PARTITION BY one, other ORDER BY base + agreement DESC, pair) = 1 AS is_best
  FROM chance JOIN (
    SELECT pair, sum(ln(share)) AS agreement FROM level JOIN usual USING (field, level) GROUP BY pair) a USING (pair)
), learnt AS MATERIALIZED (
  -- The assumptions count as a hundred pairs.
  SELECT u.field, u.level,
    (coalesce(seen.share, 0) + 100 * u.share) / (coalesce(sum(seen.share) OVER (PARTITION BY u.field), 0) + 100) AS share
  FROM usual u LEFT JOIN (
    SELECT field, level, sum(share) AS share FROM level JOIN first_guess USING (pair) WHERE is_best GROUP BY field, level) seen
    USING (field, level)
), weighed AS MATERIALIZED (
  SELECT DISTINCT ON (one, other) c.*, greatest(-40, least(40, base + agreement)) AS weight
  FROM chance c JOIN (
    SELECT pair, sum(ln(share)) AS agreement FROM level JOIN learnt USING (field, level) GROUP BY pair) a USING (pair)
  ORDER BY one, other, base + agreement DESC, is_legal DESC, pair
), rivals AS (
  -- One of a directory is one of another at most: what speaks for others speaks against it.
  SELECT w.*, a.series, b.series AS other_series, exp(w.weight) AS odds,
    sum(exp(w.weight)) OVER (PARTITION BY w.one, b.series) AS all_odds,
    sum(exp(w.weight)) OVER (PARTITION BY w.other, a.series) AS other_odds
  FROM weighed w JOIN record a ON a.id = w.one JOIN record b ON b.id = w.other
), numbered AS (
  SELECT a.id AS one, b.id AS other, a.npi, bool_or(coalesce(x.last IN (y.last, y.first) OR x.organization = y.organization, false))
      OR bool_and(coalesce(x.last, x.organization) IS NULL OR coalesce(y.last, y.organization) IS NULL) AS agrees
  FROM record a JOIN record b ON b.npi = a.npi AND a.series < b.series
  LEFT JOIN name x ON x.id = a.id LEFT JOIN name y ON y.id = b.id
  GROUP BY 1, 2, 3
), every AS (
  SELECT one, other, npi, CASE WHEN agrees THEN 1.0 ELSE 0.8 END AS score, NULL::float8 AS weight,
    CASE WHEN agrees THEN ARRAY['NPI'] ELSE ARRAY['NPI', 'no name in common'] END AS reasons
  FROM numbered
  UNION ALL
  SELECT one, other, NULL, odds / (1 + greatest(all_odds, other_odds)), weight,
    array_remove(ARRAY[
      CASE
        WHEN by_last = 'organisation' THEN CASE WHEN is_legal THEN 'organisation name' ELSE 'further organisation name' END
        WHEN by_last = 'like organisation' THEN 'most words of the organisation name'
        WHEN by_last = 'swapped' THEN 'names swapped'
        WHEN by_last = 'exact' AND by_first = 'exact' THEN CASE WHEN is_legal THEN 'name' ELSE 'further name' END
        WHEN by_last = 'exact' THEN CASE WHEN is_legal THEN 'last name' ELSE 'further last name' END
        WHEN by_last = 'half' THEN 'half of the last name'
        WHEN by_last = 'typo' THEN 'typo in the last name' ELSE 'another last name' END,
      CASE
        WHEN by_last = 'exact' AND by_first = 'exact' THEN NULL
        WHEN by_first = 'exact' THEN 'first name' WHEN by_first = 'form' THEN 'form of the first name'
        WHEN by_first = 'typo' THEN 'typo in the first name' WHEN by_first = 'initial' THEN 'initial' END,
      CASE by_middle WHEN 'same' THEN 'middle initial' WHEN 'other' THEN 'another middle initial' END,
      CASE by_specialty WHEN 'same' THEN 'specialty' WHEN 'other' THEN 'another specialty' END,
      CASE WHEN by_place IN ('phone', 'phone and address') THEN 'phone' END,
      CASE WHEN by_place IN ('address', 'phone and address') THEN 'address' WHEN by_place LIKE 'ZIP code%' THEN 'ZIP code'
        WHEN by_place = 'nothing' THEN 'another place' END], NULL)
  -- Whom a rival makes impossible needs nobody to look.
  FROM rivals WHERE odds / (1 + odds) >= doubtful AND odds / (1 + greatest(all_odds, other_odds)) >= doubtful / 10
)
SELECT a.release, a.source_id, b.release, b.source_id, e.npi, score::numeric(4,3), e.weight::numeric(5,1), reasons,
  (rank() OVER (PARTITION BY e.one, b.series ORDER BY round(score::numeric, 9) DESC))::int, e.npi IS NULL AND score < threshold
FROM every e JOIN record a ON a.id = e.one JOIN record b ON b.id = e.other;
END
$$;
COMMENT ON FUNCTION directory.provider_matches IS
  'Pairs of records of different directories, in their current releases, that are or may be one provider, from the probability ''doubtful'' on; below ''threshold'' they are ambiguous';

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM pg_proc
WHERE pronamespace = 'directory'::regnamespace AND proname = 'provider_matches' AND prosrc LIKE '%practice_by_source%';
