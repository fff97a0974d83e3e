import Definitions
import PostgreSQL

extension StoredSums {
  /// What is stored of a view that was made; nil where its changes are not added up.
  ///
  /// `types`: those of the table's columns, where they are known already.
  /// - Throws: ``RefreshError`` where its definition is another by now; `PostgreSQLError`.
  static func known(
    of registered: RegisteredView, _ view: ViewDefinition, types: [String: ColumnType]? = nil,
    on connection: Connection
  ) throws -> StoredSums? {
    guard let source = registered.added else { return nil }
    guard var shape = try? SumsShape(view, of: source.name) else { throw RefreshError.outOfStep(view.name) }
    if source.adds == .rows { shape = shape.addingRows(because: "") }
    return try StoredSums(shape, number: registered.number, types: types, on: connection)
  }
}
