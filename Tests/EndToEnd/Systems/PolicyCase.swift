import PostgreSQL
import TestSupport
import Testing

/// Who does what with which outcome.
struct PolicyCase: CustomTestStringConvertible, Sendable {
  /// Who has signed in, by his identifier; nil for nobody. Or ``Client/owner``.
  let user: String?
  let sql: String
  let outcome: Client.Outcome

  /// In words for a failure.
  let testDescription: String

  /// Cases, a line each: who it is, or `anon`; how many rows are seen or written, or the SQLSTATE of the
  /// refusal, `no` for 42501; and the statement.
  ///
  /// In that, `#41` is the identifier of a row, `{41}` the same without quotes, `@ana` that of a person.
  static func table(_ text: String) -> [PolicyCase] {
    text.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      let outcome =
        words[1] == "no"
        ? Client.Outcome.forbidden
        : words[1].count == 5 ? .refused(words[1]) : .rows(Int(words[1]) ?? -1)
      return PolicyCase(
        user: words[0] == Client.owner ? Client.owner : People.all[words[0]],
        sql: People.identified(words[2]), outcome: outcome,
        testDescription: String(line))
    }
  }

  /// SELECT, INSERT, UPDATE or DELETE.
  var command: String { String(sql.prefix { $0 != " " }) }

  /// What it reads or writes, with its schema.
  var table: String? {
    let words = sql.split(whereSeparator: { " (".contains($0) })
    let before = ["SELECT": "FROM", "INSERT": "INTO", "DELETE": "FROM", "UPDATE": "UPDATE"][command]
    guard let place = words.firstIndex(where: { $0 == before ?? "" }), place + 1 < words.count else {
      return nil
    }
    return String(words[place + 1])
  }

  /// Something is seen or done.
  var isAllowed: Bool {
    if case .rows(let count) = outcome { count > 0 } else { false }
  }
}

/// Users and rows of the tests, distinguished by their last digits.
enum People {
  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static let ana = id(1)
  static let ben = id(2)
  static let carol = id(3)

  /// By their names; Dana has not come yet.
  static let all = ["ana": ana, "ben": ben, "carol": carol, "dana": id(4)]

  /// SQL with the identifiers of the rows `#41` and `{41}`, and of the person `@ana`.
  static func identified(_ sql: String) -> String {
    var text = sql
    for (name, id) in all { text.replace("@\(name)", with: "'\(id)'") }
    text.replace(#/#(\d+)/#) { "'\(id(Int($0.1) ?? 0))'" }
    text.replace(#/\{(\d+)\}/#) { id(Int($0.1) ?? 0) }
    return text
  }
}
