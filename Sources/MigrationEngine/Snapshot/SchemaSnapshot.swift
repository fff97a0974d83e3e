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
  public internal(set) var objects: [SchemaObject.Name: SchemaObject]

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
