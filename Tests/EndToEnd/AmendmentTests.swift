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
      try own.run(folder).succeeded()
      #expect(try words(own) == result)
    }
    try own.run("one").failed(3, saying: "FIX2_25A_.csv, which is later than FIX1_25A_.csv")
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
    try own.run("two").failed(3, saying: "2025A was loaded together with FIX1_25A_.csv")
    #expect(try words(own) == "first new")
  }
}
