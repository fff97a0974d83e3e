import Definitions
import PipelineCore
import PostgreSQL
import Store

/// What corrected records of a run are added to: the tables of the revision that their run made.
struct CorrectedRecords: Sendable {
  /// The run that refused the records.
  let run: Int
  /// Empty where nothing can be added to it.
  let tables: [ReleaseTable]
  private let refusal: (any Error)?

  /// Looks for the revision that a run made.
  ///
  /// Why nothing can be added to it is said by ``requireBase(unless:)``, as the same records may be there
  /// already.
  init(_ run: Int, release: String, pipeline: Pipeline, on connection: Connection) throws {
    self.run = run
    do {
      tables = try Self.tables(of: run, release, pipeline, connection)
      refusal = nil
    } catch let error where error is ReplayError || error is RunError {
      tables = []
      refusal = error
    }
  }

  /// - Throws: ``ReplayError`` where the run's release is not in its place, unless the records are there
  ///   already.
  func requireBase(unless isThere: Bool) throws {
    if let refusal, !isThere { throw refusal }
  }

  private static func tables(
    of run: Int, _ release: String, _ pipeline: Pipeline, _ connection: Connection
  ) throws -> [ReleaseTable] {
    let store = ReleaseStore(connection: connection)
    let amending = pipeline.sources.filter { $0.amendment != nil }
    let names = amending.map(\.name)
    let made = try store.revision(ofRun: run, amending: names)
    guard made.isInPlace else {
      throw ReplayError.notInPlace(
        run: run, state: made.state, by: made.publishedBy, isOverLimit: made.isOverLimit)
    }
    guard let entry = made.amendedBy else { return made.tables }
    guard !made.loadedOthers else { throw ReplayError.amendedAsLoaded(run: run, entry: entry) }
    // What amends is applied again, to the tables as they were without it.
    let corrections = made.tables.filter { table in amending.contains { $0.target == table.target } }
    return try store.tablesToAmend(of: release, pipeline: pipeline.name, amending: names) + corrections
  }

  /// How many records of a source are numbered already, where its layout numbers them; else 0.
  func records(of entry: HeadedEntry, on connection: Connection) throws -> Int {
    let column = entry.head.layout.columns.first { $0.origin == .recordNumber && !$0.isInternal }
    guard let column, let table = tables.first(where: { $0.target == entry.source.target }) else { return 0 }
    return try connection.query(
      "SELECT coalesce(max(\(Quote.identifier(column.name))), 0)::bigint FROM \(Quote.qualified(table.partition))"
    )[0].value(0)
  }
}
