import Definitions
import PipelineCore
import PostgreSQL

/// The table that says beside the data what the values of indicators mean: `list`, `code` and `meaning`.
struct CodeListTable {
  let name: String
  let lists: [CodeList]

  /// Nil for a pipeline without code lists.
  init?(_ pipeline: Pipeline) {
    guard let name = pipeline.listTable, !pipeline.lists.isEmpty else { return nil }
    self.name = name
    lists = pipeline.lists.values.sorted { $0.name < $1.name }
  }

  /// Throws ``RunError/missingTarget(_:)`` where the table does not exist.
  func require(on connection: Connection) throws {
    guard try connection.query("SELECT to_regclass($1)", [.text(Quote.qualified(name))])[0][0] != nil else {
      throw RunError.missingTarget(name)
    }
  }

  /// Makes the table hold what the lists say, and writes nothing where it does so already.
  func update(on connection: Connection) throws {
    let codes = lists.flatMap { list in
      list.codes.map { (list: list.name, code: $0.code, meaning: $0.meaning) }
    }
    let table = Quote.qualified(name)
    try connection.query(
      """
      WITH known AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) k(list, code, meaning)
      ), gone AS (
        DELETE FROM \(table) t WHERE t.list IN (SELECT list FROM known)
          AND NOT EXISTS (SELECT FROM known k WHERE k.list = t.list AND k.code = t.code)
      )
      INSERT INTO \(table) AS t (list, code, meaning) SELECT list, code, meaning FROM known
      ON CONFLICT (list, code) DO UPDATE SET meaning = excluded.meaning
        WHERE t.meaning IS DISTINCT FROM excluded.meaning
      """,
      [
        .textArray(codes.map(\.list)), .textArray(codes.map(\.code)), .textArray(codes.map(\.meaning)),
      ])
  }
}
