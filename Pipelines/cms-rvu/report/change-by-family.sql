/* rivulet report
title: Change of work and of national payment by family of codes
description: "The newest release against the one before it, codes that both have, each counted once and not by how often it is billed."
chart: bars
label: Family
values: [Work RVU, Payment]
signed: true
empty: "Two releases must be published before they can be compared."
order: 20
*/
-- National payment: all geographic indices 1, non-facility where it is paid, else facility. From 2026 on a code has a
-- row for each conversion factor; the one of those who do not qualify for the higher factor counts.
-- Sides are brought together by grouping: of what is not known before it runs the planner would expect a row.
WITH compared AS (
  SELECT release, row_number() OVER (ORDER BY effective_from DESC NULLS LAST, release DESC) AS age FROM cms.release
), coded AS (
  SELECT c.age, r.hcpcs, r.modifier, r.work_rvu, NULL::numeric AS amount
  FROM compared c JOIN cms.rvu r USING (release) WHERE c.age <= 2 AND r.cf_class <> 'qp'
  UNION ALL
  SELECT c.age, p.hcpcs, p.modifier, NULL, coalesce(p.nonfacility_amount, p.facility_amount)
  FROM compared c JOIN mart.national_payment p USING (release) WHERE c.age <= 2 AND p.cf_class <> 'qp'
), sides AS (
  SELECT hcpcs, modifier,
    sum(work_rvu) FILTER (WHERE age = 2) AS work_before, sum(work_rvu) FILTER (WHERE age = 1) AS work_after,
    sum(amount) FILTER (WHERE age = 2) AS amount_before, sum(amount) FILTER (WHERE age = 1) AS amount_after
  FROM coded GROUP BY hcpcs, modifier
), pair AS (
  SELECT hcpcs, work_before, work_after - work_before AS work_change,
    amount_before, amount_after - amount_before AS amount_change
  FROM sides WHERE work_before IS NOT NULL AND work_after IS NOT NULL
)
SELECT CASE
      WHEN hcpcs ~ '^\d{4}T$' THEN 'CPT category III'
      WHEN hcpcs ~ '^\d{4}[A-Z]$' THEN 'Other CPT'
      WHEN hcpcs !~ '^\d{5}$' THEN 'HCPCS ' || left(hcpcs, 1)
      WHEN hcpcs < '10000' THEN 'Anesthesia'
      WHEN hcpcs < '20000' THEN 'Surgery: skin'
      WHEN hcpcs < '30000' THEN 'Surgery: musculoskeletal'
      WHEN hcpcs < '40000' THEN 'Surgery: respiratory, cardiovascular'
      WHEN hcpcs < '50000' THEN 'Surgery: digestive'
      WHEN hcpcs < '60000' THEN 'Surgery: urinary, genital, maternity'
      WHEN hcpcs < '70000' THEN 'Surgery: endocrine, nervous, eye, ear'
      WHEN hcpcs < '80000' THEN 'Radiology'
      WHEN hcpcs < '90000' THEN 'Pathology, laboratory'
      WHEN hcpcs BETWEEN '99202' AND '99499' THEN 'Evaluation and management'
      ELSE 'Medicine'
    END AS "Family",
  (SELECT release FROM compared WHERE age = 2) AS "From", (SELECT release FROM compared WHERE age = 1) AS "To",
  count(*) AS "Codes",
  round(sum(work_change), 2) AS "Work RVU",
  round(100 * sum(work_change) / nullif(sum(work_before), 0), 2) AS "Work, %",
  round(coalesce(sum(amount_change), 0), 2) AS "Payment",
  round(100 * sum(amount_change) / nullif(sum(amount_before) FILTER (WHERE amount_change IS NOT NULL), 0), 2)
    AS "Payment, %"
FROM pair GROUP BY 1
HAVING sum(work_before) > 0 OR sum(amount_before) > 0 OR sum(work_change) <> 0
ORDER BY 1
