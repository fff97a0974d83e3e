import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What is seen of commands that take their time, on a terminal and elsewhere.
@Suite("Progress", .enabled(if: Screen.missing == nil, "\(Screen.missing ?? "")"))
struct ProgressTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private static let run = ["run", "cms-rvu", Sample.path, "--no-pager", "--no-color"]

  /// Whether the display of a run that is loading is on the screen, once, below all else.
  private static func isShown(_ lines: [String]) -> Bool {
    guard let head = lines.firstIndex(where: { $0.hasPrefix("cms-rvu 2025D: stage ") }) else { return false }
    let rows = lines[(head + 1)...]
    let names = rows.map { $0.split(separator: " ").first ?? "" }
    return names == ["pprrvu", "gpci", "locco", "anes", "oppscap"] && rows.allSatisfy { $0.hasPrefix("  ") }
      && !lines[..<head].contains { $0.hasPrefix("  ") || $0.contains("cms-rvu") }
  }

  @Test("of a run is right in any size, also when that changes, and below a warning; at the end it is gone")
  func run() throws {
    let held = try HeldCopy(desk.database)
    let screen = try Screen(held.program, Self.run)
    try #require(try held.isReached())
    let first = try screen.wait(for: "the display", Self.isShown)
    #expect(first.joined().contains("█"), "\(first)")
    let (narrow, wide) = (" 0 rej. done", " 0 rejected  done")
    for (columns, word) in [(60, narrow), (200, wide), (60, narrow), (80, "done")] {
      try screen.resize(columns: columns, rows: 24)
      let lines = try screen.wait(for: "the display in \(columns) columns") { lines in
        Self.isShown(lines) && lines.filter { $0.contains(word) }.count == 4
      }
      #expect(lines.suffix(6).allSatisfy { $0.count < columns }, "\(lines)")
    }
    // A lost connection is warned of while the sources are shown.
    try #require(try held.ends())
    let warned = try screen.wait(for: "the warning above the display") { lines in
      Self.isShown(lines) && lines.contains { $0.hasPrefix("warning: ") }
    }
    #expect(!warned.contains { $0.contains("warning: ") && !$0.hasPrefix("warning: ") }, "\(warned)")
    held.letGo()
    let last = try screen.wait(for: "the end") { $0.last == "ended 0" }
    #expect(!last.contains { $0.hasPrefix("cms-rvu 2025D: stage ") }, "\(last)")
  }

  @Test(
    "is not shown where nobody wants it",
    arguments: [["--progress", "none"], ["--quiet"], ["--progress", "plain"], ["--log-format", "json"]])
  func unwanted(options: [String]) throws {
    let held = try HeldCopy(desk.database)
    let screen = try Screen(held.program, Self.run + options)
    try #require(try held.isReached())
    // By then it would be there.
    usleep(800_000)
    #expect(try !screen.lines().contains { $0.contains("cms-rvu 2025D") })
    held.letGo()
    try screen.wait(for: "the end") { $0.last == "ended 0" }
  }

  @Test("where there is no terminal is a line now and then, of the log's form", arguments: ["text", "json"])
  func plain(form: String) throws {
    let held = try HeldCopy(desk.database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path, "--log-format", form])
    try #require(try started.says("cms-rvu 2025D: stage, 4 of 5 done, "))
    held.letGo()
    let outcome = try started.wait().succeeded()
    let lines = outcome.errors.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("4 of 5 done") })
    if form == "json" {
      for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      #expect(line.contains(#""level":"info""#))
      #expect(line.hasSuffix(#","pipeline":"cms-rvu","run":1,"stage":"stage"}"#), "\(line)")
    } else {
      #expect(line.hasPrefix("cms-rvu 2025D: stage, ") && line.contains(" rows, 0 rejected, "), "\(line)")
    }
  }

  @Test("of a migration says which it is, and how far the server has come with an index")
  func migration() throws {
    let folder = try Scratch()
    // In the middle of the table the index waits for somebody.
    try folder.write(
      "0001_table.sql",
      """
      -- rivulet:up
      CREATE TABLE public.long (n int, t text);
      INSERT INTO public.long SELECT n, repeat('x', 1000) FROM generate_series(1, 1000) n;
      CREATE FUNCTION public.held(n int) RETURNS int IMMUTABLE SET lock_timeout = 0 LANGUAGE plpgsql AS $$
      BEGIN
        IF n = 500 THEN PERFORM pg_advisory_xact_lock_shared(4712); END IF;
        RETURN n;
      END $$;
      """)
    let index = "ON public.long (public.held(n));\n"
    try folder.write("0002_index.sql", "-- rivulet:up\nCREATE INDEX long_n \(index)")
    try folder.write("0003_more.sql", "-- rivulet:up\nSELECT 1;\nCREATE INDEX CONCURRENTLY long_m \(index)")
    let database = try TestServer.shared.makeDatabase()
    let holder = try database.connect()
    try holder.execute("SELECT pg_advisory_lock(4712)")
    let screen = try Screen(
      Program(database: database.url), ["migrate", "up", "--dir", folder.path, "--no-color"])
    func isShown(_ lines: [String], _ done: Int, _ task: String, _ command: String) -> Bool {
      guard let head = lines.firstIndex(where: { $0.hasPrefix("migrations: \(done) of 3 done, ") }),
        lines.count == head + 3
      else { return false }
      let share = lines[head + 2].firstMatch(of: /(\d+)%  scanning table$/).flatMap { Int($0.1) }
      return lines[head + 1].hasPrefix(task) && lines[head + 2].hasPrefix("  \(command) █")
        && (40...60).contains(share ?? 0)
    }
    try #require(try database.findsWaiter(forLock: 4712))
    try screen.wait(for: "the index") { isShown($0, 1, "up 0002 index: ", "create index") }
    try holder.execute("SELECT pg_advisory_unlock(4712); SELECT pg_advisory_lock(4712)")
    try screen.wait(for: "the second index") {
      isShown($0, 2, "up 0003 more: statement 2 of 2, ", "create index concurrently")
    }
    try holder.execute("SELECT pg_advisory_unlock(4712)")
    let last = try screen.wait(for: "the end") { $0.last == "ended 0" }
    #expect(!last.contains { $0.hasPrefix("migrations: ") }, "\(last)")
  }

  @Test("of a refresh says which view it is")
  func refresh() throws {
    let (database, program) = try Loaded.sample()
    let holder = try database.connect()
    try holder.execute("BEGIN; LOCK TABLE cms.rvu IN ACCESS EXCLUSIVE MODE")
    let screen = try Screen(program, ["refresh", "mart.rvu_by_status", "--full", "--no-pager"])
    try screen.wait(for: "the view") { $0.last?.hasPrefix("mart.rvu_by_status: ") == true }
    try holder.execute("ROLLBACK")
    try screen.wait(for: "the end") { $0.last == "ended 0" }
  }

  @Test("of a sample says how much of each file is written")
  func sample() throws {
    let screen = try Screen(
      desk.program, ["sample", "cms-rvu", "-o", desk.path("large.zip"), "--rows", "500000", "--no-color"])
    try screen.wait(for: "the files") { lines in
      lines.count == 6 && lines[0].hasPrefix("sample 2025D: ") && lines[1].hasPrefix("  PPRRVU2025_Oct.csv ")
        && lines[1].contains(" rows/s  ") && lines[2...].allSatisfy { $0.hasSuffix("  waiting") }
    }
  }
}
