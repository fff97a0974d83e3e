/// Where a file's header is, and which of its columns hold which of a layout's.
///
/// A header is found by what it says, not by where it is: every run of up to ``depthLimit`` records is
/// merged column by column and compared with the layout. The run that names most columns wins; of equal
/// ones the smallest, then the first.
public struct HeaderMatch: Sendable, Hashable {
  /// How many records a header may be merged from.
  public static let depthLimit = 8

  /// The layout's version that fits.
  public let version: String
  /// The number of the header's last record, from 0; data begin after it.
  public let lastRow: Int
  /// How many records the header is merged from.
  public let depth: Int
  /// For each of the version's ``LayoutVersion/everyColumn`` the number of its field, from 0; nil for
  /// constants, record numbers and optional columns that the file lacks.
  public let fields: [Int?]
  /// The header's columns that should hold nothing, by field number.
  public let blanks: [UnknownColumn]
  /// The header's columns that the layout does not know, by field number.
  public let unknown: [UnknownColumn]
  /// The text of the records before the header: fields joined by a blank, records by a line end.
  public let banner: String

  /// A column of the header that is not loaded.
  public struct UnknownColumn: Sendable, Hashable {
    /// The number of the field, from 0.
    public let field: Int
    /// What the header calls it.
    public let text: String
  }

  /// Finds the header among the first records of a file.
  /// - Parameters:
  ///   - records: the first records, each as the texts of its fields, unquoted.
  ///   - layout: the layout whose versions are tried.
  ///   - release: the release of the file, where it is known: only versions for its time are tried.
  /// - Returns: the header, with the version that it fits.
  /// - Throws: ``HeaderMismatch``, what is missing from the run that comes nearest.
  public static func find(
    in records: [[String]], layout: Layout, release: String? = nil
  ) throws(HeaderMismatch) -> HeaderMatch {
    let versions = layout.versions(for: release)
    let sought = versions.map(SoughtHeader.init)
    let names = HeaderNames(sought)
    var rows: [[String]] = []
    var best: HeaderCandidate?
    for (lastRow, record) in records.enumerated() {
      rows.append(record.map(HeaderText.normalised))
      var run = HeaderRun(rows[lastRow], row: lastRow, names)
      for depth in 1...min(depthLimit, lastRow + 1) {
        if depth > 1 { run = HeaderRun(rows[lastRow + 1 - depth], above: run, names) }
        if best != nil, run.namesNothing { continue }
        for header in sought {
          let candidate = HeaderCandidate(run, header)
          if best.map(candidate.isBetter) ?? true { best = candidate }
        }
      }
      // Nothing below a run that names every column could name more.
      if best?.isComplete == true { break }
    }
    guard let best, best.isWhole else {
      throw HeaderMismatch(best, layout: layout, version: versions.last, release: release)
    }
    let before = records[..<(best.run.lastRow + 1 - best.run.depth)]
    return HeaderMatch(
      version: best.version.name, lastRow: best.run.lastRow, depth: best.run.depth, fields: best.fields,
      blanks: best.blanks, unknown: best.unknown, banner: banner(before))
  }

  private static func banner(_ records: ArraySlice<[String]>) -> String {
    records.map { record in
      record.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

/// One run of records taken as a header of one version.
struct HeaderCandidate {
  let version: LayoutVersion
  let run: HeaderRun
  private(set) var fields: [Int?] = []
  /// Columns that more than one field is called by, by their places in ``LayoutVersion/everyColumn``.
  private(set) var ambiguous: [(column: Int, fields: [Int])] = []
  /// How many columns are named.
  private(set) var matched = 0
  /// Every column that must be named is, and none twice.
  let isWhole: Bool
  /// Every column that any header could name is named.
  let isComplete: Bool

  init(_ run: HeaderRun, _ sought: SoughtHeader) {
    version = sought.version
    self.run = run
    var lacksNeeded = false
    for (index, column) in sought.columns.enumerated() {
      // The layout's own wording goes before its aliases.
      let found = column.headers.lazy.map { run.fields(called: $0) }.first { !$0.isEmpty } ?? []
      fields.append(found.first)
      if found.count > 1 { ambiguous.append((index, found)) }
      if !found.isEmpty {
        matched += 1
      } else if column.isNeeded {
        lacksNeeded = true
      }
    }
    isWhole = !lacksNeeded && ambiguous.isEmpty && matched > 0
    isComplete = isWhole && matched == sought.nameable
  }

  /// The columns that must be in the header and are not.
  var missing: [LayoutColumn] {
    zip(version.everyColumn, fields).filter { $0.place != nil && !$0.isOptional && $1 == nil }.map(\.0)
  }

  /// The columns that are not loaded, and those of them that the layout knows to be blank.
  private var others: [(column: HeaderMatch.UnknownColumn, isBlank: Bool)] {
    let known = Set(fields.compactMap(\.self))
    return run.texts.enumerated().filter { !known.contains($0.offset) && !$0.element.isEmpty }.map {
      field, text in
      (
        HeaderMatch.UnknownColumn(field: field, text: text), version.blanks.contains { $0.matches(text) }
      )
    }
  }

  var unknown: [HeaderMatch.UnknownColumn] { others.filter { !$0.isBlank }.map(\.column) }
  var blanks: [HeaderMatch.UnknownColumn] { others.filter(\.isBlank).map(\.column) }

  /// Candidates come version by version, depth by depth, row by row: of equal ones the first is kept, but
  /// a smaller depth of a later version goes before a greater one of an earlier.
  func isBetter(than other: HeaderCandidate) -> Bool {
    if isWhole != other.isWhole { return isWhole }
    if matched != other.matched { return matched > other.matched }
    return (run.depth, run.lastRow) < (other.run.depth, other.run.lastRow)
  }
}

/// Why no header of a layout was found: what is missing from the run of records that comes nearest to one.
public struct HeaderMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// A column that no field is called by.
  public struct MissingColumn: Sendable, Hashable {
    /// The column's name in the layout.
    public let column: String
    /// What the layout expects the header to call it.
    public let expected: String
    /// The unknown column of the header that is called most like it; nil when none is near.
    public let nearest: String?
  }

  /// A column that several fields are called by.
  public struct AmbiguousColumn: Sendable, Hashable {
    /// The column's name in the layout.
    public let column: String
    /// The numbers of the fields, from 0.
    public let fields: [Int]
  }

  /// The layout.
  public let layout: String
  /// The version that comes nearest; empty where there is none for the file's release.
  public let version: String
  /// The last record of the run that comes nearest, from 0; nil when no record names any column.
  public let lastRow: Int?
  /// The physical line of that record, from 1, or the row of a sheet; nil where nobody has said it.
  public package(set) var line: Int?
  /// How many of the version's columns that run names.
  public let matched: Int
  /// How many columns the version looks for.
  public let expected: Int
  /// What the run lacks.
  public let missing: [MissingColumn]
  /// What the run names more than once.
  public let ambiguous: [AmbiguousColumn]
  /// What the run says that the layout does not know.
  public let unknown: [String]

  private let release: String?
  /// The releases that the version is for, where it does not say all.
  private let releases: ReleaseRange?
  /// How many lines of the difference a message has.
  private static let shown = 10

  init(_ candidate: HeaderCandidate?, layout: Layout, version: LayoutVersion?, release: String? = nil) {
    self.layout = layout.name
    self.release = release
    // Of candidates that name nothing none is nearer than the newest version.
    let candidate = candidate.flatMap { $0.matched > 0 ? $0 : nil }
    let version = candidate?.version ?? version
    self.version = version?.name ?? ""
    releases = version?.releases
    matched = candidate?.matched ?? 0
    lastRow = candidate?.run.lastRow
    let columns = version?.everyColumn ?? []
    let placed = columns.filter { $0.place != nil }
    expected = placed.count
    let doubtful = candidate?.ambiguous.flatMap(\.fields) ?? []
    let unknown = (candidate?.unknown ?? []).filter { !doubtful.contains($0.field) }.map(\.text)
    self.unknown = unknown
    missing = (candidate?.missing ?? placed).map { column in
      let header = column.place?.headers.first?.text ?? column.name
      return MissingColumn(
        column: column.name, expected: header, nearest: NearestName.to(header, among: unknown))
    }
    ambiguous = (candidate?.ambiguous ?? []).map {
      AmbiguousColumn(column: columns[$0.column].name, fields: $0.fields)
    }
  }

  /// What was looked for and what was found.
  public var description: String {
    if version.isEmpty {
      return "the layout '\(layout)' has no version" + (release.map { " for \($0)" } ?? "")
    }
    guard let lastRow else {
      return "no header of the layout '\(layout)' was found: no record names any of its columns, such as "
        + missing.prefix(3).map { "'\($0.expected)'" }.joined(separator: ", ")
    }
    let years = releases.map { " (\($0))" } ?? ""
    return
      "no header of the layout '\(layout)' was found: \(line.map { "line \($0)" } ?? "record \(lastRow + 1)") comes nearest, with \(matched)"
      + " of \(expected) columns of version \(version)\(years); - is what it has, + what the file has:"
      + difference.map { "\n  " + $0 }.joined()
  }

  /// The version against the file: `- 'FACILITY PRICE' (facility_price)`, `+ 'FACILITY PRISE'`.
  private var difference: [String] {
    var lines = missing.flatMap { column in
      ["- '\(column.expected)' (\(column.column))"] + (column.nearest.map { ["+ '\($0)'"] } ?? [])
    }
    lines += ambiguous.map { column in
      "+ \(column.column) could be field \(column.fields.map { "\($0 + 1)" }.joined(separator: " and "))"
    }
    lines += unknown.filter { text in !missing.contains { $0.nearest == text } }.map { "+ '\($0)'" }
    guard lines.count > HeaderMismatch.shown else { return lines }
    return lines.prefix(HeaderMismatch.shown - 1) + ["and \(lines.count - HeaderMismatch.shown + 1) more"]
  }
}
