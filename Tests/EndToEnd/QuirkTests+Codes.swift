import TestSupport
import Testing

// What becomes of files of HCPCS codes and modifiers.
extension QuirkTests {
  static let codeFile = Dataset(
    pipeline: "cms-hcpcs", main: "cms.hcpcs_code", rows: 25, format: "xlsx",
    tables: "hcpcs_.*")

  private static func code(
    _ quirks: String, _ verdict: Verdict, in formats: String = "xlsx", warning: String = "",
    arguments: [String] = []
  ) -> Case {
    Case(quirks, verdict, in: formats, warning: warning, arguments: arguments, of: codeFile)
  }

  static let codeCases: [Case] = [
    // The txt has the same rows as the workbook, text for text.
    code("", .differs([:]), in: "txt xlsx", arguments: ["--cross-check"]),
    code(
      "", .gives(parts, "25 codes, 12 modifiers, 3 in slot 3, 11 texts of more than one record, 8 at most")),
    code("disclaimers trimmed-continuation bare-cr ctrl-z", .differs([:]), in: "txt"),
    code("lf no-final-newline short-lines ascii-order nested-zip folder-in-zip", .differs([:]), in: "txt"),
    code("mixed-line-ends bom extra-banner", .differs([:]), in: "txt"),
    code("spilled-description int-codes ctrl-z", .differs([:])),
    code("disclaimers inline-strings date-serials", .differs([:])),
    code("short-disclaimers date-serials-1904", .differs([:])),
    code(
      "footnotes ebcdic-order reworded-header unknown-column extra-banner", .differs([:]),
      warning: "NEWLY ADDED"),
    code(
      "disclaimers spilled-description trimmed-continuation inline-strings", .differs([:]), in: "txt xlsx",
      arguments: ["--cross-check"]),
    // Corrections.
    code("corrections", .gives(corrections, corrected), warning: "corrections-took-effect: 1"),
    code("corrections date-serials int-codes inline-strings ctrl-z", .same(as: ["corrections"])),
    code("corrections date-serials-1904", .same(as: ["corrections"])),
    code("corrections", .same(as: ["corrections"]), in: "txt"),
    code(
      "corrections unknown-correction",
      .refused(["Corrections_ANWEB.xlsx:16, action", "the value is none of the forms known"])),
    // Characters.
    code("utf-8", .differs(["hcpcs_modifier.long_description": 1])),
    code("utf-8", .differs(["hcpcs_modifier.long_description": 1]), in: "txt"),
    code("cp1252", .same(as: ["utf-8"]), in: "txt"), code("utf-16be", .same(as: ["utf-8"]), in: "txt"),
    code("embedded-newline", .differs(["hcpcs_modifier.long_description": 1])),
    // Broken. Nothing tells lines below the records from a file that is cut off.
    code("undecodable", .refused(["entry HCPC2025_OCT_ANWEB.txt:2"]), in: "txt"),
    code("long-line", .refused(["has text beyond the layout's record length"]), in: "txt"),
    code("footnotes", .refused(["is shorter than the layout's record length"]), in: "txt"),
    code("missing-column", .refused(["- 'TOS5' (type_of_service)"])),
    code("duplicate-key", .refused(["unique-key-codes"])),
  ]

  private static let parts = """
    SELECT concat(
      (SELECT count(*) FROM cms.hcpcs_code), ' codes, ', (SELECT count(*) FROM cms.hcpcs_modifier), ' modifiers, ',
      (SELECT count(*) FROM cms.hcpcs_code_pricing WHERE slot = 3)
        + (SELECT count(*) FROM cms.hcpcs_code_lab_certification WHERE slot = 3)
        + (SELECT count(*) FROM cms.hcpcs_code_type_of_service WHERE slot = 3), ' in slot 3, ',
      (SELECT count(*) FROM cms.hcpcs_code WHERE length(long_description) > 80)
        + (SELECT count(*) FROM cms.hcpcs_modifier WHERE length(long_description) > 80),
      ' texts of more than one record, ', (SELECT ceil(max(length(long_description)) / 80.0) FROM cms.hcpcs_code),
      ' at most')
    """

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
    let desk = try Desk()
    let alone = try Samples.make(
      "cms-hcpcs", quirks: ["corrections"], without: ["codes", "modifiers"], rows: 25, name: "corrections.zip"
    )
    try desk.load("cms-hcpcs", alone).failed(3, saying: "nothing to amend")
    // Other seeds have other texts.
    for (release, seed) in [("2024D", 2), ("2025A", 1)] as [(String, UInt64)] {
      try desk.load(
        "cms-hcpcs",
        Samples.make("cms-hcpcs", rows: 25, seed: seed, release: release, name: "\(release).zip")
      ).succeeded()
    }
    try desk.load("cms-hcpcs", alone).succeeded().withholding("warning")
    #expect(
      try desk.rows(
        """
        SELECT a.hcpcs, b.long_description = a.long_description
        FROM cms.hcpcs_code a JOIN cms.hcpcs_code b USING (hcpcs)
        WHERE a.release = '2025A' AND b.release = '2024D' AND hcpcs IN ('J0120', 'A4206', 'E0100') ORDER BY 1
        """) == ["A4206|f", "E0100|f", "J0120|t"])
    #expect(
      try desk.value(
        "SELECT string_agg(certification, ' ' ORDER BY slot) FROM cms.hcpcs_code_lab_certification"
          + " WHERE release = '2025A' AND hcpcs = 'P2028'") == "340 220 610 110")
  }
}
