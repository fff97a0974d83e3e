/// A control for each rule of cms-hcpcs and cms-zip5.
extension Control {
  static let codes: [Control] = [
    // Itself, its price and its type of service.
    Control("unique-key-codes", 3, in: .codes) { try $0.double("HCPC", "V2020001") },
    Control("unique-key-modifiers", 1, in: .codes) { try $0.double("HCPC", "   A1001") },
    // Its records are numbered as they come, so that no file has a number twice.
    Control(
      "unique-key-corrections", 1, in: .codes,
      sql: "ALTER TABLE cms.hcpcs_correction ADD UNIQUE (release, source_file_id)"),
    Control("rows-codes", 9, in: .codes) { try $0.change("HCPC") { keep(9, of: ["3", "4"], in: &$0) } },
    Control("rows-modifiers", 9, in: .codes) { try $0.change("HCPC") { keep(9, of: ["7", "8"], in: &$0) } },
    // The corrections take three codes of 40 away and add one.
    Control("row-change-codes", 5, in: .codes) {
      try $0.change("HCPC") { keep(37, of: ["3", "4"], in: &$0) }
    },
    Control("row-change-modifiers", 2, in: .codes) { files in
      try files.change("HCPC") { keep(10, of: ["7", "8"], in: &$0) }
    },
    // The corrections of the bundle take three codes away that the release before has.
    Control("lost-keys-codes", 4, in: .codes, sql: replaced("cms.hcpcs_code", in: "2025A")) {
      try $0.change("HCPC") { lines in lines.removeAll { $0.hasPrefix("V2020") } }
    },
    Control("lost-keys-modifiers", 1, in: .codes, sql: replaced("cms.hcpcs_modifier", in: "2025A")) {
      try $0.change("HCPC") { lines in lines.removeAll { $0.hasPrefix("   A1") } }
    },
    Control("known-codes-codes", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "V2020001", at: 230, "@")
    },
    Control("known-codes-modifiers", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "   A1001", at: 230, "@")
    },
    Control("known-codes-corrections", 1, in: .codes, passes: true) {
      try $0.editWorkbook("<t>00</t>", "<t>07</t>")
    },
    Control("odd-values-codes", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "V2020001", at: 205, "WORD ")
    },
    Control("odd-values-modifiers", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "   A1001", at: 205, "WORD ")
    },
    Control("blanked-values-codes", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "V2020001", at: 233, "2025XX01")
    },
    Control("blanked-values-modifiers", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "   A1001", at: 269, "2025XX01")
    },
    Control("codes-have-a-description", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "V2020001", at: 92, String(repeating: " ", count: 28))
    },
    Control("codes-end-after-they-begin", 1, in: .codes, passes: true) {
      try $0.write("HCPC", "V2020001", at: 285, "19000101")
    },
    // The description to which a correction goes back is that of the year before.
    Control("corrections-took-effect", 1, in: .codes, passes: true, sql: "DELETE FROM cms.hcpcs_code"),
  ]

  static let places: [Control] = [
    Control("unique-key-zip5", 1, in: .places) { try $0.double("ZIP5", "NY") },
    Control("rows-zip5", 0, in: .places) { try $0.keep("ZIP5", 0, where: isPlace) },
    Control("row-change-zip5", 101, in: .places) { try $0.dropLast("ZIP5", 101, where: isPlace) },
    Control("lost-keys-zip5", 11, in: .places, sql: replaced("cms.zip_locality")) {
      try $0.dropLast("ZIP5", 11, where: isPlace)
    },
    Control("known-codes-zip5", 1, in: .places, passes: true) { try $0.set("ZIP5", "NY", 4, "@") },
    // A state of three letters, and two of an indicator that has one.
    Control("odd-values-zip5", 2, in: .places, passes: true) { files in
      try files.set("ZIP5", "NY", 8, "XX")
      try files.set("ZIP5", "NY", 0, "NYC")
    },
    Control("quarter-is-the-release", 1, in: .places) { try $0.set("ZIP5", "NY", 9, "20253") },
    Control("every-region-is-there", 1, in: .places, passes: true) { files in
      try files.change("ZIP5") { $0.removeAll { $0.dropFirst(3).hasPrefix("9") } }
    },
  ]

  private static let isPlace: @Sendable (String) -> Bool = { !$0.isEmpty && !$0.hasPrefix("STATE") }

  /// Leaves so many of the codes or modifiers, whose records have these numbers, with all of their records.
  private static func keep(_ count: Int, of records: [String], in lines: inout [String]) {
    func isMeant(_ line: String) -> Bool { records.contains(String(line.dropFirst(10).prefix(1))) }
    var kept: [Substring] = []
    lines.removeAll { line in
      guard isMeant(line) else { return false }
      if !kept.contains(line.prefix(5)) && kept.count < count { kept.append(line.prefix(5)) }
      return !kept.contains(line.prefix(5))
    }
  }
}
