import Foundation
import TestSupport

/// A control for each rule of the systems whose exports are merged.
extension Control {
  /// Each file, its source, and the column in which a record says whose it is.
  private static let exports: [(base: Base, file: String, source: String, parent: String?)] = [
    (.rvutrack, "users", "users", nil), (.rvutrack, "visits", "visits", "user_id"),
    (.rvutrack, "procedures", "procedures", "visit_id"), (.rvutrack, "favorites", "favorites", "user_id"),
    (.clara, "patients", "patients", nil), (.clara, "conversations", "conversations", "patient_id"),
    (.clara, "provider_review_requests", "review-requests", "conversation_id"),
    (.clara, "follow_up_messages", "follow-ups", "conversation_id"),
    (.oncall, "schedules", "schedules", nil), (.oncall, "directory", "directory", nil),
    (.doula, "doula_profiles", "profiles", nil), (.doula, "clients", "clients", "doula_id"),
    (.doula, "templates", "templates", "doula_id"), (.doula, "birth_plans", "birth-plans", "client_id"),
    (.doula, "recommendations", "recommendations", "client_id"),
    (.doula, "client_files", "client-files", "client_id"),
    (.doula, "public_links", "public-links", "client_id"),
    (.ccc, "users", "users", nil), (.ccc, "messages", "messages", "recipient_id"),
    (.ccc, "secure_files", "files", nil), (.ccc, "calls", "calls", "callee_id"),
    (.ccc, "emergencies", "emergencies", "reported_by"), (.ccc, "analytics_events", "events", nil),
  ]

  /// The same of facts, which have a column of their own each that may be blank.
  private static let facts: [Control] =
    [("visits", "facility"), ("procedures", "modifier")].flatMap { file, column in
      [
        Control("unique-key-\(file)", 1, in: .hospitalFacts) {
          try $0.change(file) { $0.insert($0[1], at: 1) }
        },
        Control("blanked-values-\(file)", 1, in: .hospitalFacts, passes: true) {
          try $0.set(file, column: column, "no such code")
        },
      ]
    } + [
      Control("orphans-procedures", 1, in: .hospitalFacts, passes: true) {
        try $0.set("procedures", column: "visit_id", "11111111-1111-4111-8111-111111111111")
      },
      Control("work-within-total", 1, in: .hospitalFacts, passes: true) {
        try $0.set("procedures", column: "work_rvu", "99.00")
      },
    ]

  static let systems: [Control] =
    exports.flatMap { base, file, source, parent in
      [
        Control("unique-key-\(source)", 1, in: base) { try $0.change(file) { $0.insert($0[1], at: 1) } },
        Control("blanked-values-\(source)", 1, in: base, passes: true) {
          try $0.set(file, column: "created_at", "some day")
        },
      ]
        + (parent.map { parent in
          [
            Control("orphans-\(source)", 1, in: base, passes: true) {
              try $0.set(file, column: parent, "11111111-1111-4111-8111-111111111111")
            }
          ]
        } ?? [])
    } + [
      Control("pregnancy-week", 1, in: .doula, passes: true) { files in
        try files.change("clients") { lines in
          for index in lines.indices where !lines[index].isEmpty {
            lines[index] += index == 0 ? ",pregnancyWeek" : index == 1 ? ",43" : ","
          }
        }
      }
    ] + facts
}

extension Control.Files {
  /// Puts a value into a column of the first record, in a file whose fields before it hold no comma.
  fileprivate mutating func set(_ file: String, column: String, _ value: String) throws {
    try change(file) { lines in
      let names = lines[0].split(separator: ",")
      let place = names.firstIndex { $0 == column } ?? 0
      // From the end that is nearer, as JSON in between may have commas.
      var fields = lines[1].split(separator: ",", omittingEmptySubsequences: false)
      let index = place < 3 ? place : fields.count - (names.count - place)
      fields[index] = value[...]
      lines[1] = fields.joined(separator: ",")
    }
  }
}
