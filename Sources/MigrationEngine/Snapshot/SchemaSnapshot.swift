public import PostgreSQL

/// What a database's schema is at one moment, without its rows: to be compared with another moment's, or with
/// another database's.
///
/// Numbers that the server gives, the session's settings and the way in which an object came to be what it is
/// leave no trace in it. Knowingly left out:
/// - what belongs to the whole cluster: roles, tablespaces, settings of databases and roles; and
///   subscriptions,
///   whose connection strings hold passwords;
/// - the order of a table's columns, since PostgreSQL cannot put one back at its place;
/// - values of sequences, rows, large objects, and whether a materialised view is filled;
/// - who granted what; and owners and grantees who are `makers` are all one, since migrations may be applied
///   here
///   by one role and there by another;
/// - what an extension brings, but not which extensions there are;
/// - schema `rivulet`.
public struct SchemaSnapshot: Sendable, Equatable {
  /// All objects, by their names.
  public private(set) var objects: [SchemaObject.Name: SchemaObject]
  /// The origin that it has in common with others, and the objects in which it may differ from that; nil where it
  /// has none.
  private var change: (from: Origin, names: Set<SchemaObject.Name>)?

  private final class Origin: Sendable {}

  init(objects: [SchemaObject.Name: SchemaObject]) { self.objects = objects }

  /// Makes it the origin of all that comes from it by ``replacing(_:by:)``: these are compared with each other in
  /// time that goes with what was replaced.
  mutating func becomeOrigin() { change = (Origin(), []) }

  /// The same with other objects in the place of some.
  func replacing(_ names: [SchemaObject.Name], by others: [SchemaObject.Name: SchemaObject]) -> SchemaSnapshot
  {
    var snapshot = self
    for name in names { snapshot.objects[name] = nil }
    snapshot.objects.merge(others) { $1 }
    snapshot.change?.names.formUnion(names + others.keys)
    return snapshot
  }

  /// The names of the objects that are not the same in another, or only in one of the two.
  func changed(in other: SchemaSnapshot) -> [SchemaObject.Name] {
    let names: Set<SchemaObject.Name>
    if let change, let otherChange = other.change, change.from === otherChange.from {
      names = change.names.union(otherChange.names)
    } else if objects == other.objects {
      return []
    } else {
      names = Set(objects.keys).union(other.objects.keys)
    }
    return names.filter { objects[$0] != other.objects[$0] }
  }

  /// Whether all objects are the same.
  public static func == (left: SchemaSnapshot, right: SchemaSnapshot) -> Bool {
    left.changed(in: right).isEmpty
  }

  /// Reads a schema in one transaction that changes nothing.
  ///
  /// - Parameters:
  ///   - connection: to the database; a transaction that is open there is used.
  ///   - leavingOut: relations, as `schema.name` with neither part quoted, that are left out with all that belongs to
  ///     them.
  ///   - makers: roles that apply migrations; nil is the session's role.
  /// - Returns: the objects as the catalog has them at one moment.
  /// - Throws: `PostgreSQLError` where a catalog cannot be read.
  public static func read(
    from connection: Connection, leavingOut: Set<String> = [], makers: Set<String>? = nil
  ) throws -> SchemaSnapshot {
    let makers = try makers ?? [connection.query("SELECT current_user")[0].value(0)]
    return try CatalogReader.lend(on: connection, makers: makers, leavingOut: leavingOut) { reader in
      SchemaSnapshot(objects: try SnapshotDraft(reader).objects)
    }
  }
}
