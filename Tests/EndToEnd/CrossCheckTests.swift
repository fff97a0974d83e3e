import TestSupport
import Testing

@Suite("Formats of one bundle that are compared")
struct CrossCheckTests {
  private func record(_ code: String, _ words: String, price: String = "1", mark: String) -> String {
    func pad(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: width - text.utf8.count)
    }
    return pad(code, 4) + "3" + pad(words, 15) + pad(price, 20) + mark
  }

  @Test("agree before the release is amended, and not where one has a row twice or a record is refused")
  func agreement() throws {
    let own = try OwnDataset()
    let (a, b) = (record("a", "old", mark: "m"), record("b", "old", mark: "n"))
    for (folder, records) in [
      ("items25a", [a, b]), ("items25b", [a, b, b]),
      ("items25c", [a, b, record("c", "old", price: "x", mark: " ")]),
    ] {
      try own.write(
        folder, ["ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n", "ITEM.txt": records.joined(separator: "\n")])
    }
    try own.write("items25a", ["FIX1_25A_.csv": "a,first"])
    try own.run("items25a", options: ["--cross-check"]).succeeded().withholding("words")
    // The row itself, even the same, and those of its two child tables.
    try own.run("items25b", options: ["--cross-check"]).failed(3, saying: "cross-check-items-txt: 3 found")
    let refused = try own.run("items25c", options: ["--cross-check"]).failed(3)
    #expect(refused.output.contains("1 records of the txt were refused"), "\(refused.output)")
    #expect(refused.output.contains("ITEM.txt:3, price: the value is not a plain decimal"))
    // Reported, and not kept.
    #expect(try own.value("SELECT count(*) FROM rivulet.reject") == "0")
    #expect(try own.leftovers() == "0")
  }

  @Test(
    "show no value of a layout with sensitive columns: not in differences, not in keys, not of code lists")
  func sensitive() throws {
    let own = try OwnDataset(isSensitive: true)
    let records = [record("zzz1", "zzz6", mark: "z"), record("zzz3", "old", price: "765.43", mark: "z")]
    try own.write(
      "items25a",
      [
        "ITEM.csv": "zzz1,3,zzz5,1,,zzz2\nzzz3,3,old,2,,zzz4", "ITEM.txt": records.joined(separator: "\n"),
      ])
    for options in [["--cross-check"], ["--cross-check", "--format", "json"]] {
      let run = try own.run("items25a", options: options).failed(3).withholding("zzz", "765.43")
      #expect((run.output + run.errors).contains("price"))
    }
    let run = try own.run("items25a").succeeded().withholding("zzz", "765.43")
    #expect(
      (run.output + run.errors).contains(
        "mark: 2 records have a value that the code list 'marks' lacks"))
  }
}
