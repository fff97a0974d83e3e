import Host

/// A run of which every tenth record is refused, and kept in the quarantine, against the same run without
/// such.
///
/// The dataset is the bench's own: one file of three hundred thousand records in a dozen typed columns. Both
/// sides are whole commands, each on a database of its own.
enum Rejects {
  private static let records = 300_000
  /// One record of so many is refused.
  private static let interval = 10
  private static let template = "bench_template"

  static func measure(in workbench: Workbench) throws -> Runs {
    let project = try BenchProject(in: workbench, named: "rejects-ten-percent")
    func load(_ source: String, refusing refused: Int) throws -> ProgramRun {
      try workbench.runAlone(
        from: template, expecting: ["bench.item": records - refused, "rivulet.reject": refused]
      ) {
        try project.rivulet(["run", "bench", source, "--max-rejects", "100%"])
      }
    }
    let clean = try writeSource("clean", of: project) { _ in false }
    let broken = try writeSource("broken", of: project) { $0.isMultiple(of: interval) }
    let refused = records / interval
    return try workbench.withDatabase(template) {
      try project.rivulet(["migrate", "up"], on: template)
      return try workbench.compare(
        ["records": records, "refused": refused], ours: { _ in try load(broken, refusing: refused) },
        yardstick: { _ in try load(clean, refusing: 0) })
    }
  }

  /// Writes a source and gives its path; what is broken has a value that is none of its column's type.
  private static func writeSource(
    _ name: String, of project: BenchProject, isBroken: (Int) -> Bool
  ) throws -> String {
    let source = Path.join(project.folder, name)
    try Files.makeDirectory(source)
    // Piece by piece: what this program once had in memory counts as that of the programs it starts.
    let file = try OutputFile(Path.join(source, "ITEM.csv"))
    try file.write("CODE,TITLE,ZIP,UNITS,BEGINS,ENDS,WORK,PRACTICE,MALPRACTICE,TOTAL,FACTOR,PRICE\n")
    for number in 0..<records { try file.write(record(number, isBroken: isBroken(number))) }
    try file.close()
    return source
  }

  private static func record(_ number: Int, isBroken: Bool) -> String {
    // The last value and one in the middle, in turns.
    let isLast = isBroken && (number / interval).isMultiple(of: 2)
    let units = isBroken && !isLast ? "many" : "\(number % 90)"
    let price = isLast ? "n/a" : "\(number % 900).50"
    return
      "c\(number),The title of a record \(number % 977),0\(1000 + number % 8999),\(units),2025-01-01,2025-12-31,"
      + "\(number % 40).25,\(number % 60).75,\(number % 9).05,\(number % 109).05,32.\(1000 + number % 8999),\(price)\n"
  }
}
