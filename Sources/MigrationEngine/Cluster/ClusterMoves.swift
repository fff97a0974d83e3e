import Host
import PostgreSQL
public import Progress

/// Moves tables over the servers of a cluster, to where their marks say, or back to the coordinator: each with its
/// rows in one transaction, so that the same again goes on where it was stopped.
public struct ClusterMoves {
  /// Which way tables go.
  public enum Way: Sendable {
    /// To where their marks say.
    case distribute
    /// Back to the coordinator.
    case undistribute
  }

  /// A table that is to be moved.
  public struct Planned: Sendable {
    /// The table.
    public let table: String
    /// Where it goes: as ``PlacementMark/text`` has it.
    public let place: String
    /// It, and the tables of its releases that go along: none where all are there already.
    public let tables: [String]
    /// What they take now with their indexes.
    public let bytes: Int
    /// Why it cannot go there, a clause for each reason.
    public let faults: [String]
    let mark: PlacementMark
  }

  /// A table that was moved.
  public struct Moved: Sendable {
    /// The table.
    public let table: String
    /// Where it is.
    public let place: String
    /// It, and the tables of its releases that went along.
    public let tables: [String]
    /// The rows of all of them.
    public let rows: Int
    /// What they take on one server with their indexes.
    public let bytes: Int
    /// How long it took.
    public let seconds: Double
  }

  private let engine: MigrationEngine
  private let marks: [PlacementMark]
  private let way: Way
  /// How far the call at work has come.
  public let progress = WorkProgress(of: "tables")

  /// `marks`: those of all folders of the project.
  public init(_ way: Way, by engine: MigrationEngine, _ marks: [PlacementMark]) {
    (self.way, self.engine, self.marks) = (way, engine, marks)
  }

  private var connection: Connection { engine.connection }

  /// What would be moved, in its order; nothing is changed.
  ///
  /// `names`: these tables; all that have a mark where there are none.
  ///
  /// - Throws: `ClusterError`, `PostgreSQLError`, `MigrationError`.
  public func plan(_ names: [String]) throws -> [Planned] {
    guard connection.hasCitus else { throw ClusterError.noCitus(declared: marks.count { !$0.isLocal }) }
    guard try connection.query("SELECT citus_is_coordinator()")[0][0] == "t" else {
      throw ClusterError.notCoordinator
    }
    let chosen = try chosen(names)
    var planned: [Planned] = []
    for mark in way == .distribute ? chosen : chosen.reversed() {
      let move = TableMove(mark: mark, connection: connection, dependents: engine.dependents)
      // What an earlier one takes along is not its own.
      let along = Set(planned.flatMap(\.tables))
      let tables = try move.waiting().filter { !along.contains($0.description) }
      planned.append(
        Planned(
          table: mark.table, place: mark.text, tables: tables.map(\.description),
          bytes: try move.bytes(of: tables),
          faults: try faults(of: mark, isWaiting: !tables.isEmpty, after: planned.map(\.mark)), mark: mark))
    }
    return planned
  }

  /// Moves what ``plan(_:)`` says, and reports each table as it is done.
  ///
  /// - Throws: `ClusterError`, of which `.inTheWay` comes before anything is moved, `PostgreSQLError`, `MigrationError`;
  ///   each table that was reported stays.
  public func run(_ names: [String], _ report: (Moved) -> Void) throws {
    try engine.locked {
      let pending = try engine.status().pending.count
      if pending > 0 { throw ClusterError.pending(pending) }
      let planned = try plan(names)
      let stuck = planned.filter { !$0.faults.isEmpty }
      if !stuck.isEmpty { throw ClusterError.inTheWay(stuck.map { ($0.table, $0.faults) }) }
      let waiting = planned.filter { !$0.tables.isEmpty }
      progress.expect(waiting.count)
      for one in waiting {
        try Interruption.shared.check()
        let moved = try progress.doing(one.table) { try move(one.mark, $0) }
        // It may have gone along with another.
        if !moved.tables.isEmpty { report(moved) }
      }
    }
  }

  private func move(_ mark: PlacementMark, _ task: TaskProgress) throws -> Moved {
    task.ask([connection.backendID])
    let started = Machine.seconds
    let outcome = try engine.lockRetry.run { wait in
      try connection.transaction(settings: "SET LOCAL lock_timeout = '\(wait.text)'") {
        try TableMove(mark: mark, connection: connection, dependents: engine.dependents).run(task)
      }
    }
    return Moved(
      table: mark.table, place: mark.text, tables: outcome.tables.map(\.description), rows: outcome.rows,
      bytes: outcome.bytes,
      seconds: Machine.seconds - started)
  }

  /// The marks of the tables that are meant and there, each after the one that it lies beside.
  private func chosen(_ names: [String]) throws -> [PlacementMark] {
    var known = marks.filter { !$0.isLocal }
    if way == .undistribute {
      known = marks
      for name in names where !marks.contains(where: { $0.table == name }) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        let mark = PlacementMark(SQLName(schema: parts[0], parts[1]), .local)
        if try PlacedTable(mark, on: connection).place() != "local" { known.append(mark) }
      }
    }
    if let name = names.first(where: { name in !known.contains { $0.table == name } }) {
      throw ClusterError.unknownTable(name, known: known.map(\.table))
    }
    return try PlacementOrder.sorted(known).filter { mark in
      try (names.isEmpty || names.contains(mark.table)) && PlacedTable(mark, on: connection).isThere()
    }.map { way == .distribute ? $0 : PlacementMark($0.name, .local) }
  }

  /// What is distributed by something else has to come back first.
  private func faults(of mark: PlacementMark, isWaiting: Bool, after coming: [PlacementMark]) throws
    -> [String]
  {
    if way == .undistribute { return [] }
    let table = PlacedTable(mark, on: connection)
    let place = try table.place()
    if place == mark.text || !isWaiting && place == "local" { return [] }
    if place != "local" {
      return ["it is \(place) already: 'rivulet cluster undistribute \(mark.table)' brings it back"]
    }
    return try table.faults(after: coming, capturingOnShards: engine.capturesOnShards)
  }
}
