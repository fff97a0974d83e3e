package import Definitions

/// A source's rows held against those of the release before: how many there are, the shares of values, sums.
///
/// Where a column of the key parts the rows into classes, each class is held against its own; a release of
/// one class for all is held against each class of one that tells them apart, so that a file which comes in
/// parts from some release on does not look like one that doubled.
package struct ReleaseComparison {
  package let source: Source
  /// The class columns in their order, each with the value that stands for every class.
  package let classes: [(column: String, all: String)]
  package let previous: PreviousTable
  package let now: TableProfile
  package let before: TableProfile
  /// Values of the columns must not be shown.
  package let withholdsValues: Bool

  /// A class of the rows, and what it is held against.
  private struct Pair {
    /// As texts name it: empty, or `cf_class qp: `.
    package let name: String
    package let now: TableProfile.Counts
    package let before: TableProfile.Counts
  }

  /// What moved, and how far.
  private struct Finding {
    package let isTooFar: Bool
    /// It is allowed, and reported all the same.
    package var isOdd = false
    /// How much of it counts as found.
    package let count: Int
    package let text: String
  }

  // MARK: Rules

  /// Judges the number of rows; finds the rows more or fewer, of classes that moved too far.
  package func judgeRows(_ limit: Expectation.Limit) -> GateReport {
    let findings = pairs.map { pair -> Finding in
      let change = Self.percent(from: Double(pair.before.rows), to: Double(pair.now.rows))
      let rows = abs(pair.now.rows - pair.before.rows)
      return Finding(
        isTooFar: limit.isExceeded(by: rows, percent: abs(change)),
        isOdd: limit.warnPercent.map { abs(change) > $0 } ?? false,
        count: rows,
        text: "\(pair.name)\(Self.shown(pair.now.rows)) rows after \(Self.shown(pair.before.rows)) in "
          + "\(previous.release), \(Self.shown(change: change))")
    }
    return report(source.rowChangeRule, limit, findings, allowed: "\(limit.description) is allowed")
  }

  /// Judges a column; finds the values or the sums that moved too far.
  package func judge(_ drift: Expectation.Drift) -> GateReport {
    let rule = source.rule(for: drift)
    switch drift.measure {
    case .shareOf:
      let findings = pairs.flatMap { shares(of: drift.column, in: $0, limit: drift.limit) }
      return report(
        rule, drift.limit, findings, allowed: "\(Self.shown(drift.limit.percent)) points are allowed")
    case .sumOf:
      let findings = pairs.map { sum(of: drift.column, in: $0, limit: drift.limit) }
      return report(rule, drift.limit, findings, allowed: "\(drift.limit.description) is allowed")
    }
  }

  private func shares(of column: String, in pair: Pair, limit: Expectation.Limit) -> [Finding] {
    // Of no rows nothing has a share; that they are gone is said by their number.
    guard pair.now.rows > 0, pair.before.rows > 0 else { return [] }
    let values = Set((pair.now.values[column] ?? [:]).keys).union((pair.before.values[column] ?? [:]).keys)
    let moved = values.map { value in
      (value, pair.before.share(of: value, in: column), pair.now.share(of: value, in: column))
    }.sorted { (abs($1.2 - $1.1), $0.0 ?? "") < (abs($0.2 - $0.1), $1.0 ?? "") }
    let tooFar = moved.filter { abs($0.2 - $0.1) > limit.percent }
    return (tooFar.isEmpty ? Array(moved.prefix(1)) : tooFar).map { value, old, new in
      let name = withholdsValues ? "one value" : value.map { "'\(ShownValue.text($0))'" } ?? "no value"
      return Finding(
        isTooFar: abs(new - old) > limit.percent, count: 1,
        text:
          "\(pair.name)the share of \(name) in \(column) is \(Self.shown(new))% after \(Self.shown(old))% in "
          + previous.release)
    }
  }

  private func sum(of column: String, in pair: Pair, limit: Expectation.Limit) -> Finding {
    let (old, new) = (pair.before.sums[column] ?? "0", pair.now.sums[column] ?? "0")
    let change = Self.percent(from: Double(old) ?? 0, to: Double(new) ?? 0)
    let found = withholdsValues ? "moved since" : "is \(new) after \(old) in"
    return Finding(
      isTooFar: abs(change) > limit.percent, count: 1,
      text: "\(pair.name)the sum of \(column) \(found) \(previous.release), \(Self.shown(change: change))")
  }

  private func report(
    _ rule: String, _ limit: Expectation.Limit, _ findings: [Finding], allowed: String
  ) -> GateReport {
    let tooFar = findings.filter(\.isTooFar)
    let broken = tooFar.isEmpty ? findings.filter(\.isOdd) : tooFar
    let found = (broken.isEmpty ? findings : broken).prefix(10).map(\.text) + unpaired
    let passedOver = previous.lacking.map { ["\($0) without the table passed over"] } ?? []
    return GateReport(
      rule: rule, severity: limit.severity, passed: tooFar.isEmpty || limit.severity == .warn,
      found: broken.reduce(0) { $0 + $1.count }, isOdd: !broken.isEmpty,
      about: (found + passedOver + [allowed]).joined(separator: "; "))
  }

  /// What is reported where there is no release to compare with.
  package static func nothingBefore(_ rule: String, _ severity: Check.Severity) -> GateReport {
    GateReport(
      rule: rule, severity: severity, passed: true, found: 0,
      about: "no release before it is published that has the table")
  }

  // MARK: Classes

  private var pairs: [Pair] {
    var pairs: [Pair] = []
    for (own, counts) in now.classes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for other in partners(of: own, among: before.classes) {
        pairs.append(Pair(name: name(own), now: counts, before: before.classes[other] ?? .init()))
      }
    }
    // What is gone altogether is a class of no rows.
    for (other, counts) in before.classes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where partners(of: other, among: now.classes).isEmpty {
      pairs.append(Pair(name: name(other), now: .init(), before: counts))
    }
    return pairs
  }

  /// The classes that the release before did not have.
  private var unpaired: [String] {
    now.classes.keys.filter { partners(of: $0, among: before.classes).isEmpty }.map(name).sorted()
      .map { "\($0)new since \(previous.release)" }
  }

  /// The class itself; where the other release lacks it, those that it stands for, or that stand for it.
  private func partners(
    of own: TableProfile.Class, among others: [TableProfile.Class: TableProfile.Counts]
  ) -> [TableProfile.Class] {
    if others[own] != nil { return [own] }
    return others.keys.filter { other in
      classes.indices.allSatisfy { index in
        own[index] == other[index] || [own[index], other[index]].contains(classes[index].all)
      }
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func name(_ own: TableProfile.Class) -> String {
    let found = zip(classes, own).filter { $0.all != $1 }.map { "\($0.column) \($1)" }
    return found.isEmpty ? "" : found.joined(separator: ", ") + ": "
  }

  // MARK: Numbers

  /// What was nothing and is something has changed beyond any limit.
  private static func percent(from old: Double, to new: Double) -> Double {
    old == new ? 0 : old == 0 ? .infinity : (new - old) * 100 / abs(old)
  }

  private static func shown(change: Double) -> String {
    change.isInfinite ? "from nothing" : (change > 0 ? "+" : "") + shown(change) + "%"
  }

  /// With at most one digit after the point.
  private static func shown(_ number: Double) -> String {
    // What is too large for tenths is shown as it is.
    guard let tenths = Int(exactly: (abs(number) * 10).rounded()) else { return "\(number)" }
    let sign = number < 0 && tenths > 0 ? "-" : ""
    return "\(sign)\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
  }

  /// With a comma between thousands.
  private static func shown(_ count: Int) -> String {
    var text = "\(count)"
    var place = text.count - 3
    while place > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: place))
      place -= 3
    }
    return text
  }

  package init(
    source: Source, classes: [(column: String, all: String)], previous: PreviousTable, now: TableProfile,
    before: TableProfile, withholdsValues: Bool
  ) {
    self.source = source
    self.classes = classes
    self.previous = previous
    self.now = now
    self.before = before
    self.withholdsValues = withholdsValues
  }
}
