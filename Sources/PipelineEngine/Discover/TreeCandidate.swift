import Definitions
import PipelineCore
import Records
import Values

/// The first records of an entry taken for those of one version.
struct TreeCandidate {
  /// So many records of the kinds that are wanted are looked at, and so many of any.
  private static let (searched, searchedAtMost) = (40, 4096)

  let version: LayoutVersion
  /// How many records were looked at.
  private(set) var records = 0
  /// How many of them no rule leaves out.
  private(set) var wanted = 0
  /// How many of those have every value that is required.
  private(set) var fitting = 0
  /// Whether these are all that the entry has.
  private(set) var isWhole = true
  /// The kinds of those that are left out, the first few.
  private(set) var kinds: [String] = []
  /// The child tables that records have rows for.
  private(set) var nested: Set<String> = []
  /// The first required column that a record lacks.
  private(set) var lacking: String?
  /// How many of its columns the records have a place for.
  private(set) var known = 0

  /// Whether records are such as the version has, or there is none at all.
  var fits: Bool { fitting > 0 || records == 0 }

  init(_ entry: BundleEntry, _ version: LayoutVersion, day: String, in sequence: EntrySequence? = nil) throws
  {
    self.version = version
    let head = SourceHead(tree: version, entry.format, way: version.recordWay, day: day)
    let skips = RecordSkips(head, key: [])
    let kindField = version.kind.flatMap { kind in
      version.columns.firstIndex { $0.place?.paths.first?.steps.first?.name == kind.name }
    }.flatMap { head.fields[$0] }
    let required = zip(version.columns, head.fields).filter { $0.0.isRequired && $0.1 != nil }
    var reader = try RecordReader(entry.entry, format: head.format, bufferSize: 32 << 10, in: sequence)
    while try reader.next() {
      records += 1
      if reader.malformation == nil {
        if skips.rule(reader) == nil {
          wanted += 1
          for (number, child) in version.children.enumerated() where reader.rowCount(number) > 0 {
            nested.insert(child.target)
          }
          if let missing = required.first(where: { Self.text(reader, $0.1).isEmpty }) {
            lacking = lacking ?? missing.0.name
          } else if Self.holdsAny(reader, head.width == 0 ? .max : head.width) {
            fitting += 1
          }
        } else if kinds.count < 8, case let kind = Self.text(reader, kindField), !kinds.contains(kind) {
          kinds.append(kind)
        }
      } else if reader.malformation == .textForThings {
        // It has the list of this version, and is refused for what is there.
        fitting += 1
      }
      if wanted == Self.searched || records == Self.searchedAtMost {
        isWhole = false
        break
      }
    }
    if let seen = reader.seen { known = Self.known(head, seen) }
  }

  /// Whether it fits better than another version: more records, or by more columns.
  func isBetter(than other: TreeCandidate) -> Bool {
    (fitting, known) > (other.fitting, other.known)
  }

  private static func known(_ head: SourceHead, _ seen: SeenProperties) -> Int {
    let own = head.fields.prefix(head.layout.columns.count).compactMap(\.self)
    var next = head.layout.columns.count
    let nested = head.layout.children.enumerated().map { group, child in
      let fields = head.fields[next..<(next + (child.slots.first?.count ?? 0))].compactMap(\.self)
      next += child.slots.first?.count ?? 0
      return fields.count { seen.holds(field: $0, ofGroup: group) }
    }
    return own.count { seen.holds(field: $0) } + nested.reduce(0, +)
  }

  /// Why the records are not those of the version.
  func mismatch(_ layout: String) -> TreeMismatch {
    TreeMismatch(layout: layout, version: version.name, kinds: wanted == 0 ? kinds : [], lacking: lacking)
  }

  private static func text(_ reader: borrowing RecordReader, _ field: Int?) -> String {
    guard let field else { return "" }
    return reader.withRecord { bytes, fields in
      guard field < fields.count else { return "" }
      return bytes.extracting(fields[field].range).withUnsafeBufferPointer {
        String(decoding: $0.prefix(60), as: UTF8.self)
      }
    }
  }

  private static func holdsAny(_ reader: borrowing RecordReader, _ width: Int) -> Bool {
    reader.withRecord { _, fields in
      for field in 0..<min(width, fields.count) where !fields[field].isEmpty { return true }
      return false
    }
  }
}
