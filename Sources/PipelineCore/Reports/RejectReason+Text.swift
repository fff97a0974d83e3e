extension RejectReason {
  /// So many reasons are shown to people.
  public static let shownReasons = 10

  /// The commonest reasons, each with its count and examples, a line each, without a last line end.
  package static func text(_ reasons: [RejectReason]) -> String {
    var lines: [String] = []
    for reason in reasons.prefix(shownReasons) {
      lines.append("  \(reason.records) \(reason.summary)")
      lines += reason.lines.map { "    " + $0 }
    }
    let others = reasons.dropFirst(shownReasons)
    if !others.isEmpty {
      lines.append("  \(others.reduce(0) { $0 + $1.records }) for \(others.count) other reasons")
    }
    return lines.joined(separator: "\n")
  }

  /// What is wrong where, as `not-a-decimal in work_rvu of pprrvu`.
  public var summary: String { rule + (column.map { " in \($0)" } ?? "") + " of \(source)" }
}
