# A database that Flyway has kept until now: its folder of three migrations, of which two are applied.
mkdir -p db/migration
printf 'CREATE TABLE fee (code text PRIMARY KEY);\n' > db/migration/V1__fees.sql
printf 'ALTER TABLE fee ADD amount numeric(8, 2);\n' > db/migration/V2__amounts.sql
printf 'CREATE INDEX fee_amount ON fee (amount);\n' > db/migration/V3__index_of_amounts.sql
# Flyway's checksum: a CRC-32 of the lines without their ends, as a signed number.
checksum() {
  python3 -c 'import sys, zlib
sum = zlib.crc32(open(sys.argv[1], "rb").read().replace(b"\n", b""))
print(sum - (sum >> 31 << 32))' "$1"
}
psql -q "$RIVULET_DATABASE_URL" -f db/migration/V1__fees.sql -f db/migration/V2__amounts.sql
psql -q "$RIVULET_DATABASE_URL" << END
CREATE TABLE flyway_schema_history (
  installed_rank integer PRIMARY KEY, version text, description text NOT NULL, type text NOT NULL,
  script text NOT NULL, checksum integer, installed_by text NOT NULL,
  installed_on timestamp NOT NULL DEFAULT now(), execution_time integer NOT NULL, success boolean NOT NULL);
INSERT INTO flyway_schema_history VALUES
  (1, '1', 'fees', 'SQL', 'V1__fees.sql', $(checksum db/migration/V1__fees.sql), 'flyway', now(), 9, true),
  (2, '2', 'amounts', 'SQL', 'V2__amounts.sql', $(checksum db/migration/V2__amounts.sql), 'flyway', now(), 9, true);
END
