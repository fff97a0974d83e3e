"""The releases by polars and ADBC: frames that are cleaned and checked, written by write_database. A release is
a transaction of its own."""
import adbc_driver_postgresql.dbapi

from frames import check, clean
from releases import arguments, files_of, name_of


def main():
    connection, paths = arguments()
    with adbc_driver_postgresql.dbapi.connect(connection) as server:
        for path in paths:
            frames = clean(name_of(path), files_of(path))
            check(frames)
            for table, frame in frames.items():
                frame.write_database(f"peer.{table}", server, engine="adbc", if_table_exists="append")
            server.commit()


main()
