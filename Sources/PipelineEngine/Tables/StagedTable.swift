import Definitions
import Host
import PipelineCore
import PostgreSQL
import Records
import Store
import Values

/// The rows of one target, loaded but not yet seen by anybody: those of a release, to be attached to the
/// target, or those that are to be merged into it.
///
/// It has the target's columns and checks, and gets its keys after its rows; with a check that all rows are
/// of the release, attaching it needs no scan.
struct StagedTable: Sendable {
  let target: TargetTable
  /// The release that the rows are of; nil where the target holds none.
  let release: String?
  /// The columns that are filled.
  private(set) var columns: [String]
  /// Columns more, which the target has not, for checks to look at: the name, and what the layout says of its
  /// values.
  let checked: [(name: String, type: ValueType)]
  /// The columns that a record may have something for.
  var known: Set<String> { Set(columns + checked.map(\.name)) }
  /// A column more tells which rows are to be deleted; those have nothing but their key.
  let marksDeletions: Bool
  /// It is to be merged.
  private let merges: Bool
  /// `schema.table`: in the target's schema, named for the target, the release and the run.
  let name: String
  private let run: Int

  /// A table that is to be attached, or only compared.
  ///
  /// `label`: tells tables of one target and run apart.
  init(target: TargetTable, release: String?, run: Int, label: String = "") {
    self.init(
      target: target, release: release, columns: target.columns, checked: [], marksDeletions: false,
      merges: false, run: run, label: label)
  }

  /// A table that is to be merged.
  ///
  /// `columns`: those of the target that a release leaves no choice of, or a file brings.
  init(
    merging target: TargetTable, release: String?, columns: [String],
    checked: [(name: String, type: ValueType)] = [], marksDeletions: Bool, run: Int, label: String = ""
  ) {
    self.init(
      target: target, release: release, columns: columns, checked: checked, marksDeletions: marksDeletions,
      merges: true, run: run, label: label)
  }

  private init(
    target: TargetTable, release: String?, columns: [String], checked: [(name: String, type: ValueType)],
    marksDeletions: Bool, merges: Bool, run: Int, label: String
  ) {
    self.target = target
    self.release = release
    self.columns = columns
    self.checked = checked
    self.marksDeletions = marksDeletions
    self.merges = merges
    self.run = run
    let parts = target.name.split(separator: ".", maxSplits: 1)
    let plain = (release ?? "merge").lowercased().map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
    }
    let suffix = "_" + String(plain.prefix(24)) + "_\(run)\(label)"
    // PostgreSQL cuts names at 63 bytes, behind which Citus puts the number of a shard; the run's number keeps the
    // shortened one unique.
    let longest = target.distribution == nil ? 63 : 48
    let stem = String(parts.last ?? "").prefix(max(1, longest - suffix.utf8.count))
    name = "\(parts[0]).\(stem)\(suffix)"
  }

  /// The column that tells which rows are to be deleted.
  static let deletionMark = "rivulet_deleted"

  /// Makes the table; to be called in the transaction that fills it. What an earlier try has left of it is
  /// dropped: its COMMIT may have been done although nobody heard of it.
  func create(on connection: Connection) throws {
    let lacking = merges ? target.columns.filter { !columns.contains($0) } : []
    // Where a query learns the release only as it runs, the planner takes every partition for a match, and
    // once they are analysed each for all of its rows: estimates grow with the number of releases until the
    // server compiles what takes it milliseconds. As if there were many releases in each, they stay sane.
    try alter(
      merges || release == nil ? [] : [("n_distinct", ["release"], "1000")],
      after: "rivulet.stage_table($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [
        .text(name), .text(target.name), .integer(run), Parameter(release), .textArray(lacking),
        .textArray(merges ? optional : []), .textArray(merges ? checked.map(\.name) : []),
        .textArray(merges ? checked.map(\.type.sqlType) : []),
        Parameter(merges && marksDeletions ? Self.deletionMark : nil),
      ], on: connection)
    if let key = target.distribution {
      try connection.query(
        "SELECT rivulet.distribute_staged($1, $2, $3)", [.text(name), .text(target.name), .text(key)])
    }
  }

  /// What is altered: an action, the columns that it is about, and a value.
  private typealias Change = (action: String, columns: [String], value: String?)

  /// Has the owner of the target alter the table, who owns this one, too: in one message, as a run has many.
  ///
  /// `call`, with parameters of which the table's name is the first, comes before.
  private func alter(
    _ changes: [Change], after call: String? = nil, _ parameters: [Parameter]? = nil,
    on connection: Connection
  ) throws {
    var parameters = parameters ?? [.text(name)]
    var calls = [call].compactMap(\.self)
    for (action, columns, value) in changes {
      let next = parameters.count + 1
      calls.append("rivulet.alter_staged($1, $\(next), $\(next + 1), $\(next + 2))")
      parameters += [.text(action), .textArray(columns), Parameter(value)]
    }
    try connection.query("SELECT " + calls.joined(separator: ", "), parameters)
  }

  /// Columns of the target that take their default where a file says nothing: not null, and not of its key.
  var filled: [(name: String, defaultValue: String)] {
    guard merges, release == nil else { return [] }
    return columns.compactMap { name in target.defaults[name].map { (name, $0) } }
  }

  /// The table as one of fewer columns: what is in the others is not merged.
  func merging(only columns: Set<String>) -> StagedTable {
    var table = self
    table.columns = self.columns.filter(columns.contains)
    return table
  }

  /// The columns that rows may be without: those that take their default, and of rows that are to be deleted
  /// all but their key.
  private var optional: [String] {
    let origin = ["release", "source_file_id", "source_line"]
    let defaulted = Set(filled.map(\.name))
    return columns.filter { name in
      !origin.contains(name) && !target.nullable.contains(name)
        && (marksDeletions || defaulted.contains(name))
    }
  }

  /// Says of which release, and of which file, the rows are that come next. The same for all of them, both
  /// are the server's to fill in, which costs it less than fields of each row.
  func expectRows(of sourceFileID: Int, on connection: Connection) throws {
    let file = ("default", ["source_file_id"], String(sourceFileID))
    try alter([file] + (release.map { [("default", ["release"], $0)] } ?? []), on: connection)
  }

  private func expectNoMoreRows(on connection: Connection) throws {
    let columns = ["source_file_id"] + (release == nil ? [] : ["release"])
    try alter(columns.map { ("no default", [$0], nil) }, on: connection)
  }

  /// Has the server look at the rows, so that it knows how many there are.
  func analyze(on connection: Connection) throws { try alter([("analyze", [], nil)], on: connection) }

  /// Fills it with the rows of a table of the same release; gives how many.
  func copy(from partition: String, on connection: Connection) throws -> Int {
    let columns = target.columns.map(Quote.identifier).joined(separator: ", ")
    return try connection.execute(
      """
      INSERT INTO \(Quote.qualified(name)) (\(columns)) SELECT \(columns) FROM \(Quote.qualified(partition))
      """
    ).affectedRows
  }

  /// Gives the table the keys and indexes of its target.
  ///
  /// Gives the number of groups of rows that share a key, at least 1 where any unique rule is broken; it has
  /// no keys then.
  func index(key: [String], on connection: Connection) throws -> Int {
    try expectNoMoreRows(on: connection)
    do {
      // In a savepoint: a key that does not hold is a finding about the data, not a failure.
      try connection.transaction {
        if merges { try addKey(key, on: connection) } else { try addIndexes(on: connection) }
      }
      return 0
    } catch let error as PostgreSQLError where error.sqlState == "23505" {
      // The rule that is broken may be another one of the table's.
      return max(1, try duplicates(of: keyColumns(key), on: connection))
    } catch let wide as WideRow {
      throw try refusal(of: wide, on: connection) ?? PostgreSQLError.server(wide.error)
    }
  }

  /// An index has no room for one of the rows.
  private struct WideRow: Error {
    let columns: [String]
    let error: ServerError
  }

  private func addIndexes(on connection: Connection) throws {
    for index in target.indexes {
      try Interruption.shared.check()
      try add("index", [], index.number, over: index.columns, on: connection)
    }
  }

  private func add(
    _ action: String, _ key: [String], _ index: String?, over columns: [String], on connection: Connection
  ) throws {
    do {
      try alter([(action, key, index)], on: connection)
    } catch PostgreSQLError.server(let error) where error.sqlState == "54000" {
      throw WideRow(columns: columns, error: error)
    }
  }

  /// Names the record, which the server does not: the row that takes most in the columns of the index.
  private func refusal(of wide: WideRow, on connection: Connection) throws -> RunError? {
    // An index may be on nothing but expressions.
    let isNamed = !wide.columns.isEmpty
    let columns = isNamed ? wide.columns.map(Quote.identifier).joined(separator: ", ") : "t.*"
    let found = try connection.query(
      """
      SELECT f.file, f.entry, w.source_line FROM (
        SELECT source_file_id, source_line FROM \(Quote.qualified(name)) t
        ORDER BY pg_column_size(ROW(\(columns))) DESC LIMIT 1) w
      JOIN rivulet.source_file f USING (source_file_id)
      """)
    guard let row = found.first else { return nil }
    return .rowRefused(
      entry: SourceEntry.describe(try row.value(0), row[1]), target: target.name,
      place: "the row of line \(row[2] ?? "")",
      reason: wide.error.discreetMessage
        + (isNamed ? ", in an index on \(wide.columns.joined(separator: ", "))" : "") + " (54000)")
  }

  /// The columns of a key in the table.
  func keyColumns(_ key: [String]) -> [String] { (release == nil ? [] : ["release"]) + key }

  /// What the target has besides its key holds, or not, where the rows are merged.
  private func addKey(_ key: [String], on connection: Connection) throws {
    try add("key", keyColumns(key), nil, over: keyColumns(key), on: connection)
  }

  /// How many groups of rows share a key.
  private func duplicates(of key: [String], on connection: Connection) throws -> Int {
    let columns = key.map(Quote.identifier).joined(separator: ", ")
    return try connection.query(
      """
      SELECT count(*) FROM (
        SELECT FROM \(Quote.qualified(name)) GROUP BY \(columns) HAVING count(*) > 1) d
      """)[0].value(0)
  }

  func drop(on connection: Connection) throws {
    try connection.query("SELECT rivulet.drop_staged($1)", [.textArray([name])])
  }
}

extension StagedTable {
  /// The staged form of a target that is merged. Of a release it has all columns, of other tables those that
  /// the files bring: the others are not theirs to change.
  ///
  /// `label`: tells tables of one target and run apart.
  init(merging target: TargetTable, release: String?, of plan: LoadPlan, run: Int, label: String = "") {
    let own = plan.entries.filter { $0.source.target == target.name }
    let origin = ["source_file_id", "source_line"]
    let children = plan.entries.flatMap { entry in
      entry.head.layout.children.filter { $0.target == target.name }.flatMap {
        $0.rowColumns(ofRecord: entry.source.key)
      }
    }
    let brought = Set(own.flatMap(\.stagedColumns) + children + origin)
    var checked: [(name: String, type: ValueType)] = []
    for column in own.flatMap(\.head.layout.columns)
    where column.isChecked && !checked.contains(where: { $0.name == column.name }) {
      checked.append((column.name, column.type))
    }
    self.init(
      merging: target, release: release,
      columns: release == nil ? target.columns.filter(brought.contains) : target.columns, checked: checked,
      marksDeletions: own.contains { $0.source.merge.deletion != nil }, run: run, label: label)
  }
}

extension ValueType {
  /// The server's type for its values, where no table says it; by the name that the catalog has it under.
  fileprivate var sqlType: String {
    switch self {
    case .decimal(let precision, let scale): "numeric(\(precision), \(scale))"
    case .integer, .npi: "int8"
    case .date: "date"
    case .boolean, .flag: "bool"
    case .uuid: "uuid"
    case .timestamp: "timestamptz"
    case .time: "time"
    case .bytes, .sha256: "bytea"
    case .json: "jsonb"
    case .texts: "text[]"
    default: "text"
    }
  }
}
