public import Values

/// Which version of a layout a fixed-width file is of, and where its data begin.
///
/// A version is recognised by its records: it fits where more than half of the data records looked at have
/// its length and, at its places, values of its columns' types. Of several that fit, the one that most
/// records fit wins, then the first.
public struct PlaceMatch: Sendable, Hashable {
  /// The layout's version that fits.
  public let version: String
  /// The number of the first data record, from 0, blank lines counted.
  public let firstRow: Int
  /// The text of the records before the data, joined by a line end.
  public let banner: String

  /// Finds the version.
  /// - Parameters:
  ///   - records: the first records of a file, each with its bytes as they are written, line ends left out;
  ///     of UTF-16 in UTF-8.
  ///   - encoding: the file's.
  ///   - layout: the layout whose versions are tried.
  ///   - release: the release of the file, where it is known: only versions for its time are tried.
  /// - Returns: the version that fits, and where its data begin.
  /// - Throws: ``PlaceMismatch``, why the nearest version does not fit.
  public static func find(
    in records: [[UInt8]], encoding: TextEncoding = .utf8, layout: Layout, release: String? = nil
  ) throws(PlaceMismatch) -> PlaceMatch {
    let placed = records.map { PlacedRecord($0, encoding: encoding) }
    var best: PlaceCandidate?
    for version in layout.versions(for: release) {
      guard let candidate = PlaceCandidate(placed, version: version, encoding: encoding) else { continue }
      if best.map(candidate.isBetter) ?? true { best = candidate }
    }
    guard let best, best.fitting > 0, best.fitting * 2 > best.data else {
      throw PlaceMismatch(best, layout: layout, release: release)
    }
    let banner = records[..<best.firstRow].map { record in
      String(decoding: record, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return PlaceMatch(
      version: best.version, firstRow: best.firstRow,
      banner: banner.filter { !$0.isEmpty }.joined(separator: "\n"))
  }
}

/// The first records of a file taken for those of one version.
struct PlaceCandidate {
  let version: String
  /// The first data record, or the number of records where there is none.
  let firstRow: Int
  /// How many records are data.
  let data: Int
  /// How many of them are as the version says.
  let fitting: Int
  /// What is wrong with the first that is not.
  let fault: PlaceMismatch.Fault?
  /// How many characters the first data record has too few or too many.
  let distance: Int

  /// Nil for a version that is not for fixed-width files.
  init?(_ records: [PlacedRecord], version: LayoutVersion, encoding: TextEncoding) {
    guard let form = version.fixedWidth else { return nil }
    var firstRow: Int?
    var firstData: Int?
    var (data, fitting) = (0, 0)
    var fault: PlaceMismatch.Fault?
    var distance = 0
    for (row, record) in records.enumerated() {
      // A record of a control-Z ends the data.
      let isEmpty = record.bytes.allSatisfy { $0 == 0x20 || $0 == 0x1A || (0x09...0x0D).contains($0) }
      let isShort = record.count < form.length.lowerBound
      if isEmpty || form.hasPreamble && firstRow == nil && isShort { continue }
      let skip = form.skips.first { $0.leavesOut(record, of: version) }
      // Records of another kind are no heading.
      switch skip?.condition {
      case .value, .otherValue: firstRow = firstRow ?? row
      default: break
      }
      guard skip == nil, version.continuation.map({ version.holds(record, $0.values, in: $0.column) }) != true
      else { continue }
      data += 1
      firstRow = firstRow ?? row
      if firstData == nil {
        firstData = row
        distance = max(0, form.length.lowerBound - record.count, record.count - form.length.upperBound)
      }
      if let found = Self.fault(of: record, version, form, encoding) {
        fault = fault ?? PlaceMismatch.Fault(row: row, reason: found)
      } else {
        fitting += 1
      }
    }
    (self.version, self.firstRow, self.data, self.fitting) =
      (version.name, firstRow ?? records.count, data, fitting)
    self.fault = fault
    self.distance = distance
  }

  /// More records fit, or none do and their length is nearer.
  func isBetter(than other: PlaceCandidate) -> Bool {
    if fitting != other.fitting { return fitting > other.fitting }
    return fitting == 0 && distance < other.distance
  }

  private static func fault(
    of record: PlacedRecord, _ version: LayoutVersion, _ form: FixedWidthForm, _ encoding: TextEncoding
  ) -> String? {
    let text = record.textCount
    if record.count < form.length.lowerBound {
      return "has \(record.count) characters where the layout has \(form.length.lowerBound) at least"
    }
    if text > form.length.upperBound {
      return "has \(text) characters where the layout has \(form.length.upperBound) at most"
    }
    var scratch: [UInt8] = []
    for (index, column) in version.everyColumn.enumerated() {
      guard let place = column.place, let range = place.bytes else { continue }
      var field = record.bytes(at: range)
      var pointed: [UInt8] = []
      if place.impliedDecimals > 0,
        field.span.writePointed(decimals: place.impliedDecimals, into: &pointed)
      {
        field = pointed
      }
      switch column.type.normalise(field.span, encoding: encoding, scratch: &scratch) {
      case .invalid(let failure) where !column.blanksInvalid:
        return "at characters \(range.lowerBound)-\(range.upperBound), \(column.name): the value \(failure)"
      // A slot of a child table may be blank as a whole.
      case .blank where column.isRequired && !column.fillsDown && index < version.columns.count:
        return "has nothing at characters \(range.lowerBound)-\(range.upperBound), \(column.name)"
      default: break
      }
    }
    return nil
  }
}

extension SkipRule {
  /// Whether the rule leaves a fixed-width record out.
  func leavesOut(_ record: PlacedRecord, of version: LayoutVersion) -> Bool {
    switch condition {
    case .singleField: return false
    case .startsWith(let text): return record.bytes.starts(with: text.utf8)
    case .noDigit(let name):
      let bytes = version.columns.first { $0.name == name }?.place?.bytes
      guard let field = bytes.map({ record.bytes(at: $0) }) else { return false }
      return field.contains { $0 != 0x20 } && !field.contains { (0x30...0x39).contains($0) }
    case .value(let name, let values): return version.holds(record, values, in: name)
    case .otherValue(let name, let values): return !version.holds(record, values, in: name)
    }
  }
}

extension LayoutVersion {
  /// Whether a fixed-width record has one of some values at the place of a column.
  func holds(_ record: PlacedRecord, _ values: [String], in name: String) -> Bool {
    guard let bytes = columns.first(where: { $0.name == name })?.place?.bytes else { return false }
    let field = record.bytes(at: bytes)
    let text = String(decoding: field, as: UTF8.self).split(separator: " ").joined(separator: " ")
    return values.contains(text)
  }
}

/// Why no version of a layout fits a fixed-width file.
public struct PlaceMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with a record.
  struct Fault: Hashable {
    /// The record, from 0.
    let row: Int
    let reason: String
  }

  /// The layout.
  public let layout: String
  /// No version found a record of its own among those looked at, which may be of another kind.
  public let sawNoData: Bool
  private let version: String?
  private let release: String?
  private let fault: Fault?

  init(_ candidate: PlaceCandidate?, layout: Layout, release: String? = nil) {
    self.layout = layout.name
    self.release = release
    version = candidate?.version
    fault = candidate?.fault
    sawNoData = candidate.map { $0.data == 0 } ?? false
  }

  /// What was looked for and what was found.
  public var description: String {
    guard let version else {
      return "the layout '\(layout)' has no version for fixed-width files"
        + (release.map { " of \($0)" } ?? "")
    }
    guard let fault else { return "no record of the layout '\(layout)' was found" }
    return
      "the records are not those of the layout '\(layout)': version \(version) comes nearest, but record"
      + " \(fault.row + 1) \(fault.reason)"
  }
}

/// A record of a fixed-width file, whose places count characters.
struct PlacedRecord {
  let bytes: [UInt8]
  /// Nil where each character is a byte.
  private let characters: CharacterPlaces?

  /// A record of a file in an encoding; what was in UTF-16 is in UTF-8 here.
  init(_ bytes: [UInt8], encoding: TextEncoding) {
    self.bytes = bytes
    let isLong = encoding.hasLongCharacters && bytes.contains { $0 >= 0x80 }
    characters = isLong ? CharacterPlaces(in: bytes.span) : nil
  }

  /// The number of characters.
  var count: Int { characters?.count ?? bytes.count }

  /// The number of characters up to the last that is not a blank.
  var textCount: Int { count - bytes.reversed().prefix { $0 == 0x20 }.count }

  /// What is at a place, from 1; as much as there is.
  func bytes(at place: ClosedRange<Int>) -> [UInt8] {
    if let characters { return Array(bytes[characters.bytes(of: place)]) }
    return Array(bytes[min(place.lowerBound - 1, bytes.count)..<min(place.upperBound, bytes.count)])
  }
}
