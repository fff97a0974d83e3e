extension SchemaSnapshotTests {
  private static let t = "CREATE TABLE t (a int, b text);"
  private static let f = "CREATE FUNCTION f(n int) RETURNS int LANGUAGE sql AS 'SELECT n';"
  private static let touch =
    "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';"
  private static let fdw = "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;"

  /// One case for each thing that a catalog knows: a query that is removed, or a column of one, breaks a
  /// case.
  static let changes: [Change] =
    schemas + tables + columns + constraints + indexes + programs + rights + types
    + operators + others

  private static let schemas = [
    Change("", "CREATE SCHEMA cms", "schema cms: is left over"),
    Change("CREATE SCHEMA cms", "DROP SCHEMA cms", "schema cms: is not put back"),
    Change("", "CREATE EXTENSION pg_trgm", "extension pg_trgm: is left over"),
    Change(
      "CREATE SCHEMA x; CREATE EXTENSION pg_trgm VERSION '1.3'", "ALTER EXTENSION pg_trgm UPDATE TO '1.4'",
      "extension pg_trgm: version: was 1.3, now 1.4"),
    Change(
      "CREATE SCHEMA x; CREATE EXTENSION pg_trgm", "ALTER EXTENSION pg_trgm SET SCHEMA x",
      "extension pg_trgm: schema: was public, now x"),
  ]

  private static let tables = [
    Change("", "CREATE TABLE cms (a int)", "table public.cms: is left over"),
    Change(t, "ALTER TABLE t SET UNLOGGED", "table public.t: persistence: was none, now UNLOGGED"),
    Change(t, "ALTER TABLE t SET (fillfactor = 70)", "table public.t: options: was none, now fillfactor=70"),
    Change(
      t, "ALTER TABLE t SET (toast.autovacuum_enabled = off)",
      "table public.t: options of TOAST: was none, now autovacuum_enabled=off"),
    Change(
      t, "ALTER TABLE t ENABLE ROW LEVEL SECURITY", "table public.t: row security: was none, now enabled"),
    Change(
      t + "ALTER TABLE t ENABLE ROW LEVEL SECURITY", "ALTER TABLE t FORCE ROW LEVEL SECURITY",
      "table public.t: row security: was enabled, now enabled, forced"),
    Change(t, "ALTER TABLE t REPLICA IDENTITY FULL", "table public.t: replica identity: was none, now FULL"),
    Change(
      "CREATE TABLE t (a int NOT NULL); CREATE UNIQUE INDEX i ON t (a)",
      "ALTER TABLE t REPLICA IDENTITY USING INDEX i",
      "table public.t: replica identity: was none, now USING INDEX public.i"),
    Change(
      t + "CREATE INDEX i ON t (a)", "CLUSTER t USING i",
      "table public.t: clustered on: was none, now public.i"),
    Change(
      t + "CREATE TABLE k (a int, b text)", "ALTER TABLE k INHERIT t",
      "table public.k: column a: was integer, now integer declared here too",
      "table public.k: column b: was text, now text declared here too",
      "table public.k: inherits: was none, now public.t"),
    Change(
      "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE k (a int)",
      "ALTER TABLE p ATTACH PARTITION k FOR VALUES IN (1)",
      "table public.k: partition bound: was none, now FOR VALUES IN (1)",
      "table public.k: partition of: was none, now public.p"),
    Change(
      "CREATE TABLE p (a timestamptz) PARTITION BY RANGE (a)",
      "DROP TABLE p; CREATE TABLE p (a timestamptz) PARTITION BY LIST (a)",
      "table public.p: partition key: was RANGE (a), now LIST (a)"),
    Change(
      "CREATE TYPE r AS (a int); CREATE TABLE t (a int)", "ALTER TABLE t OF r",
      "table public.t: type: was none, now public.r"),
    Change(t, "CREATE VIEW v AS SELECT a FROM t", "view public.v: is left over"),
    Change(
      t + "CREATE VIEW v AS SELECT a FROM t", "CREATE OR REPLACE VIEW v AS SELECT a FROM t WHERE b > ''",
      "view public.v: definition: line 2 was 'FROM public.t;', now 'FROM public.t'"),
    Change(
      t + "CREATE VIEW v AS SELECT a FROM t", "ALTER VIEW v SET (security_invoker = on)",
      "view public.v: options: was none, now security_invoker=on"),
    Change(
      t + "CREATE VIEW v AS SELECT a FROM t", "ALTER VIEW v ALTER a SET DEFAULT 1",
      "view public.v: column a: was integer, now integer DEFAULT 1"),
    Change(t, "CREATE MATERIALIZED VIEW m AS SELECT a FROM t", "materialized view public.m: is left over"),
    Change("", "CREATE SEQUENCE q", "sequence public.q: is left over"),
    Change(
      "CREATE SEQUENCE q", "ALTER SEQUENCE q INCREMENT 2 CYCLE",
      "sequence public.q: definition: was AS bigint START 1 INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 CACHE 1, "
        + "now AS bigint START 1 INCREMENT 2 MINVALUE 1 MAXVALUE 9223372036854775807 CACHE 1 CYCLE"),
    Change(
      t + "CREATE SEQUENCE q", "ALTER SEQUENCE q OWNED BY t.a",
      "sequence public.q: owned by: was none, now public.t.a"),
    Change(
      fdw + "CREATE FOREIGN TABLE ft (a int) SERVER s", "ALTER FOREIGN TABLE ft OPTIONS (ADD x '1')",
      "foreign table public.ft: foreign options: was none, now x=1"),
    Change(
      fdw + "CREATE SERVER s2 FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE ft (a int) SERVER s",
      "DROP FOREIGN TABLE ft; CREATE FOREIGN TABLE ft (a int) SERVER s2",
      "foreign table public.ft: server: was s, now s2"),
  ]

  private static let columns = [
    Change(
      "CREATE TABLE t (work_rvu numeric(8,2) NOT NULL)",
      "ALTER TABLE t ALTER work_rvu TYPE numeric(8,3), ALTER work_rvu DROP NOT NULL",
      "table public.t: column work_rvu: was numeric(8,2) NOT NULL, now numeric(8,3)"),
    Change(
      t + "COMMENT ON COLUMN t.b IS 'x'; GRANT SELECT (b) ON t TO snapshot_reader", "ALTER TABLE t DROP b",
      "table public.t: column b: is not put back"),
    Change(t, "ALTER TABLE t ADD \"Odd one\" int", "table public.t: column \"Odd one\": is left over"),
    Change(
      t, "ALTER TABLE t ALTER a SET DEFAULT 7", "table public.t: column a: was integer, now integer DEFAULT 7"
    ),
    Change(
      "CREATE TABLE t (a timestamptz)", "ALTER TABLE t ALTER a SET DEFAULT '2025-01-01 00:00+00'",
      "table public.t: column a: was timestamp with time zone, "
        + "now timestamp with time zone DEFAULT '2025-01-01 00:00:00+00'::timestamp with time zone"),
    Change(
      "CREATE TABLE t (a int NOT NULL)", "ALTER TABLE t ALTER a ADD GENERATED BY DEFAULT AS IDENTITY",
      "sequence public.t_a_seq: is left over",
      "table public.t: column a: was integer NOT NULL, now integer GENERATED BY DEFAULT AS IDENTITY NOT NULL"),
    Change(
      "CREATE TABLE t (a int GENERATED ALWAYS AS (1) STORED)", "ALTER TABLE t ALTER a DROP EXPRESSION",
      "table public.t: column a: was integer GENERATED ALWAYS AS (1) STORED, now integer"),
    Change(
      t, "ALTER TABLE t ALTER b TYPE text COLLATE \"C\"",
      "table public.t: column b: was text, now text COLLATE \"C\""),
    Change(
      t, "ALTER TABLE t ALTER b SET STORAGE EXTERNAL",
      "table public.t: column b: was text, now text STORAGE EXTERNAL"),
    Change(
      t, "ALTER TABLE t ALTER b SET COMPRESSION pglz",
      "table public.t: column b: was text, now text COMPRESSION pglz"),
    Change(
      t, "ALTER TABLE t ALTER b SET STATISTICS 500",
      "table public.t: column b: was text, now text STATISTICS 500"),
    Change(
      t, "ALTER TABLE t ALTER b SET (n_distinct = 5)",
      "table public.t: column b: was text, now text (n_distinct=5)"),
    Change(
      fdw + "CREATE FOREIGN TABLE ft (a int) SERVER s", "ALTER FOREIGN TABLE ft ALTER a OPTIONS (ADD n 'x')",
      "foreign table public.ft: column a: was integer, now integer OPTIONS (n=x)"),
    Change(
      t + "CREATE TABLE k (b text) INHERITS (t)", "ALTER TABLE k NO INHERIT t; ALTER TABLE k INHERIT t",
      "table public.k: column a: was integer, now integer declared here too"),
  ]

  private static let constraints = [
    Change(
      t, "ALTER TABLE t ADD PRIMARY KEY (a)", "table public.t: column a: was integer, now integer NOT NULL",
      "table public.t: constraint t_pkey: is left over"),
    Change(
      t + "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0)",
      "ALTER TABLE t DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
      "table public.t: constraint c: was CHECK ((a > 0)), now CHECK ((a > 0)) NOT VALID"),
    Change(
      "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE k (a int)",
      "ALTER TABLE k ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES t ON DELETE CASCADE DEFERRABLE",
      "table public.k: constraint c: is left over"),
    Change(
      t, "ALTER TABLE t ADD CONSTRAINT c EXCLUDE USING btree (a WITH =)",
      "table public.t: constraint c: is left over"),
    Change(
      "CREATE TABLE t (a int CONSTRAINT c UNIQUE)", "ALTER INDEX c SET (fillfactor = 50)",
      "index public.c: options: was none, now fillfactor=50"),
    Change(
      "CREATE DOMAIN d AS int", "ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0)",
      "type public.d: constraint c: is left over"),
    Change(
      "CREATE TABLE t (a int CONSTRAINT c CHECK (a > 0)); CREATE TABLE k () INHERITS (t)",
      "ALTER TABLE k ADD CONSTRAINT c CHECK (a > 0)",
      "table public.k: constraint c: was CHECK ((a > 0)), now CHECK ((a > 0)) (declared here too)"),
  ]

  private static let indexes = [
    Change(t, "CREATE INDEX rvu_idx ON t (a)", "index public.rvu_idx: is left over"),
    Change(
      t + "CREATE INDEX i ON t (a)", "DROP INDEX i; CREATE INDEX i ON t (a DESC) WHERE a > 0",
      "index public.i: definition: was CREATE INDEX i ON public.t USING btree (a), "
        + "now CREATE INDEX i ON public.t USING btree (a DESC) WHERE (a > 0)"),
    Change(
      t + "CREATE INDEX i ON t (a)",
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i'::regclass",
      "index public.i: state: was none, now INVALID"),
    Change(
      t + "CREATE INDEX i ON t ((a + 1))", "ALTER INDEX i ALTER COLUMN 1 SET STATISTICS 9",
      "index public.i: column expr: is left over"),
    Change(
      "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE k PARTITION OF p FOR VALUES IN (1); CREATE INDEX i ON ONLY p (a); CREATE INDEX j ON k (a)",
      "ALTER INDEX i ATTACH PARTITION j", "index public.i: state: was INVALID, now none",
      "index public.j: attached to: was none, now public.i"),
  ]

  private static let programs = [
    Change(
      f, "CREATE OR REPLACE FUNCTION f(n int) RETURNS int LANGUAGE sql AS 'SELECT n + 1'",
      "function public.f(integer): definition: line 4 was 'AS $function$SELECT n$function$', now 'AS $function$SELECT n + 1$function$'"
    ),
    Change(
      f, "ALTER FUNCTION f STABLE SECURITY DEFINER",
      "function public.f(integer): definition: line 4 was 'AS $function$SELECT n$function$', now 'STABLE SECURITY DEFINER'"
    ),
    Change("", "CREATE PROCEDURE p() LANGUAGE sql AS ''", "procedure public.p(): is left over"),
    Change(
      "", "CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int)",
      "aggregate public.total(integer): is left over"),
    Change(
      "CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int)",
      "CREATE OR REPLACE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '5')",
      "aggregate public.total(integer): definition: "
        + "was SFUNC int4pl(integer,integer), STYPE integer, FINALFUNC_MODIFY r, MFINALFUNC_MODIFY r, PARALLEL u, VOLATILITY i, ARGUMENTS (integer), RETURNS integer, "
        + "now SFUNC int4pl(integer,integer), STYPE integer, INITCOND '5', FINALFUNC_MODIFY r, MFINALFUNC_MODIFY r, PARALLEL u, VOLATILITY i, ARGUMENTS (integer), RETURNS integer"
    ),
    Change(
      t + touch, "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION touch()",
      "trigger tr on public.t: is left over"),
    Change(
      t + touch + "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION touch()",
      "ALTER TABLE t DISABLE TRIGGER tr",
      "trigger tr on public.t: definition: was CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION public.touch(), "
        + "now CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION public.touch() (DISABLED)"
    ),
    Change(
      "CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER et ON ddl_command_end EXECUTE FUNCTION e()",
      "ALTER EVENT TRIGGER et DISABLE",
      "event trigger et: definition: was ON ddl_command_end EXECUTE public.e(), now ON ddl_command_end EXECUTE public.e() (DISABLED)"
    ),
    Change(t, "CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING", "rule r on public.t: is left over"),
    Change(
      t + "CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING",
      "CREATE OR REPLACE RULE r AS ON DELETE TO t DO ALSO NOTHING",
      "rule r on public.t: definition: line 2 was 'ON DELETE TO public.t DO INSTEAD NOTHING;', now 'ON DELETE TO public.t DO NOTHING;'"
    ),
    Change(t, "CREATE POLICY own ON t", "policy own on public.t: is left over"),
    Change(
      t + "CREATE POLICY own ON t",
      "ALTER POLICY own ON t TO snapshot_reader USING (a > 0) WITH CHECK (a > 1)",
      "policy own on public.t: definition: was PERMISSIVE FOR ALL TO PUBLIC, "
        + "now PERMISSIVE FOR ALL TO snapshot_reader USING ((a > 0)) WITH CHECK ((a > 1))"),
  ]

  private static let rights = [
    Change(
      t, "GRANT SELECT, INSERT ON t TO snapshot_reader",
      "table public.t: grants to snapshot_reader: was none, now INSERT, SELECT"),
    Change(
      t + "GRANT SELECT ON t TO snapshot_reader", "GRANT SELECT ON t TO snapshot_reader WITH GRANT OPTION",
      "table public.t: grants to snapshot_reader: was SELECT, now SELECT WITH GRANT OPTION"),
    Change(
      t, "GRANT UPDATE (b) ON t TO snapshot_reader",
      "table public.t: column b: grants to snapshot_reader: was none, now UPDATE"),
    Change(
      "CREATE SCHEMA x", "GRANT USAGE ON SCHEMA x TO snapshot_reader",
      "schema x: grants to snapshot_reader: was none, now USAGE"),
    Change(
      "", "GRANT CREATE ON SCHEMA public TO PUBLIC",
      "schema public: grants to PUBLIC: was USAGE, now CREATE, USAGE"),
    Change(
      f, "REVOKE EXECUTE ON FUNCTION f FROM PUBLIC",
      "function public.f(integer): rights taken from PUBLIC: was none, now EXECUTE"),
    Change(
      "CREATE SEQUENCE q", "GRANT USAGE ON SEQUENCE q TO snapshot_reader",
      "sequence public.q: grants to snapshot_reader: was none, now USAGE"),
    Change(
      "CREATE DOMAIN d AS int", "GRANT USAGE ON TYPE d TO snapshot_reader",
      "type public.d: grants to snapshot_reader: was none, now USAGE"),
    Change(
      fdw,
      "GRANT USAGE ON FOREIGN DATA WRAPPER w TO snapshot_reader; GRANT USAGE ON FOREIGN SERVER s TO snapshot_reader",
      "foreign-data wrapper w: grants to snapshot_reader: was none, now USAGE",
      "server s: grants to snapshot_reader: was none, now USAGE"),
    Change(
      "", "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO snapshot_reader",
      "default privileges of the role that migrates in schema public on tables: is left over"),
    Change(
      "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO snapshot_reader",
      "ALTER DEFAULT PRIVILEGES GRANT INSERT ON TABLES TO snapshot_reader",
      "default privileges of the role that migrates on tables: grants to snapshot_reader: was SELECT, now INSERT, SELECT"
    ),
    Change(t, "COMMENT ON TABLE t IS 'it''s'", "table public.t: comment: was none, now 'it''s'"),
    Change(
      t + "COMMENT ON COLUMN t.a IS 'x'", "COMMENT ON COLUMN t.a IS 'y'",
      "table public.t: column a: comment: was 'x', now 'y'"),
    Change(
      "CREATE TABLE t (a int CONSTRAINT c CHECK (a > 0))", "COMMENT ON CONSTRAINT c ON t IS 'x'",
      "table public.t: constraint c: comment: was none, now 'x'"),
    Change(
      "CREATE DOMAIN d AS int CONSTRAINT c CHECK (VALUE > 0)", "COMMENT ON CONSTRAINT c ON DOMAIN d IS 'x'",
      "type public.d: constraint c: comment: was none, now 'x'"),
    Change(
      "", "COMMENT ON SCHEMA public IS 'x'", "schema public: comment: was 'standard public schema', now 'x'"),
    Change(f, "COMMENT ON FUNCTION f IS 'x'", "function public.f(integer): comment: was none, now 'x'"),
  ]

  private static let types = [
    Change(
      "CREATE TYPE e AS ENUM ('b', 'a')", "ALTER TYPE e ADD VALUE 'c' BEFORE 'a'",
      "type public.e: labels: was 'b', 'a', now 'b', 'c', 'a'"),
    Change(
      "CREATE DOMAIN d AS int", "ALTER DOMAIN d SET DEFAULT 3; ALTER DOMAIN d SET NOT NULL",
      "type public.d: domain: was integer, now integer DEFAULT 3 NOT NULL"),
    Change(
      "CREATE TYPE c AS (a int)", "ALTER TYPE c ADD ATTRIBUTE b text; COMMENT ON TYPE c IS 'x'",
      "composite type public.c: column b: is left over", "composite type public.c: comment: was none, now 'x'"
    ),
    Change(
      "CREATE TYPE r AS RANGE (SUBTYPE = float8)",
      "DROP TYPE r; CREATE TYPE r AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi)",
      "type public.r: range: was SUBTYPE double precision, SUBTYPE_OPCLASS pg_catalog.float8_ops, MULTIRANGE_TYPE_NAME public.r_multirange, "
        + "now SUBTYPE double precision, SUBTYPE_OPCLASS pg_catalog.float8_ops, SUBTYPE_DIFF float8mi(double precision,double precision), MULTIRANGE_TYPE_NAME public.r_multirange"
    ),
    Change("", "CREATE TYPE shell", "type public.shell: is left over"),
  ]

  private static let operators = [
    Change(f, "CREATE CAST (int AS text) WITH INOUT", "cast (integer AS pg_catalog.text): is left over"),
    Change(
      "CREATE TYPE c AS (a int); CREATE CAST (c AS text) WITH INOUT",
      "DROP CAST (c AS text); CREATE CAST (c AS text) WITH INOUT AS ASSIGNMENT",
      "cast (public.c AS pg_catalog.text): definition: was WITH INOUT, now WITH INOUT AS ASSIGNMENT"),
    Change(
      "", "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)",
      "operator public.===(integer,integer): is left over"),
    Change(
      "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)",
      "ALTER OPERATOR === (int, int) SET (RESTRICT = eqsel)",
      "operator public.===(integer,integer): definition: was FUNCTION int4eq(integer,integer), RETURNS boolean, "
        + "now FUNCTION int4eq(integer,integer), RETURNS boolean, RESTRICT eqsel(internal,oid,internal,integer)"
    ),
    Change(
      "CREATE OPERATOR FAMILY fam USING btree",
      "ALTER OPERATOR FAMILY fam USING btree ADD OPERATOR 1 < (int, int), FUNCTION 1 btint4cmp(int, int)",
      "operator family public.fam USING btree: function 1 (integer, integer): is left over",
      "operator family public.fam USING btree: operator 1 (integer, integer): is left over"),
    Change(
      "CREATE OPERATOR FAMILY fam USING btree; CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam AS FUNCTION 1 btint4cmp(int, int)",
      "DROP OPERATOR CLASS cls USING btree; CREATE OPERATOR FAMILY fam2 USING btree; CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam2 AS FUNCTION 1 btint4cmp(int, int)",
      "operator class public.cls USING btree: definition: was FOR TYPE integer FAMILY public.fam, now FOR TYPE integer FAMILY public.fam2",
      "operator family public.fam USING btree: function 1 (integer, integer): is not put back",
      "operator family public.fam2 USING btree: is left over"),
  ]

  private static let others = [
    Change(
      "CREATE TEXT SEARCH CONFIGURATION c (COPY = simple)",
      "ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR word WITH english_stem; ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING FOR url",
      "text search configuration public.c: mapping for url: is not put back",
      "text search configuration public.c: mapping for word: was simple, now english_stem"),
    Change(
      "CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple)",
      "ALTER TEXT SEARCH DICTIONARY d (ACCEPT = false)",
      "text search dictionary public.d: definition: was TEMPLATE pg_catalog.simple, now TEMPLATE pg_catalog.simple, accept = 'false'"
    ),
    Change(
      "",
      "CREATE TEXT SEARCH PARSER p (START = prsd_start, GETTOKEN = prsd_nexttoken, END = prsd_end, LEXTYPES = prsd_lextype); CREATE TEXT SEARCH TEMPLATE m (LEXIZE = dsimple_lexize)",
      "text search parser public.p: is left over", "text search template public.m: is left over"),
    Change(t, "CREATE STATISTICS s (ndistinct) ON a, b FROM t", "statistics object public.s: is left over"),
    Change(
      t + "CREATE STATISTICS s (ndistinct) ON a, b FROM t", "ALTER STATISTICS s SET STATISTICS 9",
      "statistics object public.s: definition: was CREATE STATISTICS public.s (ndistinct) ON a, b FROM public.t, "
        + "now CREATE STATISTICS public.s (ndistinct) ON a, b FROM public.t STATISTICS 9"),
    Change(
      "CREATE COLLATION c (LOCALE = 'C')", "DROP COLLATION c; CREATE COLLATION c (LOCALE = 'POSIX')",
      "collation public.c: definition: was PROVIDER c, LC_COLLATE 'C', LC_CTYPE 'C', ENCODING UTF8, now PROVIDER c, LC_COLLATE 'POSIX', LC_CTYPE 'POSIX', ENCODING UTF8"
    ),
    Change(
      "", "CREATE CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
      "conversion public.c: is left over"),
    Change(
      fdw, "ALTER SERVER s OPTIONS (ADD host 'h')",
      "server s: definition: was FOREIGN DATA WRAPPER w, now FOREIGN DATA WRAPPER w OPTIONS (host=h)"),
    Change(
      fdw, "ALTER FOREIGN DATA WRAPPER w OPTIONS (ADD x 'y')",
      "foreign-data wrapper w: definition: was none, now OPTIONS (x=y)"),
    // The password must not be shown.
    Change(
      fdw, "CREATE USER MAPPING FOR snapshot_reader SERVER s OPTIONS (password 'secret')",
      "server s: user mapping for snapshot_reader: is left over"),
    Change(
      t + "CREATE PUBLICATION p", "ALTER PUBLICATION p ADD TABLE t (a) WHERE (a > 0)",
      "publication p: table public.t: is left over"),
    Change(
      "CREATE SCHEMA x; CREATE PUBLICATION p",
      "ALTER PUBLICATION p ADD TABLES IN SCHEMA x; ALTER PUBLICATION p SET (publish = 'insert')",
      "publication p: definition: was insert, update, delete, truncate, now insert",
      "publication p: schema x: is left over"),
    Change(
      "", "CREATE ACCESS METHOD am TYPE TABLE HANDLER heap_tableam_handler", "access method am: is left over"),
    Change(
      "CREATE ACCESS METHOD am TYPE TABLE HANDLER heap_tableam_handler; CREATE TABLE t (a int)",
      "ALTER TABLE t SET ACCESS METHOD am",
      "table public.t: access method: was none, now am"),
    Change("", "CREATE LANGUAGE l HANDLER plpgsql_call_handler", "language l: is left over"),
    Change(
      "CREATE LANGUAGE l HANDLER plpgsql_call_handler",
      "CREATE OR REPLACE TRUSTED LANGUAGE l HANDLER plpgsql_call_handler",
      "language l: definition: was HANDLER plpgsql_call_handler(), now TRUSTED HANDLER plpgsql_call_handler()"
    ),
    Change(
      "",
      "CREATE TRANSFORM FOR int LANGUAGE sql (FROM SQL WITH FUNCTION prsd_lextype(internal), TO SQL WITH FUNCTION int4recv(internal))",
      "transform for integer on language sql: is left over"),
    Change(
      "CREATE CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
      "DROP CONVERSION c; CREATE DEFAULT CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
      "conversion public.c: definition: was LATIN1 TO UTF8 FROM iso8859_1_to_utf8, now DEFAULT LATIN1 TO UTF8 FROM iso8859_1_to_utf8"
    ),
  ]

  /// Each owner of whatever has one.
  static let owned = [
    ("CREATE SCHEMA o", "SCHEMA o"), ("CREATE TABLE o ()", "TABLE o"),
    ("CREATE VIEW o AS SELECT 1", "VIEW o"),
    ("CREATE SEQUENCE o", "SEQUENCE o"), ("CREATE DOMAIN o AS int", "DOMAIN o"),
    ("CREATE TYPE o AS (a int)", "TYPE o"),
    ("CREATE FUNCTION o() RETURNS int LANGUAGE sql AS 'SELECT 1'", "FUNCTION o()"),
    ("CREATE COLLATION o (LOCALE = 'C')", "COLLATION o"),
    ("CREATE CONVERSION o FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8", "CONVERSION o"),
    ("CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)", "OPERATOR === (int, int)"),
    ("CREATE OPERATOR FAMILY o USING btree", "OPERATOR FAMILY o USING btree"),
    (
      "CREATE OPERATOR CLASS o FOR TYPE int USING btree AS FUNCTION 1 btint4cmp(int, int)",
      "OPERATOR CLASS o USING btree"
    ),
    ("CREATE TEXT SEARCH CONFIGURATION o (COPY = simple)", "TEXT SEARCH CONFIGURATION o"),
    ("CREATE TEXT SEARCH DICTIONARY o (TEMPLATE = simple)", "TEXT SEARCH DICTIONARY o"),
    ("CREATE LANGUAGE o HANDLER plpgsql_call_handler", "LANGUAGE o"),
    (fdw, "SERVER s"), (fdw, "FOREIGN DATA WRAPPER w"), ("CREATE PUBLICATION o", "PUBLICATION o"),
    (t + "CREATE STATISTICS o ON a, b FROM t", "STATISTICS o"),
    (
      "CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER o ON ddl_command_end EXECUTE FUNCTION e()",
      "EVENT TRIGGER o"
    ),
  ]
}
