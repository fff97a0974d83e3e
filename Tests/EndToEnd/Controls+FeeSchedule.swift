/// A control for each rule of cms-rvu.
extension Control {
  private static let isRecord: @Sendable (String) -> Bool = {
    $0.first?.isNumber == true || $0.first?.isUppercase == true && $0.dropFirst().first?.isNumber == true
  }

  /// What makes of a table's rows of the release before those of a revision which the bundle replaces.
  ///
  /// `release`: the bundle's.
  static func replaced(_ table: String, in release: String = "2025D") -> String {
    """
    CREATE TABLE rivulet.replaced AS TABLE \(table);
    INSERT INTO rivulet.release (pipeline, release, revision, effective_from, state, run, synthetic)
    SELECT pipeline, '\(release)', 1, effective_from, state, run, synthetic FROM rivulet.release;
    INSERT INTO rivulet.release_table (pipeline, release, revision, target, partition, rows)
    SELECT pipeline, '\(release)', 1, target, 'rivulet.replaced', rows FROM rivulet.release_table
    WHERE target = '\(table)'
    """
  }

  /// The same, with nine keys more.
  static func longer(_ table: String, in release: String) -> String {
    replaced(table, in: release)
      + "; INSERT INTO rivulet.replaced (source_id) SELECT 'more-' || n FROM generate_series(1, 9) n"
  }

  static let feeSchedule: [Control] = [
    Control("unique-key-pprrvu", 1) { try $0.double("PPRRVU", "99213,") },
    Control("unique-key-gpci", 1) { try $0.double("GPCI", "10112,") },
    // Its records are numbered as they come, so that no file has a number twice.
    Control(
      "unique-key-locco", 1,
      sql:
        "DELETE FROM cms.locality_county; ALTER TABLE cms.locality_county ADD UNIQUE (release, source_file_id)"
    ),
    Control("unique-key-anes", 1) { try $0.double("ANES", "10112,") },
    Control("unique-key-oppscap", 1) { try $0.double("OPPSCAP", "70010,,A,10112,") },

    Control("rows-pprrvu", 9) { try $0.keep("PPRRVU", 9, where: isRecord) },
    Control("rows-gpci", 79) { try $0.keep("GPCI", 79, where: isRecord) },
    Control("rows-locco", 79) { try $0.keep("25LOCCO", 79) { $0.first?.isNumber == true } },
    Control("rows-anes", 79) { try $0.keep("ANES", 79, where: isRecord) },
    Control("rows-oppscap", 0) { try $0.keep("OPPSCAP", 0, where: isRecord) },

    // A tenth is six of 60, and ten of 109 or 110.
    Control("row-change-pprrvu", 7) { try $0.dropLast("PPRRVU", 7, where: isRecord) },
    Control("row-change-gpci", 11) { try $0.dropLast("GPCI", 11, where: isRecord) },
    Control("row-change-locco", 12) { try $0.dropLast("25LOCCO", 12) { $0.first?.isNumber == true } },
    Control("row-change-anes", 11) { try $0.dropLast("ANES", 11, where: isRecord) },
    Control("row-change-oppscap", 22) { try $0.dropLast("OPPSCAP", 22, where: isRecord) },

    // One of 60 rows is more than a hundredth, and more than none of those that are paid; two of 109.
    Control("lost-keys-pprrvu", 1, sql: replaced("cms.rvu")) { try $0.drop("PPRRVU", "10004,") },
    Control("lost-keys-gpci", 2, sql: replaced("cms.gpci")) { try $0.drop("GPCI", "10112,", "02102,") },
    Control("lost-keys-locco", 2, sql: replaced("cms.locality_county")) {
      try $0.dropLast("25LOCCO", 2) { $0.first?.isNumber == true }
    },
    Control("lost-keys-anes", 2, sql: replaced("cms.anesthesia_cf")) {
      try $0.drop("ANES", "10112,", "02102,")
    },
    Control("lost-keys-oppscap", 3, sql: replaced("cms.opps_cap")) {
      try $0.dropLast("OPPSCAP", 3, where: isRecord)
    },

    // Four of 60 rows are more than five points: they are lost to one value and gained by another.
    Control("share-of-status-code-pprrvu", 2) { files in
      for code in ["10004,", "13003,", "16002,", "19002,"] { try files.set("PPRRVU", code, 3, "N") }
    },
    Control("sum-of-work-rvu-pprrvu", 1) { try $0.set("PPRRVU", "10004,", 5, "914.35") },

    Control("known-codes-pprrvu", 1, passes: true) { try $0.set("PPRRVU", "10004,", 18, "8") },
    Control("known-codes-oppscap", 2, passes: true) { files in
      for row in ["70010,,A,10112,", "70010,TC,A,10112,"] { try files.replace("OPPSCAP", row, ",A,", ",Z,") }
    },

    Control("odd-values-pprrvu", 1, passes: true) { try $0.replace("PPRRVU", "10004,", "10004,", "GXXX1,") },
    Control("odd-values-gpci", 1, passes: true) { try $0.set("GPCI", "10112,", 1, "ALA") },
    Control("odd-values-oppscap", 1, passes: true) {
      try $0.replace("OPPSCAP", "70010,,A,10112,", "70010,", "GXXX1,")
    },

    Control("totals-add-up", 1) { try $0.set("PPRRVU", "10004,", 12, "99.99") },
    // Later layouts refuse the record itself.
    Control("caps-are-there", 2, in: .transition) { try $0.set("PPRRVU", "1", 34, "", count: 2) },
    Control("paid-rows-have-a-price", 1, passes: true) { try $0.set("PPRRVU", "10004,", 4, "+") },
    // The row of contractor 01182 once more, under the other contractor of the state.
    Control("copied-localities", 1, passes: true) { files in
      try files.edit("OPPSCAP", "70010,,A,01182,17,") { [$0, $0.replacing(",01182,", with: ",01112,")] }
    },
    Control("every-locality-has-a-gpci", 4) { try $0.drop("GPCI", "10112,", "02102,", "03102,", "07102,") },
    Control("every-gpci-has-a-county", 4) { try $0.drop("25LOCCO", "10112,", "2102,", "3102,", "7102,") },
    Control("anesthesia-localities-match", 4) { try $0.drop("ANES", "10112,", "02102,", "03102,", "07102,") },
    Control("opps-cap-localities-have-a-gpci", 2, passes: true) { try $0.drop("GPCI", "10112,") },
    Control("opps-cap-codes-are-known", 1, passes: true) {
      try $0.replace("OPPSCAP", "70010,,A,10112,", "70010,", "00100,")
    },
    Control("opps-caps-are-whole", 2, passes: true) { files in
      try files.change("OPPSCAP") { $0.removeAll { $0.hasPrefix("70010,") } }
      // At least one row must be there.
      try files.edit("OPPSCAP", "HCPCS") { [$0, "00100,,A,10112,00,1.00,1.00"] }
    },
    Control("opps-caps-cover-localities", 1, passes: true) { try $0.drop("OPPSCAP", "70010,,A,10112,") },
    Control("published-prices-agree", 1, passes: true) {
      try $0.set("OPPSCAP", "70010,,A,10112,", 5, "0.01")
    },

    // From 2026 on.
    Control("classes-agree", 1, in: .classes) { try $0.set("PPRRVU2026_Jan_QPP", "10004,", 14, "010") },
    Control("classes-are-whole", 1, in: .classes) {
      try $0.dropLast("PPRRVU2026_Jan_QPP", 6, where: isRecord)
    },
    Control("classes-are-whole", 1, in: .classes) {
      try $0.dropLast("PPRRVU2026_Jan_nonQPP", 10, where: isRecord)
    },
    // The class has 59 rows, and the release before 60 of both.
    Control("row-change-pprrvu", 7, in: .classes) {
      try $0.dropLast("PPRRVU2026_Jan_QPP", 6, where: isRecord)
    },
    // 10004 is active; its factor in the other file is 32.3465 or so.
    Control("qualifying-file-is-the-higher", 1, in: .classes) {
      try $0.replace("PPRRVU2026_Jan_QPP", "10004,", ",33.", ",13.")
    },
    Control("qualifying-file-is-the-higher", 36, in: .classes) {
      try $0.swap("PPRRVU2026_Jan_QPP", "PPRRVU2026_Jan_nonQPP")
    },
    Control("qualifying-factor-is-higher", 1, in: .classes) { try $0.set("ANES", "10112,", 3, "1.00") },
  ]
}
