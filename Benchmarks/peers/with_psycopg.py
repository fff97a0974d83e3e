"""The releases by psycopg: Python's csv reader, a function for each column, COPY, and the rules of cms-rvu as SQL.

A release is a transaction: its rows go into temporary tables, are checked there, and are then inserted. The rules
are those of Pipelines/cms-rvu, in the order and with the allowances of pipeline.yaml: its queries, and of conditions
over rows the queries that the tests hold them against.
"""
import csv
import io
import os
import re
from decimal import Decimal

import psycopg

from releases import CODE, COLUMNS, HEADER, arguments, files_of, name_of

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
CHECKS = [os.path.join(PROJECT, folder) for folder in ("Pipelines/cms-rvu/checks", "Tests/EndToEnd/Oracle/checks")]

# Each rule with the rows that it may find; None where they are only counted.
RULES = [
    ("totals-add-up", 0), ("caps-are-there", 0), ("classes-agree", 0), ("classes-are-whole", 0),
    ("qualifying-file-is-the-higher", 0), ("paid-rows-have-a-price", None),
    ("every-locality-has-a-gpci", 3), ("every-gpci-has-a-county", 3), ("anesthesia-localities-match", 3),
    ("qualifying-factor-is-higher", 0), ("opps-cap-localities-have-a-gpci", 500), ("opps-cap-codes-are-known", 500),
    ("opps-caps-are-whole", 5), ("opps-caps-cover-localities", None), ("published-prices-agree", None),
]


class BadValue(ValueError):
    """A field that its column does not take."""


def text(field):
    return field.strip() or None


def required(field):
    return field.strip() or refuse(field, "something")


def blank_is_empty(field):
    return field.strip()


def flag(field):
    field = field.strip()
    return field == "NA" if field in ("", "NA") else refuse(field, "NA or nothing")


def matching(pattern, wanted):
    match = re.compile(pattern).fullmatch

    def clean(field):
        field = field.strip()
        return field if match(field) else refuse(field, wanted)
    return clean


def digits(count):
    def clean(field):
        field = field.strip().zfill(count)
        return field if len(field) == count and field.isdigit() else refuse(field, f"{count} digits")
    return clean


def number(most):
    def clean(field):
        field = field.strip()
        try:
            return field if 0 <= Decimal(field) <= most else refuse(field, f"0 to {most}")
        except ArithmeticError:
            refuse(field, "a number")
    return clean


def optional(clean):
    return lambda field: clean(field) if field.strip() else None


def refuse(field, wanted):
    raise BadValue(f"'{field}' is not {wanted}")


code = matching(CODE, "a code")
CLEANERS = {
    "hcpcs": code, "modifier": blank_is_empty, "status_code": required, "endo_base": optional(code),
    "nonfac_na": flag, "fac_na": flag, "mac": digits(5), "locality": digits(2),
    "facility_price": number(999_999), "nonfacility_price": number(999_999), "conversion_factor": number(999),
    **{name: number(9999) for name in COLUMNS["rvu"] if name.endswith(("_rvu", "_total", "_opps"))},
    **{name: optional(number(1)) for name in ("pre_op", "intra_op", "post_op")},
    **{name: number(9) for name in ("work_gpci", "pe_gpci", "mp_gpci")},
}


def records(table, data):
    """The records of a csv file, cleaned, each with its line."""
    cleaners = [CLEANERS.get(name, text) for name in COLUMNS[table]]
    is_header = re.compile(HEADER).fullmatch
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""))
    for row in reader:
        first = row[0].strip() if row else ""
        if not first or is_header(first) or not any(field.strip() for field in row[1:]):
            continue
        try:
            yield reader.line_num, [clean(field) for clean, field in zip(cleaners, row, strict=True)]
        except ValueError as error:
            raise SystemExit(f"{table}, line {reader.line_num}: {error}")


def copy(cursor, release, table, data, more=()):
    """Copies the records, each behind the release, its file and its line, and what else has the same value."""
    names = ["release", "source_file_id", "source_line", *(name for name, _ in more), *COLUMNS[table]]
    values = [value for _, value in more]
    with cursor.copy(f"COPY new_{table} ({', '.join(names)}) FROM STDIN") as target:
        for line, record in records(table, data):
            target.write_row([release, 1, line, *values, *record])


def copy_counties(cursor, release, data):
    """The county list: the records are numbered, and the state is on the first one of its block only."""
    names = ", ".join(["release", "source_file_id", "source_line", "row", *COLUMNS["locality_county"]])
    state = None
    with cursor.copy(f"COPY new_locality_county ({names}) FROM STDIN") as target:
        for row, (line, record) in enumerate(records("locality_county", data), 1):
            state = record[2] = record[2] or state
            target.write_row([release, 1, line, row, *record])


def rule(name):
    """The SELECT of a rule, over the new rows."""
    path = next(filter(os.path.exists, (os.path.join(folder, name + ".sql") for folder in CHECKS)))
    with open(path, encoding="utf-8") as file:
        return re.sub(r"\{cms\.(\w+)\}", r"new_\1", file.read())


def check(cursor, release):
    cursor.execute(
        "DELETE FROM new_opps_cap WHERE source_line IN "
        f"(SELECT source_line FROM ({rule('copied-localities')}) copies)")
    for name, allowed in RULES:
        found = cursor.execute(f"SELECT count(*) FROM ({rule(name)}) found").fetchone()[0]
        if found > (allowed or 0):
            message = f"{release}: {name}: {found} rows"
            if allowed is not None:
                raise SystemExit(message)
            print(message)


def main():
    connection, paths = arguments()
    with psycopg.connect(connection, autocommit=True) as server, server.cursor() as cursor:
        for table in COLUMNS:
            cursor.execute(f"CREATE TEMPORARY TABLE new_{table} (LIKE peer.{table}) ON COMMIT DELETE ROWS")
        for path in paths:
            release, files = name_of(path), files_of(path)
            with server.transaction():
                copy(cursor, release, "rvu", files["rvu"], [("cf_class", "all")])
                copy(cursor, release, "gpci", files["gpci"])
                copy_counties(cursor, release, files["locality_county"])
                copy(cursor, release, "anesthesia_cf", files["anesthesia_cf"], [("cf_class", "all")])
                copy(cursor, release, "opps_cap", files["opps_cap"])
                # Without it the server takes the tables for empty, and its plans for the rules last minutes.
                cursor.execute("ANALYZE " + ", ".join("new_" + table for table in COLUMNS))
                check(cursor, release)
                for table in COLUMNS:
                    cursor.execute(f"INSERT INTO peer.{table} SELECT * FROM new_{table}")


main()
