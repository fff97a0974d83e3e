import PostgreSQL
import TestSupport
import Testing

/// PgBouncer before the server.
@Suite("Behind PgBouncer", .serialized)
struct PoolerTests {
  @Test("in session mode every command does its work, and leaves no lock in a session of the pool")
  func session() throws {
    let own = try OwnProject(NumberedPipelines.files(1))
    let releases = ["R202501", "R202502"]
    try NumberedPipelines.write(releases, in: own)
    let pooler = try PgBouncer(mode: "session", poolSize: 8, roundRobin: false, to: own.database)
    let program = Program(database: pooler.target.specification)
    for words in [
      ["migrate", "up"], ["run", "items1", own.path(releases[0])], ["run", "items1", own.path(releases[1])],
      ["releases", "rollback", "items1"], ["releases", "publish", "items1", "2025-02"], ["refresh"],
      ["migrate", "status"], ["nightly"],
    ] { try program.run(words + own.project).succeeded() }
    try NumberedPipelines.expectExact(own, "items1", releases: releases)
  }

  @Test(
    "in transaction mode a run, a move of a release and a refresh are refused before they change anything",
    arguments: [true, false])
  func transaction(roundRobin: Bool) throws {
    let own = try OwnProject(NumberedPipelines.files(1))
    try NumberedPipelines.write(["R202501", "R202502"], in: own)
    try own.command("migrate", "up").succeeded()
    try own.load("items1", "R202501").succeeded()
    let pooler = try PgBouncer(mode: "transaction", poolSize: 4, roundRobin: roundRobin, to: own.database)
    let program = Program(database: pooler.target.specification)
    for words in [
      ["run", "items1", own.path("R202502")], ["releases", "rollback", "items1"], ["refresh"],
      ["migrate", "up"],
      ["migrate", "down", "--to", "0", "--yes"], ["nightly"],
    ] {
      try program.run(words + own.project).failed(1, saying: "session mode")
    }
    try NumberedPipelines.expectExact(own, "items1", releases: ["R202501"])
    #expect(try own.value("SELECT count(*) FROM rivulet.run") == "1")
  }
}
