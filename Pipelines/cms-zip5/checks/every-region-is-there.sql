-- A whole file has ZIP codes of each of the ten regions that the first digit stands for.
SELECT region.first_digit
FROM (SELECT digit::text AS first_digit FROM generate_series(0, 9) AS digit) region
WHERE NOT EXISTS (SELECT FROM {cms.zip_locality} z WHERE left(z.zip, 1) = region.first_digit)
