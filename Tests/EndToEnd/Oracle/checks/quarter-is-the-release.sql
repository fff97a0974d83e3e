-- The year and quarter that a record names are those of the release.
SELECT source_line, zip, quarter, release
FROM {cms.zip_locality}
WHERE release <> left(quarter, 4) || translate(right(quarter, 1), '1234', 'ABCD')
