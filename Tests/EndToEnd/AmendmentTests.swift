import TestSupport
import Testing

@Suite("Files that amend a release")
struct AmendmentTests {
  private static let items = "a,3,old,1,,m\nb,3,old,1,,n"

  private func words(_ own: OwnDataset) throws -> String? {
    try own.database.value("SELECT string_agg(words, ' ' ORDER BY code) FROM own.item")
  }

  @Test("are not replaced by an earlier one unless that is asked for")
  func earlier() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": Self.items])
    try own.write("one", ["FIX1_25A_.csv": "a,first"])
    try own.write("two", ["FIX2_25A_.csv": "b,second"])
    #expect(try own.run("one").errors.contains("2025A is not published"))
    for (folder, result) in [("items25a", "old old"), ("one", "first old"), ("two", "old second")] {
      let run = try own.run(folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try words(own) == result)
    }
    let refused = try own.run("one")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("FIX2_25A_.csv, which is later than FIX1_25A_.csv"), "\(refused.errors)")
    #expect(try words(own) == "old second")
    #expect(try own.run("one", options: ["--force"]).status == 0)
    #expect(try words(own) == "first old")
  }

  @Test("are refused where nobody has the release as it was without others")
  func together() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": Self.items])
    try own.write("both/items25a", ["ITEM.csv": "a,3,new,1,,m\nb,3,new,1,,n", "FIX1_25A_.csv": "a,first"])
    try own.write("two", ["FIX2_25A_.csv": "b,second"])
    for folder in ["items25a", "both/items25a"] { #expect(try own.run(folder).status == 0) }
    #expect(try words(own) == "first new")
    let refused = try own.run("two")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("2025A was loaded together with FIX1_25A_.csv"), "\(refused.errors)")
    #expect(try words(own) == "first new")
  }

  @Test("of another release are refused beside it")
  func otherRelease() throws {
    let own = try OwnDataset()
    try own.write("folder", ["ITEM_25A_.csv": Self.items, "FIX1_24A_.csv": "a,first"])
    let run = try own.run("folder")
    #expect(run.status == 3)
    #expect(run.errors.contains("names two releases, 2025A and 2024A"), "\(run.errors)")
  }

  @Test("tell of a key that is there twice by the rule for keys")
  func duplicates() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,old,,,\na,3,old,,,", "FIX1_25A_.csv": "a,first"])
    let run = try own.run("items25a")
    #expect(run.status == 3)
    #expect(run.errors.contains("unique-key-items: 1 found"), "\(run.errors)")
  }
}
