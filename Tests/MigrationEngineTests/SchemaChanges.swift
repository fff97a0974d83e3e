extension SchemaSnapshotTests {
  private static let t = "CREATE TABLE t (a int, b text);"
  private static let fdw = "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;"

  /// A line for each thing that a catalog knows: a query that is removed, or a column of one, breaks a case.
  static let changes: [Change] = wholes + relations + columns + programs + rights + others

  private static let wholes = [
    Change(
      """
      CREATE TABLE t (a int, b text); CREATE SCHEMA gone; CREATE SCHEMA x; CREATE EXTENSION pg_trgm;
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE USER MAPPING FOR PUBLIC SERVER s
      """,
      """
      DROP SCHEMA gone; CREATE SCHEMA cms; CREATE TABLE cms.t (a int); CREATE EXTENSION citext;
      CREATE VIEW v AS SELECT a FROM t; CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE SEQUENCE q;
      CREATE INDEX rvu_idx ON t (a); CREATE STATISTICS s (ndistinct) ON a, b FROM t;
      CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION touch();
      CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING; CREATE POLICY own ON t; ALTER EXTENSION pg_trgm SET SCHEMA x;
      CREATE PROCEDURE p() LANGUAGE sql AS ''; CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
      CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq); CREATE TYPE shell;
      CREATE OPERATOR <<< (LEFTARG = int, RIGHTARG = int, FUNCTION = int4lt, COMMUTATOR = >>>);
      CREATE CAST (int AS text) WITH INOUT; CREATE CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
      CREATE TRANSFORM FOR int LANGUAGE sql (
        FROM SQL WITH FUNCTION prsd_lextype(internal), TO SQL WITH FUNCTION int4recv(internal));
      CREATE TEXT SEARCH PARSER p (
        START = prsd_start, GETTOKEN = prsd_nexttoken, END = prsd_end, LEXTYPES = prsd_lextype);
      CREATE TEXT SEARCH TEMPLATE m (LEXIZE = dsimple_lexize);
      CREATE ACCESS METHOD am TYPE TABLE HANDLER heap_tableam_handler;
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO snapshot_reader;
      -- The password must not be shown.
      CREATE USER MAPPING FOR snapshot_reader SERVER s OPTIONS (password 'secret');
      ALTER USER MAPPING FOR PUBLIC SERVER s OPTIONS (ADD password 'secret')
      """,
      "access method am: is left over",
      "aggregate public.total(integer): is left over",
      "cast (integer AS pg_catalog.text): is left over",
      "conversion public.c: is left over",
      "default privileges of the role that migrates in schema public on tables: is left over",
      "extension citext: is left over",
      "extension pg_trgm: definition: was CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public, now CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA x",
      "index public.rvu_idx: is left over",
      "materialized view public.m: is left over",
      "operator public.<<<(integer,integer): is left over",
      "operator public.===(integer,integer): is left over",
      "operator public.>>>(integer,integer): is left over",
      "policy own on public.t: is left over",
      "procedure public.p(): is left over",
      "rule r on public.t: is left over",
      "schema cms: is left over",
      "schema gone: is not put back",
      "sequence public.q: is left over",
      "statistics object public.s: is left over",
      "table cms.t: is left over",
      "text search parser public.p: is left over",
      "text search template public.m: is left over",
      "transform for integer on language sql: is left over",
      "trigger tr on public.t: is left over",
      "type public.shell: is left over",
      "user mapping public on server s: options: was none, now password",
      "user mapping snapshot_reader on server s: is left over",
      "view public.v: is left over"),
    Change(
      "CREATE LANGUAGE trusted HANDLER plpgsql_call_handler",
      "CREATE LANGUAGE l HANDLER plpgsql_call_handler; CREATE OR REPLACE TRUSTED LANGUAGE trusted HANDLER plpgsql_call_handler",
      "language l: is left over",
      "language trusted: definition: was CREATE LANGUAGE trusted HANDLER plpgsql_call_handler, now CREATE TRUSTED LANGUAGE trusted HANDLER plpgsql_call_handler"
    ),
    Change(
      "CREATE EXTENSION pg_trgm VERSION '1.3'", "ALTER EXTENSION pg_trgm UPDATE TO '1.4'",
      "extension pg_trgm: version: was 1.3, now 1.4"),
  ]

  private static let relations = [
    Change(
      """
      CREATE TABLE t (a int, b text); CREATE TABLE marked (a int NOT NULL); CREATE UNIQUE INDEX m ON marked (a);
      CREATE TABLE child (a int, b text); CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE part (a int);
      CREATE TABLE ranged (a timestamptz) PARTITION BY RANGE (a); CREATE TYPE r AS (a int); CREATE TABLE typed (a int);
      CREATE ACCESS METHOD am TYPE TABLE HANDLER heap_tableam_handler; CREATE TABLE stored (a int)
      """,
      """
      ALTER TABLE t SET UNLOGGED, SET (fillfactor = 70, toast.autovacuum_enabled = off),
        ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY, REPLICA IDENTITY FULL;
      ALTER TABLE marked REPLICA IDENTITY USING INDEX m; CLUSTER marked USING m; ALTER TABLE child INHERIT t;
      ALTER TABLE p ATTACH PARTITION part FOR VALUES IN (1); ALTER TABLE typed OF r;
      DROP TABLE ranged; CREATE TABLE ranged (a timestamptz) PARTITION BY LIST (a); ALTER TABLE stored SET ACCESS METHOD am
      """,
      "index public.m: cluster: was none, now CLUSTER ON m",
      "table public.child: column a: was integer, now integer declared here too",
      "table public.child: column b: was text, now text declared here too",
      "table public.child: definition: was CREATE TABLE public.child, now CREATE TABLE public.child INHERITS (public.t)",
      "table public.marked: replica identity: was none, now USING INDEX m",
      "table public.part: partition of: was none, now public.p FOR VALUES IN (1)",
      "table public.ranged: definition: line 2 was 'PARTITION BY RANGE (a)', now 'PARTITION BY LIST (a)'",
      "table public.stored: definition: was CREATE TABLE public.stored, now CREATE TABLE public.stored USING am",
      "table public.t: definition: was CREATE TABLE public.t, now CREATE UNLOGGED TABLE public.t WITH (fillfactor='70', toast.autovacuum_enabled='off')",
      "table public.t: replica identity: was none, now FULL",
      "table public.t: row security: was none, now ENABLE ROW LEVEL SECURITY",
      "table public.t: row security of the owner: was none, now FORCE ROW LEVEL SECURITY",
      "table public.typed: definition: was CREATE TABLE public.typed, now CREATE TABLE public.typed OF public.r"
    ),
    Change(
      t + fdw + """
        CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT a FROM t; CREATE SEQUENCE q;
        CREATE FOREIGN TABLE ft (a int) SERVER s; CREATE SERVER s2 FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE moved () SERVER s
        """,
      """
      CREATE OR REPLACE VIEW v AS SELECT a FROM t WHERE b > ''; ALTER SEQUENCE q INCREMENT 2 CYCLE OWNED BY t.a;
      ALTER VIEW w SET (security_invoker = on); ALTER VIEW w ALTER a SET DEFAULT 1;
      ALTER FOREIGN TABLE ft OPTIONS (ADD x '1'), ALTER a OPTIONS (ADD n 'x');
      DROP FOREIGN TABLE moved; CREATE FOREIGN TABLE moved () SERVER s2
      """,
      "foreign table public.ft: column a: was integer, now integer OPTIONS (n 'x')",
      "foreign table public.ft: definition: line 2 was 'SERVER s', now 'SERVER s OPTIONS (x '1')'",
      "foreign table public.moved: definition: line 2 was 'SERVER s', now 'SERVER s2'",
      "sequence public.q: definition: was CREATE SEQUENCE public.q, now CREATE SEQUENCE public.q INCREMENT BY 2 CYCLE",
      "sequence public.q: owned by: was none, now public.t.a",
      "view public.v: definition: was CREATE VIEW public.v AS SELECT t.a FROM public.t, now CREATE VIEW public.v AS SELECT t.a FROM public.t WHERE (t.b > ''::text)",
      "view public.w: column a: default: was none, now 1",
      "view public.w: definition: line 1 was 'CREATE VIEW public.w AS', now 'CREATE VIEW public.w WITH (security_invoker='on') AS'"
    ),
    Change(
      t + """
        CREATE INDEX i ON t (a); CREATE INDEX e ON t ((a + 1)); CREATE STATISTICS s (ndistinct) ON a, b FROM t;
        CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE k PARTITION OF p FOR VALUES IN (1);
        CREATE INDEX whole ON ONLY p (a); CREATE INDEX part ON k (a)
        """,
      """
      DROP INDEX i; CREATE INDEX i ON t (a DESC) WHERE a > 0; ALTER INDEX e ALTER COLUMN 1 SET STATISTICS 9;
      ALTER INDEX whole ATTACH PARTITION part; ALTER STATISTICS s SET STATISTICS 9
      """,
      "index public.e: column 1: statistics: was none, now 9",
      "index public.i: definition: was CREATE INDEX i ON public.t USING btree (a), now CREATE INDEX i ON public.t USING btree (a DESC) WHERE (a > 0)",
      "index public.part: attached to: was none, now public.whole",
      "index public.whole: state: was INVALID, now none",
      "statistics object public.s: definition: was CREATE STATISTICS public.s (ndistinct) ON a, b FROM public.t, now CREATE STATISTICS public.s (ndistinct) ON a, b FROM public.t; ALTER STATISTICS public.s SET STATISTICS 9"
    ),
    Change(
      t + "CREATE INDEX i ON t (a)",
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i'::regclass",
      "index public.i: state: was none, now INVALID"),
  ]

  private static let columns = [
    Change(
      """
      CREATE TABLE t (work_rvu numeric(8,2) NOT NULL, at timestamptz, c int GENERATED ALWAYS AS (1) STORED,
        gone text, b text, id int NOT NULL);
      COMMENT ON COLUMN t.gone IS 'x'; GRANT SELECT (gone) ON t TO snapshot_reader;
      CREATE TABLE parent (a int, b text); CREATE TABLE child (b text) INHERITS (parent)
      """,
      """
      ALTER TABLE t ALTER work_rvu TYPE numeric(8,3), ALTER work_rvu DROP NOT NULL, ALTER c DROP EXPRESSION,
        ALTER at SET DEFAULT '2025-01-01 00:00+00', ADD "Odd one" int, DROP gone,
        ALTER b TYPE text COLLATE "C", ALTER b SET STORAGE EXTERNAL, ALTER b SET COMPRESSION pglz,
        ALTER b SET STATISTICS 500, ALTER b SET (n_distinct = 5), ALTER id ADD GENERATED BY DEFAULT AS IDENTITY;
      GRANT USAGE ON SEQUENCE t_id_seq TO snapshot_reader;
      ALTER TABLE child NO INHERIT parent; ALTER TABLE child INHERIT parent
      """,
      "table public.child: column a: was integer, now integer declared here too",
      "table public.t: column \"Odd one\": is left over",
      "table public.t: column at: default: was none, now '2025-01-01 00:00:00+00'::timestamp with time zone",
      "table public.t: column b: was text, now text COMPRESSION pglz COLLATE \"C\"",
      "table public.t: column b: options: was none, now SET (n_distinct=5)",
      "table public.t: column b: statistics: was none, now SET STATISTICS 500",
      "table public.t: column b: storage: was none, now SET STORAGE EXTERNAL",
      "table public.t: column c: was integer GENERATED ALWAYS AS (1) STORED, now integer",
      "table public.t: column gone: is not put back",
      "table public.t: column id: was integer NOT NULL, now integer GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME public.t_id_seq) NOT NULL",
      "table public.t: column work_rvu: was numeric(8,2) NOT NULL, now numeric(8,3)",
      "table public.t: sequence public.t_id_seq: grants to snapshot_reader: was none, now USAGE"),
    Change(
      t + """
        CREATE TABLE u (a int PRIMARY KEY, CONSTRAINT v CHECK (a > 0));
        ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0), ADD UNIQUE (b);
        CREATE TABLE child () INHERITS (t)
        """,
      """
      ALTER TABLE t ADD PRIMARY KEY (a), ADD CONSTRAINT x EXCLUDE USING btree (a WITH =),
        ADD CONSTRAINT fk FOREIGN KEY (a) REFERENCES u ON DELETE CASCADE DEFERRABLE;
      ALTER TABLE u DROP CONSTRAINT v, ADD CONSTRAINT v CHECK (a > 0) NOT VALID;
      ALTER INDEX t_b_key SET (fillfactor = 50); ALTER TABLE child ADD CONSTRAINT c CHECK (a > 0)
      """,
      "table public.child: column a: was integer, now integer NOT NULL",
      "table public.child: constraint c: was CHECK ((a > 0)), now CHECK ((a > 0)) (declared here too)",
      "table public.t: column a: was integer, now integer NOT NULL",
      "table public.t: constraint fk: is left over",
      "table public.t: constraint t_b_key: index public.t_b_key: options: was none, now fillfactor=50",
      "table public.t: constraint t_pkey: is left over",
      "table public.t: constraint x: is left over",
      "table public.u: constraint v: was CHECK ((a > 0)), now CHECK ((a > 0)) NOT VALID"),
  ]

  private static let programs = [
    Change(
      t + """
        CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
        CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
        CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION touch();
        CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE k PARTITION OF p FOR VALUES IN (1);
        CREATE TRIGGER of_all BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION touch();
        CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
        CREATE EVENT TRIGGER et ON ddl_command_end EXECUTE FUNCTION e();
        CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING; CREATE POLICY own ON t
        """,
      """
      CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2'; ALTER FUNCTION g STABLE SECURITY DEFINER;
      CREATE OR REPLACE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '5');
      ALTER TABLE t DISABLE TRIGGER tr; ALTER TABLE k DISABLE TRIGGER of_all; ALTER EVENT TRIGGER et DISABLE;
      CREATE OR REPLACE RULE r AS ON DELETE TO t DO ALSO NOTHING;
      ALTER POLICY own ON t TO snapshot_reader USING (a > 0) WITH CHECK (a > 1)
      """,
      "aggregate public.total(integer): definition: was CREATE AGGREGATE public.total(integer) ( SFUNC = int4pl, STYPE = integer ), now CREATE AGGREGATE public.total(integer) ( SFUNC = int4pl, STYPE = integer, INITCOND = '5' )",
      "event trigger et: definition: was CREATE EVENT TRIGGER et ON ddl_command_end EXECUTE FUNCTION public.e(), now CREATE EVENT TRIGGER et ON ddl_command_end EXECUTE FUNCTION public.e(); ALTER EVENT TRIGGER et DISABLE",
      "function public.f(): definition: line 4 was 'AS $function$SELECT 1$function$', now 'AS $function$SELECT 2$function$'",
      "function public.g(): definition: was CREATE OR REPLACE FUNCTION public.g() RETURNS integer LANGUAGE sql AS $function$SELECT 1$function$, now CREATE OR REPLACE FUNCTION public.g() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER AS $function$SELECT 1$function$",
      "policy own on public.t: definition: was CREATE POLICY own ON public.t, now CREATE POLICY own ON public.t TO snapshot_reader USING ((a > 0)) WITH CHECK ((a > 1))",
      "rule r on public.t: definition: line 2 was 'ON DELETE TO public.t DO INSTEAD NOTHING', now 'ON DELETE TO public.t DO NOTHING'",
      "table public.k: trigger of_all: was none, now DISABLE",
      "trigger tr on public.t: definition: was CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION public.touch(), now CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION public.touch(); ALTER TABLE public.t DISABLE TRIGGER tr"
    )
  ]

  private static let rights = [
    Change(
      t + fdw + """
        CREATE SCHEMA x; CREATE SEQUENCE q; CREATE DOMAIN d AS int; CREATE TABLE u (a int);
        CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; GRANT SELECT ON u TO snapshot_reader;
        ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO snapshot_reader
        """,
      """
      GRANT SELECT, INSERT ON t TO snapshot_reader; GRANT UPDATE (b) ON t TO snapshot_reader;
      GRANT USAGE ON SCHEMA x TO snapshot_reader; GRANT CREATE ON SCHEMA public TO PUBLIC;
      REVOKE EXECUTE ON FUNCTION f FROM PUBLIC; GRANT USAGE ON SEQUENCE q TO snapshot_reader;
      GRANT USAGE ON TYPE d TO snapshot_reader; GRANT USAGE ON FOREIGN DATA WRAPPER w TO snapshot_reader;
      GRANT USAGE ON FOREIGN SERVER s TO snapshot_reader; REVOKE DELETE ON t FROM CURRENT_USER;
      GRANT SELECT ON u TO snapshot_reader WITH GRANT OPTION;
      ALTER DEFAULT PRIVILEGES GRANT INSERT ON TABLES TO snapshot_reader
      """,
      "default privileges of the role that migrates on tables: definition: was ALTER DEFAULT PRIVILEGES FOR ROLE the role that migrates GRANT SELECT ON TABLES TO snapshot_reader, now ALTER DEFAULT PRIVILEGES FOR ROLE the role that migrates GRANT INSERT, SELECT ON TABLES TO snapshot_reader",
      "foreign-data wrapper w: grants to snapshot_reader: was none, now USAGE",
      "function public.f(): rights taken from PUBLIC: was none, now EXECUTE",
      "schema public: grants to PUBLIC: was none, now CREATE",
      "schema x: grants to snapshot_reader: was none, now USAGE",
      "sequence public.q: grants to snapshot_reader: was none, now USAGE",
      "server s: grants to snapshot_reader: was none, now USAGE",
      "table public.t: column b: grants to snapshot_reader: was none, now UPDATE",
      "table public.t: grants to snapshot_reader: was none, now INSERT, SELECT",
      "table public.t: rights taken from the owner: was none, now DELETE",
      "table public.u: grants to snapshot_reader: was SELECT, now none",
      "table public.u: grants to snapshot_reader WITH GRANT OPTION: was none, now SELECT",
      "type public.d: grants to snapshot_reader: was none, now USAGE"),
    Change(
      """
      CREATE DOMAIN d AS int CONSTRAINT c CHECK (VALUE > 0); CREATE TABLE t (a int CONSTRAINT c CHECK (a > 0));
      COMMENT ON COLUMN t.a IS 'x'; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'
      """,
      """
      COMMENT ON TABLE t IS 'it''s'; COMMENT ON COLUMN t.a IS 'y'; COMMENT ON CONSTRAINT c ON t IS 'x';
      COMMENT ON CONSTRAINT c ON DOMAIN d IS 'x'; COMMENT ON SCHEMA public IS 'x'; COMMENT ON FUNCTION f IS 'x'
      """,
      "function public.f(): comment: was none, now 'x'",
      "schema public: comment: was none, now 'x'",
      "table public.t: column a: comment: was 'x', now 'y'",
      "table public.t: comment: was none, now 'it''s'",
      "table public.t: constraint c: comment: was none, now 'x'",
      "type public.d: domain constraint c on public.d: comment: was none, now 'x'"),
  ]

  private static let others = [
    Change(
      """
      CREATE TYPE e AS ENUM ('b', 'a'); CREATE DOMAIN d AS int; CREATE TYPE c AS (a int);
      CREATE TYPE r AS RANGE (SUBTYPE = float8); CREATE CAST (c AS text) WITH INOUT
      """,
      """
      ALTER TYPE e ADD VALUE 'c' BEFORE 'a'; DROP TYPE r; CREATE TYPE r AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi);
      ALTER DOMAIN d SET DEFAULT 3; ALTER DOMAIN d SET NOT NULL; ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0);
      ALTER TYPE c ADD ATTRIBUTE b text; COMMENT ON TYPE c IS 'x'; COMMENT ON COLUMN c.a IS 'y';
      DROP CAST (c AS text); CREATE CAST (c AS text) WITH INOUT AS ASSIGNMENT
      """,
      "cast (public.c AS pg_catalog.text): definition: was CREATE CAST (public.c AS text) WITH INOUT, now CREATE CAST (public.c AS text) WITH INOUT AS ASSIGNMENT",
      "type public.c: column a: comment: was none, now 'y'",
      "type public.c: column b: is left over",
      "type public.c: comment: was none, now 'x'",
      "type public.d: definition: was CREATE DOMAIN public.d AS integer, now CREATE DOMAIN public.d AS integer DEFAULT 3 NOT NULL CONSTRAINT c CHECK ((VALUE > 0))",
      "type public.e: definition: was CREATE TYPE public.e AS ENUM ( 'b', 'a' ), now CREATE TYPE public.e AS ENUM ( 'b', 'c', 'a' )",
      "type public.r: definition: was CREATE TYPE public.r AS RANGE (subtype = double precision, multirange_type_name = public.r_multirange, subtype_opclass = pg_catalog.float8_ops), now CREATE TYPE public.r AS RANGE (subtype = double precision, multirange_type_name = public.r_multirange, subtype_opclass = pg_catalog.float8_ops, subtype_diff = float8mi)"
    ),
    Change(
      """
      CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
      CREATE OPERATOR FAMILY loose USING btree; CREATE OPERATOR FAMILY fam USING btree;
      CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam AS FUNCTION 1 btint4cmp(int, int)
      """,
      """
      ALTER OPERATOR === (int, int) SET (RESTRICT = eqsel);
      ALTER OPERATOR FAMILY loose USING btree ADD OPERATOR 1 < (int, int), FUNCTION 1 btint4cmp(int, int);
      DROP OPERATOR CLASS cls USING btree; CREATE OPERATOR FAMILY fam2 USING btree;
      CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam2 AS FUNCTION 1 btint4cmp(int, int)
      """,
      "operator public.===(integer,integer): definition: was CREATE OPERATOR public.=== (FUNCTION = int4eq, LEFTARG = integer, RIGHTARG = integer), now CREATE OPERATOR public.=== (FUNCTION = int4eq, LEFTARG = integer, RIGHTARG = integer, RESTRICT = eqsel)",
      "operator class public.cls USING btree: definition: line 1 was 'CREATE OPERATOR CLASS public.cls FOR TYPE integer USING btree FAMILY public.fam AS', now 'CREATE OPERATOR CLASS public.cls FOR TYPE integer USING btree FAMILY public.fam2 AS'",
      "operator family public.fam2 USING btree: is left over",
      "operator family public.loose USING btree: members: was none, now FUNCTION 1 (integer, integer) btint4cmp(integer,integer), OPERATOR 1 <(integer,integer)"
    ),
    Change(
      t + fdw + """
        CREATE TEXT SEARCH CONFIGURATION c (COPY = simple); CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple);
        CREATE COLLATION c (LOCALE = 'C'); CREATE CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
        CREATE SCHEMA x; CREATE PUBLICATION p; CREATE PUBLICATION q
        """,
      """
      ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR word WITH english_stem;
      ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING FOR url; ALTER TEXT SEARCH DICTIONARY d (ACCEPT = false);
      DROP COLLATION c; CREATE COLLATION c (LOCALE = 'POSIX');
      DROP CONVERSION c; CREATE DEFAULT CONVERSION c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
      ALTER SERVER s OPTIONS (ADD host 'h'); ALTER FOREIGN DATA WRAPPER w OPTIONS (ADD x 'y');
      ALTER PUBLICATION p ADD TABLE t (a) WHERE (a > 0);
      ALTER PUBLICATION q ADD TABLES IN SCHEMA x; ALTER PUBLICATION q SET (publish = 'insert')
      """,
      "collation public.c: definition: was CREATE COLLATION public.c (provider = libc, lc_collate = 'C', lc_ctype = 'C'), now CREATE COLLATION public.c (provider = libc, lc_collate = 'POSIX', lc_ctype = 'POSIX')",
      "conversion public.c: definition: was CREATE CONVERSION public.c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8, now CREATE DEFAULT CONVERSION public.c FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
      "foreign-data wrapper w: definition: was CREATE FOREIGN DATA WRAPPER w, now CREATE FOREIGN DATA WRAPPER w OPTIONS (x 'y')",
      "publication p: definition: was CREATE PUBLICATION p WITH (publish = 'insert, update, delete, truncate'), now CREATE PUBLICATION p FOR TABLE ONLY public.t (a) WHERE ((a > 0)) WITH (publish = 'insert, update, delete, truncate')",
      "publication q: definition: was CREATE PUBLICATION q WITH (publish = 'insert, update, delete, truncate'), now CREATE PUBLICATION q FOR TABLES IN SCHEMA x WITH (publish = 'insert')",
      "server s: definition: was CREATE SERVER s FOREIGN DATA WRAPPER w, now CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (host 'h')",
      "text search configuration public.c: definition: line 17 was 'ALTER TEXT SEARCH CONFIGURATION public.c ADD MAPPING FOR url WITH simple;', now nothing, and 1 more",
      "text search dictionary public.d: definition: was CREATE TEXT SEARCH DICTIONARY public.d (TEMPLATE = pg_catalog.simple), now CREATE TEXT SEARCH DICTIONARY public.d (TEMPLATE = pg_catalog.simple, accept = 'false')"
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
