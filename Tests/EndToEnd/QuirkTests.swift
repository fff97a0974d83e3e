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
    /// Nothing, with exit code 3 and words of the reasons.
    case refused([String])
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
    /// All its tables, as a pattern of their names.
    let tables: String
  }

  static let feeSchedule = Dataset(
    pipeline: "cms-rvu", main: "cms.rvu", rows: 60, format: "csv", tables: Published.feeSchedule)

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

  static let cases: [Case] = [
    // How bytes are written.
    Case("lf bom trailing-blanks ascii-order folder-in-zip", .same()),
    Case("bare-cr ctrl-z lost-zeros cp1252 extra-banner trailing-blanks", .same(as: ["utf-8"])),
    Case(
      "mixed-line-ends no-final-newline all-quoted footnotes ebcdic-order nested-zip folder-in-zip"
        + " reworded-header", .same()),
    Case("unknown-column", .same(), warning: "NEWLY ADDED"),
    Case("embedded-newline", .differs(["rvu.description": 1])),
    Case("lf bom short-lines extra-banner nested-zip", .same(), in: "txt"),
    Case("bare-cr ctrl-z footnotes", .same(), in: "txt"),
    Case("mixed-line-ends no-final-newline padded-lines ebcdic-order", .same(), in: "txt"),
    Case("int-codes long-doubles inline-strings ctrl-z reworded-header footnotes", .same(), in: "xlsx"),
    Case("unknown-column extra-banner", .same(), in: "xlsx", warning: "NEWLY ADDED"),
    Case("embedded-newline", .same(as: ["embedded-newline"]), in: "xlsx"),
    // Characters.
    Case("utf-8", .differs(["rvu.description": 1])), Case("utf-8", .gives(characters, marked + "x\u{2019}s")),
    Case("cp1252", .gives(characters, marked + "x\u{2019}s")), Case("utf-16le", .same(as: ["utf-8"])),
    Case("latin-1", .gives(characters, marked + "x")), Case("utf-8", .same(as: ["utf-8"]), in: "xlsx"),
    Case("cp1252", .differs(["anesthesia_cf.locality_name": 5, "rvu.description": 1]), in: "txt"),
    Case("utf-8", .same(as: ["cp1252"]), in: "txt"), Case("utf-16be", .same(as: ["cp1252"]), in: "txt"),
    // The same rows in each format.
    Case("", .differs(["anesthesia_cf.locality_name": 5]), in: "txt"), Case("", .differs([:]), in: "xlsx"),
    // Broken.
    Case(
      "undecodable:gpci stray-quote:pprrvu text-after-quote:locco extra-field:anes missing-field:oppscap",
      .refused([
        "entry GPCI2025.csv:", "has a quote inside an unquoted field", "has text after a closing quote",
        "too-many-fields of anes", "too-few-fields of oppscap",
      ])),
    Case("missing-column", .refused(["- 'MP USED FOR OPPS PAYMENT AMOUNT' (mp_opps)"])),
    Case("missing-column", .refused(["- 'MP USED FOR OPPS PAYMENT AMOUNT' (mp_opps)"]), in: "xlsx"),
    Case("long-line", .refused(["has text beyond the layout's record length"]), in: "txt"),
    Case("duplicate-key locality-twice", .refused(["unique-key-pprrvu", "unique-key-gpci"])),
    Case("totals-off", .refused(["totals-add-up"])),
    Case("truncated", .refused(["damaged or cut off"])), Case("bad-crc", .refused(["damaged"])),
    // What the tables say. Without states the numbers of the contractors tell that twelve caps are copies.
    Case("gpci-no-state", .differs(["gpci.state": 109])),
    Case("gpci-no-floor", .differs(["gpci.work_gpci": 43])),
    Case(
      "gpci-both-floors unknown-status unknown-indicator blank-description pric-ind",
      .differs([
        "gpci.work_gpci_no_floor": 109, "rvu.status_code": 1, "rvu.multiple_procedure": 1,
        "rvu.description": 60, "rvu.pricing_indicator": 60,
      ]), warning: "status_code"),
    Case("pric-ind", .same(as: ["pric-ind"]), in: "xlsx"),
    // Practice expense twice, as around 2010, and the files of 2026.
    Case("transition", .gives(transition, "2010A 0")),
    Case("transition", .gives(transition, "2010A 0"), in: "txt"),
    Case("qpp", .gives(factors, "non_qp 33.4009 9, qp 33.5675 1")),
    Case("qpp", .gives(factors, "non_qp 33.4009 9, qp 33.5675 1"), in: "xlsx"),
    Case("qpp", .gives(bothFactors, "109"), in: "txt"),
    Case("qpp anes-mislabelled", .gives(bothFactors, "109")),
  ]

  private static let characters = "SELECT description FROM cms.rvu WHERE description !~ '^[ -~]*$'"
  private static let marked = "Sample service 2 \u{E1}\u{A0}"
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
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run(["run", dataset.pipeline, path, "--no-refresh"] + quirky.arguments)
    if case .refused(let reasons) = quirky.verdict {
      outcome.failed(3)
      for reason in reasons { #expect(outcome.errors.contains(reason), "\(reason): \(outcome.errors)") }
      #expect(try database.value("SELECT count(*) FROM \(dataset.main)") == "0")
      return
    }
    try outcome.succeeded()
    #expect(quirky.warning.isEmpty || outcome.errors.contains(quirky.warning), "\(outcome.errors)")
    let rows = try Published.rows(dataset.tables, of: database)
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
    "of ZIP codes is loaded whole",
    arguments: ["", "bare-cr ctrl-z nested-zip folder-in-zip"])
  func places(quirks: String) throws {
    let desk = try Desk()
    let path = try Samples.make(
      "cms-zip5", quirks: quirks.split(separator: " ").map(String.init), rows: 100, release: "2025D",
      name: "zip5.zip")
    try desk.load("cms-zip5", path).succeeded().withholding("warning")
    #expect(try desk.rows("SELECT release, count(*) FROM cms.zip_locality GROUP BY 1") == ["2025D|100"])
  }

  @Test("is tried with every quirk that it can have")
  func complete() throws {
    let tried = Set((Self.cases + Self.codeCases).flatMap(\.quirks).map { $0.prefix { $0 != ":" } })
    for dataset in [Self.feeSchedule, Self.codeFile] {
      for quirk in try Samples.quirks(dataset.pipeline) where !tried.contains(quirk[...]) {
        #expect(throws: SampleError.self, "\(dataset.pipeline) can have \(quirk)") {
          try Samples.make(dataset.pipeline, quirks: [quirk], rows: dataset.rows)
        }
      }
    }
  }

  // MARK: Rows

  typealias Rows = Published.Rows

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
    let (database, program) = try Loaded.migrated()
    try program.run("run", dataset.pipeline, make(dataset, quirks, formats), "--no-refresh").succeeded()
    let rows = try Published.rows(dataset.tables, of: database)
    known.withLock { $0[name] = rows }
    return rows
  }
}
