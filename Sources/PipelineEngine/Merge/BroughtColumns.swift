import Definitions
import PipelineCore
import PostgreSQL
import Records

/// Which columns the files of a run say something about: what they say nothing about stays as it is in plain
/// tables.
///
/// A header lacks a column; of JSON no object has its property. An object that lacks what others of its file
/// have says that there is nothing.
struct BroughtColumns {
  private let pipeline: Pipeline
  private let tables: [String: StagedTable]
  private let entries: [(headed: HeadedEntry, report: SourceReport)]

  /// A file that brings rows of a table.
  private struct BringingFile {
    /// The number that its rows carry.
    let id: Int
    /// The columns that it says something about.
    let columns: Set<String>
  }

  /// What the engine adds to every row.
  private static let origin: Set = ["source_file_id", "source_line"]

  /// The columns of a run whose sources were loaded.
  init(_ context: RunContext, _ sources: [SourceReport]) {
    pipeline = context.pipeline
    tables = context.tables
    entries = context.plan.entries.compactMap { headed in
      let (path, entry) = (headed.entry.entry.path, headed.entry.entry.entry)
      return sources.first {
        $0.source == headed.source.name && $0.file == path && $0.entry == entry && $0.loaded > 0
      }.map { (headed, $0) }
    }
  }

  /// A staged table with the columns that are merged: those that any file brings. Where SQL of the definition
  /// may name the others, these are all, completed.
  func merging(_ staged: StagedTable) -> StagedTable {
    staged.merging(only: Set(mergedColumns(of: staged)).union(Self.origin))
  }

  /// Gives staged rows what is published in the columns that are merged and that their own file lacks, and
  /// locks it: what nobody has said is not changed.
  func complete(_ target: String, on connection: Connection) throws {
    guard let staged = tables[target], let source = source(of: target) else { return }
    let merged = mergedColumns(of: staged)
    let files = Dictionary(grouping: files(bringing: target)) { file in
      merged.filter { !file.columns.contains($0) }
    }
    let (name, key) = (Quote.qualified(staged.name), pipeline.key(of: target, in: source))
    let isSameKey = key.map(Quote.identifier).map { "s.\($0) = t.\($0)" }.joined(separator: " AND ")
    for (lacking, files) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where !lacking.isEmpty {
      let columns = lacking.map(Quote.identifier)
      let ids = files.map { String($0.id) }.joined(separator: ", ")
      let isSame = "\(isSameKey) AND s.source_file_id IN (\(ids))"
      try connection.execute(
        """
        UPDATE \(name) s SET \(columns.map { "\($0) = t.\($0)" }.joined(separator: ", "))
        FROM (
          SELECT t.* FROM \(Quote.qualified(target)) t JOIN \(name) s ON \(isSame)
          FOR NO KEY UPDATE OF t) t
        WHERE \(isSame)
        """)
    }
  }

  private func mergedColumns(of staged: StagedTable) -> [String] {
    let files = files(bringing: staged.target.name)
    let own = pipeline.sources.first { $0.target == staged.target.name }
    let all = staged.columns.filter { !Self.origin.contains($0) }
    guard own?.change == nil, !files.isEmpty else { return all }
    return all.filter { column in files.contains { $0.columns.contains(column) } }
  }

  private func files(bringing target: String) -> [BringingFile] {
    entries.compactMap { headed, report in
      let columns: [String]
      if headed.source.target == target {
        columns = headed.broughtColumns
      } else if let child = headed.head.layout.children.first(where: { $0.target == target }) {
        columns = child.rowColumns(ofRecord: headed.source.key)
      } else {
        return nil
      }
      return BringingFile(
        id: report.sourceFileID, columns: Set(columns).subtracting(report.lacking[target] ?? []))
    }
  }

  /// The source whose table it is, or the first that has rows of it within its records.
  private func source(of target: String) -> Source? {
    pipeline.sources.first { $0.target == target }
      ?? pipeline.sources.first { pipeline.childTargets(of: $0).contains(target) }
  }
}
