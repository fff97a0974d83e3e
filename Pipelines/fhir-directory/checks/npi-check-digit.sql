-- The last digit of an NPI follows from the others: Luhn's formula over 80840 and the number. Where it does not, the person
-- is published without the number, which is with the other identifiers.
SELECT source_file_id, source_line FROM {directory.provider}
WHERE npi IS NOT NULL AND NOT directory.has_npi_form(npi::text)
