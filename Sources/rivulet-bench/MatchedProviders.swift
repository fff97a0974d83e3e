import Host
import PostgreSQL

/// How well, and how fast, records of a payer's list are found in NPPES.
///
/// `Benchmarks/matching/lists.py` makes the list from a sample of NPPES with a seed: people of the sample, each
/// written in another way (eleven kinds), and strangers, who were taken out of it, some of them where somebody
/// of it works or with a name of it.
enum MatchedProviders {
  private static let database = "bench_matching"
  /// How many people are written otherwise, and how many are strangers.
  private static let (perturbed, strange) = (600, 500)
  private static let providers = "npidata_pfile_20050523-20251109.csv"
  private static let list = "alder-plan-2025-11-15.csv"
  private static let view = "SELECT * FROM directory.provider_match"

  /// A hundred thousand records against as many, in seconds.
  static func time(in workbench: Workbench) throws -> Runs {
    try withLists(records: 112_000, perturbed: 98_000, strange: 2_000, in: workbench) { _, connection in
      try workbench.compare(["records": 100_000]) { _ in
        try workbench.timed { try connection.execute("CREATE TEMP TABLE found AS \(view); DROP TABLE found") }
      }
    }
  }

  /// Three thousand of one name against as many, in seconds.
  static func equalNames(in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase(database) {
      try workbench.rivulet(["migrate", "up"], on: database)
      for (list, house) in [("alder", 100), ("birch", 5_000)] {
        let header =
          "Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Title,Office Address 1,"
          + "Office Address 2,Office City,Office State,Office Zip,Office Phone,Office Fax,Taxonomy\n"
        let rows = (0..<3_000).map { number in
          "\(list)\(number),,I,,Smith,John,MD,\(house + number) Main St,,Wexley,CT,0\(6000 + number % 900),"
            + "203\(house + number)0000,,207R00000X\n"
        }
        let file = workbench.path("\(list)-2025-11-15.csv")
        try Files.write(Array((header + rows.joined()).utf8), to: file)
        try workbench.rivulet(["run", "directory-csv", "--no-refresh", file], on: database)
      }
      let connection = try workbench.connect(to: database)
      return try workbench.compare(["records": 3_000]) { _ in
        try workbench.timed { try connection.execute("CREATE TEMP TABLE found AS \(view); DROP TABLE found") }
      }
    }
  }

  /// What share of the people written otherwise is not found.
  static func missed(in workbench: Workbench) throws -> Runs { try shares(in: workbench) { $0.missed } }

  /// What share of the pairs that are claimed is wrong.
  static func wrong(in workbench: Workbench) throws -> Runs { try shares(in: workbench) { $0.wrong } }

  private static func shares(
    in workbench: Workbench, _ share: ((missed: Double, wrong: Double)) -> Double
  ) throws -> Runs {
    try withLists(records: 20_500, perturbed: perturbed, strange: strange, in: workbench) {
      truth, connection in
      try connection.execute("CREATE TABLE truth (id text, kind text, npi text)")
      for line in try Files.readText(truth).split(separator: "\n").dropFirst() {
        let parts = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try connection.query(
          "INSERT INTO truth VALUES ($1, $2, $3)", parts.map { .text($0) })
      }
      let row = try connection.query(
        """
        SELECT count(*) FILTER (WHERE m.other_source_id = truth.npi)::float8, count(*)::float8
        FROM truth JOIN directory.provider_match m ON m.source_id = truth.id
        WHERE NOT is_ambiguous
        """)[0]
      let (right, claimed): (Double, Double) = (try row.value(0), try row.value(1))
      let found = share((1 - right / Double(perturbed), claimed > 0 ? 1 - right / claimed : 1))
      var runs = try workbench.compare(["claimed": Int(claimed), "right": Int(right)]) { _ in
        ProgramRun(seconds: found, peakMemory: 0, output: "")
      }
      runs.details += try splink(truth, in: workbench)
      return runs
    }
  }

  /// What Splink claims of the same files, where it is installed.
  private static func splink(_ truth: String, in workbench: Workbench) throws -> [(name: String, value: Int)]
  {
    do {
      let (peer, folder) = (Peer.splink, Path.parent(truth))
      workbench.say("  beside Splink \(try peer.version(in: workbench))")
      let numbers = try peer.answer(
        to: [Path.join(folder, providers), Path.join(folder, list), truth], in: workbench
      ).split(whereSeparator: \.isWhitespace)
      guard numbers.count == 4, let claimed = Int(numbers[0]), let right = Int(numbers[1]) else {
        throw BenchError.failed("Splink's script printed '\(numbers.joined(separator: " "))'")
      }
      workbench.say("  \(claimed) claimed, \(right) right, from \(numbers[2]) on, in \(numbers[3]) s")
      return [("claimed by Splink", claimed), ("right by Splink", right)]
    } catch BenchError.missing(let reason) {
      workbench.say("  not beside Splink: \(reason)")
      return []
    }
  }

  /// Makes a database with an NPPES file and a list, both current.
  private static func withLists(
    records: Int, perturbed: Int, strange: Int, in workbench: Workbench,
    _ body: (_ truth: String, Connection) throws -> Runs
  ) throws -> Runs {
    try workbench.withDatabase(database) {
      let (sample, lists) = (workbench.path("matching-sample") + "/", workbench.path("matching-lists"))
      try workbench.rivulet(["migrate", "up"], on: database)
      try workbench.rivulet(
        [
          "sample", "nppes", "--rows", "\(records)", "--without", "locations,other-names,endpoints", "-o",
          sample,
        ],
        on: database)
      try Files.makeDirectory(lists)
      _ = try workbench.run([
        "python3", Path.join(workbench.project, "Benchmarks/matching/lists.py"), sample + providers, lists,
        "--perturbed", "\(perturbed)", "--strange", "\(strange)",
      ])
      try workbench.rivulet(["run", "nppes", "--no-refresh", Path.join(lists, providers)], on: database)
      try workbench.rivulet(
        ["run", "directory-csv", "--no-refresh", Path.join(lists, list)], on: database)
      defer {
        try? Files.remove(sample)
        try? Files.remove(lists)
      }
      return try body(Path.join(lists, "truth.csv"), try workbench.connect(to: database))
    }
  }
}
