"""The releases by dlt: a resource that yields cleaned frames of polars for the five tables, which dlt writes as
parquet and appends by ADBC to the tables that exist. The rules are those of frames.py."""
import os
import tempfile

# Nothing is reported to anybody.
os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="ERROR")

import dlt
import psycopg

from frames import check, clean
from releases import arguments, files_of, name_of

# dlt takes an empty field for null unless its column is said to have none.
HINTS = {table: {"columns": {"modifier": {"nullable": False}}} for table in ("rvu", "opps_cap")}


@dlt.resource(write_disposition="append", file_format="parquet")
def releases(paths):
    """The frames of all releases, each for its table."""
    for path in paths:
        frames = clean(name_of(path), files_of(path))
        check(frames)
        for table, frame in frames.items():
            hints = dlt.mark.make_hints(table_name=table, **HINTS.get(table, {}))
            yield dlt.mark.with_hints(frame.to_arrow(), hints, create_table_variant=True)


def main():
    connection, paths = arguments()
    settings = psycopg.conninfo.conninfo_to_dict(connection)
    # dlt insists on a password and on a host before the query; a server on a socket of its own asks for neither.
    target = dlt.destinations.postgres(
        "postgresql://{user}:none@localhost/{dbname}?host={host}&port={port}".format(**settings))
    with tempfile.TemporaryDirectory() as folder:
        pipeline = dlt.pipeline("releases", pipelines_dir=folder, destination=target, dataset_name="peer")
        pipeline.run(releases(paths))


main()
