import Values

/// What must hold of the rows of a source as a whole before anybody sees them: `expect` in `pipeline.yaml`.
public struct Expectation: Sendable, Hashable {
  /// How far something may move from one release to the next.
  public struct Limit: Sendable, Hashable {
    /// In percent of what was before; of shares, in percentage points.
    public var percent: Double
    /// So many rows may move in any case: of a short table one is many percent.
    public var count = 0
    /// From how far on it is reported though it is allowed; nil where it is not.
    public var warnPercent: Double?
    /// What becomes of a run that goes beyond it: nothing is published, or it is reported.
    public var severity: Check.Severity

    /// As a definition writes it: `10%`, or `10% or 5`.
    public var description: String {
      (count == 0 ? RejectLimit.percent(percent) : .percentOrCount(percent, count)).description
    }

    /// Whether it is more than is allowed that so many rows moved, which are a percentage of what was before.
    public func isExceeded(by rows: Int, percent: Double) -> Bool {
      percent > self.percent && rows > count
    }
  }

  /// A column whose values as a whole stay much the same from release to release.
  public struct Drift: Sendable, Hashable {
    /// What is compared of the column.
    public enum Measure: String, Sendable, Hashable {
      /// The share of rows that each of its values has.
      case shareOf = "share-of"
      /// The sum of its numbers.
      case sumOf = "sum-of"
    }

    /// What is compared.
    public var measure: Measure
    /// The column of the source's own table.
    public var column: String
    /// How far it may move.
    public var limit: Limit
  }

  /// The rows of a revision that the one which replaces it must still have.
  public struct LostKeys: Sendable, Hashable {
    /// How many of them may be gone, in percent.
    public var limit: Limit
    /// A condition on the columns of the source's own table, in SQL, of rows none of which may be gone; nil
    /// where there are no such rows.
    public var never: String?
  }

  /// How few rows are too few; nil when any number will do.
  public var leastRows: Int?
  /// How few rows of a real file are reported, though they are allowed; nil where none are.
  public var fewRows: Int?
  /// How few rows are too few of a synthetic file; nil when the same are as of a real one.
  public var leastSampleRows: Int?
  /// How many rows are not yet too many; nil when any number will do.
  public var mostRows: Int?
  /// How far the number of rows may move; nil when it may move as it likes.
  public var rowChange: Limit?
  /// What else is held against the release before.
  public var drifts: [Drift] = []
  /// What is held against the revision that is replaced; nil where nothing is.
  public var lostKeys: LostKeys?

  /// Nothing is expected.
  public init() {}

  /// How few rows are too few; nil when any number will do.
  ///
  /// `isSynthetic`: whether the file says that it is a sample.
  public func leastRows(isSynthetic: Bool) -> Int? {
    isSynthetic ? leastSampleRows ?? leastRows : leastRows
  }

  /// Whether the release before is needed to judge it.
  public var looksBack: Bool { rowChange != nil || !drifts.isEmpty }
}

extension Expectation {
  /// Reads the key `expect` of a source.
  ///
  /// `layout`: the source's, where there is such a one.
  init?(_ node: YAMLNode, of layout: Layout?, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "expect", keys: ["rows", "drift", "lost_keys"], in: file) else {
      return nil
    }
    if let rows = fields.node("rows") { readRows(rows, in: file) }
    var names: [Marked<String>] = []
    for item in fields.list("drift") ?? [] {
      guard let (drift, mark) = Self.drift(item, in: file) else { continue }
      drifts.append(drift)
      let measure = drift.measure.rawValue.replacing("-", with: "_")
      names.append(Marked("\(measure): \(drift.column)", at: mark))
      if let layout { drift.report(against: layout, at: mark, in: file) }
    }
    reportRepeats(names, called: "the drift", in: file)
    if let node = fields.node("lost_keys") { lostKeys = Self.lostKeys(node, in: file) }
  }

  private static func lostKeys(_ node: YAMLNode, in file: DefinitionFile) -> LostKeys? {
    let keys = ["by", "never", "severity"]
    guard let fields = Fields(node, of: "lost_keys", keys: keys, in: file),
      let limit = Limit("by", of: fields, severity(fields), orCount: true, in: file)
    else { return nil }
    return LostKeys(limit: limit, never: fields.text("never")?.value)
  }

  private mutating func readRows(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["min", "sample_min", "max", "change"]
    guard let rows = Fields(node, of: "expect.rows", keys: keys, in: file) else { return }
    readLeast(rows, in: file)
    leastSampleRows = rows.count("sample_min")
    mostRows = rows.count("max")
    if let leastRows, let mostRows, mostRows < leastRows {
      file.report("'max' is less than 'min'", at: rows.mark(of: "max"))
    }
    guard let change = rows.node("change") else { return }
    // 10%, or {warn: 2%, by: 10%}, or {by: 10%, severity: warn}
    guard case .mapping = change.content else {
      rowChange = Limit("change", of: rows, .fail, orCount: true, in: file)
      return
    }
    guard let fields = Fields(change, of: "change", keys: ["warn", "by", "severity"], in: file) else {
      return
    }
    rowChange = Limit("by", of: fields, Self.severity(fields), orCount: true, in: file)
    guard fields.has("warn"), let warn = Limit("warn", of: fields, .warn, in: file) else { return }
    if let percent = rowChange?.percent, warn.percent >= percent {
      file.report("'warn' is not less than 'by'", at: fields.mark(of: "warn"))
    }
    rowChange?.warnPercent = warn.percent
  }

  /// Reads `min`: a number, or `{warn: 5000000, by: 10}`.
  private mutating func readLeast(_ rows: Fields, in file: DefinitionFile) {
    guard let least = rows.node("min"), case .mapping = least.content else {
      leastRows = rows.count("min")
      return
    }
    guard let fields = Fields(least, of: "min", keys: ["warn", "by"], in: file) else { return }
    for key in ["warn", "by"] { fields.need(key) }
    (fewRows, leastRows) = (fields.count("warn"), fields.count("by"))
    if let fewRows, let leastRows, fewRows <= leastRows {
      file.report("'warn' is not more than 'by'", at: fields.mark(of: "warn"))
    }
  }

  private static func drift(_ node: YAMLNode, in file: DefinitionFile) -> (drift: Drift, mark: Mark)? {
    let keys = ["share_of", "by", "sum_of", "change", "severity"]
    guard let fields = Fields(node, of: "a drift", keys: keys, in: file) else { return nil }
    guard fields.has("share_of") != fields.has("sum_of") else {
      file.report("a drift needs one of the keys 'share_of' and 'sum_of'", at: fields.mark)
      return nil
    }
    let isShare = fields.has("share_of")
    let (limitKey, otherKey) = isShare ? ("by", "change") : ("change", "by")
    if fields.has(otherKey) {
      file.report(
        "'\(otherKey)' is for \(isShare ? "sums" : "shares")", at: fields.mark(of: otherKey),
        hint: "write \(limitKey)")
    }
    let column = fields.text(isShare ? "share_of" : "sum_of")
    let limit = Limit(limitKey, of: fields, severity(fields), in: file)
    guard let column, let limit else { return nil }
    return (Drift(measure: isShare ? .shareOf : .sumOf, column: column.value, limit: limit), column.mark)
  }

  private static func severity(_ fields: Fields) -> Check.Severity {
    fields.choice("severity", of: "severity", among: [.fail, .warn]) ?? .fail
  }
}

extension Expectation.Limit {
  /// Reads `10%`, and `10% or 5` where a number may be allowed beside the share.
  fileprivate init?(
    _ key: String, of fields: Fields, _ severity: Check.Severity, orCount: Bool = false,
    in file: DefinitionFile
  ) {
    guard let text = fields.needText(key) else { return nil }
    switch RejectLimit(text.value) {
    case .percent(let percent): self.init(percent: percent, severity: severity)
    case .percentOrCount(let percent, let count) where orCount:
      self.init(percent: percent, count: count, severity: severity)
    default:
      file.report("'\(text.value)' is no share", at: text.mark, hint: "write a share such as 10%")
      return nil
    }
  }
}

extension Expectation.Drift {
  /// Reports a column that the source's own table does not have, or that cannot be compared as is asked.
  fileprivate func report(against layout: Layout, at mark: Mark, in file: DefinitionFile) {
    let columns = layout.versions.flatMap(\.columns).filter(\.isStored)
    let meant = columns.filter { $0.name == column }
    if meant.isEmpty {
      let names = columns.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      file.report(
        "'\(column)' is no column of the layout '\(layout.name)'", at: mark,
        hint: NearestName.hint(column, among: names, called: "it has"))
    } else if meant.contains(where: \.isSensitive) {
      file.report(
        "'\(column)' is sensitive, and its values must not be shown", at: mark,
        hint: "compare another column, or write a check that counts")
    } else if measure == .sumOf, let other = meant.first(where: { !$0.type.isNumber }) {
      file.report("a sum is of numbers; the type of '\(column)' is \(other.type)", at: mark)
    }
  }
}
