import TestSupport
import Testing

@Suite("Records that continue others")
struct ContinuationTests {
  @Test(
    "are joined, and refused where the record that they continue is another one or none, or the file ends")
  func lone() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\na,4,two,,,\na,4,three,,,\nb,3,four,1,,n"])
    try own.run("items25a").succeeded()
    #expect(try own.value("SELECT words FROM own.item WHERE code = 'a'") == "one two three")
    // The record of c is missing.
    try own.write("items25b", ["ITEM.csv": "a,3,one,1,,m\nc,4,two,,,\na,4,three,,,"])
    try own.run("items25b").failed(
      3, saying: "ITEM.csv:3: the record continues one that was refused or is not there")
    try own.run("items25b", options: ["--max-rejects", "1"]).succeeded()
    #expect(
      try own.value("SELECT words FROM own.item WHERE code = 'a' AND release = '2025B'") == "one three")
    let more = String(repeating: "a   4more                     \n", count: 3)
    for (path, text) in [
      ("items25c/ITEM.csv", OwnDataset.header + "a,3,one,1,,m\na,4,tw"),
      ("items25d/ITEM.txt", "a   3one            1                   m\n\(more)a   4mo"),
    ] {
      try own.scratch.write(path, text)
      try own.run(String(path.prefix(8))).failed(3, saying: "1 of ")
    }
  }

  @Test("are refused with the record, in memory of its size, where it would grow without end")
  func endless() throws {
    let own = try OwnDataset()
    let more = String(repeating: "a,4,\(String(repeating: "x", count: 80)),,,\n", count: 30_000)
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\n\(more)b,3,four,1,,n"])
    try own.run("items25a").failed(
      3, saying: "ITEM.csv:2: the record is longer than a record may be with those that")
    #expect(try own.value("SELECT max(records_read) FROM rivulet.source_file") == "30002")
  }
}
