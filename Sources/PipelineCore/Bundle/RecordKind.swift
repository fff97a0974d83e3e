package import Definitions
import Values

/// How the records of an entry tell what they are, where several sources take theirs from it.
package struct RecordKind: Sendable {
  /// The rule that leaves out records of other kinds.
  package let rule: String
  /// The property that says it.
  private let name: [UInt8]
  /// The kinds that the source wants.
  package let wanted: [String]

  /// What the first rule says that leaves out all but some kinds; nil where there is none.
  package init?(_ version: LayoutVersion) {
    for skip in version.skips {
      guard case .otherValue(let column, let values) = skip.condition,
        let path = version.columns.first(where: { $0.name == column })?.place?.paths.first,
        path.steps.count == 1
      else { continue }
      (rule, wanted) = (skip.rule, values)
      name = Array("\"\(path.steps[0].name)\"".utf8)
      return
    }
    return nil
  }

  /// The rule by which a malformed record is left to another source; nil where this one takes it.
  ///
  /// Each source that reads an entry comes upon its malformed records. What says of itself that it is of a
  /// kind is that kind's; the others are one source's, the owner's, so that none is counted twice.
  package func leavesOut(_ raw: [UInt8], to entry: HeadedEntry) -> String? {
    if let kind = said(in: raw) {
      if wanted.contains(kind) { return nil }
      if entry.kindsOfOthers.contains(kind) { return rule }
    }
    return entry.ownsMalformed ? nil : rule
  }

  /// Whether a malformed record that a source takes is one that a source before it takes too, as it is of a
  /// kind of both.
  package func isTakenBefore(_ raw: [UInt8], by entry: HeadedEntry) -> Bool {
    said(in: raw).map(entry.kindsOfEarlier.contains) ?? false
  }

  /// The kind that a text of JSON says, whatever is wrong with it.
  private func said(in raw: [UInt8]) -> String? {
    guard var place = Self.end(of: name, in: raw) else { return nil }
    func pass(_ byte: UInt8) -> Bool {
      while place < raw.count, raw[place] <= 0x20 { place += 1 }
      guard place < raw.count, raw[place] == byte else { return false }
      place += 1
      return true
    }
    guard pass(UInt8(ascii: ":")), pass(UInt8(ascii: "\"")) else { return nil }
    let word = raw[place...].prefix(64).prefix { $0 != UInt8(ascii: "\"") }
    return String(decoding: word, as: UTF8.self)
  }

  private static func end(of name: [UInt8], in raw: [UInt8]) -> Int? {
    guard raw.count >= name.count else { return nil }
    for place in 0...(raw.count - name.count)
    where raw[place] == name[0] && raw[place..<(place + name.count)].elementsEqual(name) {
      return place + name.count
    }
    return nil
  }
}
