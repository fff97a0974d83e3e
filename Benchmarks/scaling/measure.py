"""Measures on a Citus of one machine what Documentation/Scaling.md is computed from, and writes figures.json.

    measure.py --coordinator DIR --worker DIR --worker DIR --log FILE --psql PSQL --rivulet RIVULET --samples DIR \
      --out FILE

Each DIR is the data folder of a server that runs on this machine, FILE the coordinator's log; the coordinator is reached by its Unix socket, so
that the loopback counters hold what the servers send each other and nothing else. Run it in a network namespace of its
own, where nothing else uses loopback. --samples has the folders 'large', 'middle' and 'small' of
'rivulet sample nppes -o large/ --rows 200000' and of 100,000 and 20,000 rows.

Seconds are of processors, user and system, of each server's processes and of the program that asked (rivulet or psql);
other work on the machine makes them a little longer, and does not wait for anything. Figures are medians.
"""

import argparse
import csv
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")
LOADS, RUNS, REFRESHES = 3, 5, 10
COUNTS, TOPS = 40, 10
STORED = ["by_user", "by_user_2", "by_user_3", "by_user_4", "by_user_5"]
# What is measured: workers, shards of a table, size. The first three give the model its figures, the others check it.
SETTINGS = [
    (1, 8, "large"), (1, 8, "small"), (1, 32, "small"),
    (1, 8, "middle"), (2, 8, "large"), (2, 32, "middle"),
]
PROVIDERS = {"large": 200_000, "middle": 100_000, "small": 20_000}
PROCEDURES = {size: 5 * rows for size, rows in PROVIDERS.items()}
OF_A_USER = 100
WEEKS = 3
CHANGED, FEW = 40, 400  # One provider in so many is in the file of a week, or of one with few.

FACTS = """
CREATE TABLE procedure (user_id bigint, procedure_id bigint, performed_on date NOT NULL, code text NOT NULL,
  status text NOT NULL, units integer NOT NULL, work_rvu numeric NOT NULL, amount numeric NOT NULL,
  CONSTRAINT procedure_key PRIMARY KEY (user_id, procedure_id));
CREATE TABLE by_user (user_id bigint CONSTRAINT by_user_key PRIMARY KEY, procedures bigint, work_rvu numeric,
  amount numeric, newest date);
CREATE TABLE queue (user_id bigint);
CREATE TABLE keys (user_id bigint CONSTRAINT keys_key PRIMARY KEY);
SELECT create_distributed_table('procedure', 'user_id');
SELECT create_distributed_table(name, 'user_id', colocate_with => 'procedure')
  FROM unnest(ARRAY['by_user', 'queue', 'keys']) AS name;
""" + "".join(f"""
CREATE TABLE {name} (LIKE by_user);
ALTER TABLE {name} ADD CONSTRAINT {name}_key PRIMARY KEY (user_id);
SELECT create_distributed_table('{name}', 'user_id', colocate_with => 'procedure');
""" for name in STORED[1:])
ROLL_UP = """SELECT p.user_id, count(*), sum(p.work_rvu), sum(p.amount), max(p.performed_on)
  FROM procedure p"""
REFRESH = f"""BEGIN;
INSERT INTO keys SELECT DISTINCT user_id FROM queue;
DELETE FROM queue;
DELETE FROM by_user USING keys WHERE by_user.user_id = keys.user_id;
INSERT INTO by_user {ROLL_UP} JOIN keys USING (user_id) GROUP BY p.user_id;
DELETE FROM keys;
COMMIT;
"""


def seconds(folder):
    """Of a server: its first process with those it has waited for, and those that run."""
    first = open(f"{folder}/postmaster.pid").readline().strip()
    used = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = open(f"/proc/{name}/stat").read().rpartition(") ")[2].split()
            except OSError:
                continue
            if name == first:
                used += sum(map(int, stat[11:15]))
            elif stat[1] == first:
                used += sum(map(int, stat[11:13]))
    return used / TICK


def sent():
    """Bytes over loopback, headers included."""
    return int(re.search(r"^\s*lo:\s*(\d+)", open("/proc/net/dev").read(), re.M)[1])


class Cluster:
    def __init__(self, options):
        self.options = options
        self.folders = [options.coordinator] + options.worker
        settings = [open(f"{folder}/postmaster.pid").read().split("\n") for folder in self.folders]
        self.ports = [int(lines[3]) for lines in settings]
        self.sockets = [lines[4] for lines in settings]

    def address(self, database, node=0):
        return f"host={self.sockets[node]} port={self.ports[node]} user=postgres dbname={database}"

    def psql(self, sql, database, node=0, *words):
        command = [self.options.psql, "-qXAt", "-v", "ON_ERROR_STOP=1", self.address(database, node), *words]
        return subprocess.run(command, input=sql, text=True, check=True, capture_output=True).stdout

    def rivulet(self, database, *words):
        command = [self.options.rivulet, *words, "--quiet", "--database", self.address(database)]
        subprocess.run(command, check=True, capture_output=True)

    def make(self, database, workers, shards):
        for node in range(1 + workers):
            self.psql("SET citus.enable_create_database_propagation = off;\n"
                      f"CREATE DATABASE {database};", "postgres", node)
            self.psql("CREATE EXTENSION citus;", database, node)
        self.psql(f"ALTER DATABASE {database} SET citus.shard_count = {shards};", database)
        self.psql(f"SELECT citus_set_coordinator_host('127.0.0.1', {self.ports[0]});", database)
        for node in range(1, 1 + workers):
            self.psql(f"SELECT citus_add_node('127.0.0.1', {self.ports[node]});", database)

    def drop(self, database, workers):
        for node in range(1 + workers):
            self.psql("SET citus.enable_create_database_propagation = off;\n"
                      f"DROP DATABASE IF EXISTS {database} WITH (FORCE);", "postgres", node)

    def measured(self, body):
        """Seconds of the program, of the coordinator and of each worker, and bytes, of what the body does."""
        for node in range(len(self.folders)):
            self.psql("CHECKPOINT;", "postgres", node)
        time.sleep(0.3)
        before = [seconds(folder) for folder in self.folders]
        bytes_before, program = sent(), os.times()
        body()
        time.sleep(0.2)
        own = os.times()
        program = own.children_user + own.children_system - program.children_user - program.children_system
        used = [seconds(folder) - was for folder, was in zip(self.folders, before)]
        return {"program": program, "coordinator": used[0], "workers": used[1:], "bytes": sent() - bytes_before}


def median(runs, count, workers):
    """Of several runs, each of so many of the same."""
    def of(value):
        return round(statistics.median(map(value, runs)) / count, 5)
    return {
        "program": of(lambda run: run["program"]), "coordinator": of(lambda run: run["coordinator"]),
        "worker_each": [of(lambda run, at=at: run["workers"][at]) for at in range(workers)],
        "worker": of(lambda run: sum(run["workers"][:workers])),
        "bytes": round(of(lambda run: run["bytes"])), "runs": len(runs),
    }


def statements(cluster, *words):
    """How many statements the coordinator is given by a command, those of its own tables included."""
    cluster.psql("ALTER DATABASE scaling SET log_statement = 'all';", "scaling")
    start = os.path.getsize(cluster.options.log)
    cluster.rivulet("scaling", *words)
    cluster.psql("ALTER DATABASE scaling RESET log_statement;", "scaling")
    with open(cluster.options.log, errors="replace") as log:
        log.seek(start)
        return len(re.findall(r"LOG:  (?:statement|execute )", log.read()))


def week(samples, size, number, changed):
    """The file of a week, from 1: records of NPIs of the sample, each with what the one before it has."""
    first = datetime.date(2025, 11, 3) + datetime.timedelta(weeks=number)
    days = [f"{day:%Y%m%d}" for day in (first, first + datetime.timedelta(days=6))]
    path = f"{samples}/{size}-weeks/npidata_pfile_{days[0]}-{days[1]}.csv"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    main = next(name for name in os.listdir(f"{samples}/{size}") if name.startswith("npidata_pfile"))
    with open(f"{samples}/{size}/{main}", newline="") as source, open(path, "w", newline="") as target:
        lines = csv.reader(source)
        writer = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(next(lines))
        previous, place = None, 0
        for line in lines:
            if place % changed == number and previous:
                # Of a person and an organisation only the place is exchanged.
                writer.writerow(line[:1] + (previous[1:] if previous[1] == line[1] else
                                            line[1:22] + previous[22:30] + line[30:]))
            previous, place = line, place + 1
    return path


def providers(cluster, workers, shards, size):
    """A load, each into a database of its own, and weeks merged into the last."""
    samples, runs, more = cluster.options.samples, [], {}
    counts = (workers, shards, size) == SETTINGS[1]
    for turn in range(LOADS + counts):
        if turn:
            cluster.drop("scaling", workers)
        cluster.make("scaling", workers, shards)
        cluster.rivulet("scaling", "migrate", "up")
        if turn == LOADS:
            more = {"statements": statements(cluster, "run", "nppes", "--no-refresh", f"{samples}/{size}")}
            break
        runs.append(cluster.measured(
            lambda: cluster.rivulet("scaling", "run", "nppes", "--no-refresh", f"{samples}/{size}")))
    rows = int(cluster.psql("SELECT sum(rows) FROM rivulet.release_table;", "scaling"))
    share = float(cluster.psql("SELECT max(rows) / sum(rows) FROM rivulet.release_table;", "scaling"))
    stored = int(cluster.psql("SELECT sum(table_size::bigint) FROM (SELECT citus_total_relation_size(table_name) AS "
                              "table_size FROM citus_tables WHERE citus_table_type = 'distributed') t;", "scaling"))
    yield "load", PROVIDERS[size], median(runs, 1, workers) | {
        "rows": rows, "largest_table": round(share, 4), "stored": stored} | more
    first = 1
    for changed in [CHANGED, FEW] if (workers, shards, size) == SETTINGS[0] else [CHANGED]:
        runs = []
        for number in range(first, first + WEEKS):
            path = week(samples, size, number, changed)
            runs.append(cluster.measured(
                lambda: cluster.rivulet("scaling", "run", "nppes", "--no-refresh", path)))
        merged = "SELECT count(*) FROM rivulet.merge WHERE target = 'directory.provider' AND updated > 0;"
        if int(cluster.psql(merged, "scaling")) != first + WEEKS - 1:
            sys.exit("a week has changed nothing, so its time says nothing")
        first += WEEKS
        if counts:
            more = {"statements": statements(
                cluster, "run", "nppes", "--no-refresh", week(samples, size, first, changed))}
        yield "merge", PROVIDERS[size] // changed, median(runs, 1, workers) | {"base": PROVIDERS[size]} | more


def procedures(cluster, workers, size):
    """Facts by user: COPY, all groups, 1 % of the groups, and questions."""
    rows = PROCEDURES[size]
    users = rows // OF_A_USER
    cluster.psql(FACTS, "scaling")
    path = f"{cluster.options.samples}/procedures-{size}.csv"
    if not os.path.exists(path):
        with open(path, "w") as file:
            subprocess.run([cluster.options.psql, "-qX", cluster.address("scaling"), "-c", f"""COPY (
              SELECT n % {users}, n, date '2024-01-01' + (n % 600)::integer, (99200 + n % 97)::text,
                (ARRAY['done', 'billed', 'paid'])[1 + n % 3], 1 + n % 3, round(0.5 + (n % 700) / 100.0, 2),
                round(20 + (n * 7919 % 40000) / 100.0, 2)
              FROM generate_series(1, {rows}::bigint) AS n) TO STDOUT"""], stdout=file, check=True)

    def repeated(count, body, prepare=""):
        runs = []
        for turn in range(RUNS):
            cluster.psql(prepare, "scaling")
            runs.append(cluster.measured(lambda: body(turn)))
        return median(runs, count, workers)

    def ask(sql):
        cluster.psql(sql, "scaling")

    yield "copy", rows, repeated(
        1, lambda _: cluster.psql("", "scaling", 0, "-c", f"\\copy procedure FROM '{path}'"), "TRUNCATE procedure;")
    stored = int(cluster.psql("SELECT citus_total_relation_size('procedure');", "scaling"))
    skew = float(cluster.psql("SELECT max(shard_size) / avg(shard_size) FROM citus_shards "
                              "WHERE table_name = 'procedure'::regclass;", "scaling"))
    cluster.psql("VACUUM ANALYZE procedure;", "scaling")
    yield "roll-up", rows, repeated(
        len(STORED), lambda _: ask("\n".join(f"INSERT INTO {name} {ROLL_UP} GROUP BY p.user_id;" for name in STORED)),
        f"TRUNCATE {', '.join(STORED)};") | {
            "stored": stored, "largest_shard": round(skew, 3)}
    cluster.psql("VACUUM ANALYZE by_user;", "scaling")

    def refresh(turn):
        ask("\n".join(
            f"INSERT INTO queue SELECT user_id FROM by_user WHERE user_id % 100 = {turn * REFRESHES + part};\n{REFRESH}"
            for part in range(REFRESHES)))

    yield "refresh", rows // 100, repeated(REFRESHES, refresh)
    yield "count", rows, repeated(
        COUNTS, lambda _: ask("SELECT count(*) FROM procedure;\n" * COUNTS))
    yield "top", rows, repeated(TOPS, lambda _: ask(
        "SELECT user_id, sum(work_rvu) FROM procedure GROUP BY user_id ORDER BY 2 DESC LIMIT 20;\n" * TOPS))
    look_ups = rows // 500
    yield "look-up", look_ups, repeated(1, lambda _: ask("\n".join(
        f"SELECT * FROM procedure WHERE user_id = {at * 17 % users} AND procedure_id = {at * 17 % users};"
        for at in range(look_ups))))


def idle(cluster):
    """What a second without work takes of each server."""
    start = time.time()
    used = cluster.measured(lambda: time.sleep(20))
    return {"coordinator": round(used["coordinator"] / (time.time() - start), 4),
            "worker": round(sum(used["workers"]) / len(used["workers"]) / (time.time() - start), 4)}


def main():
    parser = argparse.ArgumentParser()
    for name in ["coordinator", "log", "psql", "rivulet", "samples", "out"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--worker", action="append", required=True)
    options = parser.parse_args()
    cluster = Cluster(options)
    for node in range(len(cluster.folders)):
        cluster.psql("ALTER SYSTEM SET autovacuum = off;\nSELECT pg_reload_conf();", "postgres", node)
    processor = re.search(r"^model name\s*: (.*)", open("/proc/cpuinfo").read(), re.M)[1]
    figures = {"machine": {
        "cpu": processor, "cores": os.cpu_count(), "kernel": ".".join(os.uname().release.split(".")[:2]),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "postgresql": cluster.psql("SHOW server_version;", "postgres").split()[0],
    }, "measured": []}
    for workers, shards, size in SETTINGS:
        cluster.drop("scaling", 2)
        for part in [providers(cluster, workers, shards, size), procedures(cluster, workers, size)]:
            for name, count, found in part:
                line = {"operation": name, "workers": workers, "shards": shards, "count": count} | found
                print(json.dumps(line), file=sys.stderr, flush=True)
                figures["measured"].append(line)
        figures["machine"]["citus"] = cluster.psql("SELECT extversion FROM pg_extension WHERE extname = 'citus';",
                                                   "scaling").strip()
        figures["machine"].setdefault("idle", idle(cluster))
    cluster.drop("scaling", 2)
    text = json.dumps(figures["machine"]) + ', "measured": [\n  '
    text += ",\n  ".join(json.dumps(line) for line in figures["measured"])
    open(options.out, "w").write('{"machine": ' + text + "\n]}\n")


if __name__ == "__main__":
    main()
