/* rivulet view
strategy: live
description: Records of different directories that are the same provider, or may be, with a score and the reasons
*/
-- Nothing is merged here, and without an NPI nothing should be: a row says how much speaks for two records being one.
--
-- Both have the NPI: 1.00, or 0.80 where they have no name in common; of two NPIs never. Else at least one has none, and
-- the names must agree, last and first:
--   0.40 first and last name, or the organisation's name
--   0.35 the same by a further name; the names swapped; half of a last name with a hyphen
--   0.25 last name and initial, in one ZIP code; last name and a short form of the first
-- To that is added what agrees besides:
--   0.20 phone       0.15 house, street and ZIP code, or 0.05 ZIP code alone
--   0.15 specialty   0.05 middle initial; other initials take 0.10 away
-- Rows from 0.60 on are here, with these exceptions, since a clinic has one phone and one address for all who work there,
-- relatives among them:
--   Jr. and Sr., or other such suffixes, are two people;
--   no phone and no place in common is too little, as is a phone alone for two places of work with other specialties;
--   names that do not agree in full (swapped, half, initial, short form) need the specialty or the middle initial, too.
-- rank 1 is the best of a record in another directory. Where several of either directory are within 0.05 of the best, each
-- of them is ambiguous; so is who is known by an initial, and no middle one.
--
-- No join is by less than equality, and those of rows that are made here are FULL: no plan for such a join compares each
-- row with each, whatever the server believes of their numbers. OFFSET 0 keeps the conditions above them from making them
-- another kind of join; a key that is NULL is left out before, as such a join would hold one such row against the other.
WITH shown AS MATERIALIZED (
  -- Of each directory the current release; of a pipeline that loads several, that of each.
  SELECT DISTINCT ON (r.pipeline, directory.release_series(r.release))
    r.release, directory.release_series(r.release) AS series
  FROM rivulet.release r
  LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
  WHERE r.state = 'published' AND (r.effective_from <= rivulet.today() OR c.release IS NOT NULL)
  ORDER BY r.pipeline, directory.release_series(r.release), c.release IS NULL, r.effective_from DESC, r.release DESC
), record AS MATERIALIZED (
  SELECT s.series, p.release, p.source_id, p.npi
  FROM directory.provider p JOIN shown s USING (release)
  WHERE p.entity_type IS NOT NULL OR p.npi IS NULL
), named AS MATERIALIZED (
  SELECT r.series, r.release, r.source_id, r.npi, n.kind = 'legal' AS is_legal,
    directory.name_key(n.last_name) AS last, directory.name_key(n.first_name) AS first,
    left(directory.name_key(n.middle_name), 1) AS middle, directory.organization_key(n.organization) AS organization,
    CASE WHEN n.last_name LIKE '%-%' THEN string_to_array(n.last_name, '-') END AS halves
  FROM record r LEFT JOIN directory.provider_name n USING (release, source_id)
), short_form (short, long) AS (
  VALUES ('ABBY', 'ABIGAIL'), ('AL', 'ALAN'), ('AL', 'ALBERT'), ('ALEX', 'ALEXANDER'), ('ALEX', 'ALEXANDRA'),
    ('ANDY', 'ANDREW'), ('BARB', 'BARBARA'), ('BEN', 'BENJAMIN'), ('BETH', 'ELIZABETH'), ('BETTY', 'ELIZABETH'),
    ('BILL', 'WILLIAM'), ('BOB', 'ROBERT'), ('CATHY', 'CATHERINE'), ('CHRIS', 'CHRISTINE'), ('CHRIS', 'CHRISTOPHER'),
    ('CHUCK', 'CHARLES'), ('CINDY', 'CYNTHIA'), ('DAN', 'DANIEL'), ('DAVE', 'DAVID'), ('DEB', 'DEBORAH'),
    ('DICK', 'RICHARD'), ('DON', 'DONALD'), ('DOUG', 'DOUGLAS'), ('ED', 'EDWARD'), ('FRED', 'FREDERICK'),
    ('GREG', 'GREGORY'), ('JEFF', 'JEFFREY'), ('JEN', 'JENNIFER'), ('JENNY', 'JENNIFER'), ('JERRY', 'GERALD'),
    ('JIM', 'JAMES'), ('JOE', 'JOSEPH'), ('JON', 'JONATHAN'), ('KATE', 'KATHERINE'), ('KATHY', 'KATHLEEN'),
    ('KATHY', 'KATHERINE'), ('KEN', 'KENNETH'), ('LARRY', 'LAWRENCE'), ('LIZ', 'ELIZABETH'), ('MAGGIE', 'MARGARET'),
    ('MATT', 'MATTHEW'), ('MIKE', 'MICHAEL'), ('NATE', 'NATHANIEL'), ('NICK', 'NICHOLAS'), ('PAM', 'PAMELA'),
    ('PAT', 'PATRICIA'), ('PAT', 'PATRICK'), ('PATTY', 'PATRICIA'), ('PEGGY', 'MARGARET'), ('PETE', 'PETER'),
    ('PHIL', 'PHILIP'), ('RAY', 'RAYMOND'), ('RICH', 'RICHARD'), ('RICK', 'RICHARD'), ('ROB', 'ROBERT'),
    ('RON', 'RONALD'), ('SAM', 'SAMANTHA'), ('SAM', 'SAMUEL'), ('SANDY', 'SANDRA'), ('STEVE', 'STEPHEN'),
    ('STEVE', 'STEVEN'), ('SUE', 'SUSAN'), ('TED', 'THEODORE'), ('TIM', 'TIMOTHY'), ('TOM', 'THOMAS'),
    ('TONY', 'ANTHONY'), ('VICKY', 'VICTORIA'), ('WILL', 'WILLIAM')
), name_part AS MATERIALIZED (
  -- What a name is looked up by besides itself: the halves of the last name, the full forms of the first.
  SELECT n.*, h.half, NULL AS long
  FROM named n CROSS JOIN LATERAL (SELECT directory.name_key(part) AS half FROM unnest(n.halves) p(part)) h
  WHERE length(h.half) > 1 AND length(n.first) > 1
  UNION ALL
  SELECT n.*, NULL, f.long FROM named n JOIN short_form f ON f.short = n.first
), sought AS (
  -- The names of records without an NPI, each by the keys of all that may be the same one.
  SELECT n.release, n.source_id, n.series, n.is_legal, n.middle, k.key, k.reason, k.score
  FROM named n CROSS JOIN LATERAL (VALUES
    (CASE WHEN length(n.first) > 1 THEN 'name ' || n.last || ' ' || n.first END, 'name', 0.40),
    ('organisation ' || n.organization, 'organisation name', 0.40),
    (CASE WHEN length(n.first) > 1 AND n.first <> n.last THEN 'name ' || n.first || ' ' || n.last END,
      'names swapped', 0.35),
    ('half ' || n.last || ' ' || n.first, 'half of the last name', 0.35),
    (CASE WHEN length(n.first) = 1 THEN 'of initial ' ELSE 'initial ' END || n.last || ' ' || left(n.first, 1),
      'last name and initial', 0.25),
    ('short form ' || n.last || ' ' || n.first, 'last name and short form', 0.25)) k(key, reason, score)
  WHERE n.npi IS NULL AND k.key IS NOT NULL
  UNION ALL
  SELECT p.release, p.source_id, p.series, p.is_legal, p.middle,
    'name ' || coalesce(p.half, p.last) || ' ' || coalesce(p.long, p.first),
    CASE WHEN p.half IS NULL THEN 'last name and short form' ELSE 'half of the last name' END,
    CASE WHEN p.half IS NULL THEN 0.25 ELSE 0.35 END
  FROM name_part p WHERE p.npi IS NULL
), offered AS (
  -- The names of all records, each by the keys under which it is found.
  SELECT n.release, n.source_id, n.series, n.npi, n.is_legal, n.middle, k.key
  FROM named n CROSS JOIN LATERAL (VALUES
    (CASE WHEN length(n.first) > 1 THEN 'name ' || n.last || ' ' || n.first END),
    ('organisation ' || n.organization),
    (CASE WHEN length(n.first) = 1 THEN 'initial ' || n.last || ' ' || n.first END),
    ('of initial ' || n.last || ' ' || left(n.first, 1))) k(key)
  WHERE k.key IS NOT NULL
  UNION ALL
  SELECT p.release, p.source_id, p.series, p.npi, p.is_legal, p.middle,
    CASE WHEN p.half IS NULL THEN 'short form ' || p.last || ' ' || p.long ELSE 'half ' || p.half || ' ' || p.first END
  FROM name_part p
), pair AS (
  -- The record without an NPI comes first; where neither has one, that of the directory first in the alphabet.
  SELECT release, source_id, other_release, other_source_id, series, other_series, middle, other_middle,
    CASE WHEN score = 0.40 AND NOT (is_legal AND other_is_legal) THEN 0.35 ELSE score END AS score,
    CASE WHEN reason = 'name' AND NOT (is_legal AND other_is_legal) THEN 'further name' ELSE reason END AS reason
  FROM (
    SELECT s.release, s.source_id, s.series, s.middle, s.is_legal, s.reason, s.score, o.release AS other_release,
      o.source_id AS other_source_id, o.series AS other_series, o.npi AS other_npi, o.middle AS other_middle,
      o.is_legal AS other_is_legal
    FROM sought s FULL JOIN offered o USING (key) OFFSET 0) met
  WHERE series < other_series OR series > other_series AND other_npi IS NOT NULL
), candidate AS MATERIALIZED (
  -- The names that speak most for it.
  SELECT DISTINCT ON (release, source_id, other_release, other_source_id) *,
    reason IN ('name', 'further name', 'organisation name') AS agrees_in_full
  FROM pair
  ORDER BY release, source_id, other_release, other_source_id, score DESC, reason, middle, other_middle
), involved AS MATERIALIZED (
  SELECT release, source_id FROM candidate UNION SELECT other_release, other_source_id FROM candidate
), fact AS (
  SELECT i.*, f.kind, f.value
  FROM involved i JOIN directory.provider_address a USING (release, source_id)
  CROSS JOIN LATERAL (VALUES
    ('phone', a.phone), ('zip', left(a.postal_code, 5)),
    ('street', directory.street_key(a.line_1) || ' ' || left(a.postal_code, 5))) f(kind, value)
  UNION ALL
  -- A specialty is a code of the taxonomy, or words: either is compared with the other by the names of the code.
  SELECT i.*, 'specialty', directory.organization_key(words.text)
  FROM involved i
  JOIN directory.provider_taxonomy t USING (release, source_id)
  LEFT JOIN directory.taxonomy x ON x.code = t.taxonomy
    AND x.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nucc')
  CROSS JOIN LATERAL unnest(ARRAY[t.taxonomy, x.classification, x.specialization, x.display_name]) AS words(text)
  UNION ALL
  SELECT i.*, 'suffix', g.generation
  FROM involved i
  JOIN directory.provider_name n USING (release, source_id)
  JOIN (VALUES ('JR', 'JR'), ('JUNIOR', 'JR'), ('SR', 'SR'), ('SENIOR', 'SR'), ('II', 'II'), ('2ND', 'II'),
    ('III', 'III'), ('3RD', 'III'), ('IV', 'IV'), ('4TH', 'IV'), ('V', 'V')) g(suffix, generation)
    ON g.suffix = translate(upper(n.suffix), '. ,', '')
), profile AS MATERIALIZED (
  SELECT release, source_id,
    array_agg(DISTINCT value) FILTER (WHERE kind = 'phone') AS phones,
    array_agg(DISTINCT value) FILTER (WHERE kind = 'zip') AS zips,
    array_agg(DISTINCT value) FILTER (WHERE kind = 'street') AS streets,
    array_agg(DISTINCT value) FILTER (WHERE kind = 'specialty') AS specialties,
    array_agg(DISTINCT value) FILTER (WHERE kind = 'suffix') AS suffixes
  FROM fact WHERE value IS NOT NULL
  GROUP BY release, source_id
), described AS (
  SELECT * FROM (
    SELECT c.*, l.phones, l.zips, l.streets, l.specialties, l.suffixes
    FROM candidate c FULL JOIN profile l ON l.release = c.release AND l.source_id = c.source_id OFFSET 0) d
  WHERE series IS NOT NULL
), weighed AS (
  SELECT d.*,
    CASE WHEN middle = other_middle THEN 0.05 WHEN middle <> other_middle THEN -0.10 ELSE 0 END AS by_middle,
    CASE WHEN specialties && other_specialties THEN 0.15 ELSE 0 END AS by_specialty,
    CASE WHEN phones && other_phones THEN 0.20 ELSE 0 END AS by_phone,
    CASE WHEN streets && other_streets THEN 0.15 WHEN zips && other_zips THEN 0.05 ELSE 0 END AS by_place
  FROM (
    SELECT d.*, m.phones AS other_phones, m.zips AS other_zips, m.streets AS other_streets,
      m.specialties AS other_specialties, m.suffixes AS other_suffixes
    FROM described d FULL JOIN profile m ON m.release = d.other_release AND m.source_id = d.other_source_id OFFSET 0) d
  WHERE series IS NOT NULL AND (suffixes && other_suffixes) IS NOT false
), judged AS (
  SELECT release, source_id, other_release, other_source_id, series, other_series, NULL::bigint AS npi,
    score + by_middle + by_specialty + by_phone + by_place AS score,
    array_remove(ARRAY[reason,
      CASE WHEN by_middle > 0 THEN 'middle initial' WHEN by_middle < 0 THEN 'other middle initial' END,
      CASE WHEN by_specialty > 0 THEN 'specialty' END,
      CASE WHEN by_phone > 0 THEN 'phone' END,
      CASE WHEN by_place > 0.1 THEN 'address' WHEN by_place > 0 THEN 'ZIP code' END], NULL) AS reasons,
    reason = 'last name and initial' AND by_middle = 0 AS is_vague
  FROM weighed
  WHERE (by_place > 0 OR by_phone > 0 AND (by_specialty > 0 OR (zips && other_zips) IS NULL))
    AND (agrees_in_full OR by_specialty > 0 OR by_middle > 0)
    AND (reason <> 'last name and initial' OR by_place > 0)
), numbered AS (
  SELECT release, source_id, other_release, other_source_id, series, other_series, npi,
    -- Records without names do not disagree.
    bool_or(coalesce(last IN (other_last, other_first) OR organization = other_organization, false))
      OR bool_and(coalesce(last, organization) IS NULL OR coalesce(other_last, other_organization) IS NULL) AS agrees
  FROM (
    SELECT a.release, a.source_id, a.series, npi, a.last, a.organization, b.release AS other_release,
      b.source_id AS other_source_id, b.series AS other_series, b.last AS other_last, b.first AS other_first,
      b.organization AS other_organization
    FROM (SELECT * FROM named WHERE npi IS NOT NULL) a FULL JOIN (SELECT * FROM named WHERE npi IS NOT NULL) b USING (npi)
    OFFSET 0) met
  WHERE series < other_series
  GROUP BY 1, 2, 3, 4, 5, 6, 7
), every AS (
  SELECT release, source_id, other_release, other_source_id, series, other_series, npi,
    CASE WHEN agrees THEN 1.00 ELSE 0.80 END AS score,
    CASE WHEN agrees THEN ARRAY['NPI'] ELSE ARRAY['NPI', 'no name in common'] END AS reasons, false AS is_vague
  FROM numbered
  UNION ALL
  SELECT * FROM judged WHERE score >= 0.60
), ranked AS (
  SELECT *, max(score) OVER one AS best, max(score) OVER other AS other_best,
    rank() OVER (one ORDER BY score DESC) AS rank
  FROM every
  WINDOW one AS (PARTITION BY release, source_id, other_series),
    other AS (PARTITION BY other_release, other_source_id, series)
)
SELECT release, source_id, other_release, other_source_id, npi, score::numeric(3,2) AS score, reasons, rank::int AS rank,
  npi IS NULL AND (is_vague
    OR score >= best - 0.05
      AND count(*) FILTER (WHERE score >= best - 0.05) OVER (PARTITION BY release, source_id, other_series) > 1
    OR score >= other_best - 0.05
      AND count(*) FILTER (WHERE score >= other_best - 0.05)
        OVER (PARTITION BY other_release, other_source_id, series) > 1) AS is_ambiguous
FROM ranked
