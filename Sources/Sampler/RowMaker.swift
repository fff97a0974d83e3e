/// Makes the rows of a sample's tables, the same ones for the same seed.
struct RowMaker {
  let tables: [SampleTable]
  let pool: TextPool
  let rows: Int
  let seed: UInt64
  /// The names of the quirks that formulas may ask for, as numbers in the pool.
  var quirks: Set<Int64> = []

  /// Hands each row of a table to a closure, in order.
  func forEach(
    of table: Int, in width: Int? = nil, _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    let width = width ?? definition.width
    switch definition.origin {
    case .items, .copy:
      var frame = emptyFrame(width)
      for row in try kept(table) {
        frame.values.replaceSubrange(0..<row.count, with: row)
        try body(&frame)
      }
    case .codes(let plan): try forEachCode(plan, table, width, body)
    case .counted(let share): try forEachCounted(share, table, width, body)
    case .repeated(let other, let times): try forEachCopy(of: other, times, table, width, body)
    case .product(let one, let other, let condition):
      try forEachPair(one, other, condition, table, width, body)
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
      var frame = emptyFrame(definition.width)
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
    _ plan: CodePlan, _ table: Int, _ width: Int, _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    guard let shares = RowShares.rows(rows, ranges: plan.ranges, variants: plan.variants.count) else {
      throw .rows(
        rows, least: RowShares.least(plan.ranges),
        most: RowShares.most(plan.ranges, variants: plan.variants.count))
    }
    let variants = ([""] + plan.variants).map(pool.number)
    var frame = emptyFrame(width)
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

  private func forEachCounted(
    _ share: Double, _ table: Int, _ width: Int, _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    var frame = emptyFrame(width)
    for row in 0..<Int((Double(rows) * share).rounded(.up)) {
      frame.values[0] = Int64(row + 1)
      frame.random = RandomStream(seed: seed, table: table, row: row)
      try fill(definition.columns, &frame, of: definition)
      try body(&frame)
    }
  }

  // Not optimised, as `forEachPair` is not: of functions that call each other with closures, the compiler
  // makes copies of copies for minutes on end. What takes time is behind their calls.
  @_optimize(none)
  private func forEachCopy(
    of other: Int, _ times: Formula, _ table: Int, _ width: Int,
    _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    let place = tables[other].width
    var number = 0
    try forEach(of: other, in: width) { (frame) throws(SampleError) in
      let count = times.value(&frame)
      guard count > 0 else { return }
      for nth in 1...count {
        number += 1
        frame.values[place] = nth
        frame.random = RandomStream(seed: seed, table: table, row: number)
        try fill(definition.columns, &frame, of: definition)
        try body(&frame)
      }
    }
  }

  @_optimize(none)
  private func forEachPair(
    _ one: Int, _ other: Int, _ condition: Formula?, _ table: Int, _ width: Int,
    _ body: (inout Frame) throws(SampleError) -> Void
  ) throws(SampleError) {
    let definition = tables[table]
    let seconds = try kept(other)
    let start = tables[one].width
    var number = 0
    try forEach(of: one, in: width) { (frame) throws(SampleError) in
      if let condition, condition.value(&frame) == 0 { return }
      // The first table's random numbers go on behind this row: they are kept from being used here.
      let random = frame.random
      for second in seconds {
        frame.values.replaceSubrange(start..<(start + second.count), with: second)
        number += 1
        frame.random = RandomStream(seed: seed, table: table, row: number)
        try fill(definition.columns, &frame, of: definition)
        try body(&frame)
      }
      frame.random = random
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
