import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Child tables that the server refuses")
struct ChildTableTests {
  @Test("refuse the release by their own name, and leave nothing")
  func refused() throws {
    let own = try OwnDataset()
    for (records, reason) in [
      ("a,3,one,1,,m\nb,3,two,5000,,n", "of what was sent to own.price was refused"),
      ("a,3,one,1,,m\na,3,two,2,,n", "unique-key-items"),
      ("a,3,one,1,,m\nb,3,two,2,,m", "unique-key-items: 1 found"),
    ] {
      try own.write("items25a", ["ITEM.csv": records])
      let run = try own.run("items25a").failed(3)
      #expect(run.errors.contains(reason) && !run.errors.contains("5000"), "\(run.errors)")
      #expect(try own.leftovers() == "0")
    }
    #expect(
      try own.database.value("SELECT DISTINCT state || (error LIKE '%5000%') FROM rivulet.run")
        == "refusedfalse")
  }

  @Test(
    "refuse the release by the line of a row that an index of theirs has no room for",
    arguments: [(4_000, false), (30_000, false), (4_000, true)])
  func wide(length: Int, isOnExpression: Bool) throws {
    let own = try OwnDataset()
    let value = String(
      (0..<length).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "x" })
    if isOnExpression { try own.database.connect().execute("CREATE INDEX ON own.item ((words || '.'))") }
    let (words, mark) = isOnExpression ? (value, "n") : ("two", value)
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\nb,3,\(words),2,,\(mark)\nc,3,three,2,,o"])
    let run = try own.run("items25a").failed(3)
    let table = isOnExpression ? "own.item" : "own.mark"
    #expect(
      run.errors.contains("ITEM.csv: the row of line 3 of what was sent to \(table) was refused: index row ")
        && run.errors.contains("(54000)"), "\(run.errors)")
    #expect(run.errors.contains(", in an index on release, mark (54000)") == !isOnExpression, "\(run.errors)")
    #expect(!run.errors.contains(value.prefix(20)))
    #expect(try own.leftovers() == "0")
    #expect(try own.database.value("SELECT state FROM rivulet.run") == "refused")
  }

  @Test("fail the run, and blame no row, where their connection is cancelled in the middle")
  func cancelled() throws {
    let own = try OwnDataset()
    let rows = (0..<300_000).map { "c\($0),3,words of some length,1,2,m\($0)" }.joined(separator: "\n")
    try own.write("items25a", ["ITEM.csv": rows])
    let started = try own.start("items25a")
    let other = try own.database.connect()
    let deadline = Date.now.addingTimeInterval(30)
    var hit = false
    while !hit, Date.now < deadline {
      hit =
        try other.execute(
          """
          SELECT pg_cancel_backend(a.pid) FROM pg_stat_activity a JOIN pg_stat_progress_copy p USING (pid)
          WHERE a.datname = current_database() AND a.query LIKE 'COPY%"mark%' AND p.tuples_processed > 1000
          """
        ).count > 0
      usleep(2_000)
    }
    #expect(hit)
    let outcome = try started.wait()
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("57014") && !outcome.errors.contains("was refused"), "\(outcome.errors)")
    #expect(try own.leftovers() == "0")
  }
}
