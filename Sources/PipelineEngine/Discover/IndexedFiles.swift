import Definitions
import Host
import Records
import Values

/// What the index of a bundle says of its files: which source each of them carries, and which there should be.
struct IndexedFiles {
  /// The entries that are such an index.
  private(set) var documents: Set<SourceEntry> = []
  /// What is odd about the index, for the user.
  private(set) var warnings: [String] = []
  /// The last components of the names in it, in small letters, by source.
  private var names: [String: Set<String>] = [:]

  /// So many files that are not there are named.
  private static let shown = 8

  /// Reads the entries that the pipeline's definition calls an index and that name something.
  init(_ index: BundleIndex?, among found: [SourceEntry]) throws {
    guard let index else { return }
    let sources = index.named.keys.sorted()
    let groups = sources.map { TreePlan.Group(index.named[$0] ?? [], fields: [TreePlan.Field([.itself])]) }
    let format = TreeFormat(.json, plan: TreePlan(fields: [], groups: groups))
    let present = Set(found.map { $0.name.lowercased() })
    for entry in found where index.entries.matches(entry.name) && Source.Format(fileName: entry.name) == .json
    {
      var missing: [String] = []
      var reader = try RecordReader(entry, format: .tree(format))
      while try reader.next() {
        guard reader.malformation == nil else { continue }
        for (source, name) in Self.named(by: reader, sources) {
          documents.insert(entry)
          names[source, default: []].insert(name.lowercased())
          if !present.contains(name.lowercased()), !missing.contains(name) { missing.append(name) }
        }
      }
      guard !missing.isEmpty else { continue }
      let more = missing.count > Self.shown ? " and \(missing.count - Self.shown) more" : ""
      warnings.append(
        "\(entry.name) names \(missing.count == 1 ? "a file that is" : "\(missing.count) files that are") not there: "
          + missing.prefix(Self.shown).map { "'\($0)'" }.joined(separator: ", ") + more)
    }
  }

  /// Whether the index says that an entry carries a source.
  func names(_ entry: SourceEntry, for source: Source) -> Bool {
    names[source.name]?.contains(entry.name.lowercased()) ?? false
  }

  /// The files that a record names, each with its source.
  private static func named(
    by reader: borrowing RecordReader, _ sources: [String]
  ) -> [(source: String, name: String)] {
    let counts = sources.indices.map { reader.rowCount($0) }
    return reader.withRecord { bytes, fields in
      var place = 0
      var named: [(source: String, name: String)] = []
      for (source, count) in zip(sources, counts) {
        for _ in 0..<count {
          let text = bytes.extracting(fields[place].range).withUnsafeBufferPointer {
            String(decoding: $0, as: UTF8.self)
          }
          if let name = Self.file(of: text) { named.append((source, name)) }
          place += 1
        }
      }
      return named
    }
  }

  /// The name under which somebody keeps what is at an address: its last component, as it is when it is unpacked.
  private static func file(of address: String) -> String? {
    let plain = address.prefix { $0 != "?" && $0 != "#" }
    guard let last = plain.split(separator: "/").last.map(String.init) else { return nil }
    let name = last.removingPercentEscapes
    let packed = [".gz", ".zst", ".bz2", ".xz"].first { name.lowercased().hasSuffix($0) }
    return String(name.dropLast(packed?.count ?? 0))
  }
}

extension String {
  /// The text with `%20` as a blank; as it is where that makes no UTF-8.
  fileprivate var removingPercentEscapes: String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      guard byte == UInt8(ascii: "%"), digits.count == 2,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self) ?? self
  }
}
