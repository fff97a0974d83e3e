"""Compares a Citus of three servers on this machine with one server: refreshes of facts, and loads of providers.

    compare.py --citus FOLDER --programs FOLDER --rivulet RIVULET [--rounds N] [--place FOLDER]

--citus has the script 'cluster', which starts a coordinator and two workers; --programs are PostgreSQL's with Citus in
them, which the one server runs, too. Both keep their data in --place, /dev/shm where there is none. Each round does the
same on both, in turn first on the one and first on the other; the ratio is that of the medians. Exits with 1 where one
is over its limit.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROCEDURES, PROVIDERS = 1_000_000, 200_000
VIEWS = ["mart.procedure_monthly", "mart.user_activity"]
# Of the one server's time, at most.
LIMITS = {**{view: 1.0 for view in VIEWS}, "run nppes": 1.5}
PORT = 15_570
SETTINGS = """port = {port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '{folder}'
max_connections = 300
shared_buffers = 256MB
max_wal_size = 4GB
wal_level = logical
"""


class Servers:
    """One server, and a cluster of three."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.databases = 0
        # PostgreSQL does not run as root.
        self.account = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.data = f"{folder}/one"

    def start(self):
        self.cluster("start")
        os.mkdir(self.data)
        if self.account:
            shutil.chown(self.data, "postgres")
        self.tool("initdb", "-D", f"{self.data}/data", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8",
                  "--locale=C.UTF-8")
        with open(f"{self.data}/data/postgresql.conf", "a") as settings:
            settings.write(SETTINGS.format(port=PORT + 3, folder=self.data))
        self.tool("pg_ctl", "-D", f"{self.data}/data", "-l", f"{self.data}/log", "-w", "start")

    def stop(self):
        subprocess.run([*self.account, f"{self.options.programs}/pg_ctl", "-D", f"{self.data}/data", "-m", "immediate",
                        "stop"], stdout=subprocess.DEVNULL)
        self.cluster("destroy")

    def tool(self, name, *words):
        command = [*self.account, f"{self.options.programs}/{name}", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"HOME": self.data})

    def cluster(self, *words):
        settings = os.environ | {"PGBIN": self.options.programs, "PORT": str(PORT)}
        command = ["bash", f"{self.options.citus}/cluster", f"{self.folder}/cluster", *words]
        return subprocess.run(command, check=True, env=settings, capture_output=True, text=True).stdout.strip()

    def databases_with_tables(self):
        """Their addresses: on the one server, and on the cluster."""
        self.databases += 1
        name = f"compared_{self.databases}"
        one = f"postgresql://postgres@127.0.0.1:{PORT + 3}"
        self.sql(one + "/postgres", f"CREATE DATABASE {name}")
        both = [f"{one}/{name}", self.cluster("database", name)]
        for address in both:
            self.rivulet(address, "migrate", "up")
        return both

    def sql(self, address, text):
        subprocess.run([f"{self.options.programs}/psql", "-qX", "-v", "ON_ERROR_STOP=1", address, "-c", text], check=True,
                       stdout=subprocess.DEVNULL)

    def rivulet(self, address, *words):
        """The seconds that a command takes, which must end well."""
        command = [self.options.rivulet, "--database", address, "--quiet", *words]
        began = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - began

    def sample(self, pipeline, rows):
        path = f"{self.folder}/{pipeline}.zip"
        subprocess.run([self.options.rivulet, "sample", pipeline, "--rows", str(rows), "-o", path, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        return path


def in_turn(rounds, both, work):
    """The seconds of each round, on the one server and on the cluster."""
    found = ([], [])
    for number in range(rounds):
        for place in (0, 1) if number % 2 == 0 else (1, 0):
            found[place].append(work(both(number)[place], number))
    return found


def report(name, found):
    one, cluster = (statistics.median(seconds) for seconds in found)
    ratio = cluster / one
    spans = ["{:.2f} s ({:.2f} to {:.2f})".format(statistics.median(s), min(s), max(s)) for s in found]
    verdict = "passed" if ratio <= LIMITS[name] else "missed"
    print(f"{name}: one server {spans[0]}, cluster {spans[1]}, {ratio:.2f} of {LIMITS[name]}: {verdict}", flush=True)
    return ratio <= LIMITS[name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--citus", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--rivulet", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--place", default="/dev/shm")
    options = parser.parse_args()
    options.rivulet = os.path.abspath(options.rivulet)
    with tempfile.TemporaryDirectory(dir=options.place) as folder:
        os.chmod(folder, 0o755)
        servers = Servers(options, folder)
        try:
            servers.start()
            facts = servers.databases_with_tables()
            export = servers.sample("hospital-facts", PROCEDURES)
            for address in facts:
                servers.rivulet(address, "run", "hospital-facts", export)
                servers.sql(address, "VACUUM ANALYZE facts.procedure")

            def refreshed(view):
                def work(address, number):
                    # One procedure in a hundred, others each time.
                    servers.sql(address, "UPDATE facts.procedure SET units = units + 1 "
                                f"WHERE abs(hashtext(procedure_id::text)) % 100 = {number}")
                    return servers.rivulet(address, "refresh", view)
                return work

            good = [report(view, in_turn(options.rounds, lambda _: facts, refreshed(view))) for view in VIEWS]
            month = servers.sample("nppes", PROVIDERS)
            empty = [servers.databases_with_tables() for _ in range(options.rounds)]
            loads = in_turn(options.rounds, lambda number: empty[number],
                            lambda address, _: servers.rivulet(address, "run", "nppes", month))
            good.append(report("run nppes", loads))
        finally:
            servers.stop()
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
