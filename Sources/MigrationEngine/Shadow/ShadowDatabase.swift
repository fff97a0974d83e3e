import Glibc
import PostgreSQL

/// One database made for a while.
///
/// Its maker holds an advisory lock named like it for as long as it lives, in a session that ends with the
/// process. So a database by such a name whose lock nobody holds is left over, whichever machine its maker
/// ran on.
struct ShadowDatabase {
  private static let prefix = "rivulet_shadow_"

  let name: String
  let target: ConnectionTarget
  /// Makes and drops it, and holds its lock.
  private let administration: Connection

  init(on server: ConnectionTarget, locale: String, settings: [String: String]) throws {
    administration = try Connection(to: server)
    name = ShadowDatabase.prefix + "\(getpid())_" + String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    target = try server.database(name)
    _ = try administration.acquireLock(name)
    // template0: whatever somebody has put into template1 is no part of any schema.
    try administration.execute("CREATE DATABASE \(Quote.identifier(name)) TEMPLATE template0" + locale)
    do {
      for (setting, value) in settings {
        // From the session, since a list such as search_path would be taken for one name.
        try administration.query("SELECT set_config($1, $2, false)", [.text(setting), .text(value)])
        try administration.execute(
          "ALTER DATABASE \(Quote.identifier(name)) SET \(setting) FROM CURRENT")
      }
    } catch {
      try? drop()
      throw error
    }
  }

  /// Drops it, even while sessions are connected to it.
  func drop() throws { try ShadowDatabase.drop(name, on: administration) }

  private static func drop(_ name: String, on connection: Connection) throws {
    try connection.execute("DROP DATABASE IF EXISTS \(Quote.identifier(name)) WITH (FORCE)")
  }

  /// Throws ``ShadowError/mayNotCreate(role:)`` unless the session's role may make databases.
  static func requireRight(on connection: Connection) throws {
    let row = try connection.query(
      "SELECT rolsuper OR rolcreatedb, rolname FROM pg_roles WHERE rolname = current_user")[0]
    guard try row.value(0, Bool.self) else { throw ShadowError.mayNotCreate(role: try row.value(1)) }
  }

  /// Drops databases of makers that are gone: owned by this role, locked by nobody, with nobody connected.
  static func dropStale(on connection: Connection) throws {
    let administration = try connection.another()
    let rows = try administration.query(
      """
      SELECT d.datname FROM pg_database d
      WHERE d.datname ~ ('^' || $1 || '[0-9]+_[0-9a-f]{8}$')
        AND d.datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user)
        AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid)
        AND NOT EXISTS (
          SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1
            AND l.classid::bigint << 32 | l.objid::bigint = hashtextextended(d.datname, 7711))
      """, [.text(prefix)])
    for row in rows.rows {
      // Somebody else may be doing the same at this moment.
      if let name = row[0] { try? drop(name, on: administration) }
    }
  }

  /// The encoding and the collation of a connection's database, as `CREATE DATABASE` takes them.
  static func locale(of connection: Connection) throws -> String {
    // As JSON, since later versions have columns that earlier ones lack.
    let row = try connection.query(
      """
      SELECT pg_encoding_to_char(encoding), datcollate, datctype, datlocprovider,
        coalesce(j ->> 'datlocale', j ->> 'daticulocale'), j ->> 'daticurules'
      FROM pg_database d, to_jsonb(d) j WHERE datname = current_database()
      """)[0]
    var words = ["ENCODING", "LC_COLLATE", "LC_CTYPE"].enumerated().compactMap { index, word in
      row[index].map { " \(word) \(Quote.literal($0))" }
    }
    switch row[3] {
    case "i":
      words.append(" LOCALE_PROVIDER icu")
      if let locale = row[4] { words.append(" ICU_LOCALE \(Quote.literal(locale))") }
      if let rules = row[5] { words.append(" ICU_RULES \(Quote.literal(rules))") }
    case "b":
      words.append(" LOCALE_PROVIDER builtin")
      if let locale = row[4] { words.append(" BUILTIN_LOCALE \(Quote.literal(locale))") }
    default: words.append(" LOCALE_PROVIDER libc")
    }
    return words.joined()
  }
}
