/// What keeps tables from being moved over the servers of a cluster, or back.
public enum ClusterError: Error, CustomStringConvertible, Sendable {
  /// The server has no Citus; so many tables are declared for one that has.
  case noCitus(declared: Int)
  /// It is one of the servers that hold rows, and not the one that commands are given to.
  case notCoordinator
  /// There is no such table to be moved; those that there are.
  case unknownTable(String, known: [String])
  /// So many migrations are not applied yet, of which the marks and the views are known already.
  case pending(Int)
  /// Tables cannot go where their marks say, each with the reasons.
  case inTheWay([(table: String, reasons: [String])])
  /// Something else than the place of a table would have changed, a line for each change.
  case losses(table: String, lines: [String])
  /// There were so many rows before it was moved, and others afterwards.
  case otherRows(table: String, before: Int, after: Int)

  /// What is wrong, in a sentence without a stop.
  public var description: String {
    switch self {
    case .noCitus(let count):
      "this server has no Citus, so all tables are on it; the migrations say of \(count) "
        + "\(count == 1 ? "table" : "tables") where \(count == 1 ? "it" : "they") would go"
    case .notCoordinator: "this server is a worker of its cluster: tables are moved by the coordinator"
    case .unknownTable(let name, _): "no migration says where table '\(name)' goes, and it is not distributed"
    case .pending(let count): "\(count) migration\(count == 1 ? " is" : "s are") pending: nothing was moved"
    case .inTheWay(let tables):
      tables.map { "\($0.table) cannot be moved: \($0.reasons.joined(separator: "; "))" }
        .joined(separator: "\n")
    case .losses(let table, let lines):
      "\(table) was not moved, since more than its place would change: \(lines.joined(separator: "; "))"
    case .otherRows(let table, let before, let after):
      "\(table) was not moved: it had \(before) rows before and \(after) afterwards"
    }
  }

  /// What to do about it; nil where nothing is known.
  public var hint: String? {
    switch self {
    case .noCitus:
      "CREATE EXTENSION citus on each server, and tell the coordinator of the workers: see Documentation/Cluster.md"
    case .notCoordinator: "name the coordinator's database"
    case .unknownTable(_, let known):
      known.isEmpty
        ? "no migration has a line '-- rivulet:place'" : "there are \(known.joined(separator: ", "))"
    case .pending: "run 'rivulet migrate up' first"
    case .inTheWay: "nothing was moved; change the tables, or name those that are to be moved"
    case .losses: "drop that first, and make it again afterwards"
    case .otherRows: nil
    }
  }
}
