import Definitions
import Records

/// What the beginning of an entry tells: its layout, where its data begin, and what stands above them.
struct SourceHead: Sendable {
  /// The version of the layout that fits.
  let layout: LayoutVersion
  /// How the entry's records are read.
  let format: RecordFormat
  /// For each column of the layout the number of its field; nil where the entry has none.
  let fields: [Int?]
  /// How many fields the records have.
  let width: Int
  /// Which records are no data.
  let skips: [SkipRule]
  /// How many records stand above the data.
  let recordsAbove: Int
  /// The text of the records above the data, without the header.
  let banner: String
  /// What the header calls columns that the layout does not know.
  let unknown: [String]

  /// How many records are searched for a header, or for what tells the layout.
  static let searched = 40

  /// Reads the first records of an entry.
  init(_ entry: BundleEntry, layout: Layout) throws {
    switch entry.format {
    case .csv: try self.init(delimited: entry, layout: layout)
    case .txt: try self.init(fixedWidth: entry, layout: layout)
    }
  }

  private init(delimited entry: BundleEntry, layout: Layout) throws {
    let format = RecordFormat.delimited(DelimitedFormat())
    let records = try SourceHead.first(of: entry, as: format) { bytes, fields in
      fields.indices.map { index in
        bytes.extracting(fields[index].range).withUnsafeBufferPointer {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    let match: HeaderMatch
    do {
      match = try HeaderMatch.find(in: records, layout: layout)
    } catch {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: .header(error))
    }
    guard let version = layout.version(named: match.version) else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    self.layout = version
    self.format = format
    fields = match.fields
    width = records[(match.lastRow + 1 - match.depth)...match.lastRow].map(\.count).max() ?? 0
    skips = version.skips
    recordsAbove = match.lastRow + 1
    banner = match.banner
    unknown = match.unknown.map(\.text)
  }

  private init(fixedWidth entry: BundleEntry, layout: Layout) throws {
    // Lines as they are, of whatever length.
    let lines = FixedWidthFormat(fields: [], length: 0...(1 << 20))
    let records = try SourceHead.first(of: entry, as: .fixedWidth(lines)) { bytes, _ in
      bytes.withUnsafeBufferPointer { Array($0) }
    }
    let match: PlaceMatch
    do {
      match = try PlaceMatch.find(in: records, layout: layout)
    } catch {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: .places(error))
    }
    guard let version = layout.version(named: match.version), let form = version.fixedWidth else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    let places = version.columns.map { $0.place?.bytes }
    let known = places.compactMap(\.self)
    var next = 0..<known.count
    self.layout = version
    format = .fixedWidth(FixedWidthFormat(fields: known, length: form.length))
    fields = places.map { $0 == nil ? nil : next.popFirst() }
    width = known.count
    skips = form.skips
    recordsAbove = match.firstRow
    banner = match.banner
    unknown = []
  }

  /// The first records of an entry, each as `take` makes it of its bytes and fields.
  private static func first<Record>(
    of entry: BundleEntry, as format: RecordFormat,
    take: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Record
  ) throws -> [Record] {
    var reader = RecordReader(try entry.entry.open(), format: format, bufferSize: 32 << 10)
    var records: [Record] = []
    while records.count < searched, try reader.next() {
      records.append(reader.withRecord(take))
    }
    return records
  }

  /// What is new in the file, for the user.
  var warnings: [String] {
    guard !unknown.isEmpty else { return [] }
    let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
    return ["columns that the layout does not know were left out: \(names)"]
  }
}
