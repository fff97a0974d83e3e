/* rivulet query
description: "Change in national payment between two releases by status code, unweighted by volume"
parameters:
  from: {type: text, required: true, description: "release before, as 2025A",
    among: SELECT release FROM cms.release ORDER BY effective_from DESC}
  to: {type: text, required: true, description: "release after, as 2025D",
    among: SELECT release FROM cms.release ORDER BY effective_from DESC}
example: rivulet query payment-change-by-status --from 2025A --to 2025D
*/
-- National payment: all geographic indices 1, the OPPS cap applied (mart.national_payment). Every code with its
-- modifier counts once, however often it is billed, so that the change is that of the schedule and not of what
-- Medicare spends. Amounts and their change are of rows that both releases pay; what only one of them has, or
-- pays, is counted beside them. Groups without any payment are left out.
--
-- A row that changed its status counts under its later one, so that what is no longer paid is under the
-- status that it is no longer paid for.
WITH before AS MATERIALIZED (
  SELECT * FROM mart.national_payment WHERE release = {from}
), after AS MATERIALIZED (
  SELECT * FROM mart.national_payment WHERE release = {to}
), class AS MATERIALIZED (
  -- Across the years a release without classes is compared with each class of the other.
  SELECT b.cf_class AS in_before, a.cf_class AS in_after,
    CASE a.cf_class WHEN 'all' THEN b.cf_class ELSE a.cf_class END AS cf_class
  FROM (SELECT DISTINCT cf_class FROM before) b
  JOIN (SELECT DISTINCT cf_class FROM after) a
    ON a.cf_class = b.cf_class OR 'all' IN (a.cf_class, b.cf_class)
)
SELECT coalesce(status_after, status_before) AS status_code, cf_class, setting,
  count(*) FILTER (WHERE amount_before IS NOT NULL AND amount_after IS NOT NULL) AS compared,
  count(*) FILTER (WHERE amount_after > amount_before) AS up,
  count(*) FILTER (WHERE amount_after < amount_before) AS down,
  sum(amount_before) FILTER (WHERE amount_after IS NOT NULL) AS amount_from,
  sum(amount_after) FILTER (WHERE amount_before IS NOT NULL) AS amount_to,
  sum(amount_after - amount_before) AS change,
  round(100 * sum(amount_after - amount_before)
    / nullif(sum(amount_before) FILTER (WHERE amount_after IS NOT NULL), 0), 2) AS change_percent,
  round(avg(amount_after - amount_before), 2) AS mean_change,
  round(avg(100 * (amount_after - amount_before) / nullif(amount_before, 0)), 2) AS mean_change_percent,
  count(amount_after) FILTER (WHERE is_added) AS added,
  count(amount_before) FILTER (WHERE is_removed) AS removed,
  count(amount_after) FILTER (WHERE amount_before IS NULL AND NOT is_added) AS newly_paid,
  count(amount_before) FILTER (WHERE amount_after IS NULL AND NOT is_removed) AS no_longer_paid
FROM (
  SELECT cf_class, hcpcs, modifier, b.status_code AS status_before, a.status_code AS status_after,
    b.status_code IS NULL AS is_added, a.status_code IS NULL AS is_removed,
    b.nonfacility_amount AS nonfacility_before, a.nonfacility_amount AS nonfacility_after,
    b.facility_amount AS facility_before, a.facility_amount AS facility_after
  FROM (
    SELECT c.cf_class, hcpcs, modifier, status_code, nonfacility_amount, facility_amount
    FROM before JOIN class c ON c.in_before = before.cf_class
  ) b
  FULL JOIN (
    SELECT c.cf_class, hcpcs, modifier, status_code, nonfacility_amount, facility_amount
    FROM after JOIN class c ON c.in_after = after.cf_class
  ) a USING (cf_class, hcpcs, modifier)
) pair
CROSS JOIN LATERAL (VALUES
  ('non-facility', nonfacility_before, nonfacility_after), ('facility', facility_before, facility_after)
) s (setting, amount_before, amount_after)
GROUP BY 1, cf_class, setting
HAVING count(amount_before) + count(amount_after) > 0
ORDER BY 1, cf_class, setting DESC
