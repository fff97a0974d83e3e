import Host
public import PostgreSQL

/// A server in which databases can be made that live only while a closure runs.
///
/// Whatever ends the closure, a throw and an interruption included, what was made goes with it. What a killed
/// process has left is removed by the next one.
///
/// ```swift
/// let snapshot = try ShadowServer.withServer(.embedded, tell: { print($0) }) { server in
///   try server.withDatabase { connection in try SchemaSnapshot.read(from: connection) }
/// }
/// ```
public struct ShadowServer {
  /// Any database of the server, to make and drop others from.
  let target: ConnectionTarget
  /// What `CREATE DATABASE` says of encoding and collation; empty for the server's own.
  let locale: String
  /// Whether nobody else uses it.
  let isThrowAway: Bool

  /// Runs `body` with a server. `tell` takes a sentence on each thing that takes a moment.
  ///
  /// - Throws: ``ShadowError`` or `EmbeddedClusterError`, which name the fix, and what `body` throws.
  public static func withServer<Value>(
    _ place: ShadowPlace, tell: (String) -> Void = { _ in }, _ body: (ShadowServer) throws -> Value
  ) throws -> Value {
    switch place {
    case .embedded:
      return try ShadowCluster.whileRunning(tell: tell) { target in
        try body(ShadowServer(target: target, locale: "", isThrowAway: true))
      }
    case .beside(let connection):
      try ShadowDatabase.requireRight(on: connection)
      try ShadowDatabase.dropStale(on: connection)
      let locale = try ShadowDatabase.locale(of: connection)
      return try body(ShadowServer(target: connection.target, locale: locale, isThrowAway: false))
    }
  }

  /// Runs `body` with a new, empty database.
  ///
  /// - Parameters:
  ///   - settings: settings that sessions of the database start with, by name.
  ///   - body: takes a connection to it.
  /// - Returns: what `body` returned.
  /// - Throws: ``ShadowError``, `PostgreSQLError`, `Interrupted`, and what `body` throws.
  public func withDatabase<Value>(
    settings: [String: String] = [:], _ body: (Connection) throws -> Value
  ) throws -> Value {
    try Interruption.shared.check()
    let database = try ShadowDatabase(on: target, locale: locale, settings: settings)
    let value: Value
    do {
      value = try ShadowServer.cancellable(try Connection(to: database.target), body)
    } catch {
      // What went wrong first has to be reported.
      try? database.drop()
      throw error
    }
    try database.drop()
    return value
  }

  /// Runs `body`; a request to end the program cancels its statement meanwhile.
  private static func cancellable<Value>(
    _ connection: Connection, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let canceller = connection.canceller
    let key = Interruption.shared.register { canceller.cancel() }
    defer { Interruption.shared.unregister(key) }
    return try body(connection)
  }
}

/// Runs `body` with a new, empty database that goes with it; see ``ShadowServer`` for several in one server.
public func withShadowDatabase<Value>(
  _ place: ShadowPlace, tell: (String) -> Void = { _ in }, _ body: (Connection) throws -> Value
) throws -> Value {
  try ShadowServer.withServer(place, tell: tell) { try $0.withDatabase(body) }
}
