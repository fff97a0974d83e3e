import PostgreSQL
import TestSupport
import Testing

/// A dataset of our own with stored views of each kind: by the release, by a column of its rows, by what is
/// current.
struct OwnViews {
  static let files = [
    "own.by_release": OwnProject.view(
      by: "release", of: "own.item",
      "SELECT release, count(*) AS items FROM {keys} k JOIN own.item i USING (release) GROUP BY 1"),
    "own.by_words": OwnProject.view(
      by: "words", of: "own.item",
      "SELECT words, count(*) AS items FROM {keys} k JOIN own.item i USING (words) GROUP BY 1"),
    "own.current": OwnProject.view(
      by: "code",
      "SELECT i.code, i.words FROM own.item i JOIN rivulet.current_release c USING (release) WHERE c.pipeline = 'items'"
    ),
    "own.top": OwnProject.view(by: "", "SELECT count(*) AS words FROM own.by_words"),
    "own.now": """
    /* rivulet view
    strategy: live
    description: All items
    */
    SELECT code, words FROM own.item
    """,
  ]

  let own: OwnDataset
  var database: TestDatabase { own.database }

  init() throws {
    own = try OwnDataset()
    for (name, text) in Self.files { try write(name, text) }
    try make()
  }

  /// Writes the definition of a view.
  func write(_ name: String, _ text: String) throws {
    try own.scratch.write("Pipelines/items/views/\(name).sql", text)
  }

  /// Makes views as they are defined now.
  func make() throws { try own.command("migrate", "up").succeeded() }

  /// Writes a bundle of items with words: `a001 first` is one.
  func bundle(_ bundle: String, _ items: String...) throws {
    let rows = items.map { $0.split(separator: " ") }.map { "\($0[0]),1,\($0[1]),1.00,," }
    try own.write(bundle, ["ITEM.csv": rows.joined(separator: "\n")])
  }

  /// The marks that wait, `view source release? partition? reason`, in order, with the number of a table's
  /// run left out; they are forgotten then, as if all had been refreshed, unless they are to be kept.
  func marks(keeping isKept: Bool = false) throws -> [String] {
    let marks = try database.rows(
      """
      SELECT concat_ws(' ', replace(view, 'own.', ''), replace(source, 'own.', ''), release,
        CASE WHEN partition IS NOT NULL THEN 'revision ' || coalesce((SELECT t.revision::text FROM rivulet.release_table t
          WHERE t.partition = m.partition), 'gone') END, '(' || reason || ')')
      FROM rivulet.view_mark m ORDER BY 1
      """)
    if !isKept { try database.connect().execute("DELETE FROM rivulet.view_mark") }
    return marks
  }

  /// Compares stored views with what their SELECT gives now: those differ that are named, no others.
  func expectExact(but wrong: String..., at place: SourceLocation = #_sourceLocation) throws {
    let connection = try database.connect()
    let views = try connection.execute(
      "SELECT name, number FROM rivulet.view WHERE strategy <> 'live' ORDER BY name")
    let found = try views.rows.compactMap { row in
      let (name, number) = (try row.value(0, String.self), try row.value(1, String.self))
      let found = try connection.execute(
        """
        SELECT FROM (SELECT s::text FROM \(name) s EXCEPT ALL SELECT n::text FROM rivulet.view_\(number) n) a
        UNION ALL SELECT FROM (SELECT n::text FROM rivulet.view_\(number) n EXCEPT ALL SELECT s::text FROM \(name) s) b
        """)
      return found.count > 0 ? name : nil
    }
    #expect(found == wrong, sourceLocation: place)
  }
}
