import Records
import TestSupport
import Values

/// A tree-shaped record as a test sees it.
struct ReadTree: Equatable, CustomStringConvertible {
  var fields: [String] = []
  /// The rows of each group.
  var groups: [[[String]]] = []
  var raw = ""
  var place = RecordPlace(line: 1, byteOffset: 0)
  var malformation: Malformation?

  var description: String { "\(fields) \(groups) at \(place) \(malformation?.name ?? "")" }
}

/// What a test wants of records.
struct Wanted {
  var fields: [String]
  /// The path of what repeats, and the paths in it.
  var groups: [(each: [String], fields: [String])] = []
  var joining: String?
  var kind: TreePlan.Kind?
  var records: [String] = ["entry", "resource"]
  var limit = 4 << 20
  var ignoresCase = false
  var keepsUnread = false
  var tellers: [TreePlan.Teller] = []
  var day = ""

  func plan() throws -> TreePlan {
    TreePlan(
      fields: try fields.map { path in
        // All that is at the place, where a star says so.
        let takesAll = path.hasPrefix("*")
        return TreePlan.Field(
          [try TreePath(takesAll ? String(path.dropFirst()) : path)], joining: joining, takesAll: takesAll)
      },
      groups: try groups.map { group in
        TreePlan.Group(
          try group.each.map { try TreePath($0) },
          fields: try group.fields.map {
            $0 == "@" ? .pathName : TreePlan.Field([try TreePath($0)], joining: joining)
          })
      }, kind: kind, ignoresCase: ignoresCase, keepsUnread: keepsUnread, tellers: tellers, day: day)
  }

  /// Which properties all records of a text have.
  func seen(_ text: String, as syntax: TreeFormat.Syntax) throws -> SeenProperties {
    let format = TreeFormat(syntax, plan: try plan(), records: records, recordLimit: limit)
    var reader = try TreeReader(MemoryStream(Array(text.utf8), chunk: .max), format: format)
    while try reader.next() {}
    return reader.seen
  }

  /// What all records of a text hold and no field has.
  func unread(
    _ text: String, as syntax: TreeFormat.Syntax, chunk: Int = .max
  ) throws -> UnreadElements {
    let format = TreeFormat(syntax, plan: try plan(), records: records, recordLimit: limit)
    var reader = try TreeReader(MemoryStream(Array(text.utf8), chunk: chunk), format: format)
    while try reader.next() { if reader.malformation == nil { reader.countUnread() } }
    return reader.unread
  }

  /// All records of some bytes, fed in pieces.
  func read(
    _ bytes: [UInt8], as syntax: TreeFormat.Syntax, chunk: Int = .max, bufferSize: Int = 256 << 10
  ) throws -> [ReadTree] {
    let plan = try plan()
    var reader = try TreeReader(
      MemoryStream(bytes, chunk: chunk),
      format: TreeFormat(syntax, plan: plan, records: records, recordLimit: limit), bufferSize: bufferSize)
    var found: [ReadTree] = []
    while try reader.next() {
      let texts = reader.texts
      var record = ReadTree(
        raw: String(decoding: reader.raw, as: UTF8.self), place: reader.place,
        malformation: reader.malformation)
      if record.malformation == nil {
        record.fields = Array(texts.prefix(plan.width))
        var rest = texts.dropFirst(plan.width)
        for (group, width) in plan.groupWidths.enumerated() {
          record.groups.append(
            (0..<reader.rowCount(group)).map { _ in
              defer { rest = rest.dropFirst(width) }
              return Array(rest.prefix(width))
            })
        }
      }
      found.append(record)
    }
    return found
  }

  func read(_ text: String, as syntax: TreeFormat.Syntax) throws -> [ReadTree] {
    try read(Array(text.utf8), as: syntax)
  }
}
