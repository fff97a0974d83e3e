import Foundation
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// Readers of a cluster while releases are published, workers that are stopped at once, and programs that are killed.
@Suite("A cluster of Citus", .needsCitus, .serialized)
struct CitusFaultTests {
  /// A database of the cluster with two revisions of a release, and the program with it.
  private func loaded() throws -> (TestDatabase, Program) {
    let database = try CitusServer.stopped.makeDatabase()
    let program = Program(database: database.url)
    try program.run("migrate", "up").succeeded()
    for rows in [300, 310] { try program.run(Self.load(rows)).succeeded() }
    return (database, program)
  }

  /// Lets changes wait for the views over facts, after which they hold what they held before.
  private func changeFacts(_ database: TestDatabase) throws {
    for sign in ["+", "-"] {
      try database.connect().execute("UPDATE facts.procedure SET units = units \(sign) 1")
    }
  }

  private static func load(_ rows: Int) throws -> [String] {
    [
      "run", "nppes", try Samples.make("nppes", rows: rows, release: "nppes-2025-10"), "--force", "--accept",
      "row-change-locations",
    ]
  }

  @Test(
    "shows readers one revision or the other in a thousand reads on each of two nodes over fifty publications"
  )
  func readers() throws {
    let (database, program) = try loaded()
    let nodes = [
      "coordinator": database.target, "worker": try CitusServer.stopped.nodes()[1].database(database.name),
    ]
    // Rows of tables that are published together.
    let sizes = """
      SELECT concat_ws(' ', (SELECT count(*) FROM directory.provider), (SELECT count(*) FROM directory.provider_name),
        (SELECT count(*) FROM directory.provider_address))
      """
    var expected: Set<String> = [try database.value(sizes) ?? ""]
    try program.run("releases", "rollback", "nppes", "--lock-wait", "120").succeeded()
    expected.insert(try database.value(sizes) ?? "")
    try program.run("releases", "publish", "nppes", "nppes-2025-10", "--lock-wait", "120").succeeded()
    try #require(expected.contains { $0.hasPrefix("300 ") } && expected.contains { $0.hasPrefix("310 ") })
    let isDone = Mutex(false)
    let counts = Mutex<[String: [String: Int]]>([:])
    func reads(on node: String) -> Int { counts.withLock { $0[node, default: [:]].values.reduce(0, +) } }
    let readers = nodes.map { node, target in
      Background {
        let connection = try Connection(to: target)
        while !isDone.withLock({ $0 }) {
          let found = try connection.query(sizes)[0][0] ?? ""
          counts.withLock { $0[node, default: [:]][found, default: 0] += 1 }
        }
      }
    }
    defer { isDone.withLock { $0 = true } }
    let deadline = Date.now + 900
    for publication in 1...50 {
      let words = publication % 2 == 1 ? ["rollback", "nppes"] : ["publish", "nppes", "nppes-2025-10"]
      try program.run(["releases"] + words + ["--lock-wait", "120"]).succeeded()
      // None of them is left to publications that came before most of the reads, or after them.
      while nodes.keys.contains(where: { reads(on: $0) < 20 * publication }), Date.now < deadline {
        usleep(1_000)
      }
    }
    isDone.withLock { $0 = true }
    for reader in readers { try reader.wait() }
    let found = counts.withLock { $0 }
    for node in nodes.keys {
      #expect(reads(on: node) >= 1_000, "\(node): \(found)")
      #expect(Set(found[node, default: [:]].keys) == expected, "\(node): \(found)")
    }
  }

  /// What is at work when a worker is stopped, or the program killed.
  enum Work: String, CaseIterable, Sendable {
    case load = "`run` on a cluster"
    case publication = "`releases publish` on a cluster"
    case migration = "`migrate up` that distributes tables"
    case refresh = "`refresh` on a cluster"
    case move = "`cluster distribute`"
  }

  @Test(
    "loses nothing where a worker is stopped or the program killed, and the next command is right",
    .needsOwnCitus, arguments: Work.allCases)
  func stopped(work: Work) throws {
    let (database, program) = try loaded()
    let words: [String] =
      switch work {
      case .load: try Self.load(310)
      case .publication: ["releases", "publish", "nppes", "nppes-2025-10", "--revision", "2"]
      case .migration: ["migrate", "up"]
      case .refresh: ["refresh"]
      case .move: ["cluster", "distribute"]
      }
    if work == .refresh {
      try program.run("run", "hospital-facts", Samples.make("hospital-facts", rows: 2_000)).succeeded()
    }
    func prepare() throws {
      switch work {
      case .publication: try program.run("releases", "rollback", "nppes", "--lock-wait", "120").succeeded()
      case .migration: try program.run("migrate", "down", "--to", "0059", "--yes").succeeded()
      case .refresh: try changeFacts(database)
      case .move: try again(program, ["cluster", "undistribute"], work)
      case .load: break
      }
    }
    var expected = try Contents.of(database)
    // It names the file of each row, and what is loaded again is another file.
    if work == .load { expected["directory.practice"] = nil }
    try prepare()
    var numbers = RandomNumbers(seed: Seed.announced("a worker that is stopped during \(work.rawValue)"))
    let started = Date.now
    try program.run(words).succeeded()
    let window = Date.now.timeIntervalSince(started)
    for trial in 0..<6 {
      try prepare()
      let victim = try program.start(words)
      usleep(UInt32(window * 1e6 * Double(numbers.below(1_000)) / 1_000))
      let isKill = trial % 2 == 1
      if isKill {
        victim.signal(SIGKILL)
        _ = try victim.wait()
      } else {
        let worker = 1 + trial / 2 % 2
        let process = try #require(CitusServer.stopped.process(ofWorker: worker))
        kill(process, SIGQUIT)
        let status = try victim.wait().status
        #expect([0, 1, 4].contains(status), "\(status)")
        while kill(process, 0) == 0 { usleep(2_000) }
        try CitusServer.stopped.start(worker: worker)
      }
      try again(program, words, work)
      let found = try Contents.of(database)
      let lost = expected.filter { found[$0.key] != $0.value }.keys.sorted()
      #expect(lost == [], "trial \(trial)")
      Reliability.record(isKill ? .kill : .crash, work.rawValue, lost: lost.count)
    }
  }

  @Test("says which worker does not answer, and who needs what lies there says how to go on", .needsOwnCitus)
  func silent() throws {
    let (_, program) = try loaded()
    #expect(try Diagnosed(program, ["cluster"]).only("cluster").state == "ok")
    try program.run("cluster", "status", "--check").succeeded()
    let process = try #require(CitusServer.stopped.process(ofWorker: 2))
    kill(process, SIGQUIT)
    while kill(process, 0) == 0 { usleep(2_000) }
    try program.run("cluster", "status", "--check").failed(5)
    let status = try program.run("cluster", "status", "--format", "json").succeeded()
    #expect(try status.at("nodes/0/answers", "nodes/1/answers", "nodes/2/answers") == "true true false")
    let found = try Diagnosed(program)
    let away = try found.only("cluster")
    #expect(away.state == "error" && away.fix?.hasPrefix("pg_isready -h ") == true, "\(away)")
    #expect(try found.only("queues").found.hasSuffix("or a server of the cluster does not answer"))
    let hint = "'rivulet cluster status' says to which"
    try program.run("query", "provider", "--taxonomy", "2").failed(1, saying: hint)
    try program.run("views", "list").failed(1, saying: hint)
    try CitusServer.stopped.start(worker: 2)
    #expect(try Diagnosed(program, ["cluster"]).only("cluster").state == "ok")
    try program.run("query", "provider", "--taxonomy", "2").succeeded()
  }

  /// The same command once more; where a worker has a transaction to end first, which Citus does within a minute, it
  /// says so and is given again.
  private func again(_ program: Program, _ words: [String], _ work: Work) throws {
    let deadline = Date.now + 600
    while true {
      let outcome = try program.run(words)
      if outcome.status == 0 { return }
      // What was done when its worker went is not done twice.
      if work == .publication, outcome.errors.contains("is published") { return }
      try #require(Date.now < deadline, "\(outcome.errors)\(outcome.output)")
      sleep(2)
    }
  }
}
