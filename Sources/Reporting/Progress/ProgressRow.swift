import Progress

/// A line of progress that has a bar: a part of a task, or a statement of the server.
struct ProgressRow {
  /// A text in a long and in a short form.
  struct Cell {
    var long = ""
    var short = ""
    /// Whether it is something to look at.
    var isOdd = false
  }

  var name: String
  /// From 0 to 1; nil where nobody knows.
  var share: Double?
  /// Whether the bar says that all is done.
  var isDone = false
  /// How much, how fast, how many rejected, and how long.
  var cells: [Cell]

  /// A statement that the server tells of.
  init(_ statement: StatementState) {
    name = statement.command.lowercased()
    share = statement.share
    cells = [Cell(), Cell(), Cell(), Cell(long: statement.phase, short: statement.phase)]
  }

  /// A part of a task; of its statements those that the server tells of.
  init(_ part: PartState, _ statements: [StatementState]) {
    name = part.name
    share = part.share
    var amount = Cell()
    var speed = Cell()
    var status = Cell()
    if let total = part.total, let bytes = part.bytes {
      amount = Cell(
        long: ProgressUnits.bytes(bytes, of: total, isShort: false),
        short: ProgressUnits.bytes(bytes, of: total, isShort: true))
    } else if let bytes = part.bytes ?? (part.phase == .waiting ? part.total : nil) {
      amount = Self.same(ProgressUnits.bytes(bytes))
    } else if let total = part.totalRows, let rows = part.rows, part.phase == .working {
      amount = Cell(
        long: "\(rows.grouped) of \(total.grouped) rows",
        short: "\(ProgressUnits.short(rows))/\(ProgressUnits.short(total))")
    }
    switch part.phase {
    case .waiting:
      share = part.total == nil ? nil : 0
      status = Self.same("waiting")
    case .working where part.activity.isEmpty:
      speed = Self.speed(of: part)
      let elapsed = Self.same(ProgressUnits.time(part.seconds))
      status =
        part.secondsLeft.map {
          Cell(
            long: ProgressUnits.time($0.rounded(.up)) + " left",
            short: ProgressUnits.time($0.rounded(.up), isShort: true) + " left")
        } ?? elapsed
    case .working:
      let known = statements.compactMap(\.share)
      share = known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
      amount = Self.same(statements.first?.phase ?? "")
      speed = Self.rows(of: part)
      status = Cell(
        long: "\(part.activity) \(ProgressUnits.time(part.activitySeconds))",
        short: "\(part.activity) \(ProgressUnits.time(part.activitySeconds, isShort: true))")
    case .ended:
      (share, isDone) = (1, true)
      if let bytes = part.bytes { amount = Self.same(ProgressUnits.bytes(bytes)) }
      speed = Self.rows(of: part)
      status = Self.same("done")
    }
    cells = [amount, speed, Self.rejects(of: part), status]
  }

  private static func same(_ text: String) -> Cell { Cell(long: text, short: text) }

  private static func speed(of part: PartState) -> Cell {
    if let rows = part.rowsPerSecond.map({ Int($0) }) {
      return Cell(long: "\(rows.grouped) rows/s", short: "\(ProgressUnits.short(rows))/s")
    }
    guard part.rows == nil, let bytes = part.bytesPerSecond else { return Cell() }
    return same(ProgressUnits.bytes(Int(bytes)) + "/s")
  }

  private static func rows(of part: PartState) -> Cell {
    part.rows.map { Cell(long: "\($0.grouped) rows", short: ProgressUnits.short($0) + " rows") } ?? Cell()
  }

  private static func rejects(of part: PartState) -> Cell {
    part.rejects.map {
      Cell(long: "\($0.grouped) rejected", short: "\(ProgressUnits.short($0)) rej.", isOdd: $0 > 0)
    } ?? Cell()
  }
}
