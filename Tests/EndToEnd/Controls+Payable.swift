import TestSupport

/// A control for each rule of the lists of whom one may pay.
extension Control {
  /// The releases of a list: the one that is broken, and the one before it.
  static let payableReleases: [String: (now: String, before: String)] = [
    "oig-leie": ("leie-2025-11", "leie-2025-10"),
    "cms-opt-out": ("opt-out-2025-11-14", "opt-out-2025-10-14"),
    "cms-order-referring": ("order-referring-2025-11-13", "order-referring-2025-11-10"),
    "cms-enrolment": ("ppef-2025-10-01", "ppef-2025-07-01"),
    "cms-revalidation": ("revalidation-2025-11-01", "revalidation-2025-10-01"),
    "cms-dac": ("dac-2025-11", "dac-2025-10"),
    "state-exclusions": ("ct-exclusions-2025-11-20", "ct-exclusions-2025-10-20"),
  ]

  /// A sample of a list with forty records.
  static func payable(_ pipeline: String, of release: String?) throws -> String {
    try Samples.make(pipeline, rows: 40, release: release, name: "bundle.zip")
  }

  static let payable: [Control] =
    payableSources.flatMap(ofSource) + [
      Control("exclusions-name-somebody", 1, in: .exclusions, passes: true) {
        try $0.replace("UPDATED", "THORNHURST", "THORNHURST,JONAS", ",")
      },
      Control("exclusion-dates-in-order", 1, in: .exclusions, passes: true) {
        try $0.replace("UPDATED", "THORNHURST", ",00000000,00000000,", ",19990101,00000000,")
      },
      Control("blanked-values-exclusions", 1, in: .exclusions, passes: true) {
        try $0.replace("UPDATED", "THORNHURST", "0000000000", "1234567890")
      },
      Control("opt-outs-end-after-they-begin", 1, in: .optOuts, passes: true) {
        try $0.replace("Opt", "JONAS", "03/30/2027", "03/29/2025")
      },
      Control("reassignments-are-of-enrolments", 1, in: .enrolments, passes: true) {
        try $0.replace("PPEF_Re", "I", "I2004", "I2005")
      },
      Control("blanked-values-due-dates", 1, in: .revalidations, passes: true) {
        try $0.replace("Reval", "I", "1618000016", "1618000015")
      },
      Control("blanked-values-clinicians", 1, in: .clinicians, passes: true) {
        try $0.replace("DAC", "1618000016", "2035553649", "CALL ME")
      },
      Control("odd-values-clinicians", 1, in: .clinicians, passes: true) {
        try $0.replace("DAC", "1618000016", ",Y,Y,", ",YES,Y,")
      },
      Control("odd-values-affiliations", 1, in: .clinicians, passes: true) {
        try $0.replace("Facility", "1618000016", "35S413", "35S4134")
      },
      Control("blanked-values-list", 1, in: .stateExclusions, passes: true) {
        try $0.replace("ct-", "MARMAN", "1236000026", "1236000027")
      },
    ]

  /// A source of a list: its table, the start of its file, how its header begins, and in its first record a text
  /// that another record may have otherwise.
  private struct PayableSource {
    let base: Base
    let name: String
    let table: String
    let file: String
    let header: String
    /// How the first record begins.
    let first: String
    /// A text of the first record, and another in its place.
    let text: (String, String)
    /// The two letters of its state, with what is around them; nil where no column is looked up.
    let state: String?
    /// Whether its key is the number of a record, so that none is there twice.
    var isNumbered = false
    /// Whether there must be a number of rows.
    var hasLeast = true
  }

  private static let payableSources = [
    PayableSource(
      base: .exclusions, name: "exclusions", table: "exclusion", file: "UPDATED", header: "LASTNAME",
      first: "THORNHURST", text: ("", ""), state: ",NY,", isNumbered: true),
    PayableSource(
      base: .optOuts, name: "affidavits", table: "opt_out", file: "Opt", header: "First",
      first: "JONAS,THORNHURST", text: ("JONAS", "JON"), state: ",NY,"),
    PayableSource(
      base: .orderReferring, name: "providers", table: "order_referring", file: "Order", header: "NPI",
      first: "1618000016", text: ("JONAS", "JON"), state: nil),
    PayableSource(
      base: .enrolments, name: "enrolments", table: "enrollment", file: "PPEF_En", header: "NPI",
      first: "1618000016", text: ("THORN", "THORNE"), state: ",NY,"),
    PayableSource(
      base: .enrolments, name: "reassignments", table: "reassignment", file: "PPEF_Re", header: "REASGN",
      first: "I20040000000010", text: ("", ""), state: nil, hasLeast: false),
    PayableSource(
      base: .revalidations, name: "due-dates", table: "revalidation", file: "Reval", header: "Enrollment",
      first: "I20040000000001", text: ("JONAS", "JON"), state: ",NY,"),
    PayableSource(
      base: .clinicians, name: "clinicians", table: "clinician_location", file: "DAC", header: "NPI",
      first: "1618000016", text: ("JONAS", "JON"), state: ",CA,"),
    PayableSource(
      base: .clinicians, name: "affiliations", table: "facility_affiliation", file: "Facility", header: "NPI",
      first: "1618000016", text: ("JONAS", "JON"), state: nil, hasLeast: false),
    PayableSource(
      base: .stateExclusions, name: "list", table: "exclusion", file: "ct-", header: "Last",
      first: "THORNHURST", text: ("", ""), state: ",NY,", isNumbered: true),
  ]

  /// The rules that each source has.
  private static func ofSource(_ source: PayableSource) -> [Control] {
    let (base, name, file, first) = (source.base, source.name, source.file, source.first)
    let (text, header, table) = (source.text, source.header, "directory." + source.table)
    let isRecord: @Sendable (String) -> Bool = { !$0.isEmpty && !$0.hasPrefix(header) }
    let release = payableReleases[base.pipeline]?.now ?? ""
    var controls = [
      Control("unique-key-\(name)", 1, in: base, sql: noFileTwice(in: table)),
      Control("row-change-\(name)", base == .stateExclusions ? 25 : 12, in: base) {
        try $0.dropLast(file, base == .stateExclusions ? 25 : 12, where: isRecord)
      },
      // Of a list of a state five may be gone.
      Control("lost-keys-\(name)", 6, in: base, sql: replaced(table, in: release)) {
        try $0.dropLast(file, 6, where: isRecord)
      },
    ]
    if !source.isNumbered {
      controls.append(Control("copies-\(name)", 1, in: base, passes: true) { try $0.double(file, first) })
      controls.append(
        text.0.isEmpty
          // Both columns are its key: the server alone could find another.
          ? Control("second-records-\(name)", 0, in: base, passes: true) { try $0.double(file, first) }
          : Control("second-records-\(name)", 1, in: base, passes: true) {
            try $0.edit(file, first) { [$0, $0.replacing(text.0, with: text.1)] }
          })
    }
    if source.hasLeast, base != .stateExclusions {
      controls.append(Control("rows-\(name)", 9, in: base) { try $0.keep(file, 9, where: isRecord) })
    } else if base == .stateExclusions {
      controls.append(Control("rows-\(name)", 0, in: base) { try $0.keep(file, 0, where: isRecord) })
    }
    if let state = source.state {
      controls.append(
        Control("known-codes-\(name)", 1, in: base, passes: true) {
          try $0.replace(file, first, state, ",ZZ,")
        })
    }
    return controls
  }
}
