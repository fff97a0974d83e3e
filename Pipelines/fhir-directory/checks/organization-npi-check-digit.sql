-- The last digit of an NPI follows from the others: Luhn's formula over 80840 and the number.
SELECT p.source_file_id, p.source_line
FROM {directory.organization} p
CROSS JOIN LATERAL (
  SELECT 24 + sum(CASE WHEN place % 2 = 1 THEN digit * 2 / 10 + digit * 2 % 10 ELSE digit END) AS total
  FROM (
    SELECT place, substr(lpad(p.npi::text, 10, '0'), place, 1)::int AS digit FROM generate_series(1, 10) place
  ) digits) luhn
WHERE luhn.total % 10 <> 0
