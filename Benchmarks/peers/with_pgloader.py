"""The releases by pgloader: for each of them the files are extracted, and pgloader is started on releases.load.

pgloader ends with 0 also where a file could not be loaded: what it says is searched for errors.
"""
import os
import re
import subprocess
import tempfile
from urllib.parse import quote

from releases import COLUMNS, arguments, files_of, name_of

LOAD_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "releases.load")


def address(connection):
    """The database as pgloader names it, from libpq's keywords."""
    settings = dict(re.findall(r"(\w+)\s*=\s*'?([^\s']+)", connection))
    host = settings["host"]
    if host.startswith("/"):
        host = "unix:" + host
    return f"postgresql://{quote(settings['user'])}@{host}:{settings['port']}/{settings['dbname']}"


def main():
    connection, paths = arguments()
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            files = files_of(path)
            for table in COLUMNS:
                with open(os.path.join(folder, table + ".csv"), "wb") as file:
                    file.write(files[table])
            lines = files["rvu"].split(b"\n")
            above = next(number for number, line in enumerate(lines, 1) if line.startswith(b"HCPCS,"))
            settings = {
                "DATABASE": address(connection), "FOLDER": folder, "RELEASE": name_of(path), "SKIP": str(above)}
            command = ["pgloader", "--root-dir", os.path.join(folder, "log"), LOAD_FILE]
            ended = subprocess.run(
                command, env={**os.environ, **settings}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ended.returncode or re.search(r"\b(ERROR|FATAL)\b", ended.stdout):
                raise SystemExit(f"{path}: pgloader ended with {ended.returncode}\n{ended.stdout}")


main()
