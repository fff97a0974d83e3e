import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Child tables that the server refuses")
struct ChildTableTests {
  @Test("refuse the release by their own name and line, and leave nothing")
  func refused() throws {
    let own = try OwnDataset()
    func random(_ length: Int) -> String {
      String((0..<length).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "x" })
    }
    func wide(_ words: String, _ mark: String) -> String {
      "a,3,one,1,,m\nb,3,\(words),2,,\(mark)\nc,3,three,2,,o"
    }
    let place = "ITEM.csv: the row of line 3 of what was sent to own."
    let (short, long) = (random(4_000), random(30_000))
    for (records, words, withheld) in [
      ("a,3,one,1,,m\nb,3,two,5000,,n", ["of what was sent to own.price was refused"], "5000"),
      ("a,3,one,1,,m\na,3,two,2,,n", ["unique-key-items"], "5000"),
      ("a,3,one,1,,m\nb,3,two,2,,m", ["unique-key-items: 1 found"], "5000"),
      // What an index has no room for.
      (
        wide("two", short),
        [place + "mark was refused: index row ", ", in an index on release, mark (54000)"],
        String(short.prefix(20))
      ),
      (
        wide("two", long),
        [place + "mark was refused: index row ", ", in an index on release, mark (54000)"],
        String(long.prefix(20))
      ),
      (wide(short, "n"), [place + "item was refused: index row ", "(54000)"], String(short.prefix(20))),
    ] {
      if records.contains(short + ",2") {
        try own.database.connect().execute("CREATE INDEX ON own.item ((words || '.'))")
      }
      try own.write("items25a", ["ITEM.csv": records])
      let run = try own.run("items25a").failed(3).withholding(withheld)
      for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
      if records.contains(short + ",2") { run.withholding(", in an index on release, mark") }
      #expect(try own.leftovers() == "0")
    }
    #expect(
      try own.value("SELECT DISTINCT state || (error LIKE '%5000%') FROM rivulet.run") == "refusedfalse")
  }

  @Test("fail the run, and blame no row, where their connection is cancelled in the middle")
  func cancelled() throws {
    let own = try OwnDataset()
    let rows = (0..<300_000).map { "c\($0),3,words of some length,1,2,m\($0)" }.joined(separator: "\n")
    try own.write("items25a", ["ITEM.csv": rows])
    let started = try own.start("items25a")
    #expect(
      try own.database.finds(
        """
        SELECT pg_cancel_backend(a.pid) FROM pg_stat_activity a JOIN pg_stat_progress_copy p USING (pid)
        WHERE a.datname = current_database() AND a.query LIKE 'COPY%"mark%' AND p.tuples_processed > 1000
        """))
    try started.wait().failed(1, saying: "57014").withholding("was refused")
    #expect(try own.leftovers() == "0")
  }
}
