import Foundation
import PostgreSQL
import Sampler
import Synchronization
import TestSupport
import Testing

/// What becomes of bundles that differ from their layout as real ones do: the same rows as from the plain
/// bundle, or a refusal that publishes nothing. Each quirk of the sampler is a line of ``cases``.
@Suite("A bundle with a quirk of real files")
struct QuirkTests {
  /// What a run must make of a bundle.
  enum Verdict: Sendable {
    /// The rows that the bundle with other quirks gives; with none, those of the plain one.
    case same(as: [String] = [])
    /// The rows of the plain bundle but for some values, `table.column`, as many as there are.
    case differs([String: Int])
    /// Whatever else, this answer to a question.
    case gives(String, String)
    /// Nothing, with exit code 3 and words of the reason.
    case refused(String)
  }

  /// A dataset whose bundles are tried.
  struct Dataset: Sendable {
    let pipeline: String
    /// The table of which nothing is left where a bundle is refused.
    let main: String
    /// How many rows of it a bundle has.
    let rows: Int
    /// The format of the plain bundle.
    let format: String
    /// The key of each table in the schema cms.
    let keys: [String: String]
  }

  static let feeSchedule = Dataset(
    pipeline: "cms-rvu", main: "cms.rvu", rows: 60, format: "csv",
    keys: [
      "rvu": "cf_class, hcpcs, modifier", "gpci": "mac, locality", "locality_county": "row",
      "anesthesia_cf": "cf_class, mac, locality", "opps_cap": "hcpcs, modifier, mac, locality",
    ])

  /// A bundle and its verdict.
  struct Case: Sendable, CustomTestStringConvertible {
    let dataset: Dataset
    let quirks: [String]
    let formats: [String]
    let verdict: Verdict
    /// What a run must warn of; empty for nothing in particular.
    let warning: String
    /// Further arguments of the run.
    let arguments: [String]

    /// Quirks and formats are named with blanks between them.
    init(
      _ quirks: String, _ verdict: Verdict, in formats: String = "csv", warning: String = "",
      arguments: [String] = [], of dataset: Dataset = feeSchedule
    ) {
      self.dataset = dataset
      self.quirks = quirks.split(separator: " ").map(String.init)
      self.formats = formats.split(separator: " ").map(String.init)
      self.verdict = verdict
      self.warning = warning
      self.arguments = arguments
    }

    var testDescription: String { ([dataset.pipeline] + quirks + formats).joined(separator: " ") }
  }

  /// A quirk that can be handled is a line here.
  static let cases: [Case] = [
    Case("", .differs(["anesthesia_cf.locality_name": 5]), in: "txt"),
    Case("lf", .same()), Case("lf", .same(), in: "txt"),
    Case("bare-cr", .same()), Case("bare-cr", .same(), in: "txt"),
    Case("mixed-line-ends", .same()), Case("mixed-line-ends", .same(), in: "txt"),
    Case("no-final-newline", .same()), Case("no-final-newline", .same(), in: "txt"),
    Case("ctrl-z", .same()), Case("ctrl-z", .same(), in: "txt"),
    Case("bom", .same()), Case("bom", .same(), in: "txt"),
    Case("utf-8", .differs(["rvu.description": 1])), Case("utf-8", .same(as: ["cp1252"]), in: "txt"),
    Case("cp1252", .same(as: ["utf-8"])), Case("utf-16le", .same(as: ["utf-8"])),
    Case("utf-16be", .same(as: ["utf-8"])),
    Case("cp1252", .differs(["anesthesia_cf.locality_name": 5, "rvu.description": 1]), in: "txt"),
    Case("utf-16le", .same(as: ["cp1252"]), in: "txt"), Case("utf-16be", .same(as: ["cp1252"]), in: "txt"),
    Case("latin-1", .differs(["rvu.description": 1])),
    Case("undecodable", .refused("entry PPRRVU2025_Oct.csv:12")),
    Case("all-quoted", .same()),
    Case("embedded-newline", .differs(["rvu.description": 1])),
    Case("stray-quote", .refused("has a quote inside an unquoted field")),
    Case("text-after-quote", .refused("has text after a closing quote")),
    Case("extra-field", .refused("fields")),
    Case("missing-field", .refused("fields")),
    Case("trailing-blanks", .same()),
    Case("lost-zeros", .same()),
    Case("extra-banner", .same()), Case("extra-banner", .same(), in: "txt"),
    Case("footnotes", .same()), Case("footnotes", .same(), in: "txt"),
    Case("reworded-header", .same()),
    Case("unknown-column", .same(), warning: "NEWLY ADDED"),
    Case("missing-column", .refused("is missing")),
    Case("ascii-order", .same()), Case("ebcdic-order", .same()), Case("ebcdic-order", .same(), in: "txt"),
    Case("duplicate-key", .refused("unique-key-pprrvu")),
    Case("short-lines", .same(), in: "txt"), Case("padded-lines", .same(), in: "txt"),
    Case("long-line", .refused("has text beyond the layout's record length"), in: "txt"),
    Case("folder-in-zip", .same()), Case("nested-zip", .same()), Case("nested-zip folder-in-zip", .same()),
    Case("truncated", .refused("damaged or cut off")),
    Case("bad-crc", .refused("damaged")),
    // Without states the numbers of the contractors tell that twelve caps are copies.
    Case("gpci-no-state", .differs(["gpci.state": 109])),
    Case("gpci-no-state", .differs(["gpci.state": 109]), in: "xlsx"),
    Case("gpci-both-floors", .differs(["gpci.work_gpci_no_floor": 109])),
    Case("gpci-no-floor", .differs(["gpci.work_gpci": 43])),
    Case("locality-twice", .refused("unique-key-gpci")),
    Case("unknown-status", .differs(["rvu.status_code": 1]), warning: "status_code"),
    Case("unknown-indicator", .differs(["rvu.multiple_procedure": 1])),
    Case("blank-description", .differs(["rvu.description": 60])),
    Case("totals-off", .refused("totals-add-up")),
    Case("pric-ind", .differs(["rvu.pricing_indicator": 60])),
    // Workbooks.
    Case("", .same(), in: "xlsx"),
    Case("int-codes", .same(), in: "xlsx"), Case("long-doubles", .same(), in: "xlsx"),
    Case("inline-strings", .same(), in: "xlsx"), Case("ctrl-z", .same(), in: "xlsx"),
    Case("utf-8", .same(as: ["utf-8"]), in: "xlsx"),
    Case("embedded-newline", .same(as: ["embedded-newline"]), in: "xlsx"),
    Case("unknown-column", .same(), in: "xlsx", warning: "NEWLY ADDED"),
    Case("missing-column", .refused("is missing"), in: "xlsx"),
    Case("reworded-header", .same(), in: "xlsx"), Case("extra-banner", .same(), in: "xlsx"),
    Case("footnotes", .same(), in: "xlsx"), Case("duplicate-key", .refused("unique-key-pprrvu"), in: "xlsx"),
    Case("pric-ind", .same(as: ["pric-ind"]), in: "xlsx"),
    // Practice expense twice, as around 2010, and the files of 2026.
    Case("transition", .gives(transition, "2010A 0")),
    Case("transition", .gives(transition, "2010A 0"), in: "txt"),
    Case("qpp", .gives(factors, "non_qp 33.4009 9, qp 33.5675 1")),
    Case("qpp", .gives(factors, "non_qp 33.4009 9, qp 33.5675 1"), in: "txt"),
    Case("qpp", .gives(factors, "non_qp 33.4009 9, qp 33.5675 1"), in: "xlsx"),
    Case("qpp anes-mislabelled", .gives(bothFactors, "109")),
    Case("qpp", .gives(bothFactors, "109"), in: "txt"),
    // Several at once, as in the worst of the publisher's files.
    Case("bare-cr ctrl-z lost-zeros cp1252 extra-banner trailing-blanks", .same(as: ["utf-8"])),
  ]

  private static let factors = """
    SELECT string_agg(DISTINCT concat_ws(' ', cf_class, conversion_factor, pricing_indicator), ', ') FROM cms.rvu
    """
  private static let transition = """
    SELECT release || ' ' || count(*) FILTER (WHERE fac_pe_rvu_full IS NULL OR fac_pe_rvu_full < fac_pe_rvu)
    FROM cms.rvu GROUP BY release
    """
  private static let bothFactors = """
    SELECT count(*) FROM cms.anesthesia_cf WHERE qp_conversion_factor > conversion_factor AND cf_class = 'non_qp'
    """

  @Test("gives the same rows, or is refused whole", arguments: cases + codeCases)
  func verdict(of quirky: Case) throws {
    let dataset = quirky.dataset
    let path = try Self.make(dataset, quirky.quirks, quirky.formats)
    let (database, program) = try Self.database()
    let outcome = try program.run(["run", dataset.pipeline, path] + quirky.arguments)
    if case .refused(let reason) = quirky.verdict {
      #expect(outcome.status == 3, "\(outcome.errors)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(try database.value("SELECT count(*) FROM \(dataset.main)") == "0")
      return
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(quirky.warning.isEmpty || outcome.errors.contains(quirky.warning), "\(outcome.errors)")
    let rows = try Published.rows(dataset.keys, of: database)
    switch quirky.verdict {
    case .same(let others):
      // A txt has some texts cut off: each format has its own plain bundle.
      let expected = try Self.rows(of: others, quirky.formats, dataset)
      #expect(Published.differences(rows, expected) == [:])
    case .differs(let columns):
      let found = Published.differences(rows, try Self.rows(of: [], [dataset.format], dataset))
      #expect(found == columns)
    case .gives(let question, let answer): #expect(try database.value(question) == answer)
    case .refused: break
    }
  }

  @Test(
    "keeps characters beyond ASCII, whatever their encoding",
    arguments: [("utf-8", "x\u{2019}s"), ("cp1252", "x\u{2019}s"), ("latin-1", "x")])
  func characters(quirk: String, end: String) throws {
    let (database, program) = try Self.database()
    let path = try Samples.make(quirks: [quirk], formats: ["csv"], rows: 60)
    try #require(try program.run("run", "cms-rvu", path).status == 0)
    #expect(
      try database.value("SELECT description FROM cms.rvu WHERE description !~ '^[ -~]*$'")
        == "Sample service 2 \u{E1}\u{A0}" + end)
  }

  @Test(
    "of ZIP codes is loaded whole",
    arguments: ["", "lf", "bare-cr ctrl-z no-final-newline", "nested-zip folder-in-zip mixed-line-ends"])
  func places(quirks: String) throws {
    let (database, program) = try Self.database()
    let path = try Samples.make(
      "cms-zip5", quirks: quirks.split(separator: " ").map(String.init), rows: 100, release: "2025D",
      name: "zip5.zip")
    let outcome = try program.run("run", "cms-zip5", path)
    #expect(outcome.status == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
    #expect(
      try database.value("SELECT release || ' ' || count(*) FROM cms.zip_locality GROUP BY release")
        == "2025D 100")
  }

  @Test("is tried with every quirk that it can have")
  func complete() throws {
    for (dataset, cases) in [(Self.feeSchedule, Self.cases), (Self.codeFile, Self.codeCases)] {
      let tried = Set(cases.flatMap(\.quirks))
      let all = try Set(Samples.quirks(dataset.pipeline))
      #expect(tried.isSubset(of: all))
      for quirk in all.subtracting(tried).sorted() {
        #expect(throws: SampleError.self, "\(dataset.pipeline) can have \(quirk)") {
          try Samples.make(dataset.pipeline, quirks: [quirk], rows: dataset.rows)
        }
      }
    }
  }

  // MARK: Rows

  typealias Rows = Published.Rows

  /// A database with the schema, to be copied.
  private static let migrated = Result { try Loaded.migrated().0 }

  static func database() throws -> (TestDatabase, Program) {
    let database = try TestServer.shared.makeDatabase(from: migrated.get())
    return (database, Program(database: database.url))
  }

  /// The rows that plain bundles gave, by quirks and formats.
  private static let known = Mutex<[[String]: Rows]>([:])

  private static func make(_ dataset: Dataset, _ quirks: [String], _ formats: [String]) throws -> String {
    try Samples.make(
      dataset.pipeline, quirks: quirks, formats: formats, rows: dataset.rows,
      name: dataset.pipeline == "cms-rvu" ? nil : "bundle.zip")
  }

  /// The rows of a bundle that can be loaded, which is loaded once.
  private static func rows(of quirks: [String], _ formats: [String], _ dataset: Dataset) throws -> Rows {
    let name = [dataset.pipeline] + quirks + formats
    if let rows = known.withLock({ $0[name] }) { return rows }
    let (database, program) = try database()
    let outcome = try program.run("run", dataset.pipeline, try make(dataset, quirks, formats))
    try #require(outcome.status == 0, "\(outcome.errors)")
    let rows = try Published.rows(dataset.keys, of: database)
    known.withLock { $0[name] = rows }
    return rows
  }
}
