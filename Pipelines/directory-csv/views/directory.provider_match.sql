/* rivulet view
strategy: live
description: Records of different directories that are the same provider, or may be, with a score and the reasons
*/
-- Nothing is merged here, and without an NPI nothing should be: a row says how much speaks for two records being one.
--
-- Both have the NPI: 1.00, or 0.80 where they have no name in common. Else at least one has none, and the score is the
-- sum of what agrees:
--   0.40 first and last name, or the organisation's name     0.20 phone
--   0.35 the same by a further name, or the names swapped    0.15 specialty
--   0.25 last name and initial                               0.15 house, street and ZIP code, or 0.05 ZIP code alone
--   0.20 first name alone, with the phone                    0.05 middle initial; other initials take 0.10 away,
--                                                                 other suffixes 0.15
-- Rows from 0.60 on are here, rank 1 the best of a record in another directory. Where several are within 0.05 of the
-- best, each of them is ambiguous.
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
    left(directory.name_key(n.middle_name), 1) AS middle, directory.name_key(n.suffix) AS suffix,
    directory.organization_key(n.organization) AS organization
  FROM record r LEFT JOIN directory.provider_name n USING (release, source_id)
), unnumbered AS MATERIALIZED (
  SELECT * FROM named WHERE npi IS NULL
), called AS MATERIALIZED (
  -- Joined here, and not below, so that name and phone are one condition of one join.
  SELECT DISTINCT n.*, a.phone
  FROM named n JOIN directory.provider_address a USING (release, source_id)
  WHERE a.phone IS NOT NULL AND length(n.first) > 1
), placed AS MATERIALIZED (
  SELECT DISTINCT n.*, left(n.first, 1) AS initial, left(a.postal_code, 5) AS zip
  FROM named n JOIN directory.provider_address a USING (release, source_id)
  WHERE a.postal_code IS NOT NULL AND n.first IS NOT NULL
), pair AS MATERIALIZED (
  -- The record without an NPI comes first; where neither has one, that of the directory first in the alphabet.
  SELECT a.release, a.source_id, b.release AS other_release, b.source_id AS other_source_id, a.series,
    b.series AS other_series, a.middle, b.middle AS other_middle, a.suffix, b.suffix AS other_suffix,
    CASE WHEN a.is_legal AND b.is_legal THEN 0.40 ELSE 0.35 END AS score,
    CASE WHEN a.is_legal AND b.is_legal THEN 'name' ELSE 'further name' END AS reason
  FROM unnumbered a JOIN named b ON b.last = a.last AND b.first = a.first
  UNION ALL
  SELECT a.release, a.source_id, b.release, b.source_id, a.series, b.series, a.middle, b.middle, a.suffix, b.suffix,
    0.35, 'names swapped'
  FROM unnumbered a JOIN named b ON b.last = a.first AND b.first = a.last
  WHERE a.first <> a.last
  UNION ALL
  SELECT a.release, a.source_id, b.release, b.source_id, a.series, b.series, NULL, NULL, NULL, NULL,
    CASE WHEN a.is_legal AND b.is_legal THEN 0.40 ELSE 0.35 END, 'organisation name'
  FROM unnumbered a JOIN named b ON b.organization = a.organization
  UNION ALL
  SELECT a.release, a.source_id, b.release, b.source_id, a.series, b.series, a.middle, b.middle, a.suffix, b.suffix,
    0.25, 'last name and initial'
  FROM placed a JOIN placed b ON b.last = a.last AND b.initial = a.initial AND b.zip = a.zip
  WHERE a.npi IS NULL AND b.first <> a.first AND (length(a.first) = 1 OR length(b.first) = 1)
  UNION ALL
  SELECT a.release, a.source_id, b.release, b.source_id, a.series, b.series, a.middle, b.middle, a.suffix, b.suffix,
    0.20, 'first name'
  FROM called a JOIN called b ON b.first = a.first AND b.phone = a.phone
  WHERE a.npi IS NULL AND b.last <> a.last
), candidate AS MATERIALIZED (
  -- The names that speak most for it.
  SELECT DISTINCT ON (p.release, p.source_id, p.other_release, p.other_source_id) p.*
  FROM pair p
  WHERE p.series < p.other_series
    OR p.series > p.other_series AND NOT EXISTS (
      SELECT FROM unnumbered u WHERE u.release = p.other_release AND u.source_id = p.other_source_id)
  ORDER BY p.release, p.source_id, p.other_release, p.other_source_id, p.score DESC
), involved AS MATERIALIZED (
  SELECT release, source_id FROM candidate UNION SELECT other_release, other_source_id FROM candidate
), practised AS MATERIALIZED (
  -- A specialty is a code of the taxonomy, or words: either is compared with the other by the names of the code.
  SELECT i.release, i.source_id, array_agg(DISTINCT w.word) AS words
  FROM involved i
  JOIN directory.provider_taxonomy t USING (release, source_id)
  LEFT JOIN directory.taxonomy x ON x.code = t.taxonomy
    AND x.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nucc')
  CROSS JOIN LATERAL unnest(ARRAY[t.taxonomy, x.classification, x.specialization, x.display_name]) AS words(text)
  CROSS JOIN LATERAL (SELECT directory.organization_key(words.text) AS word) w
  WHERE w.word IS NOT NULL
  GROUP BY 1, 2
), located AS MATERIALIZED (
  SELECT i.release, i.source_id,
    array_agg(DISTINCT a.phone) FILTER (WHERE a.phone IS NOT NULL) AS phones,
    array_agg(DISTINCT left(a.postal_code, 5)) FILTER (WHERE a.postal_code IS NOT NULL) AS zips,
    array_agg(DISTINCT directory.street_key(a.line_1) || ' ' || left(a.postal_code, 5))
      FILTER (WHERE directory.street_key(a.line_1) || a.postal_code IS NOT NULL) AS streets
  FROM involved i JOIN directory.provider_address a USING (release, source_id)
  GROUP BY 1, 2
), judged AS (
  SELECT c.release, c.source_id, c.other_release, c.other_source_id, c.other_series, NULL::bigint AS npi,
    c.score + f.middle + f.suffix + f.specialty + f.phone + f.place AS score,
    array_remove(ARRAY[c.reason,
      CASE WHEN f.middle > 0 THEN 'middle initial' WHEN f.middle < 0 THEN 'other middle initial' END,
      CASE WHEN f.suffix < 0 THEN 'other suffix' END,
      CASE WHEN f.specialty > 0 THEN 'specialty' END,
      CASE WHEN f.phone > 0 THEN 'phone' END,
      CASE WHEN f.place > 0.1 THEN 'address' WHEN f.place > 0 THEN 'ZIP code' END], NULL) AS reasons
  FROM candidate c
  LEFT JOIN located l ON l.release = c.release AND l.source_id = c.source_id
  LEFT JOIN located m ON m.release = c.other_release AND m.source_id = c.other_source_id
  LEFT JOIN practised s ON s.release = c.release AND s.source_id = c.source_id
  LEFT JOIN practised t ON t.release = c.other_release AND t.source_id = c.other_source_id
  CROSS JOIN LATERAL (SELECT
    CASE WHEN c.middle = c.other_middle THEN 0.05 WHEN c.middle <> c.other_middle THEN -0.10 ELSE 0 END AS middle,
    CASE WHEN c.suffix <> c.other_suffix THEN -0.15 ELSE 0 END AS suffix,
    CASE WHEN s.words && t.words THEN 0.15 ELSE 0 END AS specialty,
    CASE WHEN l.phones && m.phones THEN 0.20 ELSE 0 END AS phone,
    CASE WHEN l.streets && m.streets THEN 0.15 WHEN l.zips && m.zips THEN 0.05 ELSE 0 END AS place) f
), numbered AS (
  SELECT a.release, a.source_id, b.release AS other_release, b.source_id AS other_source_id,
    b.series AS other_series, a.npi,
    -- Records without names do not disagree.
    bool_or(coalesce(a.last IN (b.last, b.first) OR a.organization = b.organization, false))
      OR bool_and(coalesce(a.last, a.organization) IS NULL OR coalesce(b.last, b.organization) IS NULL) AS agrees
  FROM named a JOIN named b ON b.npi = a.npi AND a.series < b.series
  GROUP BY 1, 2, 3, 4, 5, 6
), every AS (
  SELECT release, source_id, other_release, other_source_id, other_series, npi,
    CASE WHEN agrees THEN 1.00 ELSE 0.80 END AS score,
    CASE WHEN agrees THEN ARRAY['NPI'] ELSE ARRAY['NPI', 'no name in common'] END AS reasons
  FROM numbered
  UNION ALL
  SELECT * FROM judged WHERE score >= 0.60
), ranked AS (
  SELECT *, max(score) OVER directory AS best, rank() OVER (directory ORDER BY score DESC) AS rank
  FROM every
  WINDOW directory AS (PARTITION BY release, source_id, other_series)
)
SELECT release, source_id, other_release, other_source_id, npi, score::numeric(3,2) AS score, reasons, rank::int AS rank,
  npi IS NULL AND score >= best - 0.05
    AND count(*) FILTER (WHERE score >= best - 0.05) OVER (PARTITION BY release, source_id, other_series) > 1
    AS is_ambiguous
FROM ranked
