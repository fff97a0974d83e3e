/// Sources with what real tables have: keys that are null, rows that are there twice, numbers that are equal
/// and not written alike, cascades, partitions.
enum RandomSources {
  static let sql = """
    CREATE TABLE app.code (code text PRIMARY KEY, weight numeric);
    CREATE TABLE app.visit (id int PRIMARY KEY, user_id int, visit_date date NOT NULL, note text, amount numeric,
      tags text[], extra jsonb);
    CREATE INDEX ON app.visit (user_id, visit_date);
    CREATE INDEX ON app.visit (amount);
    CREATE TABLE app.procedure (id int PRIMARY KEY,
      visit_id int REFERENCES app.visit ON DELETE CASCADE ON UPDATE CASCADE, code text, units numeric);
    CREATE INDEX ON app.procedure (visit_id);
    CREATE INDEX ON app.procedure (code);
    CREATE TABLE app.loose (a int, b text, n numeric);
    CREATE INDEX ON app.loose (a);
    CREATE TABLE app.event (kind text, day int, size int) PARTITION BY LIST (kind);
    CREATE TABLE app.event_a PARTITION OF app.event FOR VALUES IN ('a');
    -- Its columns are in another order.
    CREATE TABLE app.event_b (size int, kind text, day int);
    ALTER TABLE app.event ATTACH PARTITION app.event_b FOR VALUES IN ('b');
    CREATE TABLE app.event_c PARTITION OF app.event FOR VALUES IN ('c');
    CREATE TABLE app.event_rest PARTITION OF app.event FOR VALUES IN ('d', 'e', NULL);
    INSERT INTO app.code SELECT 'c' || n, n * 1.5 FROM generate_series(0, 7) n;
    INSERT INTO app.visit SELECT n, nullif(n % 41, 40), date '2025-01-01' + n * 7 % 365, 'note ' || n,
      (n % 90)::numeric(10, 1), ARRAY['t' || n % 3, NULL], jsonb_build_object('n', n % 5)
      FROM generate_series(1, 300) n;
    INSERT INTO app.procedure SELECT n, nullif(1 + n * 7 % 301, 301), nullif('c' || n % 9, 'c8'), n % 4 + 0.5
      FROM generate_series(1, 500) n;
    INSERT INTO app.loose SELECT nullif(n % 30, 29), nullif('b' || n % 4, 'b3'), nullif(n % 7, 6)
      FROM generate_series(1, 400) n;
    INSERT INTO app.event SELECT (ARRAY['a', 'b', 'c', 'd', NULL])[1 + n % 5], n % 20, n FROM generate_series(1, 300) n;
    """
}
