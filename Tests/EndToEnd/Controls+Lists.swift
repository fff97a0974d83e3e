import Foundation
import TestSupport

/// A control for each rule of directory-csv.
extension Control {
  static let lists: [Control] = [
    // The record, and its rows in three tables more.
    Control("unique-key-list", 4, in: .lists) { try $0.double("acme", "A1,") },
    Control("folded-list", 1, in: .lists, passes: true) { try $0.fold() },
    Control("second-records-list", 1, in: .lists, passes: true) { try $0.fold(sex: "M") },
    Control("rows-list", 0, in: .lists) { try $0.drop("acme", "A1,", "A2,") },
    Control("row-change-list", 22, in: .lists) { files in
      try files.edit("acme", "A2,") { line in (2...24).map { line.replacing("A2", with: "A\($0)") } }
    },
    Control("lost-keys-list", 9, in: .lists, sql: longer("directory.provider", in: "acme-2025-02-01")),
    Control("known-codes-list", 1, in: .lists, passes: true) { try $0.set("acme", "A1,", 10, "ZZ") },
    Control("blanked-values-list", 1, in: .lists, passes: true) { try $0.set("acme", "A1,", 13, "CALL ME") },
  ]

  /// Two made-up providers of a payer's network.
  static func list(_ date: String) -> [String: String] {
    [
      "acme-\(date).csv": """
      Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Title,Office Address 1,Office Address 2,\
      Office City,Office State,Office Zip,Office Phone,Office Fax,Taxonomy
      A1,1234567893,I,,Name,First,MD,1 Main St,,Wexley,CT,06001,203-555-1000,,207R00000X
      A2,,O,A Clinic,,,,2 Main St,,Wexley,CT,06001,203-555-2000,,261QP2300X

      """
    ]
  }

  /// One clinician of a group in two places, and another.
  fileprivate static func practices(sex: String) -> [String] {
    [
      "Individual NPI,Clinician Last Name,Clinician First Name,Location Address 1,Location City,Location State,"
        + "Location ZIP,Group Practice Name,Clinician Sex",
      "1234567893,Name,First,1 Main St,Wexley,CT,06001,A Clinic,F",
      "1073050910,Other,First,1 Main St,Wexley,CT,06001,A Clinic,F",
      "1234567893,Name,First,2 Main St,Wexley,CT,06001,B Clinic,\(sex)", "",
    ]
  }

  /// The list that is loaded before those of the controls.
  static let earlierList = Result { try Files(list("2025-01-01"), in: "lists") }
}

extension Control.Files {
  /// Makes a list of it in which a clinician comes twice.
  fileprivate mutating func fold(sex: String = "F") throws {
    try change("acme") { $0 = Control.practices(sex: sex) }
  }
}
