import TestSupport
import Testing

@Suite("Files that amend a release")
struct AmendmentTests {
  private let own: OwnDataset

  init() throws {
    own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n"])
    try own.write("one", ["FIX1_25A_.csv": "a,first"])
    try own.write("two", ["FIX2_25A_.csv": "b,second"])
  }

  private func expectWords(_ words: String, place: SourceLocation = #_sourceLocation) throws {
    let found = try own.value("SELECT string_agg(words, ' ' ORDER BY code) FROM own.item")
    #expect(found == words, sourceLocation: place)
  }

  @Test(
    "are not replaced by an earlier one, nor applied where nobody has the release as it was without others")
  func order() throws {
    try own.write("both/items25a", ["ITEM.csv": "a,3,new,1,,m\nb,3,new,1,,n", "FIX1_25A_.csv": "a,first"])
    #expect(try own.run("one").errors.contains("2025A is not published"))
    for (folder, result) in [("items25a", "old old"), ("one", "first old"), ("two", "old second")] {
      try own.run(folder).succeeded()
      try expectWords(result)
    }
    try own.run("one").failed(3, saying: "FIX2_25A_.csv, which is later than FIX1_25A_.csv")
    try expectWords("old second")
    try own.run("one", options: ["--force"]).succeeded()
    try expectWords("first old")
    // Together with the release nobody knows what it was before.
    try own.run("both/items25a", options: ["--force"]).succeeded()
    try expectWords("first new")
    try own.run("two").failed(3, saying: "2025A was loaded together with FIX1_25A_.csv")
    try expectWords("first new")
  }

  @Test("stay where the revision that they corrected is dropped, and the next asks for a new one")
  func dropped() throws {
    try own.run("items25a").succeeded()
    try own.run("one").succeeded()
    try own.command("releases", "drop", "items", "2025A", "--revision", "1").succeeded()
    try expectWords("first old")
    #expect(
      try own.value("SELECT count(*) FROM own.item JOIN rivulet.source_file USING (source_file_id)") == "2")
    try own.run("two").failed(3, saying: "load it")
    try expectWords("first old")
    try own.run("items25a", options: ["--force"]).succeeded()
    try own.run("two").succeeded()
    try expectWords("old second")
    #expect(try own.leftovers() == "0")
  }
}
