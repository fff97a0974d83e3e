import Values

/// What `expect` of a source says, before the layout's columns are looked up.
struct ExpectationOutline {
  private(set) var expectation = Expectation()
  /// Where the column of each drift is written, in their order.
  private var marks: [Mark] = []

  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "expect", keys: ["rows", "drift"], in: file) else { return nil }
    if let rows = fields.node("rows") { readRows(rows, in: file) }
    for item in fields.list("drift") ?? [] { readDrift(item, in: file) }
    let names = zip(expectation.drifts, marks).map {
      Marked("\($0.measure.rawValue.replacing("-", with: "_")): \($0.column)", at: $1)
    }
    reportRepeats(names, called: "the drift", in: file)
  }

  private mutating func readRows(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["min", "max", "change"]
    guard let rows = Fields(node, of: "expect.rows", keys: keys, in: file) else { return }
    expectation.leastRows = rows.count("min")
    expectation.mostRows = rows.count("max")
    if let least = expectation.leastRows, let most = expectation.mostRows, most < least {
      file.report("'max' is less than 'min'", at: rows.mark(of: "max"))
    }
    guard let change = rows.node("change") else { return }
    // 10%, or {by: 10%, severity: warn}
    guard case .mapping = change.content else {
      expectation.rowChange = Self.limit("change", of: rows, .fail, in: file)
      return
    }
    guard let fields = Fields(change, of: "change", keys: ["by", "severity"], in: file) else { return }
    expectation.rowChange = Self.limit("by", of: fields, Self.severity(fields), in: file)
  }

  private mutating func readDrift(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["share_of", "by", "sum_of", "change", "severity"]
    guard let fields = Fields(node, of: "a drift", keys: keys, in: file) else { return }
    guard fields.has("share_of") != fields.has("sum_of") else {
      return file.report("a drift needs one of the keys 'share_of' and 'sum_of'", at: fields.mark)
    }
    let isShare = fields.has("share_of")
    let key = isShare ? "change" : "by"
    if fields.has(key) {
      file.report(
        "'\(key)' is for \(isShare ? "sums" : "shares")", at: fields.mark(of: key),
        hint: "write \(isShare ? "by" : "change")")
    }
    let column = fields.text(isShare ? "share_of" : "sum_of")
    let limit = Self.limit(isShare ? "by" : "change", of: fields, Self.severity(fields), in: file)
    guard let column, let limit else { return }
    expectation.drifts.append(
      Expectation.Drift(measure: isShare ? .shareOf : .sumOf, column: column.value, limit: limit))
    marks.append(column.mark)
  }

  private static func severity(_ fields: Fields) -> Expectation.Severity {
    fields.choice("severity", of: "severity") ?? .fail
  }

  private static func limit(
    _ key: String, of fields: Fields, _ severity: Expectation.Severity, in file: DefinitionFile
  ) -> Expectation.Limit? {
    guard let text = fields.needText(key) else { return nil }
    guard case .percent(let percent) = RejectLimit(text.value) else {
      file.report("'\(text.value)' is no share", at: text.mark, hint: "write a share such as 10%")
      return nil
    }
    return Expectation.Limit(percent: percent, severity: severity)
  }

  /// Reports columns that the source's own table does not have, or that cannot be compared as is asked.
  func report(against layout: Layout, in file: DefinitionFile) {
    let columns = layout.versions.flatMap(\.columns).filter(\.isStored)
    for (drift, mark) in zip(expectation.drifts, marks) {
      let meant = columns.filter { $0.name == drift.column }
      if meant.isEmpty {
        let names = columns.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        file.report(
          "'\(drift.column)' is no column of the layout '\(layout.name)'", at: mark,
          hint: NearestName.hint(drift.column, among: names, called: "it has"))
      } else if meant.contains(where: \.isSensitive) {
        file.report(
          "'\(drift.column)' is sensitive, and its values must not be shown", at: mark,
          hint: "compare another column, or write a check that counts")
      } else if drift.measure == .sumOf, let other = meant.first(where: { !$0.type.isNumber }) {
        file.report(
          "a sum is of numbers; the type of '\(drift.column)' is \(other.type)", at: mark)
      }
    }
  }
}

extension ValueType {
  fileprivate var isNumber: Bool {
    switch self {
    case .decimal, .integer: true
    default: false
    }
  }
}
