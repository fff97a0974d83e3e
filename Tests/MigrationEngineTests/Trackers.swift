import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Both ways to track a database's schema, held against a snapshot of everything.
struct Trackers {
  private let connection: Connection
  let counting: SnapshotTracker
  let logged: SnapshotTracker

  /// Trackers that have read the schema as it is; `server` is another database of the same server.
  init(_ connection: Connection, server: ConnectionTarget) throws {
    self.connection = connection
    counting = try SnapshotTracker(connection)
    logged = try SnapshotTracker(connection, ofOwn: server)
    try expectSame()
    settle()
  }

  /// How often each has read all of the schema.
  var wholeReadings: [Int] { [counting.wholeReadings, logged.wholeReadings] }

  func settle() {
    counting.settle()
    logged.settle()
  }

  func expectSame(_ comment: Comment? = nil) throws {
    let tracked = (try counting.read(), try logged.read())
    let whole = try SchemaSnapshot.read(from: connection)
    // Compared by what was replaced since both were the same, and by all that there is.
    for (tracker, now) in [(counting, tracked.0), (logged, tracked.1)] {
      let before = SchemaSnapshot(objects: tracker.settled.objects)
      #expect(tracker.settled.differences(to: now) == before.differences(to: whole), comment)
    }
    #expect(tracked.0 == whole, comment)
    #expect(whole.differences(to: tracked.0) == [], comment)
    #expect(tracked.1 == whole, comment)
    #expect(whole.differences(to: tracked.1) == [], comment)
  }

  /// Runs one of some statements, in which `#`, `%` and `@` are small numbers; one that the server refuses changes
  /// nothing.
  func change(_ statements: [Substring], _ numbers: inout RandomNumbers) throws -> String {
    var statement = ""
    for character in numbers.pick(statements) {
      switch character {
      case "#": statement += "\(1 + numbers.below(4))"
      case "%": statement += "\(1 + numbers.below(3))"
      case "@": statement += "\(1 + numbers.below(2))"
      default: statement.append(character)
      }
    }
    do { try connection.execute(statement) } catch PostgreSQLError.server {}
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    try connection.resetSession()
    return statement
  }
}
