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
  private func list(_ text: (Int) -> String) -> String { indexes.map(text).joined(separator: ", ") }

  /// The parameters are: whether the range is open below, its lower key, whether it is open above, its upper key.
  private func condition(_ columns: [String]) -> String {
    "(\(isAbove(columns)) AND ($\(mark.keys.count + 2) OR \(BatchRange.row(columns)) <= "
      + "\(BatchRange.row(indexes.map { "$\($0 + mark.keys.count + 2)" }))))"
  }

  private func isAbove(_ columns: [String]) -> String {
    "($1 OR \(BatchRange.row(columns)) > \(BatchRange.row(indexes.map { "$\($0 + 1)" })))"
  }

  /// The block.
  var text: String {
    let columns = mark.keys.map(Quote.identifier)
    let query = BatchKey.end(of: mark.size, in: mark.table.quoted, columns, where: isAbove(columns))
    let filled = BatchPlace.filled(statement, mark, with: condition)
    let variables = indexes.map { index in
      let type = "\(mark.table.quoted).\(columns[index - 1])%TYPE"
      return "  rivulet_low_\(index) \(type);\n  rivulet_high_\(index) \(type);\n"
    }
    let low = list { "rivulet_low_\($0)" }
    let high = list { "rivulet_high_\($0)" }
    let pause = mark.pause.map { "\n      PERFORM pg_sleep(\($0.seconds));" } ?? ""
    return """
      DO $rivulet_batch$
      DECLARE
      \(variables.joined())  rivulet_is_first boolean;
        rivulet_is_last boolean;
        rivulet_rows bigint;
      BEGIN
        IF NOT (SELECT name IS NOT NULL AND missing IS NULL AND nullable IS NULL AND has_index
          FROM (\(BatchKey.facts(of: mark))) AS facts (name, missing, nullable, has_index))
        THEN RAISE EXCEPTION 'batches cannot go along this key: it has to be NOT NULL and to begin an index'; END IF;
        \(StatementJournal.asOurselves)
        \(journal.beginning(of: work, statement: number, checksum: work.checksum(statement)))
        SELECT last_key IS NULL, \(list { "last_key[\($0)]" }) INTO rivulet_is_first, \(low)
          FROM rivulet.migration_statement \(journal.condition(of: work, statement: number));
        COMMIT;
        LOOP
          WHILE (SELECT max(replay_lag) > interval '\(mark.maxLag.milliseconds) ms' FROM pg_stat_replication) LOOP
            COMMIT;
            PERFORM pg_sleep(1);
          END LOOP;
          EXECUTE \(Quote.literal(query))
            INTO \(high) USING rivulet_is_first, \(low);
          rivulet_is_last := rivulet_high_1 IS NULL;
          EXECUTE \(Quote.literal(filled.text))
            USING rivulet_is_first, \(low), rivulet_is_last, \(high);
          GET DIAGNOSTICS rivulet_rows = ROW_COUNT;
          \(StatementJournal.asOurselves)
          \(BatchKey.exact)
          UPDATE rivulet.migration_statement SET state = CASE WHEN rivulet_is_last THEN 'done' ELSE 'started' END,
            last_key = CASE WHEN NOT rivulet_is_last THEN ARRAY[\(list { "rivulet_high_\($0)::text" })] END,
            at = clock_timestamp(), batches = batches + 1, rows_changed = rows_changed + rivulet_rows,
            rows_read = rows_read + CASE WHEN rivulet_is_last THEN 0 ELSE \(mark.size) END
          \(journal.condition(of: work, statement: number));
          COMMIT;
          EXIT WHEN rivulet_is_last;
          rivulet_is_first := false;
          \(indexes.map { "rivulet_low_\($0) := rivulet_high_\($0);" }.joined(separator: " "))\(pause)
        END LOOP;
      END $rivulet_batch$;

      """
  }
}
