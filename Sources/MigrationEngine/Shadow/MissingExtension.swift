import PostgreSQL

/// An extension that a migration asks for and a server has no files of.
public struct MissingExtension: Sendable, Equatable {
  /// As `CREATE EXTENSION` names it.
  let name: String
  /// The server's major version.
  let major: Int

  /// The package of Debian and of apt.postgresql.org that has it; nil where that is not known.
  var package: String? {
    if MissingExtension.contrib.contains(name) { return "postgresql-\(major)" }
    if let language = ["plpython", "plperl", "pltcl"].first(where: { name.contains($0) }) {
      return "postgresql-\(language == "plpython" ? "plpython3" : language)-\(major)"
    }
    let isPostGIS = name.hasPrefix("postgis") || name.hasPrefix("address_standardizer")
    return (isPostGIS ? "postgis-3" : MissingExtension.packages[name]).map { "postgresql-\(major)-\($0)" }
  }

  /// How to go on, where the server was started for a shadow alone, or is the database's own.
  func hint(isThrowAway: Bool) -> String {
    let server =
      isThrowAway
      ? "the PostgreSQL \(major) that the shadow is made in has no files of '\(name)'"
      : "the database's own server has no files of '\(name)'"
    let remedy =
      package.map { "install the package \($0)" }
      ?? "install the package that has it, by its usual name postgresql-\(major)-\(name.replacing("_", with: "-"))"
    let other = ", or use --here, which makes the shadow in the database's own server"
    return "\(server): \(remedy)" + (isThrowAway ? other : "")
  }

  /// Those that come with PostgreSQL, by their names.
  private static let contrib: Set<String> = [
    "adminpack", "amcheck", "autoinc", "bloom", "btree_gin", "btree_gist", "citext", "cube", "dblink",
    "dict_int", "dict_xsyn", "earthdistance", "file_fdw", "fuzzystrmatch", "hstore", "insert_username",
    "intagg", "intarray", "isn", "lo", "ltree", "moddatetime", "pageinspect", "pg_buffercache",
    "pg_freespacemap", "pg_logicalinspect", "pg_prewarm", "pg_stat_statements", "pg_surgery", "pg_trgm",
    "pg_visibility", "pg_walinspect", "pgcrypto", "pgrowlocks", "pgstattuple", "postgres_fdw", "refint",
    "seg", "sslinfo", "tablefunc", "tcn", "tsm_system_rows", "tsm_system_time", "unaccent", "uuid-ossp",
    "xml2",
  ]

  /// What follows `postgresql-15-` in the names of packages of others.
  private static let packages = [
    "debversion": "debversion", "hll": "hll", "hypopg": "hypopg", "ip4r": "ip4r", "mysql_fdw": "mysql-fdw",
    "ogr_fdw": "ogr-fdw", "orafce": "orafce", "periods": "periods", "pg_cron": "cron",
    "pg_partman": "partman", "pg_qualstats": "pg-qualstats", "pg_repack": "repack",
    "pg_stat_kcache": "pg-stat-kcache", "pg_wait_sampling": "pg-wait-sampling", "pgaudit": "pgaudit",
    "pglogical": "pglogical", "pgrouting": "pgrouting", "pgtap": "pgtap", "plpgsql_check": "plpgsql-check",
    "pointcloud": "pointcloud", "prefix": "prefix", "rum": "rum", "semver": "semver",
    "tdigest": "tdigest", "tds_fdw": "tds-fdw", "unit": "unit", "vector": "pgvector",
  ]
}

extension MissingExtension {
  /// The one that an error is about, which what was run on a connection has ended with; nil where it is about
  /// something else.
  static func reported(by error: any Error, on connection: Connection) -> MissingExtension? {
    let major = connection.serverVersion / 10_000
    switch error {
    case MigrationError.failed(_, _, _, _, let error): return MissingExtension(error, major: major)
    case PostgreSQLError.server(let error): return MissingExtension(error, major: major)
    default: return nil
    }
  }

  /// The server's words are `extension "postgis" is not available`.
  init?(_ error: ServerError, major: Int) {
    let words = error.message.split(separator: "\"", omittingEmptySubsequences: false)
    guard error.sqlState == "0A000", words.count == 3, words[0].hasPrefix("extension"),
      words[2].hasSuffix("not available")
    else { return nil }
    self.init(name: String(words[1]), major: major)
  }
}
