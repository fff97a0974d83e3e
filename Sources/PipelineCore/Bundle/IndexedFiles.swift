package import Definitions
package import Records

/// What the index of a bundle says of its files: which source each of them carries, and which there should
/// be.
package struct IndexedFiles: Sendable {
  /// The entries that are such an index.
  package private(set) var documents: Set<SourceEntry> = []
  /// What is odd about the index, for the user.
  package private(set) var warnings: [String] = []
  /// The last components of the names in it, in lower case, by source.
  private var names: [String: Set<String>] = [:]

  /// How many missing files are named.
  private static let shown = 8

  /// No index.
  package init() {}

  /// Adds what one document says.
  ///
  /// `addresses`: the addresses of files, each with the source that it carries.
  /// `found`: the entries of the bundle.
  package mutating func add(
    _ document: SourceEntry, naming addresses: [(source: String, address: String)], among found: [SourceEntry]
  ) {
    let present = Set(found.map { $0.name.lowercased() })
    var missing: [String] = []
    for (source, address) in addresses {
      guard let name = Self.file(of: address) else { continue }
      documents.insert(document)
      names[source, default: []].insert(name.lowercased())
      if !present.contains(name.lowercased()), !missing.contains(name) { missing.append(name) }
    }
    guard !missing.isEmpty else { return }
    let more = missing.count > Self.shown ? " and \(missing.count - Self.shown) more" : ""
    warnings.append(
      "\(document.name) names \(missing.count == 1 ? "a file that is" : "\(missing.count) files that are") not there: "
        + missing.prefix(Self.shown).map { "'\($0)'" }.joined(separator: ", ") + more)
  }

  /// Whether the index says that an entry carries a source.
  package func names(_ entry: SourceEntry, for source: Source) -> Bool {
    names[source.name]?.contains(entry.name.lowercased()) ?? false
  }

  /// The name under which somebody keeps what is at an address: its last component, as it is when it is
  /// unpacked.
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
