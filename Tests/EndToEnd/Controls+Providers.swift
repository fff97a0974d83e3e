/// A control for each rule of nppes and nucc.
extension Control {
  private static let providerFile = "npidata"
  /// A record of the main file begins so.
  private static func start(_ number: Int) -> String { "\"\(ProviderFiles.npi(number))\"" }

  static let providers: [Control] =
    [
      ("locations", "pl_", "practice_location"), ("other-names", "othername", "provider_other_name"),
      ("endpoints", "endpoint", "endpoint"),
    ].flatMap { source, file, table in
      [
        Control("copied-\(source)", 1, in: .providers, passes: true) { try $0.double(file, start(1)) },
        Control("unique-key-\(source)", 1, in: .providers, sql: noFileTwice(in: "directory.\(table)")),
        Control("row-change-\(source)", 20, in: .providers) { try $0.dropLast(file, 20, where: isRecord) },
        Control(
          "lost-keys-\(source)", 1, in: .providers, sql: replaced("directory.\(table)", in: "nppes-2025-11")
        ) { try $0.dropLast(file, 1, where: isRecord) },
      ]
    } + [
      Control("copies-providers", 1, in: .providers, passes: true) { try $0.double(providerFile, start(1)) },
      Control("second-records-providers", 1, in: .providers, passes: true) { files in
        try files.edit(providerFile, start(1)) { [$0, $0.replacing("07/08/2007", with: "01/01/1999")] }
      },
      Control(
        "unique-key-providers", 1, in: .providers,
        sql: noFileTwice(in: "directory.provider")),
      Control("rows-providers", 9, in: .providers) { try $0.keep(providerFile, 9, where: isRecord) },
      Control("row-change-providers", 4, in: .providers) {
        try $0.dropLast(providerFile, 4, where: isRecord)
      },
      Control(
        "lost-keys-providers", 1, in: .providers, sql: replaced("directory.provider", in: "nppes-2025-11")
      ) { try $0.dropLast(providerFile, 1, where: isRecord) },
      // All are persons but one that is neither.
      Control("share-of-entity-type-providers", 2, in: .providers, passes: true) { files in
        for number in 1...2 { try files.replace(providerFile, start(number), "\"1\"", "\"2\"") }
      },
      Control("known-codes-providers", 1, in: .providers, passes: true) {
        try $0.replace(providerFile, start(1), "\"F\"", "\"Q\"")
      },
      Control("odd-values-endpoints", 1, in: .providers, passes: true) {
        try $0.replace("endpoint", start(1), "\"N\"", "\"NO\"")
      },
      Control("odd-values-providers", 1, in: .providers, passes: true) {
        try $0.replace(providerFile, start(1), "207R00000X", "207R0X")
      },
      Control("blanked-values-providers", 2, in: .providers, passes: true) {
        try $0.replace(providerFile, start(1), "6175550100", "CALL ME")
      },
      Control("known-codes-locations", 1, in: .providers, passes: true) {
        try $0.replace("pl_", start(1), "\"MA\"", "\"ZZ\"")
      },
      Control("blanked-values-locations", 1, in: .providers, passes: true) {
        try $0.replace("pl_", start(1), "6175550101", "CALL ME")
      },
      Control("known-codes-other-names", 1, in: .providers, passes: true) {
        try $0.replace("othername", start(1), "\"3\"", "\"9\"")
      },
      Control("known-codes-endpoints", 1, in: .providers, passes: true) {
        try $0.replace("endpoint", start(1), "\"MA\"", "\"ZZ\"")
      },
      Control("known-taxonomies", 1, in: .providers, passes: true) {
        try $0.replace(providerFile, start(1), "207R00000X", "999X00000X")
      },
      Control("one-primary-taxonomy", 1, in: .providers, passes: true) { files in
        // The second slot of taxonomies follows the first.
        try files.replace(
          providerFile, start(1), #""MA","Y","","","","","""#, #""MA","Y","","207R00000X","","","Y""#)
      },
      Control("deactivations-agree", 1, in: .providers, passes: true) {
        try $0.replace(providerFile, start(40), "01/31/2020", "")
      },
    ]

  /// Of the report, which is a workbook, whose rules no text of the other files breaks.
  static let deactivations: [Control] = [
    Control("copies-deactivations", 1, in: .providers, passes: true) {
      try $0.workbook([[npi, "01/31/2020"], [npi, "01/31/2020"]])
    },
    Control("second-records-deactivations", 1, in: .providers, passes: true) {
      try $0.workbook([[npi, "01/31/2020"], [npi, "02/01/2020"]])
    },
    Control(
      "unique-key-deactivations", 1, in: .providers,
      sql: noFileTwice(in: "directory.npi_deactivation")
    ) { try $0.workbook([[npi, "01/31/2020"], [ProviderFiles.npi(41), "01/31/2020"]]) },
    Control("row-change-deactivations", 1, in: .providers) {
      try $0.workbook([[npi, "01/31/2020"], [ProviderFiles.npi(41), "01/31/2020"]])
    },
    Control(
      "lost-keys-deactivations", 1, in: .providers,
      sql: replaced("directory.npi_deactivation", in: "nppes-2025-11")
    ) { try $0.workbook([[ProviderFiles.npi(41), "01/31/2020"]]) },
  ]

  private static let npi = ProviderFiles.npi(40)

  static let taxonomy: [Control] = [
    Control("unique-key-taxonomy", 1, in: .taxonomy) { try $0.double("nucc", "207010001X") },
    Control(
      "unique-key-crosswalk", 1, in: .taxonomy,
      sql: noFileTwice(in: "directory.specialty_crosswalk")),
    Control("rows-taxonomy", 9, in: .taxonomy) { try $0.keep("nucc", 9) { $0.hasPrefix("2070") } },
    Control("row-change-taxonomy", 5, in: .taxonomy) { try $0.dropLast("nucc", 5) { $0.hasPrefix("2070") } },
    Control("row-change-crosswalk", 20, in: .taxonomy) {
      try $0.dropLast("Medicare", 20) { $0.hasPrefix("01,") }
    },
    Control("odd-values-taxonomy", 1, in: .taxonomy, passes: true) {
      try $0.replace("nucc", "207010020X", "207010020X", "207010020Y")
    },
    Control("odd-values-crosswalk", 1, in: .taxonomy, passes: true) {
      try $0.set("Medicare", "01,", 2, "207X")
    },
    Control("rows-crosswalk", 9, in: .taxonomy) { try $0.keep("Medicare", 9) { $0.hasPrefix("01,") } },
    Control("lost-keys-taxonomy", 1, in: .taxonomy, sql: replaced("directory.taxonomy", in: "nucc-25.1")) {
      try $0.dropLast("nucc", 1) { $0.hasPrefix("2070") }
    },
    Control(
      "lost-keys-crosswalk", 1, in: .taxonomy,
      sql: replaced("directory.specialty_crosswalk", in: "nucc-25.1")
    ) { try $0.dropLast("Medicare", 1) { $0.hasPrefix("01,") } },
    Control("crosswalk-codes-are-known", 1, in: .taxonomy, passes: true) {
      try $0.set("Medicare", "01,", 2, "999X00000X")
    },
  ]

  /// Its key is unique by itself: another rule of the table's is broken, which the release before must not
  /// break.
  static func noFileTwice(in table: String) -> String {
    "DELETE FROM \(table); ALTER TABLE \(table) ADD UNIQUE (release, source_file_id)"
  }

  private static let isRecord: @Sendable (String) -> Bool = { $0.hasPrefix("\"1") }
}
