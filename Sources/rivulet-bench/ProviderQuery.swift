import Host
import PostgreSQL

/// How long who asks for a provider waits at most: the slowest of six questions to a million records of NPPES, each
/// from the start of the program to its end.
///
/// The records are the sample's, whose names are few: a last name alone has hundreds of them.
enum ProviderQuery {
  private static let records = 1_000_000
  private static let database = "bench_providers"
  private static let questions = [
    ["--npi", "1618000016"], ["--name", "alderbrook"], ["--name", "ada alderbrook"], ["--near", "06035"],
    ["--taxonomy", "207R00000X"], ["--name", "alderbrook", "--near", "06035"],
  ]

  static func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase(database) {
      let sample = workbench.path("providers") + "/"
      try workbench.rivulet(["migrate", "up"], on: database)
      try workbench.rivulet(["sample", "nppes", "--rows", "\(records)", "-o", sample], on: database)
      try workbench.rivulet(["run", "nppes", "--no-refresh", sample], on: database)
      try Files.remove(sample)
      let connection = try workbench.connect(to: database)
      for statement in ["CALL directory.add_search_indexes()", "VACUUM (ANALYZE)", "CHECKPOINT"] {
        try connection.execute(statement)
      }
      return try workbench.compare(
        ["records": records, "questions": questions.count],
        ours: { _ in
          let runs = try questions.map { try workbench.rivulet(["query", "provider"] + $0, on: database) }
          return runs.dropFirst().reduce(runs[0]) { $1.seconds > $0.seconds ? $1 : $0 }
        })
    }
  }
}
