/// Makes the rows of a sample's tables, the same ones for the same seed.
struct RowMaker {
  let tables: [SampleTable]
  let pool: TextPool
  let rows: Int
  let seed: UInt64
  /// The names of the quirks that formulas may ask for, as numbers in the pool.
  var quirks: Set<Int64> = []

  /// Hands each row of a table to a closure, in order.
  ///
  /// Not optimised: of functions that call each other with closures, the compiler makes copies of copies for
  /// minutes on end. What takes time is behind their calls.
  @_optimize(none)
  func forEach(
    of table: Int, in width: Int? = nil, _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    var frame = emptyFrame(width ?? definition.scope.width)
    var number = 0
    func next(_ frame: inout Frame) throws(SampleError) {
      number += 1
      frame.random = RandomStream(seed: seed, table: table, row: number)
      try fill(definition.columns, &frame, of: definition)
      try body(&frame)
    }
    switch definition.origin {
    case .items, .copy:
      for row in try kept(table) {
        frame.values.replaceSubrange(0..<row.count, with: row)
        try body(&frame)
      }
    case .codes(let plan): try forEachCode(plan, table, &frame, body)
    case .counted(let share):
      // The random numbers of a counted row are those of the number before its own.
      number = -1
      for row in 0..<Int((Double(rows) * share).rounded(.up)) {
        frame.values[0] = Int64(row + 1)
        try next(&frame)
      }
    case .repeated(let other, let times):
      try forEach(of: other, in: frame.values.count) { (frame) throws(SampleError) in
        let count = times.value(&frame)
        for nth in 0..<max(0, count) {
          frame.values[tables[other].scope.width] = nth + 1
          try next(&frame)
        }
      }
    case .product(let one, let other, let condition):
      let seconds = try kept(other)
      let start = tables[one].scope.width
      try forEach(of: one, in: frame.values.count) { (frame) throws(SampleError) in
        if let condition, condition.value(&frame) == 0 { return }
        // The first table's random numbers go on behind this row: they are kept from being used here.
        let random = frame.random
        for second in seconds {
          frame.values.replaceSubrange(start..<(start + second.count), with: second)
          try next(&frame)
        }
        frame.random = random
      }
    }
  }

  /// The rows of a table that is kept in memory.
  func kept(_ table: Int) throws(SampleError) -> [[Int64]] {
    let definition = tables[table]
    var sources: [[Int64]] = []
    switch definition.origin {
    case .items(let items): sources = items
    case .copy(let other): sources = try kept(other)
    case .codes, .counted, .repeated, .product: break
    }
    var rows: [[Int64]] = []
    for (index, source) in sources.enumerated() {
      var frame = emptyFrame(definition.scope.width)
      frame.values.replaceSubrange(0..<source.count, with: source)
      frame.random = RandomStream(seed: seed, table: table, row: index)
      try fill(definition.columns, &frame, of: definition)
      rows.append(frame.values)
      if let again = definition.again, again.condition.value(&frame) != 0 {
        for change in again.changes { frame.values[change.place] = change.value }
        rows.append(frame.values)
      }
    }
    return definition.sort.isEmpty ? rows : sorted(rows, by: definition.sort)
  }

  private func sorted(_ rows: [[Int64]], by columns: [(place: Int, kind: ValueKind)]) -> [[Int64]] {
    rows.enumerated().sorted { one, other in
      for column in columns {
        let (first, second) = (one.element[column.place], other.element[column.place])
        if first == second { continue }
        return column.kind == .text ? pool.precedes(first, second) : first < second
      }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func forEachCode(
    _ plan: CodePlan, _ table: Int, _ frame: inout Frame, _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    let shares = try plan.rows(rows)
    let variants = ([""] + plan.variants).map(pool.number)
    var item = 0
    var row = 0
    for (rangeNumber, range) in plan.ranges.enumerated() {
      let parts = range.parts.map(pool.number)
      let kind = pool.number(of: range.kind)
      let items = shares[rangeNumber] / parts.count
      for nth in 0..<items {
        let (ordinal, variant) = range.place(of: nth, among: items)
        item += 1
        frame.values[0] = CodeRange.value(range: rangeNumber, ordinal: ordinal)
        frame.values[2] = kind
        frame.values[3] = Int64(nth)
        frame.values[4] = Int64(item)
        frame.random = RandomStream(seed: seed, table: table, row: item)
        try fill(definition.columns, &frame, of: definition)
        for part in range.hasParts ? parts : [variants[variant]] {
          row += 1
          frame.values[1] = part
          frame.values[5] = Int64(row)
          try fill(definition.partColumns, &frame, of: definition)
          try body(&frame)
        }
      }
    }
  }

  private func fill(
    _ columns: [SampleTable.Column], _ frame: inout Frame, of table: SampleTable
  ) throws(SampleError) {
    for column in columns { frame.values[column.place] = column.formula.value(&frame) }
    if frame.hasOverflowed { throw .overflow(table: table.name) }
  }

  private func emptyFrame(_ width: Int) -> Frame {
    Frame(
      values: Array(repeating: 0, count: width), random: RandomStream(seed: seed, table: 0, row: 0),
      quirks: quirks)
  }
}
