import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What people see of a query: a receipt, some of its rows, in their order.
@Suite("A query")
struct QueryTests {
  private let program: Program

  init() throws { program = try Loaded.sample().1 }

  private static let price = ["query", "price", "--locality", "01112-05", "--hcpcs"]

  @Test("of a price answers as a receipt, whose formula gives the amounts to the cent")
  func receipt() throws {
    let command = Self.price + ["99213"]
    let receipt = try program.run(command).succeeded(
      showing: "99213", "Locality", "01112-05", "Release", "2025D")
    let row = try program.run(command + ["--format", "json"]).succeeded()
    for (label, column) in [("Non-facility", "nonfacility_amount"), ("Facility", "facility_amount")] {
      let line = try #require(
        receipt.output.split(separator: "\n").first { $0.hasPrefix("  \(label) ") }, "\(receipt.output)")
      let numbers = line.matches(of: /[0-9]+\.[0-9]+/).compactMap { Decimal(string: String($0.output)) }
      try #require(numbers.count == 8, "\(line)")
      var sum = numbers[1] * numbers[2] + numbers[3] * numbers[4] + numbers[5] * numbers[6]
      sum *= numbers[7]
      var rounded = Decimal()
      NSDecimalRound(&rounded, &sum, 2, .plain)
      #expect(rounded == numbers[0], "\(line)")
      #expect(try row.at("0/\(column)") == String(describing: line.split(separator: " ")[1].dropFirst()))
    }
    // What is for receipts is nowhere else.
    #expect(!row.output.contains("rivulet_"))
    #expect(
      try program.run(command + ["--as", "csv"]).succeeded().output.hasPrefix("hcpcs,modifier,release"))
    #expect(try program.run(command + ["--as", "table"]).succeeded().output.hasSuffix("(1 row)\n"))
    // One that is not paid says why in place of the amounts.
    let unpaid = try program.run(Self.price + ["00100"]).succeeded(showing: "No amount", "anaesthesia")
    #expect(!unpaid.output.contains("Facility"))
  }

  @Test("gives the rows that are asked for, in the order that is, and no more than that")
  func selection() throws {
    func rows(_ options: String...) throws -> [String] {
      try program.run(["query", "mart.rvu_by_status", "--as", "csv"] + options).succeeded().output
        .components(separatedBy: "\r\n").dropFirst().dropLast().map { $0 }
    }
    let all = try rows()
    let counts = try rows("--order", "rows:desc").map {
      Int($0.components(separatedBy: ",").suffix(6).first ?? "") ?? -1
    }
    #expect(all.count > 2 && counts.count == all.count && counts == counts.sorted(by: >))
    #expect(try rows("--order", "rows:desc", "--limit", "2").count == 2)
    let active = try rows("--where", "status_code=A")
    #expect(active == all.filter { $0.contains(",A,") } && !active.isEmpty)
    #expect(try rows("--where", "status_code=A", "--where", "release=1999A").isEmpty)
    // A number is compared as one, and nothing by nothing.
    let count = try #require(active.first).components(separatedBy: ",").suffix(6).first ?? ""
    #expect(try rows("--where", "rows=0\(count)") == rows("--where", "rows=\(count)"))
    let price = Self.price + ["70010", "--as", "csv"]
    let global = try program.run(price + ["--where", "modifier="]).succeeded().output
    #expect(global.split(separator: "\r\n").count == 2, "\(global)")
    #expect(try program.run(price).succeeded().output.split(separator: "\r\n").count > 2)
  }

  @Test("refuses what it has no column for, and never hides why it has no answer")
  func refusals() throws {
    let view = ["query", "mart.rvu_by_status"]
    try program.run(view + ["--where", "status_cod=A"]).failed(2, saying: "did you mean 'status_code'?")
    try program.run(view + ["--order", "size"]).failed(2, saying: "has no column 'size'", "'work_rvu'")
    try program.run(view + ["--where", "rows=many"]).failed(2, saying: "--where rows does not hold bigint")
    try program.run(view + ["--where", "rows"]).failed(2, saying: "--where takes COLUMN=VALUE")
    try program.run(view + ["--order", "rows:down"]).failed(2, saying: "--order takes COLUMN or COLUMN:desc")
    try program.run(view + ["--limit", "0"]).failed(2, saying: "--limit takes a whole number of at least 1")
    for options in [["--where", "modifier=TC"], ["--limit", "1"], ["--order", "modifier"]] {
      try program.run(Self.price + ["70451"] + options).failed(3, saying: "70451 is not a code of 2025D")
    }
  }

  @Test(
    "that refuses to answer or finds nothing, its release replaced meanwhile, answers from the one that is current",
    arguments: [
      "SELECT {current} AS release, CASE WHEN {current} <> current_items() THEN 'old' END AS rivulet_refusal",
      "SELECT {current} AS release WHERE {current} = current_items()",
    ])
  func replaced(sql: String) throws {
    let own = try OwnProject(NumberedPipelines.files(1))
    try NumberedPipelines.write(["R202501", "R202502"], in: own)
    let query = """
      /* rivulet query
      description: waits, and then answers from no release but the current one
      current: {of: items1}
      */
      \(sql)
      """
    try own.scratch.write("Pipelines/items1/queries/which.sql", query)
    try own.database.connect().execute(
      """
      CREATE FUNCTION current_items() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(4711);
        RETURN (SELECT release FROM rivulet.current_release WHERE pipeline = 'items1');
      END $$
      """)
    try own.command("migrate", "up").succeeded()
    try own.load("items1", "R202501", "R202502").succeeded()
    let holder = try own.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let asked = Background {
      let answer = try own.command("query", "which", "--as", "csv").succeeded()
      #expect(answer.output == "release\r\n2025-01\r\n")
      #expect(answer.errors.contains("from items1 2025-02") && answer.errors.contains("from items1 2025-01"))
    }
    try #require(try own.database.findsWaiter(forLock: 4711))
    try own.command("releases", "rollback", "items1").succeeded()
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try asked.wait()
  }

  @Test("is explained by 'help', as every command is, and 'version' says which program this is")
  func help() throws {
    let help = try program.run("help", "migrate", "up").succeeded().output
    #expect(try program.run("migrate", "up", "--help").succeeded().output == help)
    #expect(try program.run("help").succeeded().output == program.run("--help").succeeded().output)
    try program.run("help", "quer").failed(2, saying: "unknown command 'quer'; did you mean 'query'?")
    #expect(try program.run("version").succeeded().output == program.run("--version").succeeded().output)
    #expect(try program.run("version", "--format", "json").succeeded().at("version") == "0.1.0")
  }
}
