import PostgreSQL
import SQLText

/// A statement that runs in batches as a `DO` block, which commits each of them and records it as `up` does.
struct BatchScript {
  let statement: SQLStatement
  let mark: BatchMark
  let work: SectionWork
  /// The statement's place in its section, from 1.
  let number: Int
  let journal: StatementJournal

  private var indexes: ClosedRange<Int> { 1...mark.keys.count }
  private var columns: [String] { mark.keys.map(Quote.identifier) }

  /// The parameters are the lower key, null where the range is open below, and the upper key, null where there are no
  /// rows, both as arrays of text.
  private func condition(_ columns: [String]) -> String {
    func key(_ parameter: String) -> String {
      BatchRange.row(indexes.map { "(\(parameter))[\($0)]::\(type($0))" })
    }
    let row = BatchRange.row(columns)
    return "($2 IS NOT NULL AND ($1 IS NULL OR \(row) > \(key("$1"))) AND \(row) <= \(key("$2")))"
  }

  /// What there is in the place of a type, which is not known before the script runs.
  private func type(_ index: Int) -> String { "<rivulet_type_\(index)>" }

  /// A query for a key, as an array of text.
  private func array(_ query: String) -> String {
    let names = indexes.map { "rivulet_\($0)" }
    return "SELECT ARRAY[\(names.map { $0 + "::text" }.joined(separator: ", "))] "
      + "FROM (\(query)) AS key (\(names.joined(separator: ", ")))"
  }

  /// A text as SQL, with types in their places.
  private func typed(_ text: String) -> String {
    indexes.reduce(Quote.literal(text)) { text, index in
      "replace(\(text), \(Quote.literal(type(index))), rivulet_types[\(index)])"
    }
  }

  /// A query for the number of rows, as `up` would know it.
  private var rows: String {
    let (table, most) = (mark.table.quoted, DataLoss.mostCounted)
    return """
      SELECT CASE WHEN count(*) <= \(most) THEN count(*) ELSE (SELECT nullif(greatest(reltuples, \(most)), \(most))::bigint
        FROM pg_class WHERE oid = to_regclass(\(Quote.literal(table)))) END
      FROM (SELECT FROM \(table) LIMIT \(most + 1)) AS part
      """
  }

  /// The block.
  var text: String {
    let table = mark.table.quoted
    let next = array(BatchKey.end(of: mark.size, in: table, columns, where: condition(columns)))
    let filled = BatchPlace.filled(statement, mark, with: condition)
    let entry = journal.condition(of: work, statement: number)
    let pause = mark.pause.map { "\n    PERFORM pg_sleep(\($0.seconds));" } ?? ""
    return """
      DO $rivulet_batch$
      DECLARE
        rivulet_types text[];
        rivulet_recorded text[];
        rivulet_low text[];
        rivulet_high text[];
        rivulet_end text[];
        rivulet_is_last boolean;
        rivulet_rows bigint;
      BEGIN
        SELECT types INTO rivulet_types FROM (\(BatchFacts.query(mark))) AS facts
          WHERE \(BatchFacts.isUsable);
        IF rivulet_types IS NULL
        THEN RAISE EXCEPTION 'batches cannot go along this key: it has to be NOT NULL and to begin an index'; END IF;
        \(BatchKey.exact)
        \(BatchKey.allRows)
        EXECUTE \(Quote.literal(array(BatchKey.greatest(in: table, columns)))) INTO rivulet_end;
        EXECUTE \(Quote.literal(rows)) INTO rivulet_rows;
        \(StatementJournal.asOurselves)
        \(journal.beginning(
          of: work, statement: number, checksum: work.checksum(statement),
          ["end_key": "rivulet_end", "key_types": "rivulet_types", "rows_total": "rivulet_rows"]))
        SELECT last_key, coalesce(end_key, rivulet_end), key_types INTO rivulet_low, rivulet_end, rivulet_recorded
          FROM rivulet.migration_statement \(entry);
        IF rivulet_recorded <> rivulet_types
        THEN RAISE EXCEPTION 'the key has another type or collation than when a part of the rows was done'; END IF;
        COMMIT;
        LOOP
          WHILE (SELECT max(replay_lag) > interval '\(mark.maxLag.milliseconds) ms' FROM pg_stat_replication) LOOP
            COMMIT;
            PERFORM pg_sleep(1);
          END LOOP;
          \(BatchKey.exact)
          \(BatchKey.allRows)
          EXECUTE \(typed(next))
            INTO rivulet_high USING rivulet_low, rivulet_end;
          COMMIT;
          rivulet_is_last := rivulet_high IS NULL;
          IF rivulet_is_last THEN rivulet_high := rivulet_end; END IF;
          \(BatchKey.allRows)
          EXECUTE \(typed(filled.text))
            USING rivulet_low, rivulet_high;
          GET DIAGNOSTICS rivulet_rows = ROW_COUNT;
          \(StatementJournal.asOurselves)
          UPDATE rivulet.migration_statement SET state = CASE WHEN rivulet_is_last THEN 'done' ELSE 'started' END,
            last_key = CASE WHEN NOT rivulet_is_last THEN rivulet_high END,
            end_key = CASE WHEN NOT rivulet_is_last THEN rivulet_end END,
            key_types = CASE WHEN NOT rivulet_is_last THEN rivulet_types END,
            at = clock_timestamp(), batches = batches + 1, rows_changed = rows_changed + rivulet_rows,
            rows_read = CASE WHEN rivulet_is_last THEN greatest(rows_read, rows_total) ELSE rows_read + \(mark.size) END
          \(entry);
          COMMIT;
          EXIT WHEN rivulet_is_last;
          rivulet_low := rivulet_high;\(pause)
        END LOOP;
      END $rivulet_batch$;

      """
  }
}
