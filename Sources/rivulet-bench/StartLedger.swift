import Host
import PostgreSQL

/// What commands take on a database whose ledger has ten thousand runs and a thousand releases, five hundred
/// of them published, against one that has a single run: a release loaded for trial, one that is there
/// already, the runs, the migrations, the views, a night.
///
/// Both have the same release of a thousand rows, which is the newest.
enum StartLedger {
  private static let full = "bench_full"
  private static let rows = 1_000

  static func measure(in workbench: Workbench) throws -> Runs {
    let project = try BenchProject(in: workbench, named: "ledger")
    let header = "CODE,TITLE,ZIP,UNITS,BEGINS,ENDS,WORK,PRACTICE,MALPRACTICE,TOTAL,FACTOR,PRICE\n"
    func write(_ folder: String, price: Int) throws -> String {
      let records = (1...rows).map {
        "C\($0),title,08540,1,2025-01-01,2025-12-31,1.00,1.00,1.00,3.00,1.0000,\(price).00\n"
      }
      let path = Path.join(project.folder, folder)
      try Files.makeDirectory(path)
      try Files.write(header + records.joined(), to: Path.join(path, "ITEM.csv"))
      return path
    }
    let (loaded, tried) = (try write("clean", price: 10), try write("broken", price: 20))
    func fill(_ database: String) throws {
      try project.rivulet(["migrate", "up"], on: database)
      try project.rivulet(["run", "bench", loaded], on: database)
    }
    func work(on database: String) throws -> ProgramRun {
      try [
        ["run", "bench", tried, "--dry-run"], ["run", "bench", loaded], ["runs", "list"],
        ["migrate", "status"],
        ["migrate", "up"], ["refresh"], ["nightly"],
      ].map { try project.rivulet($0, on: database) }
        .reduce(ProgramRun(seconds: 0, peakMemory: 0, output: ""), +)
    }
    return try workbench.withDatabase(full) {
      try fill(full)
      try workbench.connect(to: full).execute(
        Files.readText(Path.join(workbench.project, "Benchmarks/ledger/full.sql")))
      try workbench.connect(to: full).execute("ANALYZE")
      try workbench.check(
        ["rivulet.run": 10_001, "rivulet.release": 1_001, "bench.item": 501 * rows], in: full)
      return try workbench.withDatabase {
        try fill(Workbench.own)
        try workbench.connect(to: Workbench.own).execute("ANALYZE")
        return try workbench.compare(
          ["runs": 10_001, "releases": 1_001, "partitions": 501], ours: { _ in try work(on: full) },
          yardstick: { _ in try work(on: Workbench.own) })
      }
    }
  }
}
