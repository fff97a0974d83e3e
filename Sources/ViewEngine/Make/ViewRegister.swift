import PostgreSQL

/// The views that were made, whether or not they are still there.
struct ViewRegister {
  private let rows: [String: (hash: String, isWhole: Bool, isThere: Bool)]
  /// Their names, sorted.
  let names: [String]

  init(on connection: Connection) throws {
    let found = try connection.query(
      """
      SELECT name, definition_hash, to_regclass(name) IS NOT NULL
        AND (strategy = 'live' OR to_regclass('rivulet.view_' || number) IS NOT NULL), to_regclass(name) IS NOT NULL
      FROM rivulet.view ORDER BY name
      """)
    rows = Dictionary(
      uniqueKeysWithValues: try found.rows.map {
        (try $0.value(0), (try $0.value(1), try $0.value(2), try $0.value(3)))
      })
    names = rows.keys.sorted()
  }

  /// The hash of the definition that a view was made from; nil where it was not made, or somebody has dropped it since.
  func hash(of name: String) -> String? { rows[name].flatMap { $0.isWhole ? $0.hash : nil } }

  /// Whether a view has its rows and lacks what ties them to their sources, and was made from a definition.
  func isUntied(_ name: String, definedAs hash: String) -> Bool {
    rows[name].map { $0.isThere && !$0.isWhole && $0.hash == hash } ?? false
  }
}
