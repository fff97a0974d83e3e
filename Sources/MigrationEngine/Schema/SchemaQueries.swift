/// The queries of a snapshot.
///
/// Each takes the makers' names as `$1`, unless it has no use for them. Each but ``objects`` answers rows of:
/// the catalog's number, the object's number, what is said something about, whether that is a member, what is
/// said, and a relation without which it is not said. Objects that come with PostgreSQL have numbers under
/// 16384.
enum SchemaQueries {
  /// The number of `pg_class`, the same in every database.
  static let relationCatalog = 1259

  /// What is said of objects.
  static let all = [
    relations, columns, constraints, indexes, sequences, programs, types, operators, textSearch, foreign,
    publications,
    others, owners, grants, comments,
  ]
}
