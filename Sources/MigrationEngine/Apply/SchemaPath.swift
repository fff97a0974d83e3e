import PostgreSQL

/// Where unqualified names of migrations lead.
///
/// To a role named rivulet our own schema is `"$user"`: what a migration does not qualify must not land
/// there.
final class SchemaPath {
  private let connection: Connection
  private var isKnown = false
  private var without: String?

  init(_ connection: Connection) { self.connection = connection }

  /// SQL that takes our own schema out of the path, with `LOCAL ` or nothing behind SET; empty where it is
  /// not in it.
  ///
  /// Asked once, of a session as it is without a migration's settings.
  func setting(_ scope: String) throws(PostgreSQLError) -> String {
    if !isKnown {
      without = try connection.query(
        """
        SELECT CASE WHEN current_schema() = 'rivulet' THEN coalesce(
          (SELECT string_agg(quote_ident(name), ', ' ORDER BY place)
           FROM unnest(current_schemas(false)) WITH ORDINALITY AS path(name, place) WHERE name <> 'rivulet'),
          'public') END
        """
      ).first?[0]
      isKnown = true
    }
    return without.map { "SET \(scope)search_path = \($0);" } ?? ""
  }
}
