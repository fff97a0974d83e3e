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

  @Test("agree before the release is amended")
  func amended() throws {
    let own = try OwnDataset()
    try own.write(
      "items25a",
      [
        "ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n", "FIX1_25A_.csv": "a,first",
        "ITEM.txt": [record("a", "old", mark: "m"), record("b", "old", mark: "n")].joined(separator: "\n"),
      ])
    let run = try own.run("items25a", options: ["--cross-check"]).succeeded()
    #expect(!(run.output + run.errors).contains("words"), "\(run.output + run.errors)")
  }

  @Test(
    "show no value of a layout with sensitive columns: not in differences, not in keys, not of code lists")
  func sensitive() throws {
    let own = try OwnDataset(isSensitive: true)
    try own.write(
      "items25a",
      [
        "ITEM.csv": "zzz1,3,zzz5,1,,zzz2\nzzz3,3,old,2,,zzz4",
        "ITEM.txt": [record("zzz1", "zzz6", mark: "z"), record("zzz3", "old", price: "765.43", mark: "z")]
          .joined(separator: "\n"),
      ])
    for options in [["--cross-check"], ["--cross-check", "--format", "json"], []] {
      let run = try own.run("items25a", options: options)
      let found = run.output + run.errors
      #expect(run.status == (options.isEmpty ? 0 : 3), "\(found)")
      #expect(found.contains("price") || options.isEmpty, "\(found)")
      #expect(
        found.contains("mark: 2 records have a value that the code list 'marks' lacks") || !options.isEmpty,
        "\(found)")
      #expect(!found.contains("zzz") && !found.contains("765.43"), "\(found)")
    }
  }

  @Test("do not agree where one has a row twice, even the same row, or a record is refused")
  func repeated() throws {
    let own = try OwnDataset()
    try own.write(
      "items25a",
      [
        "ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n",
        "ITEM.txt": [
          record("a", "old", mark: "m"), record("b", "old", mark: "n"), record("b", "old", mark: "n"),
        ]
        .joined(separator: "\n"),
      ])
    let run = try own.run("items25a", options: ["--cross-check"]).failed(3)
    // The row itself, and those of its two child tables.
    #expect(run.errors.contains("cross-check-items-txt: 3 found"), "\(run.errors)")
    try own.write(
      "items25b",
      [
        "ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n",
        "ITEM.txt": [
          record("a", "old", mark: "m"), record("b", "old", mark: "n"),
          record("c", "old", price: "x", mark: " "),
        ].joined(separator: "\n"),
      ])
    let refused = try own.run("items25b", options: ["--cross-check"]).failed(3)
    #expect(refused.output.contains("1 records of the txt were refused"), "\(refused.output)")
    #expect(refused.output.contains("ITEM.txt:3, price: the value is not a plain decimal"))
    // Reported, and not kept.
    #expect(try own.database.value("SELECT count(*) FROM rivulet.reject") == "0")
    #expect(try own.leftovers() == "0")
  }
}
