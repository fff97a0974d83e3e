/// The column that an export of refused records has before those of the source.
///
/// It is no part of a record: who reads such a file, leaves it out.
package enum ReasonColumn {
  /// What the header calls it.
  package static let name = "rivulet_reason"
  /// The same as headers are compared.
  package static let header = "RIVULET_REASON"

  /// The field that goes before a record, with its delimiter: `"line 12, work_rvu: not-a-decimal",`.
  package static func field(line: Int, column: String?, rule: String, delimiter: UInt8) -> String {
    let blame = column.map { ", \($0)" } ?? ""
    let text = "line \(line)\(blame): \(rule)"
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\"" + String(UnicodeScalar(delimiter))
  }

  /// A record without the field, as far as it has one.
  package static func removed(from raw: some Collection<UInt8>, delimiter: UInt8) -> [UInt8] {
    var place = raw.startIndex
    if raw.first == UInt8(ascii: "\"") {
      // A doubled quote ends and begins again, and nothing but the delimiter may follow the last.
      var isInside = false
      while place < raw.endIndex, isInside || raw[place] != delimiter {
        if raw[place] == UInt8(ascii: "\"") { isInside.toggle() }
        place = raw.index(after: place)
      }
    } else {
      while place < raw.endIndex, raw[place] != delimiter { place = raw.index(after: place) }
    }
    return place < raw.endIndex ? Array(raw[raw.index(after: place)...]) : Array(raw)
  }
}
