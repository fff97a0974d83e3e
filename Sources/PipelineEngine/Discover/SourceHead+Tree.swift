import Definitions
import Records
import Values

/// Entries of tree-shaped records: no header names their columns, so that the records themselves tell what they are.
extension SourceHead {
  /// An entry whose columns are found by paths.
  init(tree entry: BundleEntry, layout: Layout, release: String?) throws {
    let versions = layout.versions(for: release).filter(\.hasPaths)
    var best: TreeCandidate?
    for version in versions {
      let candidate = try TreeCandidate(entry, version)
      if candidate.fitting > (best?.fitting ?? -1) { best = candidate }
    }
    guard let best, best.fits || entry.source.isGathered && best.wanted == 0 else {
      throw RunError.unknownLayout(
        entry: entry.entry.description,
        mismatch: .tree(TreeMismatch(layout: layout.name, best)))
    }
    self.init(
      tree: best.version.setting(entry.constants),
      format: Self.format(of: best.version, entry.format, way: best.version.recordWay),
      foreignKinds: best.wanted == 0 && best.isWhole ? best.kinds : [])
  }

  /// Records of a version that are known to be such.
  /// - Parameter way: the names that lead to the records of a document.
  init(tree version: LayoutVersion, _ format: Source.Format, way: [String]) {
    self.init(tree: version, format: Self.format(of: version, format, way: way), foreignKinds: [])
  }

  private init(tree version: LayoutVersion, format: TreeFormat, foreignKinds: [String]) {
    var next = 0
    let own = version.columns.map { column -> Int? in
      guard column.place?.paths.isEmpty == false else { return nil }
      defer { next += 1 }
      return next
    }
    // Those of a child count from the beginning of a row.
    let rows = version.children.flatMap { child in
      var next = 0
      return (child.slots.first ?? []).map { column -> Int? in
        guard column.isOfTree else { return nil }
        defer { next += 1 }
        return next
      }
    }
    layout = version
    self.format = .tree(format)
    fields = own + rows
    width = next
    skips = version.skips
    (recordsAbove, banner, blanks, unknown) = (0, "", [], [])
    (headerDepth, hasReasons) = (0, false)
    self.foreignKinds = foreignKinds
  }

  /// How records of a version are read.
  fileprivate static func format(
    of version: LayoutVersion, _ format: Source.Format, way: [String]
  ) -> TreeFormat {
    let syntax: TreeFormat.Syntax =
      switch format {
      case .xml: .xml
      case .json: .json
      default: .jsonLines
      }
    let plan = TreePlan(
      fields: version.columns.compactMap { $0.place?.paths.isEmpty == false ? $0.treeField : nil },
      groups: version.children.map { child in
        TreePlan.Group(
          child.each,
          fields: (child.slots.first ?? []).compactMap { $0.isOfTree ? $0.treeField : nil })
      }, kind: version.kind, ignoresCase: syntax != .xml && version.isFlat,
      keepsUnknown: syntax != .xml && version.unknown == .tell)
    return TreeFormat(syntax, plan: plan, records: way)
  }
}

extension LayoutVersion {
  /// The property that tells the records wanted from others: that of the first rule which leaves out all but some.
  fileprivate var kind: TreePlan.Kind? {
    for rule in skips {
      guard case .otherValue(let name, let values) = rule.condition,
        let path = columns.first(where: { $0.name == name })?.place?.paths.first, path.steps.count == 1
      else { continue }
      return TreePlan.Kind(path.steps[0].name, wanted: values)
    }
    return nil
  }
}

extension LayoutColumn {
  /// Whether it has a field in a row of a tree.
  fileprivate var isOfTree: Bool { origin == .pathName || place?.paths.isEmpty == false }

  fileprivate var treeField: TreePlan.Field {
    guard let place else { return .pathName }
    return TreePlan.Field(place.paths, joining: place.joining, takesAll: type.isJSON)
  }
}

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

  /// Whether records are such as the version has, or there is none at all.
  var fits: Bool { fitting > 0 || records == 0 }

  init(_ entry: BundleEntry, _ version: LayoutVersion) throws {
    self.version = version
    let head = SourceHead(tree: version, entry.format, way: version.recordWay)
    let skips = RecordSkips(head, key: [])
    let kindField = version.kind.flatMap { kind in
      version.columns.firstIndex { $0.place?.paths.first?.steps.first?.name == kind.name }
    }.flatMap { head.fields[$0] }
    let required = zip(version.columns, head.fields).filter { $0.0.isRequired && $0.1 != nil }
    var reader = try RecordReader(entry.entry, format: head.format, bufferSize: 32 << 10)
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
          } else if Self.holdsAny(reader, head.width) {
            fitting += 1
          }
        } else if kinds.count < 8, case let kind = Self.text(reader, kindField), !kinds.contains(kind) {
          kinds.append(kind)
        }
      } else if reader.malformation == .textForThings {
        // It has the list of this version, and is refused for what stands there.
        fitting += 1
      }
      if wanted == Self.searched || records == Self.searchedAtMost {
        isWhole = false
        break
      }
    }
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

/// Why the records of an entry are not those of a layout for trees.
public struct TreeMismatch: Error, Sendable, CustomStringConvertible {
  private let layout: String
  private let version: String?
  private let kinds: [String]
  private let lacking: String?

  /// No entry has a record of a kind that is wanted.
  init(layout: String, kinds: [String]) {
    (self.layout, version, self.kinds, lacking) = (layout, "", kinds, nil)
  }

  init(layout: String, _ candidate: TreeCandidate?) {
    self.layout = layout
    version = candidate?.version.name
    kinds = candidate.map { $0.wanted == 0 ? $0.kinds : [] } ?? []
    lacking = candidate?.lacking
  }

  /// What was looked for and what was found.
  public var description: String {
    guard let version else { return "the layout '\(layout)' has no version for JSON or XML" }
    if !kinds.isEmpty {
      let found = kinds.map { $0.isEmpty ? "records that do not say what they are" : $0 }
      return
        "no record is of a kind that the layout '\(layout)' is for; found: \(found.joined(separator: ", "))"
    }
    let what = lacking.map { "a value of '\($0)'" } ?? "any value"
    return "the records are not those of the layout '\(layout)': none has \(what) of version \(version)"
  }
}
