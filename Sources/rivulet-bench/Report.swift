import Reporting
import Values

/// What was measured in one run of the program.
struct Report {
  let machine: MachineDescription
  /// What was measured with: a real release or a synthetic one.
  let source: String
  var figures: [Figure] = []
  var skips: [(name: FigureName, reason: String)] = []

  init(machine: MachineDescription, source: String) {
    self.machine = machine
    self.source = source
  }

  /// No limit was missed; what was skipped has missed none.
  var hasPassed: Bool { figures.allSatisfy(\.hasPassed) }

  /// For people.
  var text: String {
    var table = TextTable([
      "figure", .right("runs"), .right("ours"), .right("yardstick"), .right("ratio"), "min-max",
      .right("limit"), "", "of",
    ])
    for figure in figures {
      let spread = figure.ratio ?? figure.ours
      let digits = figure.judged == .median ? 3 : 2
      table.add([
        figure.name, "\(figure.runs)", Report.measured(figure.ours, figure.unit),
        figure.yardstick.map { Report.measured($0, figure.unit) }, figure.ratio.map { $0.median.fixed(2) },
        "\(spread.min.fixed(digits))-\(spread.max.fixed(digits))",
        figure.limit.map { $0.fixed(digits) },
        figure.limit == nil ? "" : figure.hasPassed ? "passed" : "MISSED",
        figure.details.map { "\($0.value.grouped) \($0.name)" }.joined(separator: ", "),
      ])
    }
    let skipped = skips.map { "skipped: \($0.name.rawValue): \($0.reason)\n" }.joined()
    return machine.text + "with \(source)\n\n" + (table.isEmpty ? "" : table.text) + skipped
  }

  /// For programs.
  var json: JSON {
    .object([
      ("machine", machine.json), ("source", .string(source)),
      ("figures", .array(figures.map(Report.json))),
      (
        "skipped",
        .array(
          skips.map { .object([("name", .string($0.name.rawValue)), ("reason", .string($0.reason))]) })
      ), ("passed", .bool(hasPassed)),
    ])
  }

  private static func measured(_ spread: Spread, _ unit: Figure.Unit) -> String {
    "\(spread.median.fixed(unit == .seconds ? 3 : 1)) \(unit.rawValue)"
  }

  private static func json(_ figure: Figure) -> JSON {
    .object([
      ("name", .string(figure.name)), ("runs", .integer(figure.runs)),
      ("unit", .string(figure.unit.rawValue)), ("ours", json(figure.ours)),
      ("yardstick", figure.yardstick.map(json) ?? .null), ("ratio", figure.ratio.map(json) ?? .null),
      ("limit", figure.limit.map { .number($0.fixed(3)) } ?? .null),
      ("limit_on", .string(figure.judged.rawValue)), ("passed", .bool(figure.hasPassed)),
      ("details", .object(figure.details.map { ($0.name, .integer($0.value)) })),
    ])
  }

  private static func json(_ spread: Spread) -> JSON {
    .object([
      ("median", .number(spread.median.fixed(4))), ("min", .number(spread.min.fixed(4))),
      ("max", .number(spread.max.fixed(4))),
    ])
  }
}
