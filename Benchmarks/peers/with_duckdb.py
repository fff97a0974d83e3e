"""The releases by DuckDB and its PostgreSQL extension: all files of a table are read, cleaned and checked by SQL
within DuckDB, and inserted into the attached database. All releases are one transaction."""
import glob
import os
import tempfile

import duckdb
import duckdb_ext

from releases import CODE, COLUMNS, HEADER, arguments, files_of, name_of

DECIMALS = {
    **{name: "DECIMAL(8,2)" for name in COLUMNS["rvu"] if name.endswith(("_rvu", "_total", "_opps"))},
    **{name: "DECIMAL(4,2)" for name in ("pre_op", "intra_op", "post_op")},
    **{name: "DECIMAL(6,3)" for name in ("work_gpci", "pe_gpci", "mp_gpci")},
    **{name: "DECIMAL(10,2)" for name in ("facility_price", "nonfacility_price")},
    "conversion_factor": "DECIMAL(8,4)",
}

# The rules, each with the rows that it may find.
RULES = {
    "codes that are none": (0, f"SELECT 1 FROM rvu WHERE NOT regexp_full_match(hcpcs, '{CODE}')"),
    "localities that are no numbers": (
        0, "SELECT 1 FROM gpci WHERE NOT regexp_full_match(mac || locality, '[0-9]{7}')"),
    "totals that do not add up": (
        0, """SELECT 1 FROM rvu WHERE nonfac_total <> work_rvu + nonfac_pe_rvu + mp_rvu
          OR fac_total <> work_rvu + fac_pe_rvu + mp_rvu"""),
    "rows without the values of the cap": (
        0, "SELECT 1 FROM rvu WHERE nonfac_pe_opps IS NULL OR fac_pe_opps IS NULL OR mp_opps IS NULL"),
    "localities without indices": (
        3, "SELECT 1 FROM locality_county ANTI JOIN gpci USING (release, mac, locality)"),
    "indices without counties": (
        3, "SELECT 1 FROM gpci ANTI JOIN locality_county USING (release, mac, locality)"),
    "indices without an anaesthesia factor": (
        3, "SELECT 1 FROM gpci ANTI JOIN anesthesia_cf USING (release, mac, locality)"),
    "anaesthesia factors without indices": (
        3, "SELECT 1 FROM anesthesia_cf ANTI JOIN gpci USING (release, mac, locality)"),
    "caps without indices": (500, "SELECT 1 FROM opps_cap ANTI JOIN gpci USING (release, mac, locality)"),
    "caps of unknown codes": (
        500, """SELECT 1 FROM opps_cap ANTI JOIN (
            SELECT * FROM rvu WHERE nonfac_pe_opps <> 0 OR fac_pe_opps <> 0 OR mp_opps <> 0
          ) USING (release, hcpcs, modifier, status_code)"""),
    "caps that are missing": (
        5, """SELECT 1 FROM rvu ANTI JOIN opps_cap USING (release, hcpcs, modifier)
          WHERE (nonfac_pe_opps <> 0 OR fac_pe_opps <> 0 OR mp_opps <> 0)
            AND (status_code = 'C' OR status_code = 'A'
              AND (work_rvu + nonfac_pe_opps + mp_opps < nonfac_total
                OR work_rvu + fac_pe_opps + mp_opps < fac_total))"""),
}

# The state is on the first record of its block only.
COUNTIES = """
CREATE OR REPLACE TABLE locality_county AS
SELECT release, CAST(row_number() OVER of_release AS INTEGER) AS row, mac, locality,
  last_value(state IGNORE NULLS) OVER of_release AS state, fee_schedule_area, counties
FROM (SELECT *, row_number() OVER () AS place FROM locality_county)
WINDOW of_release AS (PARTITION BY release ORDER BY place)
"""

# Rows that repeat, under a contractor that does not have the locality, the row of the contractor of the same state
# that does.
COPIES = """
DELETE FROM opps_cap
WHERE (release, hcpcs, modifier, mac, locality) IN (
  SELECT away.release, away.hcpcs, away.modifier, away.mac, away.locality
  FROM opps_cap away
  ANTI JOIN gpci none ON none.release = away.release AND none.mac = away.mac AND none.locality = away.locality
  JOIN (SELECT DISTINCT release, mac, state FROM gpci) of_state
    ON of_state.release = away.release AND of_state.mac = away.mac
  JOIN (SELECT o.*, g.state FROM opps_cap o JOIN gpci g USING (release, mac, locality)) home
    ON home.release = away.release AND home.state = of_state.state AND home.hcpcs = away.hcpcs
      AND home.modifier = away.modifier AND home.locality = away.locality
      AND home.status_code = away.status_code AND home.facility_price = away.facility_price
      AND home.nonfacility_price = away.nonfacility_price)
"""


def cleaned(name):
    """The expression of a column: trimmed, blank fields null, leading zeros restored, numbers as such."""
    field = f"trim({name})"
    if name in DECIMALS:
        field = f"CAST(nullif({field}, '') AS {DECIMALS[name]})"
    elif name in ("mac", "locality"):
        field = f"lpad({field}, {5 if name == 'mac' else 2}, '0')"
    elif name in ("nonfac_na", "fac_na"):
        field = f"coalesce({field}, '') = 'NA'"
    elif name == "modifier":
        field = f"coalesce({field}, '')"
    else:
        field = f"nullif({field}, '')"
    return f"{field} AS {name}"


def read(base, table, folder):
    """Makes a table of a release's name and of the records of its file, for all releases of a folder."""
    first, *others = COLUMNS[table]
    constants = ["split_part(filename, '/', -2) AS release"]
    if table in ("rvu", "anesthesia_cf"):
        constants.append("'all' AS cf_class")
    base.execute(
        f"""CREATE TABLE {table} AS
          SELECT {', '.join(constants + [cleaned(name) for name in COLUMNS[table]])}
          FROM read_csv(?, header = false, skip = 0, auto_detect = false, delim = ',', quote = '"', escape = '"',
            columns = {{{', '.join(f"'{name}': 'VARCHAR'" for name in COLUMNS[table])}}}, filename = true)
          WHERE NOT regexp_full_match(trim({first}), '{HEADER}|')
            AND trim(concat({', '.join(others)})) <> ''""",
        [sorted(glob.glob(os.path.join(folder, "*", table + ".csv")))])


def main():
    connection, paths = arguments()
    base = duckdb.connect()
    # As a Python package brings the extension; LOAD postgres would download it.
    place = os.path.join(list(duckdb_ext.__path__)[0], "extensions/*/*/postgres_scanner.duckdb_extension")
    base.execute(f"LOAD '{glob.glob(place)[0]}'")
    base.execute(f"ATTACH '{connection.replace(chr(39), chr(39) * 2)}' AS server (TYPE postgres)")
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            os.mkdir(os.path.join(folder, name_of(path)))
            for table, data in files_of(path).items():
                with open(os.path.join(folder, name_of(path), table + ".csv"), "wb") as file:
                    file.write(data)
        for table in COLUMNS:
            read(base, table, folder)
    base.execute(COUNTIES)
    base.execute(COPIES)
    for rule, (allowed, query) in RULES.items():
        found = base.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
        if found > allowed * len(paths):
            raise SystemExit(f"{found} {rule}")
    base.execute("BEGIN")
    for table in COLUMNS:
        names = ", ".join(name for name, *_ in base.execute(f"DESCRIBE {table}").fetchall())
        base.execute(f"INSERT INTO server.peer.{table} ({names}) SELECT {names} FROM {table}")
    base.execute("COMMIT")


main()
