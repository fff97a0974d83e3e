import PostgreSQL

/// An object as `pg_depend` names it: the catalog it is in and its number there.
struct CatalogAddress: Hashable {
  let catalog: String
  let number: String

  /// The number of `pg_class` in itself, the same on every server.
  static let relations = "1259"
}

extension CatalogAddress {
  /// The address in the first two columns of a row, or in two from `column` on.
  init(_ row: Row, at column: Int = 0) throws {
    self.init(catalog: try row.value(column), number: try row.value(column + 1))
  }
}
