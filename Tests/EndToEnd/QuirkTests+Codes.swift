import TestSupport
import Testing

// What becomes of files of HCPCS codes and modifiers.
extension QuirkTests {
  static let codeFile = Dataset(
    pipeline: "cms-hcpcs", main: "cms.hcpcs_code", rows: 25, format: "xlsx",
    keys: [
      "hcpcs_code": "hcpcs", "hcpcs_code_pricing": "hcpcs, slot", "hcpcs_code_coverage_issue": "hcpcs, slot",
      "hcpcs_code_carrier_manual": "hcpcs, slot", "hcpcs_code_lab_certification": "hcpcs, slot",
      "hcpcs_code_cross_reference": "hcpcs, slot", "hcpcs_code_type_of_service": "hcpcs, slot",
      "hcpcs_modifier": "modifier", "hcpcs_modifier_coverage_issue": "modifier, slot",
      "hcpcs_modifier_carrier_manual": "modifier, slot", "hcpcs_modifier_cross_reference": "modifier, slot",
      "hcpcs_correction": "row",
    ])

  private static func code(
    _ quirks: String, _ verdict: Verdict, in formats: String = "xlsx", warning: String = "",
    arguments: [String] = []
  ) -> Case {
    Case(quirks, verdict, in: formats, warning: warning, arguments: arguments, of: codeFile)
  }

  static let codeCases: [Case] = [
    // The txt has the same rows as the workbook, text for text.
    code("", .differs([:]), in: "txt"),
    code("", .differs([:]), in: "txt xlsx", arguments: ["--cross-check"]),
    code("", .gives(parts, "25 codes, 12 modifiers, 3 in slot 3, 11 texts of more than one record")),
    code("", .gives(longest, "8"), in: "txt"), code("", .gives(longest, "8")),
    // Its own.
    code("trimmed-continuation", .differs([:]), in: "txt"),
    code("spilled-description", .differs([:])),
    code("spilled-description int-codes ctrl-z", .differs([:])),
    code("disclaimers", .differs([:]), in: "txt"), code("disclaimers", .differs([:])),
    code("short-disclaimers", .differs([:])),
    code("disclaimers trimmed-continuation bare-cr ctrl-z", .differs([:]), in: "txt"),
    code(
      "disclaimers spilled-description trimmed-continuation inline-strings", .differs([:]), in: "txt xlsx",
      arguments: ["--cross-check"]),
    // Corrections.
    code("corrections", .gives(corrections, corrected), warning: "corrections-took-effect: 1"),
    code("corrections date-serials", .same(as: ["corrections"])),
    code("corrections date-serials-1904", .same(as: ["corrections"])),
    code("corrections int-codes inline-strings ctrl-z", .same(as: ["corrections"])),
    code("corrections", .same(as: ["corrections"]), in: "txt"),
    code("unknown-correction", .refused("action: the value is none of the forms known")),
    code("corrections unknown-correction", .refused("Corrections_ANWEB.xlsx:16, action")),
    // Those of all text files.
    code("lf no-final-newline", .differs([:]), in: "txt"),
    code("mixed-line-ends bom", .differs([:]), in: "txt"),
    code("utf-8", .differs(["hcpcs_modifier.long_description": 1]), in: "txt"),
    code("cp1252", .same(as: ["utf-8"]), in: "txt"),
    code("utf-16le", .same(as: ["utf-8"]), in: "txt"), code("utf-16be", .same(as: ["utf-8"]), in: "txt"),
    code("latin-1", .differs(["hcpcs_modifier.long_description": 1]), in: "txt"),
    code("undecodable", .refused("entry HCPC2025_OCT_ANWEB.txt:2"), in: "txt"),
    code("short-lines", .differs([:]), in: "txt"),
    code("long-line", .refused("has text beyond the layout's record length"), in: "txt"),
    code("ascii-order", .differs([:]), in: "txt"),
    code("duplicate-key", .refused("unique-key-codes"), in: "txt"),
    code("extra-banner", .differs([:]), in: "txt"),
    // Nothing tells lines below the records from a file that is cut off.
    code("footnotes", .refused("is shorter than the layout's record length"), in: "txt"),
    code("nested-zip folder-in-zip", .differs([:]), in: "txt"),
    // Those of all workbooks.
    code("int-codes inline-strings", .differs([:])),
    code("date-serials", .differs([:])), code("date-serials-1904", .differs([:])),
    code("ctrl-z", .differs([:])), code("utf-8", .differs(["hcpcs_modifier.long_description": 1])),
    code("embedded-newline", .differs(["hcpcs_modifier.long_description": 1])),
    code("unknown-column", .differs([:]), warning: "NEWLY ADDED"),
    code("missing-column", .refused("is missing")), code("reworded-header", .differs([:])),
    code("extra-banner", .differs([:])), code("footnotes", .differs([:])),
    code("ebcdic-order", .differs([:])),
    code("duplicate-key", .refused("unique-key-codes")),
    code("truncated", .refused("damaged or cut off")), code("bad-crc", .refused("damaged")),
  ]

  private static let parts = """
    SELECT concat(
      (SELECT count(*) FROM cms.hcpcs_code), ' codes, ', (SELECT count(*) FROM cms.hcpcs_modifier), ' modifiers, ',
      (SELECT count(*) FROM cms.hcpcs_code_pricing WHERE slot = 3)
        + (SELECT count(*) FROM cms.hcpcs_code_lab_certification WHERE slot = 3)
        + (SELECT count(*) FROM cms.hcpcs_code_type_of_service WHERE slot = 3), ' in slot 3, ',
      (SELECT count(*) FROM cms.hcpcs_code WHERE length(long_description) > 80)
        + (SELECT count(*) FROM cms.hcpcs_modifier WHERE length(long_description) > 80),
      ' texts of more than one record')
    """

  /// How many records the longest text takes in a txt, at the least.
  private static let longest = "SELECT ceil(max(length(long_description)) / 80.0) FROM cms.hcpcs_code"

  private static let corrections = """
    SELECT string_agg(concat_ws(' ', k.hcpcs, coalesce(c.short_description, '-'), c.asc_group, c.asc_effective_on), ', '
      ORDER BY k.row)
    FROM cms.hcpcs_correction k LEFT JOIN cms.hcpcs_code c USING (release, hcpcs)
    """
  private static let corrected = [
    "C1052 Sample outpatient 6 YY 2025-01-01", "A4206 Sample supply 2", "B4034 Sample nutrition revised",
    "E0100 Sample equipment revised", "G0008 Sample procedure revised", "P2028 Sample laboratory 21",
    "J0120 Sample drug 14", "K0001 -", "L0112 -", "Q0035 -", "S9000 Sample code added YY",
  ].joined(separator: ", ")

  @Test("whose corrections come alone is amended, with the text of the year before where they ask for it")
  func correctionsAlone() throws {
    let (database, program) = try Self.database()
    let alone = try Samples.make(
      "cms-hcpcs", quirks: ["corrections"], without: ["codes", "modifiers"], rows: 25, name: "corrections.zip"
    )
    let early = try program.run("run", "cms-hcpcs", alone)
    #expect(early.status == 3 && early.errors.contains("nothing to amend"), "\(early.errors)")
    // Other seeds have other texts.
    for (release, seed) in [("2024D", 2), ("2025A", 1)] as [(String, UInt64)] {
      let path = try Samples.make(
        "cms-hcpcs", rows: 25, seed: seed, release: release, name: "\(release).zip")
      try #require(try program.run("run", "cms-hcpcs", path).status == 0)
    }
    let run = try program.run("run", "cms-hcpcs", alone)
    #expect(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
    #expect(
      try database.value(
        """
        SELECT string_agg(concat_ws(' ', a.hcpcs, b.long_description = a.long_description), ', ' ORDER BY a.hcpcs)
        FROM cms.hcpcs_code a JOIN cms.hcpcs_code b USING (hcpcs)
        WHERE a.release = '2025A' AND b.release = '2024D' AND hcpcs IN ('J0120', 'A4206', 'E0100')
        """) == "A4206 f, E0100 f, J0120 t")
    #expect(
      try database.value(
        "SELECT string_agg(certification, ' ' ORDER BY slot) FROM cms.hcpcs_code_lab_certification"
          + " WHERE release = '2025A' AND hcpcs = 'P2028'") == "340 220 610 110")
  }
}
