import Definitions
import Host
import PipelineCore
import Records
import Values

/// Reads the first records of an entry, to learn its layout and where its data begin.
struct HeadReader {
  private let entry: BundleEntry
  private let layout: Layout
  /// The release, where it is known already, so that versions of other years need not be tried.
  private let release: String?
  /// The day that paths ask about: the first of the release, else that of the run in UTC.
  private let day: String
  /// The kinds of the entry's records; nil where they are not known.
  private let kinds: [String]?
  private let sequence: EntrySequence?

  /// No header has so many fields; a broken record may have a million.
  private static let mostFields = 1 << 14
  /// How many records are searched for a header, or for what tells the layout.
  private static let searched = 40
  /// The same where the first of them are all of another kind.
  private static let searchedAtMost = 4096

  /// So many kinds are named of an entry that has none of those wanted.
  static let foreignKinds = 8

  /// A reader of one entry.
  ///
  /// `day`: the first day of the release, where that is known.
  init(
    _ entry: BundleEntry, layout: Layout, release: String?, day: String? = nil, kinds: [String]? = nil,
    in sequence: EntrySequence? = nil
  ) {
    (self.entry, self.layout, self.release) = (entry, layout, release)
    (self.kinds, self.sequence) = (kinds, sequence)
    self.day = day ?? String(Machine.time.prefix(10))
  }

  /// Reads the head.
  /// - Throws: ``RunError/unknownLayout(entry:mismatch:)`` where no version of the layout fits,
  ///   `RecordsError` where the
  ///   entry cannot be read.
  func read() throws -> SourceHead {
    switch entry.format {
    case .csv:
      return try list()
    case .xlsx: return try workbook()
    case .txt:
      return try placed()
    case .ndjson, .json, .xml:
      return try tree()
    }
  }

  /// Reads the head of an entry that brings rejected records again, corrected: its layout is known, and of a
  /// txt nothing is above them.
  ///
  /// `version`: the version that the records were rejected by.
  /// - Throws: as ``read()`` does.
  func read(replaying version: LayoutVersion) throws -> SourceHead {
    if entry.format.isTree {
      return SourceHead(
        tree: version.setting(entry.constants), entry.format, way: [ExportedEntry.recordElement], day: day)
    }
    guard entry.format == .txt else {
      var only = layout
      only.versions = [version]
      return try HeadReader(entry, layout: only, release: nil).list()
    }
    guard let form = version.fixedWidth else { throw unknown(nil) }
    return SourceHead(version, form, constants: entry.constants, recordsAbove: 0, banner: "")
  }

  private func unknown(_ mismatch: LayoutMismatch?) -> RunError {
    .unknownLayout(entry: entry.entry.description, mismatch: mismatch)
  }

  /// The sheet whose header names the columns; where none does, what is wrong with the first.
  private func workbook() throws -> SourceHead {
    var first: (any Error)?
    for sheet in try XLSXReader.sheets(of: entry.entry).indices {
      do {
        return try named(.xlsx(XLSXFormat(sheet: .numbered(sheet + 1))))
      } catch let error as RunError {
        first = first ?? error
      }
    }
    throw first ?? unknown(nil)
  }

  /// A list with the source's delimiter between its fields; where its header names no columns then, with the
  /// first other one by which it does. Where none does, what is wrong is said of the nearest.
  private func list() throws -> SourceHead {
    let own = entry.source.delimiter
    var nearest: (mismatch: HeaderMismatch, delimiter: UInt8)?
    for delimiter in [own] + DelimitedFormat.usualDelimiters.filter({ $0 != own }) {
      do {
        return try named(.delimited(DelimitedFormat(delimiter: delimiter)))
      } catch RunError.unknownLayout(_, .header(let mismatch)) {
        if mismatch.matched > nearest?.mismatch.matched ?? -1 { nearest = (mismatch, delimiter) }
      }
    }
    throw unknown(
      nearest.map { $0.delimiter == own ? .header($0.mismatch) : .delimited($0.mismatch, by: $0.delimiter) })
  }

  /// An entry whose header names the columns.
  private func named(_ format: RecordFormat) throws -> SourceHead {
    let (records, lines, _) = try first(Self.searched, as: format) { bytes, fields, encoding in
      fields.indices.prefix(Self.mostFields).map { index in
        Self.text(bytes.extracting(fields[index].range), in: encoding)
      }
    }
    let match: HeaderMatch
    do {
      match = try HeaderMatch.find(in: records, layout: layout, release: release)
    } catch {
      var mismatch = error
      mismatch.line = error.lastRow.map { lines[$0] }
      throw unknown(.header(mismatch))
    }
    guard let version = layout.version(named: match.version) else { throw unknown(nil) }
    let header = records[(match.lastRow + 1 - match.depth)...match.lastRow]
    var format = format
    if case .delimited(let plain) = format, !version.hasEveryField,
      let trailing = header.compactMap({ $0.lastIndex { $0.utf8.contains { $0 > 0x20 } } }).max(),
      // Who has to have a value leaves none out.
      !zip(version.everyColumn, match.fields).contains(where: { $0.isRequired && $1 == trailing }),
      TrailingField.isLeftOut(of: records[(match.lastRow + 1)...], width: trailing + 1),
      HeadedRecords(version, match).areInPlace(records[(match.lastRow + 1)...])
    {
      format = .delimited(DelimitedFormat(delimiter: plain.delimiter, widthWithTrailing: trailing + 1))
    }
    return SourceHead(
      version, named: match, width: header.map(\.count).max() ?? 0, format: format,
      constants: entry.constants)
  }

  /// An entry whose columns have fixed places.
  private func placed() throws -> SourceHead {
    // Lines as they are, of whatever length.
    let lines = RecordFormat.fixedWidth(FixedWidthFormat(fields: [], length: 0...(1 << 20)))
    func match(_ count: Int) throws -> Result<PlaceMatch, PlaceMismatch> {
      let (records, _, encoding) = try first(count, as: lines) { bytes, _, _ in
        bytes.withUnsafeBufferPointer { Array($0) }
      }
      return Result { () throws(PlaceMismatch) in
        try PlaceMatch.find(in: records, encoding: encoding, layout: layout, release: release)
      }
    }
    var found = try match(Self.searched)
    if case .failure(let mismatch) = found, mismatch.sawNoData {
      found = try match(Self.searchedAtMost)
    }
    let match: PlaceMatch
    switch found {
    case .success(let place): match = place
    case .failure(let mismatch): throw unknown(.places(mismatch))
    }
    guard let version = layout.version(named: match.version), let form = version.fixedWidth else {
      throw unknown(nil)
    }
    return SourceHead(
      version, form, constants: entry.constants, recordsAbove: match.firstRow, banner: match.banner)
  }

  /// An entry whose columns are found by paths: the version that most of the first records fit.
  private func tree() throws -> SourceHead {
    var best: TreeCandidate?
    let versions = layout.versions(for: release).filter(\.hasPaths)
    // Of what holds nothing of the source nothing is left to be looked at.
    if let kinds, !kinds.isEmpty, entry.source.isGathered, let first = versions.first,
      versions.allSatisfy({ $0.kind?.wanted.contains(where: kinds.contains) == false })
    {
      return SourceHead(
        tree: first.setting(entry.constants), entry.format, way: first.recordWay, day: day,
        foreignKinds: Array(kinds.prefix(Self.foreignKinds)))
    }
    for version in versions {
      let candidate = try TreeCandidate(entry, version, day: day, in: sequence)
      if best.map(candidate.isBetter) ?? true { best = candidate }
    }
    guard let best, best.fits || entry.source.isGathered && best.wanted == 0 else {
      throw unknown(.tree(best?.mismatch(layout.name) ?? TreeMismatch(layout: layout.name)))
    }
    return SourceHead(
      tree: best.version.setting(entry.constants), entry.format, way: best.version.recordWay, day: day,
      foreignKinds: best.wanted == 0 && best.isWhole ? best.kinds : [])
  }

  /// The first records of the entry, each as `take` makes it of its bytes and fields, their lines and their
  /// encoding.
  private func first<Record>(
    _ count: Int, as format: RecordFormat,
    take: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ encoding: TextEncoding) -> Record
  ) throws -> (records: [Record], lines: [Int], encoding: TextEncoding) {
    var reader = try RecordReader(
      entry.entry, format: format, encoding: entry.source.encoding, bufferSize: 32 << 10)
    var records: [Record] = []
    var lines: [Int] = []
    while records.count < count, try reader.next() {
      let encoding = reader.encoding
      records.append(reader.withRecord { bytes, fields in take(bytes, fields, encoding) })
      lines.append(reader.place.line)
    }
    return (records, lines, reader.encoding)
  }

  /// A field of a header in the encoding of its file; bytes that the encoding does not define are kept as
  /// they are.
  private static func text(_ field: Span<UInt8>, in encoding: TextEncoding) -> String {
    var scratch: [UInt8] = []
    if encoding.isEightBit,
      case .scratch = ValueType.text.normalise(field, encoding: encoding, scratch: &scratch)
    {
      return String(decoding: scratch, as: UTF8.self)
    }
    return field.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
