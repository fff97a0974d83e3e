/* rivulet view
strategy: live
description: What is said of each NPI by day, by the current releases of NPPES and of the lists of whom one may pay; a row per kind of standing and period
*/
-- Days are the first and the last of a period, both included; the last is null where it lasts. The releases are scalar
-- subqueries, so that other partitions are not opened, of what is asked for once. Every part is asked by NPI where the
-- reader asks by it.
WITH shown AS MATERIALIZED (
  SELECT pipeline, release, effective_from FROM rivulet.current_release
), event AS NOT MATERIALIZED (
  -- What records say now and have said of deactivations: a record has one, and history those before it.
  SELECT p.npi, p.deactivated_on, CASE WHEN p.reactivated_on >= p.deactivated_on THEN p.reactivated_on END AS reactivated_on,
    p.deactivation_reason, p.release, p.source_file_id, p.source_line
  FROM directory.provider p
  WHERE p.release = (SELECT release FROM shown WHERE pipeline = 'nppes') AND p.deactivated_on IS NOT NULL
  UNION ALL
  SELECT h.npi, h.deactivated_on, CASE WHEN h.reactivated_on >= h.deactivated_on THEN h.reactivated_on END,
    h.deactivation_reason, h.release, h.source_file_id, h.source_line
  FROM directory.provider_history h
  WHERE h.deactivated_on IS NOT NULL AND EXISTS (SELECT FROM shown WHERE pipeline = 'nppes')
  UNION ALL
  SELECT d.npi, d.deactivated_on, NULL, NULL, d.release, d.source_file_id, d.source_line
  FROM directory.npi_deactivation d
  WHERE d.release = (SELECT release FROM shown WHERE pipeline = 'nppes')
), deactivation AS NOT MATERIALIZED (
  -- Each with the day before the next one, if there is one, and with where the most is said of it.
  SELECT npi, deactivated_on, min(reactivated_on) AS reactivated_on, max(deactivation_reason) AS reason,
    lead(deactivated_on) OVER (PARTITION BY npi ORDER BY deactivated_on) - 1 AS until,
    (array_agg(release ORDER BY reactivated_on, source_file_id, source_line))[1] AS release,
    (array_agg(source_file_id ORDER BY reactivated_on, source_file_id, source_line))[1] AS source_file_id,
    (array_agg(source_line ORDER BY reactivated_on, source_file_id, source_line))[1] AS source_line
  FROM event
  GROUP BY npi, deactivated_on
), enumeration AS NOT MATERIALIZED (
  -- A record that is deactivated has lost its first day; what is kept of it has not.
  SELECT p.npi, p.enumerated_on, p.release, p.source_file_id, p.source_line
  FROM directory.provider p
  WHERE p.release = (SELECT release FROM shown WHERE pipeline = 'nppes') AND p.enumerated_on IS NOT NULL
  UNION ALL
  (SELECT DISTINCT ON (h.npi) h.npi, h.enumerated_on, h.release, h.source_file_id, h.source_line
   FROM directory.provider_history h
   WHERE h.enumerated_on IS NOT NULL
     AND h.npi IN (
       SELECT p.npi FROM directory.provider p
       WHERE p.release = (SELECT release FROM shown WHERE pipeline = 'nppes') AND p.enumerated_on IS NULL)
   ORDER BY h.npi, h.valid_to DESC, h.source_file_id DESC)
), standing (npi, standing, from_day, to_day, detail, pipeline, release, source_file_id, source_line) AS NOT MATERIALIZED (
  SELECT e.npi, 'active', e.enumerated_on, f.deactivated_on - 1, NULL, 'nppes', e.release, e.source_file_id, e.source_line
  FROM enumeration e
  LEFT JOIN (SELECT npi, min(deactivated_on) AS deactivated_on FROM event GROUP BY npi) f ON f.npi = e.npi
  UNION ALL
  SELECT npi, 'active', reactivated_on, until, 'reactivated', 'nppes', release, source_file_id, source_line
  FROM deactivation WHERE reactivated_on IS NOT NULL
  UNION ALL
  SELECT npi, 'deactivated', deactivated_on, least(reactivated_on - 1, until), 'reason ' || reason, 'nppes', release,
    source_file_id, source_line
  FROM deactivation
  UNION ALL
  -- Who has no NPI in the list is not found here: nobody is guessed.
  SELECT x.npi, 'excluded', x.excluded_on, x.reinstated_on - 1,
    concat_ws('; ', nullif(x.exclusion_type, ''), 'reinstated on ' || x.reinstated_on,
      CASE WHEN x.waived_on IS NOT NULL OR x.waiver_state IS NOT NULL
        THEN concat_ws(' ', 'waived', 'in ' || x.waiver_state, 'from ' || x.waived_on) END),
    'oig-leie', x.release, x.source_file_id, x.source_line
  FROM directory.exclusion x
  WHERE x.release = (SELECT release FROM shown WHERE pipeline = 'oig-leie') AND x.npi IS NOT NULL
  UNION ALL
  SELECT o.npi, 'opted_out', o.effective_on, o.ends_on,
    CASE o.may_order_and_refer WHEN true THEN 'may order and refer' WHEN false THEN 'may not order and refer' END,
    'cms-opt-out', o.release, o.source_file_id, o.source_line
  FROM directory.opt_out o
  WHERE o.release = (SELECT release FROM shown WHERE pipeline = 'cms-opt-out')
  UNION ALL
  -- The other lists say what is so on their day, and no day before it.
  SELECT n.npi, 'enrolled', (SELECT effective_from FROM shown WHERE pipeline = 'cms-enrolment'), NULL,
    string_agg(DISTINCT concat_ws(' in ', coalesce(n.provider_type_description, n.provider_type), n.state), '; '),
    'cms-enrolment', n.release, (array_agg(n.source_file_id ORDER BY n.source_line))[1], min(n.source_line)
  FROM directory.enrollment n
  WHERE n.release = (SELECT release FROM shown WHERE pipeline = 'cms-enrolment')
  GROUP BY n.npi, n.release
  UNION ALL
  SELECT r.npi, 'may_order_and_refer',
    (SELECT effective_from FROM shown WHERE pipeline = 'cms-order-referring'), NULL,
    concat_ws(', ', CASE WHEN r.part_b THEN 'Part B' END, CASE WHEN r.dme THEN 'medical equipment' END,
      CASE WHEN r.hha THEN 'home health' END, CASE WHEN r.pmd THEN 'power mobility devices' END,
      CASE WHEN r.hospice THEN 'hospice' END),
    'cms-order-referring', r.release, r.source_file_id, r.source_line
  FROM directory.order_referring r
  WHERE r.release = (SELECT release FROM shown WHERE pipeline = 'cms-order-referring')
    AND (r.part_b OR r.dme OR r.hha OR r.pmd OR r.hospice)
)
-- A period that ends before it begins was none: reactivated on the same day, or reinstated.
SELECT npi, standing, from_day, to_day, detail, pipeline, release, source_file_id, source_line
FROM standing
WHERE to_day IS NULL OR to_day >= from_day OR standing = 'opted_out'
