import Definitions
import Records

/// What the beginning of an entry tells: its layout, where its data begin, and what stands above them.
struct SourceHead: Sendable {
  /// The version of the layout that fits.
  let layout: LayoutVersion
  let match: HeaderMatch
  /// How many fields the header names.
  let width: Int

  /// How many records are searched for a header.
  static let searched = 40

  /// Reads the first records of an entry.
  init(_ entry: BundleEntry, layout: Layout) throws {
    var reader = DelimitedReader(try entry.entry.open(), bufferSize: 32 << 10)
    var records: [[String]] = []
    while records.count < SourceHead.searched, try reader.next() {
      records.append(
        reader.withRecord { bytes, fields in
          fields.indices.map { index in
            bytes.extracting(fields[index].range).withUnsafeBufferPointer {
              String(decoding: $0, as: UTF8.self)
            }
          }
        })
    }
    do {
      match = try HeaderMatch.find(in: records, layout: layout)
    } catch {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: error)
    }
    guard let version = layout.version(named: match.version) else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    self.layout = version
    width = records[(match.lastRow + 1 - match.depth)...match.lastRow].map(\.count).max() ?? 0
  }

  /// What is new in the file, for the user.
  var warnings: [String] {
    guard !match.unknown.isEmpty else { return [] }
    let names = match.unknown.map { "'\($0.text)'" }.joined(separator: ", ")
    return ["columns that the layout does not know were left out: \(names)"]
  }
}
